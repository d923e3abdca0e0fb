//! What files tell of one phase.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    evidence::{CheckKind, CheckResult, Entry, Verdict},
    fact::End,
    phases::{Close, PhaseFact, SentBack, USABLE_SCORE_MIN, cause},
    policy::FailureCategory,
    report::{AttemptedFix, Moment, StepRecord, TIMELINE_MAX, chronicle::DIAGNOSED_BELOW},
    returns::{Recommendation, Score},
    sessions::clock::seconds,
    time::Timestamp,
};

/// How many commands of a failure are told.
const COMMANDS_MAX: usize = 20;
/// How many repairs of a phase are told.
const FIXES_MAX: usize = 50;
/// How many ratings of a phase are told.
const RATINGS_MAX: usize = 20;
/// The checks of the project's own that have a place in records.
const AUTOMATED: [&str; 3] = ["compile", "build", "lint"];

/// What files tell of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    pub(super) began_at: Option<Timestamp>,
    pub(super) ended_at: Option<Timestamp>,
    pub(super) base: Option<String>,
    pub(super) commits: Vec<String>,
    pub(super) steps: BTreeMap<String, StepRecord>,
    pub(super) automated: Option<Value>,
    pub(super) debugs: u32,
    pub(super) replans: u32,
    pub(super) remedies: u32,
    pub(super) scores: Vec<Score>,
    /// The parts that it is done in.
    pub(super) parts: Vec<String>,
    /// What the phase was given up for, and what that teaches.
    pub(super) lesson: Option<(FailureCategory, String)>,
    /// What is only told of a phase that failed or could be better; others forget it when they are over.
    pub(super) detail: Box<Detail>,
}

/// How it came that a phase failed or could be better.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    /// The first moments and the last ones.
    pub(super) timeline: Vec<Moment>,
    pub(super) fixes: Vec<AttemptedFix>,
    pub(super) commands: Vec<String>,
    /// What went wrong last, when that was first seen, and where.
    pub(super) trouble: Option<Trouble>,
    /// What was seen last of each check.
    pub(super) seen: Vec<Seen>,
    pub(super) ratings: Vec<Rated>,
    /// The files that the plan names.
    pub(super) files: Vec<String>,
    tasks: Vec<String>,
    task_fixes: u32,
    plans_sent_back: u32,
    repaired: Option<String>,
}

/// Something that went wrong.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) category: FailureCategory,
    pub(super) since: Timestamp,
    pub(super) step: String,
}

/// What was seen of a check.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) kind: CheckKind,
    pub(super) criterion: String,
    pub(super) evidence: String,
    pub(super) verdict: Verdict,
    pub(super) waived: bool,
}

/// One rating.
#[derive(Clone, Debug)]
pub(super) struct Rated {
    pub(super) score: Score,
    pub(super) remarks: Vec<String>,
    /// The repair that it rates.
    pub(super) commit: Option<String>,
}

impl Told {
    pub(super) fn step_ended(&mut self, at: Timestamp, name: &str, end: &End) {
        let status = match end {
            End::Done => "completed",
            End::Failed(_) => "failed",
            End::Limited(_) => "waiting",
            End::Lost | End::Interrupted => "interrupted",
        };
        self.detail.moment(at, name, "step ended", status);
        let record = self.step(shown(name));
        record.status = Some(status.to_owned());
        record.timestamp = Some(seconds(at));
        if let End::Failed(failure) = end {
            self.detail.trouble(at, name, cause::of_failure(&failure.class));
        }
    }

