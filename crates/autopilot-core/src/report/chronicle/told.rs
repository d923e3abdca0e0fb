//! What files tell of one phase.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::detail::Detail;
use crate::{
    evidence::{CheckResult, Verdict},
    fact::End,
    phases::{
        Close, PhaseFact, PhaseSpec, SentBack, Stage, USABLE_SCORE_MIN, VerificationSeen, cause,
    },
    policy::{FailureCategory, PhaseType},
    report::{StepRecord, chronicle::DIAGNOSED_BELOW},
    returns::{Recommendation, Score},
    sessions::clock::seconds,
    time::Timestamp,
};

/// The checks of the project's own that have a place in the record of a phase.
const AUTOMATED: [&str; 3] = ["compile", "build", "lint"];
/// The same in the record of its verification, each with the guards that show it.
const VERIFIED: [(&str, &[&str]); 3] =
    [("compile", &["compile", "typecheck"]), ("tests", &["test", "tests"]), ("lint", &["lint"])];
/// The steps that are left out where nobody works on a phase.
const WORKED: [&str; 4] = ["research", "plan", "plan_check", "execute"];

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
    /// The scores of earlier times that this run did it.
    pub(super) earlier: Vec<Score>,
    /// The parts that it is done in.
    pub(super) parts: Vec<String>,
    /// Why it is done in parts, and in which.
    pub(super) split: Option<Value>,
    /// What it changes, as far as that was seen.
    pub(super) kind: Option<PhaseType>,
    /// Whether the verifier was sure of what was left to a person.
    pub(super) settled_alone: bool,
    /// Whether it is being improved, and was not rated since.
    pub(super) improving: bool,
    /// Whether somebody judges work that was broken on purpose, which is no step of the phase.
    aside: bool,
    /// What the phase was given up for, and what that teaches.
    pub(super) lesson: Option<(FailureCategory, String)>,
    /// What is only told of a phase that failed or could be better; others forget it when they are over.
    pub(super) detail: Box<Detail>,
}

impl Told {
    pub(super) fn step_ended(&mut self, at: Timestamp, name: &str, end: &End) {
        let place = place(name);
        self.detail.ended(at, (name, place), end);
        if let End::Failed(failure) = end {
            self.detail.trouble(at, place, cause::of_failure(&failure.class));
        }
        let Some(step) = shown(name).filter(|_| !self.aside) else { return };
        let record = self.step(step);
        let status = match end {
            // Whether all was well is told by what follows.
            End::Done if step == "preflight" => "fail",
            End::Done => "completed",
            End::Failed(_) => "failed",
            End::Limited(_) => "waiting",
            End::Lost | End::Interrupted => "interrupted",
        };
        record.status = Some(status.to_owned());
        record.timestamp = Some(seconds(at));
        if (step, end) == ("plan", &End::Done) {
            *record.validation_rounds.get_or_insert(0) += 1;
        }
    }

    pub(super) fn take(&mut self, at: Timestamp, fact: &PhaseFact) {
        match fact {
            PhaseFact::Began { base } => self.begin(at, base.to_string()),
            PhaseFact::Entered(stage) => self.entered(stage),
            PhaseFact::PlanChecked { pass, confidence } => self.plan_checked(*pass, *confidence),
            PhaseFact::Planned { tasks, .. } => {
                self.detail.planned(tasks);
                let files = self.detail.files.iter().map(String::as_str);
                self.kind =
                    (!self.detail.files.is_empty()).then(|| PhaseType::of_paths(files, None));
            }
            PhaseFact::Split { parts, reason } => self.split_into(reason, parts),
            PhaseFact::PlanSentBack { .. } => {
                self.detail.amend("failure", None);
                self.detail.trouble(at, "plan", FailureCategory::CoordinationFailure);
            }
            PhaseFact::Checked { results } => self.checked(at, results),
            PhaseFact::Settled { entries } => self.detail.settled(entries),
            PhaseFact::PlanStands { commit } => self.commit(commit.as_str()),
            PhaseFact::Repaired { commit } => {
                self.commit(commit.as_str());
                self.detail.repaired(at, commit.as_str());
            }
            PhaseFact::TaskDone { task, commit } => {
                self.commit(commit.as_str());
                self.detail.mended(at, commit.as_str());
                self.task_ended(*task, "completed", Some(commit.as_str()));
            }
            PhaseFact::TaskGivenUp { task, category, .. } => {
                self.task_ended(*task, "failed", None);
                self.step("execute").status = Some("partial".to_owned());
                let category = category.unwrap_or(FailureCategory::ExecutorIncomplete);
                self.detail.trouble(at, "execute", category);
            }
            PhaseFact::Deferred { .. } => {
                self.detail.task_over();
            }
            PhaseFact::SettledAlone => self.settled_alone = true,
            PhaseFact::NeedsPerson { .. } => self.settled_alone = false,
            PhaseFact::Verified { pass, failures, seen, .. } => {
                self.verified(at, (*pass, failures.as_slice()), seen);
            }
            PhaseFact::Opined { report, sha256 } => {
                self.step("judge").hash = Some(format!("sha256:{sha256}"));
                self.detail.looked_at(&report.independent_evidence);
            }
            PhaseFact::Judged { recommendation, concerns, .. } => {
                self.judged(at, *recommendation, concerns);
            }
            PhaseFact::Rated { score, remarks, rows, .. } => {
                rows.iter().for_each(|row| self.detail.looked_at(&row.evidence));
                self.rated(at, *score, remarks);
            }
            PhaseFact::SentBack { to, findings } => self.sent_back(at, *to, findings),
            PhaseFact::Learned { category, rule } => self.learned(at, *category, rule),
            PhaseFact::Closed(close) => self.closed(at, close),
            PhaseFact::Baseline { .. }
            | PhaseFact::Requested { .. }
            | PhaseFact::Canaries { .. }
            | PhaseFact::Shot(_)
            | PhaseFact::VisualIssues { .. }
            | PhaseFact::Researched(_)
            | PhaseFact::Caught { .. }
            | PhaseFact::Breached(_)
            | PhaseFact::Stamped(_)
            | PhaseFact::Looked { .. }
            | PhaseFact::HandedOff { .. }
            | PhaseFact::Retried
            | PhaseFact::Marked { .. }
            | PhaseFact::Justified { .. }
            | PhaseFact::Calibrated { .. } => {}
        }
    }

