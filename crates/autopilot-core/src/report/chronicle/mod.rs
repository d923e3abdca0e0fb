//! A run as files tell it: a fold over its records, beside the state that decides.
//!
//! Start at [`Chronicle::take`]. The state forgets what no decision needs any more; files are for those who come later
//! and want to know. Nothing is decided here, and all of it can be made again from the journal.

mod after;
mod cause;
mod event;
mod snapshot;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

use crate::{
    budget::Spend,
    evidence::Verdict,
    fact::{End, Fact, Record},
    id::Step,
    phases::{Close, PhaseFact, SentBack},
    policy::FailureCategory,
    report::{AttemptedFix, EventEntry, Moment, StepRecord, TIMELINE_MAX},
    returns::Score,
    roadmap::PhaseId,
    run::Run,
    sessions::clock::seconds,
    time::Timestamp,
};

/// How many of the last events `state.json` holds: the file must not grow with the run. The journal has all.
pub const EVENTS_MAX: usize = 200;
/// How many commands of a failure are told.
const COMMANDS_MAX: usize = 20;

/// What files tell of a run.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    phases: BTreeMap<PhaseId, Told>,
    events: VecDeque<EventEntry>,
}

/// What files tell of a phase.
#[derive(Clone, Debug, Default)]
struct Told {
    began_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    base: Option<String>,
    commits: Vec<String>,
    steps: BTreeMap<String, StepRecord>,
    plans_sent_back: u32,
    debugs: u32,
    replans: u32,
    remedies: u32,
    scores: Vec<Score>,
    spent: Spend,
    /// The first moments and the last ones.
    timeline: Vec<Moment>,
    fixes: Vec<AttemptedFix>,
    commands: Vec<String>,
    /// What went wrong last, when that was first seen, and where.
    trouble: Option<Trouble>,
}

/// Something that went wrong.
#[derive(Clone, Debug)]
struct Trouble {
    category: FailureCategory,
    what: String,
    since: Timestamp,
    step: String,
}

impl Chronicle {
    /// Takes in one more record. `run` is the state after it.
    pub fn take(&mut self, run: &Run, record: &Record) {
        let at = record.at;
        if let Some(entry) = event::of(run, record) {
            self.note(entry);
        }
        match &record.fact {
            Fact::Ended { key, end, spent, .. } => self.step_ended(at, &key.step, end, *spent),
            Fact::Phase { phase, fact } => {
                self.phases.entry(*phase).or_default().take(at, fact);
            }
            Fact::Submitted(_)
            | Fact::Started { .. }
            | Fact::Held { .. }
            | Fact::Released { .. }
            | Fact::Asked { .. }
            | Fact::Answered { .. }
            | Fact::LeftOut(_)
            | Fact::Strays(_)
            | Fact::Repaired(_)
            | Fact::Environment(_)
            | Fact::StopAsked
            | Fact::Resumed { .. }
            | Fact::Rechecked { .. }
            | Fact::Finished(_) => {}
        }
    }

    fn note(&mut self, entry: EventEntry) {
        if self.events.len() == EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(entry);
    }

    fn step_ended(&mut self, at: Timestamp, step: &Step, end: &End, spent: Spend) {
        let Some((phase, name)) = step.as_str().split_once('/') else { return };
        let Ok(phase) = phase.parse::<PhaseId>() else { return };
        let told = self.phases.entry(phase).or_default();
        told.spent += spent;
        let status = match end {
            End::Done => "completed",
            End::Failed(_) => "failed",
            End::Limited(_) => "waiting",
            End::Lost | End::Interrupted => "interrupted",
        };
        told.moment(at, name, "step ended", status);
        let record = told.steps.entry(shown(name).to_owned()).or_default();
        record.status = Some(status.to_owned());
        record.timestamp = Some(seconds(at));
        if let End::Failed(failure) = end {
            told.trouble(at, name, cause::of_failure(&failure.class), &failure.detail);
        }
    }
}