    pub(super) fn take(&mut self, at: Timestamp, fact: &PhaseFact) {
        match fact {
            PhaseFact::Began { base } => {
                let base = Some(base.to_string());
                *self = Self { base, began_at: Some(at), ..Self::default() };
            }
            PhaseFact::Planned { tasks, .. } => {
                self.detail.tasks = tasks.iter().map(|task| task.id.to_string()).collect();
                self.detail.files = tasks.iter().flat_map(|task| task.files.clone()).collect();
            }
            PhaseFact::Split { parts, .. } => {
                self.parts = parts.iter().map(|part| part.id.to_string()).collect();
            }
            PhaseFact::PlanSentBack { .. } => {
                self.detail.plans_sent_back += 1;
                self.step("plan").validation_rounds = Some(self.detail.plans_sent_back);
                self.detail.trouble(at, "plan", FailureCategory::CoordinationFailure);
            }
            PhaseFact::Checked { results } => self.checked(at, results),
            PhaseFact::Settled { entries } => self.detail.settled(entries),
            PhaseFact::PlanStands { commit } => self.commits.push(commit.to_string()),
            PhaseFact::Repaired { commit } => {
                self.commits.push(commit.to_string());
                self.detail.repaired = Some(commit.to_string());
            }
            PhaseFact::TaskDone { task, commit } => {
                self.commits.push(commit.to_string());
                self.task_ended(*task, "completed", Some(commit.as_str()));
            }
            PhaseFact::TaskGivenUp { task, category, .. } => {
                self.task_ended(*task, "failed", None);
                let category = category.unwrap_or(FailureCategory::ExecutorIncomplete);
                self.detail.trouble(at, "execute", category);
            }
            PhaseFact::Verified { pass, failures, seen, .. } => {
                self.step("verify").status = Some(if *pass { "pass" } else { "fail" }.to_owned());
                if !failures.is_empty() {
                    let said = seen.categories.first().copied();
                    let category = said.unwrap_or(FailureCategory::AcceptanceCriteriaUnmet);
                    self.detail.trouble(at, "verify", category);
                }
            }
            PhaseFact::Opined { sha256, .. } => {
                self.step("judge").hash = Some(format!("sha256:{sha256}"));
            }
            PhaseFact::Judged { recommendation, concerns, .. } => {
                self.judged(at, *recommendation, concerns);
            }
            PhaseFact::Rated { score, remarks, .. } => self.rated(at, *score, remarks),
            PhaseFact::SentBack { to, findings } => self.sent_back(at, *to, findings),
            PhaseFact::Learned { category, rule } => self.learned(at, *category, rule),
            PhaseFact::Closed(close) => self.closed(at, close),
            PhaseFact::Entered(_)
            | PhaseFact::Baseline { .. }
            | PhaseFact::Requested { .. }
            | PhaseFact::Canaries { .. }
            | PhaseFact::Shot(_)
            | PhaseFact::VisualIssues { .. }
            | PhaseFact::Researched(_)
            | PhaseFact::Caught { .. }
            | PhaseFact::Breached(_)
            | PhaseFact::Stamped(_)
            | PhaseFact::Deferred { .. }
            | PhaseFact::SettledAlone
            | PhaseFact::NeedsPerson { .. }
            | PhaseFact::Looked { .. }
            | PhaseFact::HandedOff { .. }
            | PhaseFact::Retried
            | PhaseFact::Justified { .. }
            | PhaseFact::Calibrated { .. } => {}
        }
    }

    fn rated(&mut self, at: Timestamp, score: Score, remarks: &[String]) {
        self.scores.push(score);
        let step = self.step("rate");
        step.alignment_score = Some(score.as_number());
        step.score_band = Some(score.band().to_owned());
        self.detail.rated(score, remarks);
        if score < USABLE_SCORE_MIN {
            self.detail.trouble(at, "rate", FailureCategory::AcceptanceCriteriaUnmet);
        }
    }

    fn judged(&mut self, at: Timestamp, word: Recommendation, concerns: &[String]) {
        let step = self.step("judge");
        step.recommendation = Some(word.name().to_owned());
        step.concerns = concerns.to_vec();
        if let Some(category) = cause::of_judgement(word) {
            self.detail.trouble(at, "judge", category);
        }
    }

    fn learned(&mut self, at: Timestamp, category: FailureCategory, rule: &str) {
        self.lesson = Some((category, rule.to_owned()));
        let before = self.detail.trouble.as_ref().map(|before| before.step.clone());
        let step = before.unwrap_or_else(|| "preflight".to_owned());
        self.detail.trouble(at, &step, category);
    }

    /// How long it took, where it has begun and ended.
    pub(super) fn ms(&self) -> u64 {
        let ended = self.ended_at.zip(self.began_at);
        ended.map_or(0, |(ended, began)| ended.ms_since(began))
    }

    fn step(&mut self, name: &str) -> &mut StepRecord {
        self.steps.entry(name.to_owned()).or_default()
    }

