//! The state of a phase that is being worked on, and how facts about it change it.

use serde::{Deserialize, Serialize};

use crate::{
    evidence::{Canary, CheckResult, Entry, Fewer},
    id::CommitId,
    input::Request,
    phases::{Accepted, Finding, Log, PhaseFact, Reviews, Stage, VisualLog, fact::SentBack},
    policy::{Deficiency, FailureCategory},
    returns::{Recommendation, Research, Score},
    roadmap::Task,
    time::Timestamp,
};

/// A phase that is being worked on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Active {
    /// When it began.
    pub began_at: Timestamp,
    /// When it came to its stage.
    pub entered_at: Timestamp,
    /// Where the run branch was when it began.
    pub base: CommitId,
    /// The last commit of the phase that stands.
    pub head: CommitId,
    /// What it is doing.
    pub stage: Stage,
    /// What research found.
    pub research: Option<Research>,
    /// The tasks of its plan.
    pub tasks: Vec<Task>,
    /// What could be better about its plan.
    #[serde(default)]
    pub remarks: Vec<Finding>,
    /// The commit of its plan, once that stands.
    #[serde(default)]
    pub planned: Option<CommitId>,
    /// What became of each task so far.
    pub ends: Vec<TaskEnd>,
    /// What the checks say on the base.
    pub baseline: Vec<CheckResult>,
    /// The edits of protected files in the last work.
    pub requests: Vec<Request>,
    /// The edits that count, each with its content.
    pub accepted: Vec<Accepted>,
    /// What the last check found.
    pub checked: Vec<CheckResult>,
    /// What followed from it beside the base.
    pub settled: Vec<Entry>,
    /// Whether what is newly green goes red when the work is broken.
    pub canaries: Vec<Canary>,
    /// What the first task was given up for that was.
    #[serde(default)]
    pub given_up: Option<FailureCategory>,
    /// What the next agent must be told.
    pub findings: Vec<String>,
    /// How often it was sent back.
    pub tries: Tries,
    /// The scores since it was last planned.
    #[serde(default)]
    pub scores: Vec<Score>,
    /// What the first of them lacks.
    #[serde(default)]
    pub lacks: Vec<Deficiency>,
    /// The judge's last word.
    pub judged: Option<Recommendation>,
    /// Why a person must look, where the verifier is not sure by itself.
    #[serde(default)]
    pub needs_person: Option<Vec<String>>,
    /// The last work that came back and changed anything, whatever became of it.
    #[serde(default)]
    pub last_work: Option<CommitId>,
    /// What is known of the reviews of the work as it is.
    #[serde(default)]
    pub reviews: Reviews,
    /// What is known of how its pages look.
    #[serde(default)]
    pub visual: VisualLog,
    /// How many commits it has made, apart from plans.
    #[serde(default)]
    pub commits: u32,
    /// A repair that is not good enough yet; the next one begins there.
    #[serde(default)]
    pub unfinished: Option<CommitId>,
    /// What must change and no check decides, until a repair stands and someone looks again.
    #[serde(default)]
    pub unsettled: Vec<String>,
    /// What the last agent of this stage left when it could not go on.
    #[serde(default)]
    pub resume: Option<CommitId>,
    /// Whether it is done in parts.
    #[serde(default)]
    pub is_split: bool,
    /// What is noted for its papers.
    #[serde(default)]
    pub log: Log,
}

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TaskEnd {
    /// It is done.
    Done,
    /// It could not be done.
    GivenUp,
    /// It waits for a person.
    Deferred,
}

/// How often a phase was sent back, for each reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tries {
    /// Plans sent back since the phase was last planned anew.
    pub plans: u32,
    /// Repairs of the task at hand.
    pub task_fixes: u32,
    /// Repairs of the phase.
    pub repairs: u32,
    /// Improvements of the phase.
    pub remedies: u32,
    /// Times it was planned anew.
    pub replans: u32,
}

impl Active {
    pub(super) fn new(base: &CommitId, now: Timestamp) -> Self {
        Self {
            began_at: now,
            entered_at: now,
            base: base.clone(),
            head: base.clone(),
            stage: Stage::Preflight,
            research: None,
            tasks: Vec::new(),
            remarks: Vec::new(),
            planned: None,
            ends: Vec::new(),
            baseline: Vec::new(),
            requests: Vec::new(),
            accepted: Vec::new(),
            checked: Vec::new(),
            settled: Vec::new(),
            canaries: Vec::new(),
            given_up: None,
            findings: Vec::new(),
            tries: Tries::default(),
            scores: Vec::new(),
            lacks: Vec::new(),
            judged: None,
            needs_person: None,
            last_work: None,
            reviews: Reviews::default(),
            visual: VisualLog::default(),
            commits: 0,
            unfinished: None,
            unsettled: Vec::new(),
            resume: None,
            is_split: false,
            log: Log::default(),
        }
    }