    /// How long it took, where it has begun and ended.
    pub(super) fn ms(&self) -> u64 {
        let ended = self.ended_at.zip(self.began_at);
        ended.map_or(0, |(ended, began)| ended.ms_since(began))
    }

    /// Adds a commit, unless it is told already or only where the phase began.
    pub(super) fn commit(&mut self, commit: &str) {
        let is_told = self.commits.iter().any(|told| told == commit);
        if !is_told && self.base.as_deref() != Some(commit) {
            self.commits.push(commit.to_owned());
        }
    }

    fn begin(&mut self, at: Timestamp, base: String) {
        let mut earlier = std::mem::take(&mut self.earlier);
        earlier.append(&mut self.scores);
        *self = Self { base: Some(base), began_at: Some(at), earlier, ..Self::default() };
    }

    fn entered(&mut self, stage: &Stage) {
        self.aside = matches!(stage, Stage::Calibrate(..));
        if let Some(work) = stage.work() {
            self.detail.handed_in(work.commit.as_str());
        }
        if matches!(stage, Stage::Triage | Stage::Research) {
            self.amend("preflight", "fail", "pass");
        }
        if matches!(stage, Stage::Research) {
            self.amend("triage", "completed", "full_pipeline");
        }
        if matches!(stage, Stage::Outline) {
            self.amend("triage", "completed", "verify_only");
            for name in WORKED {
                self.step(name).status = Some("skipped".to_owned());
            }
        }
    }

    /// Says of a step that has ended what it came to.
    fn amend(&mut self, name: &str, before: &str, after: &str) {
        let step = self.steps.get_mut(name);
        if let Some(step) = step.filter(|step| step.status.as_deref() == Some(before)) {
            step.status = Some(after.to_owned());
        }
    }

    fn plan_checked(&mut self, pass: bool, confidence: f64) {
        let step = self.step("plan_check");
        step.status = Some(if pass { "pass" } else { "fail" }.to_owned());
        step.confidence = Some(confidence);
    }

    fn split_into(&mut self, reason: &str, parts: &[PhaseSpec]) {
        self.parts = parts.iter().map(|part| part.id.to_string()).collect();
        let told = |part: &PhaseSpec| {
            let scope = part.goal.lines().next().unwrap_or_default();
            json!({ "sub_phase_id": part.id.as_str(), "name": part.name, "scope": scope })
        };
        self.split = Some(json!({
            "reason": reason,
            "recommended_sub_phases": parts.iter().map(told).collect::<Vec<_>>(),
            "total_sub_phases": parts.len(),
        }));
    }

    fn verified(&mut self, at: Timestamp, word: (bool, &[String]), seen: &VerificationSeen) {
        let (pass, failures) = word;
        let automated = VERIFIED.map(|(name, guards)| (name.to_owned(), self.detail.guard(guards)));
        let step = self.step("verify");
        step.status = Some(if pass { "pass" } else { "fail" }.to_owned());
        step.automated = Some(Value::Object(Map::from_iter(automated)));
        self.detail.looked_at(&seen.criteria);
        if !seen.changed.is_empty() {
            let changed = seen.changed.iter().map(String::as_str);
            self.kind = Some(PhaseType::of_paths(changed, None));
        }
        if !pass {
            let event = format!("{} objections of the verifier", failures.len());
            self.detail.amend("failure", Some(event));
        }
        if !failures.is_empty() {
            let said = seen.categories.first().copied();
            let category = said.unwrap_or(FailureCategory::AcceptanceCriteriaUnmet);
            self.detail.trouble(at, "verify", category);
        }
    }