    fn checked(&mut self, at: Timestamp, results: &[CheckResult]) {
        self.detail.seen = results.iter().map(Seen::of).collect();
        let automated = AUTOMATED.map(|name| {
            let found = results.iter().find(|result| result.name == name);
            let told = found.map_or(json!("n/a"), |result| json!(result.verdict.is_passed()));
            (name.to_owned(), told)
        });
        self.automated = Some(Value::Object(Map::from_iter(automated)));
        let mut is_first = true;
        for result in results {
            let (Verdict::Failed(why) | Verdict::Unproven(why)) = &result.verdict else { continue };
            let command = result.command.as_deref().unwrap_or(&result.name);
            if self.detail.commands.len() < COMMANDS_MAX {
                self.detail.commands.push(format!("{command}: {why}"));
            }
            if std::mem::take(&mut is_first) {
                self.detail.trouble(at, "verify", cause::of_check(&result.name));
            }
        }
    }

    fn task_ended(&mut self, task: usize, status: &str, commit: Option<&str>) {
        let retries = std::mem::take(&mut self.detail.task_fixes);
        let Some(id) = self.detail.tasks.get(task).cloned() else { return };
        let tasks = self.step("execute").tasks.get_or_insert_with(|| json!({}));
        tasks[id] = json!({ "status": status, "commit": commit, "retries": retries });
    }

    fn sent_back(&mut self, at: Timestamp, to: SentBack, findings: &[String]) {
        let counter = match to {
            SentBack::TaskFix | SentBack::Repair => &mut self.debugs,
            SentBack::Remedy => &mut self.remedies,
            SentBack::Replan => &mut self.replans,
        };
        *counter += 1;
        if to == SentBack::TaskFix {
            self.detail.task_fixes += 1;
        }
        let attempt = u32::try_from(self.detail.fixes.len()).unwrap_or(u32::MAX);
        if self.detail.fixes.len() < FIXES_MAX {
            self.detail.fixes.push(AttemptedFix {
                attempt: attempt.saturating_add(1),
                description: to.name().to_owned(),
                commit_sha: None,
                resolved: Vec::new(),
                remaining: findings.to_vec(),
            });
        }
        self.detail.moment(at, to.name(), "sent back", "failure");
    }

    fn closed(&mut self, at: Timestamp, close: &Close) {
        self.ended_at = Some(at);
        let is_told = match close {
            Close::Completed { commit, score, .. } => {
                self.commits.push(commit.to_string());
                *score < DIAGNOSED_BELOW
            }
            Close::Failed { .. } => true,
            Close::Blocked { .. } => false,
        };
        if !is_told {
            *self.detail = Detail::default();
        }
    }
}

impl Detail {
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

    /// The same trouble again keeps the time at which it was first seen, and the place.
    fn trouble(&mut self, at: Timestamp, step: &str, category: FailureCategory) {
        if self.trouble.as_ref().is_none_or(|before| before.category != category) {
            self.trouble = Some(Trouble { category, since: at, step: step.to_owned() });
        }
    }

    fn settled(&mut self, entries: &[Entry]) {
        for seen in &mut self.seen {
            let waived = |entry: &Entry| entry.name == seen.name && entry.waived.is_some();
            seen.waived = entries.iter().any(waived);
        }
    }

    fn rated(&mut self, score: Score, remarks: &[String]) {
        if self.ratings.len() < RATINGS_MAX {
            let commit = self.repaired.take();
            self.ratings.push(Rated { score, remarks: remarks.to_vec(), commit });
        }
    }
}

impl Seen {
    fn of(result: &CheckResult) -> Self {
        let command = result.command.as_deref().unwrap_or("no command");
        let evidence = match result.exit_code {
            Some(code) => format!("`{command}`, exit code {code}"),
            None => format!("`{command}`"),
        };
        Self {
            name: result.name.clone(),
            kind: result.kind,
            criterion: result.criterion.clone(),
            evidence,
            verdict: result.verdict.clone(),
            waived: false,
        }
    }
}

/// The step of the nine that people see to which a step of the engine belongs.
fn shown(name: &str) -> &str {
    let first = name.split('/').next().unwrap_or(name);
    match first {
        "origin" | "origin-canary" | "outline" => "triage",
        "plan-check" | "plan-commit" | "baseline" => "plan_check",
        "check" | "request-check" | "request" | "fix" | "commit" | "human" => "execute",
        "replay" | "canary" | "seed" | "repair" | "repair-check" | "repair-commit" => "verify",
        "compare" => "judge",
        "approve" | "integrate" | "reject" => "rate",
        other => other,
    }
}