    /// Changes the state of an active phase by a fact about it.
    pub(super) fn apply(&mut self, fact: &PhaseFact, now: Timestamp) {
        self.reviews.apply(fact, now);
        self.visual.apply(fact);
        match fact {
            PhaseFact::Entered(stage) => self.enter(stage, now),
            PhaseFact::Baseline { results } => self.add_to_baseline(results),
            PhaseFact::Requested { requests, accepted } => {
                self.requests.clone_from(requests);
                self.accepted.extend(accepted.iter().cloned());
            }
            PhaseFact::Checked { results } => self.checked.clone_from(results),
            PhaseFact::Settled { entries } => self.settled.clone_from(entries),
            PhaseFact::Canaries { canaries } => self.canaries.clone_from(canaries),
            PhaseFact::Researched(research) => self.research = Some(research.clone()),
            PhaseFact::Planned { tasks, remarks } => {
                self.tasks.clone_from(tasks);
                self.remarks.clone_from(remarks);
                self.log.had_plan |= self.stage == Stage::Preflight;
            }
            PhaseFact::PlanSentBack { issues } => {
                self.tries.plans += 1;
                self.findings.clone_from(issues);
            }
            PhaseFact::PlanStands { commit } => {
                self.head = commit.clone();
                self.planned = Some(commit.clone());
                self.ends.clear();
                self.findings.clear();
            }
            PhaseFact::TaskDone { commit, .. } => {
                self.stand_at(commit);
                self.end_task(TaskEnd::Done);
            }
            PhaseFact::TaskGivenUp { category, .. } => self.give_task_up(*category),
            PhaseFact::Deferred { .. } => self.end_task(TaskEnd::Deferred),
            PhaseFact::HandedOff { work, .. } => {
                self.resume.clone_from(work);
                self.last_work = work.clone().or(self.last_work.take());
            }
            PhaseFact::SettledAlone => self.needs_person = None,
            PhaseFact::NeedsPerson { evidence } => self.needs_person = Some(evidence.clone()),
            PhaseFact::Judged { recommendation, .. } => self.judged = Some(*recommendation),
            PhaseFact::Rated { score, lacks, .. } => self.rate(*score, lacks),
            PhaseFact::Repaired { commit } => {
                self.stand_at(commit);
                self.findings.clear();
                self.unfinished = None;
                self.unsettled.clear();
            }
            PhaseFact::SentBack { to, findings } => self.send_back(*to, findings),
            PhaseFact::Began { .. }
            | PhaseFact::Retried
            | PhaseFact::Split { .. }
            | PhaseFact::Justified { .. }
            | PhaseFact::Caught { .. }
            | PhaseFact::Calibrated { .. }
            | PhaseFact::Shot(_)
            | PhaseFact::VisualIssues { .. }
            | PhaseFact::Verified { .. }
            | PhaseFact::Opined { .. }
            | PhaseFact::Breached(_)
            | PhaseFact::Stamped(_)
            | PhaseFact::Learned { .. }
            | PhaseFact::Looked { .. }
            | PhaseFact::PlanChecked { .. }
            | PhaseFact::Marked { .. }
            | PhaseFact::Closed(_) => {}
        }
    }

    /// Whether an edit of a protected file counts.
    pub(super) fn accepts(&self, request: &Request) -> bool {
        self.accepted.iter().any(|accepted| accepted.is_for(request))
    }

    /// The edits of the last work that have no effect as long as nobody accepts them.
    pub fn pending(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter().filter(|request| !self.accepts(request))
    }

    /// The accepted edits that are in the last work.
    pub(crate) fn in_effect(&self) -> impl Iterator<Item = &Accepted> {
        let is_there =
            |accepted: &&Accepted| self.requests.iter().any(|request| accepted.is_for(request));
        self.accepted.iter().filter(is_there)
    }

    /// Whether fewer tests may run than on the base: only where a person has accepted edits of what decides.
    pub(super) fn fewer_tests(&self) -> Fewer {
        if self.in_effect().any(Accepted::is_granted) { Fewer::Accepted } else { Fewer::Refused }
    }

    /// The name of the task at hand, for steps and messages.
    pub fn task_name(&self, task: usize) -> &str {
        self.tasks.get(task).map_or("", |task| task.id.as_str())
    }

    /// Takes results of the base; each replaces an earlier one of the same name.
    fn add_to_baseline(&mut self, results: &[CheckResult]) {
        self.baseline.retain(|old| results.iter().all(|new| new.name != old.name));
        self.baseline.extend(results.iter().cloned());
    }

    fn enter(&mut self, stage: &Stage, now: Timestamp) {
        self.stage = stage.clone();
        self.entered_at = now;
        self.resume = None;
        if let Some(work) = stage.work().filter(|work| work.changed) {
            self.last_work = Some(work.commit.clone());
        }
        if let Stage::RepairCheck(work) = stage {
            self.unfinished = Some(work.commit.clone());
        }
    }

    fn rate(&mut self, score: Score, lacks: &[Deficiency]) {
        if self.scores.is_empty() {
            self.lacks = lacks.to_vec();
        }
        self.scores.push(score);
    }

    /// Goes on from a commit; one that changed nothing is the one before.
    fn stand_at(&mut self, commit: &CommitId) {
        self.commits += u32::from(*commit != self.head);
        self.head = commit.clone();
    }

    fn give_task_up(&mut self, category: Option<FailureCategory>) {
        self.given_up = self.given_up.or(category);
        self.end_task(TaskEnd::GivenUp);
    }

    fn end_task(&mut self, end: TaskEnd) {
        self.ends.push(end);
        self.tries.task_fixes = 0;
        self.findings.clear();
    }

    fn send_back(&mut self, to: SentBack, findings: &[String]) {
        if matches!(to, SentBack::Repair | SentBack::Remedy) && !self.stage.runs_checks() {
            self.unsettled = findings.to_vec();
        }
        match to {
            SentBack::TaskFix => self.tries.task_fixes += 1,
            SentBack::Repair => self.tries.repairs += 1,
            SentBack::Remedy => self.tries.remedies += 1,
            SentBack::Replan => {
                self.tries.replans += 1;
                self.tries.plans = 0;
                self.scores.clear();
                self.tasks.clear();
                self.ends.clear();
                self.unfinished = None;
                self.unsettled.clear();
                self.given_up = None;
            }
        }
        self.findings = findings.to_vec();
    }
}