    fn rated(&mut self, at: Timestamp, score: Score, remarks: &[String]) {
        self.scores.push(score);
        self.improving = false;
        let step = self.step("rate");
        step.alignment_score = Some(score.as_number());
        step.score_band = Some(score.band().to_owned());
        self.detail.rated(score, remarks);
        if score < USABLE_SCORE_MIN {
            self.detail.amend("failure", Some(format!("rated {score} of 10")));
            self.detail.trouble(at, "rate", FailureCategory::AcceptanceCriteriaUnmet);
        }
    }

    fn judged(&mut self, at: Timestamp, word: Recommendation, concerns: &[String]) {
        let step = self.step("judge");
        step.recommendation = Some(word.name().to_owned());
        step.concerns = concerns.to_vec();
        if let Some(category) = cause::of_judgement(word) {
            self.detail.amend("failure", Some(format!("the judge said {}", word.name())));
            self.detail.trouble(at, "judge", category);
        }
    }

    fn learned(&mut self, at: Timestamp, category: FailureCategory, rule: &str) {
        self.lesson = Some((category, rule.to_owned()));
        let before = self.detail.trouble.as_ref().map(|before| before.step.clone());
        let step = before.unwrap_or_else(|| "preflight".to_owned());
        self.detail.trouble(at, &step, category);
    }

    fn step(&mut self, name: &str) -> &mut StepRecord {
        self.steps.entry(name.to_owned()).or_default()
    }

    fn checked(&mut self, at: Timestamp, results: &[CheckResult]) {
        let automated = AUTOMATED.map(|name| {
            let found = results.iter().find(|result| result.name == name);
            let told = found.map_or(json!("n/a"), |result| json!(result.verdict.is_passed()));
            (name.to_owned(), told)
        });
        self.automated = Some(Value::Object(Map::from_iter(automated)));
        self.detail.checked(results);
        let is_red = |result: &&CheckResult| {
            matches!(result.verdict, Verdict::Failed(_) | Verdict::Unproven(_))
        };
        if let Some(first) = results.iter().find(is_red) {
            self.detail.trouble(at, "verify", cause::of_check(&first.name));
        }
    }

    fn task_ended(&mut self, task: usize, status: &str, commit: Option<&str>) {
        let retries = self.detail.task_over();
        let Some(id) = self.detail.tasks.get(task).cloned() else { return };
        let tasks = self.step("execute").tasks.get_or_insert_with(|| json!({}));
        tasks[id] = json!({ "status": status, "commit": commit, "retries": retries });
    }

    fn sent_back(&mut self, at: Timestamp, to: SentBack, findings: &[String]) {
        match to {
            // A task's repairs are told with the task.
            SentBack::TaskFix => {}
            SentBack::Repair => self.debugs += 1,
            SentBack::Remedy => {
                self.remedies += 1;
                self.improving = true;
            }
            SentBack::Replan => {
                self.replans += 1;
                self.step("plan").validation_rounds = None;
            }
        }
        self.detail.sent_back(at, to, findings);
    }

    fn closed(&mut self, at: Timestamp, close: &Close) {
        self.ended_at = Some(at);
        let is_told = match close {
            Close::Completed { commit, score, below_pass, .. } => {
                self.commit(commit.as_str());
                *score < DIAGNOSED_BELOW || *below_pass
            }
            Close::Failed { .. } => true,
            Close::Blocked { .. } => false,
        };
        if !is_told {
            *self.detail = Detail::default();
        }
    }
}

/// The step of the nine that a step of the engine is. What the engine does around them is none.
fn shown(name: &str) -> Option<&'static str> {
    Some(match first(name) {
        "preflight" => "preflight",
        "triage" => "triage",
        "research" => "research",
        "plan" => "plan",
        "plan-check" => "plan_check",
        "execute" => "execute",
        "verify" => "verify",
        "judge" | "compare" => "judge",
        "rate" => "rate",
        _ => return None,
    })
}

/// Where in the pipeline a step of the engine belongs.
fn place(name: &str) -> &'static str {
    match first(name) {
        "origin" | "origin-canary" | "outline" => "triage",
        "plan-commit" | "baseline" => "plan_check",
        "fix" | "repair" | "repair-check" | "repair-commit" => "debug",
        "check" | "request-check" | "request" | "commit" | "human" | "parts" => "execute",
        "replay" | "canary" | "seed" => "verify",
        "approve" | "integrate" | "reject" => "rate",
        _ => shown(name).unwrap_or("preflight"),
    }
}

fn first(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}