impl Told {
    fn take(&mut self, at: Timestamp, fact: &PhaseFact) {
        match fact {
            PhaseFact::Began { base } => {
                *self = Self { base: Some(base.to_string()), ..Self::default() };
                self.began_at = Some(at);
            }
            PhaseFact::PlanSentBack { issues } => {
                self.plans_sent_back += 1;
                let what = issues.first().cloned().unwrap_or_default();
                self.trouble(at, "plan", FailureCategory::CoordinationFailure, &what);
                self.step("plan").validation_rounds = Some(self.plans_sent_back);
            }
            PhaseFact::Checked { results } => {
                for result in results.iter().filter(|result| !result.verdict.is_passed()) {
                    let (Verdict::Failed(why) | Verdict::Unproven(why)) = &result.verdict else { continue };
                    let command = result.command.as_deref().unwrap_or(&result.name);
                    if self.commands.len() < COMMANDS_MAX {
                        self.commands.push(format!("{command}: {why}"));
                    }
                    let told = format!("{}: {why}", result.name);
                    self.trouble(at, "verify", cause::of_check(&result.name), &told);
                }
            }
            PhaseFact::PlanStands { commit }
            | PhaseFact::TaskDone { commit, .. }
            | PhaseFact::Repaired { commit } => self.commits.push(commit.to_string()),
            PhaseFact::TaskGivenUp { why, .. } => {
                self.trouble(at, "execute", FailureCategory::ExecutorIncomplete, why);
            }
            PhaseFact::Verified { pass, failures } => {
                self.step("verify").status = Some(if *pass { "pass" } else { "fail" }.to_owned());
                if let Some(first) = failures.first() {
                    self.trouble(at, "verify", FailureCategory::AcceptanceCriteriaUnmet, first);
                }
            }
            PhaseFact::Judged { recommendation, concerns } => {
                let step = self.step("judge");
                step.recommendation = Some(recommendation.name().to_owned());
                step.concerns.clone_from(concerns);
                if let Some(category) = cause::of_judgement(*recommendation) {
                    self.trouble(at, "judge", category, &concerns.join("; "));
                }
            }
            PhaseFact::Rated { score, .. } => {
                self.scores.push(*score);
                self.step("rate").alignment_score = Some(score.as_number());
            }
            PhaseFact::SentBack { to, findings } => self.sent_back(at, *to, findings),
            PhaseFact::Closed(close) => {
                self.ended_at = Some(at);
                if let Close::Completed { commit, .. } = close {
                    self.commits.push(commit.to_string());
                }
            }
            PhaseFact::Entered(_)
            | PhaseFact::Baseline { .. }
            | PhaseFact::Requested { .. }
            | PhaseFact::Settled { .. }
            | PhaseFact::Canaries { .. }
            | PhaseFact::Researched(_)
            | PhaseFact::Planned { .. }
            | PhaseFact::Caught { .. }
            | PhaseFact::Calibrated { .. } => {}
        }
    }

    fn sent_back(&mut self, at: Timestamp, to: SentBack, findings: &[String]) {
        let counter = match to {
            SentBack::TaskFix | SentBack::Repair => &mut self.debugs,
            SentBack::Remedy => &mut self.remedies,
            SentBack::Replan => &mut self.replans,
        };
        *counter += 1;
        let attempt = u32::try_from(self.fixes.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.fixes.push(AttemptedFix {
            attempt,
            description: to.name().to_owned(),
            commit_sha: None,
            resolved: Vec::new(),
            remaining: findings.to_vec(),
        });
        self.moment(at, to.name(), "sent back", "failure");
    }

    /// Keeps the beginning and the end of a long story.
    fn moment(&mut self, at: Timestamp, step: &str, event: &str, status: &str) {
        if self.timeline.len() >= TIMELINE_MAX {
            self.timeline.remove(TIMELINE_MAX / 2);
        }
        self.timeline.push(Moment {
            timestamp: seconds(at),
            step: step.to_owned(),
            event: event.to_owned(),
            status: status.to_owned(),
        });
    }

    /// The same trouble again keeps the time at which it was first seen.
    fn trouble(&mut self, at: Timestamp, step: &str, category: FailureCategory, what: &str) {
        let since = self
            .trouble
            .as_ref()
            .filter(|before| before.category == category)
            .map_or(at, |before| before.since);
        let (what, step) = (what.to_owned(), step.to_owned());
        self.trouble = Some(Trouble { category, what, since, step });
    }

    fn step(&mut self, name: &str) -> &mut StepRecord {
        self.steps.entry(name.to_owned()).or_default()
    }

    fn minutes(&self) -> f64 {
        let ended = self.ended_at.zip(self.began_at);
        let ms = ended.map_or(0, |(ended, began)| ended.ms_since(began));
        snapshot::minutes(ms)
    }
}

/// The step of the nine that people see to which a step of the engine belongs.
fn shown(name: &str) -> &str {
    let first = name.split('/').next().unwrap_or(name);
    match first {
        "origin" | "origin-canary" => "triage",
        "plan-commit" | "baseline" => "plan_check",
        "plan-check" => "plan_check",
        "check" | "request-check" | "request" | "fix" | "commit" | "human" => "execute",
        "replay" | "canary" | "seed" | "repair" | "repair-check" | "repair-commit" => "verify",
        "approve" | "integrate" | "reject" => "rate",
        other => other,
    }
}
