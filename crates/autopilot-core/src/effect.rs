//! What the core asks to be done in the world. Descriptions only: someone else performs them.
//!
//! An effect names commits and keys, never paths or processes: whoever performs it may be elsewhere.

use crate::{
    evidence::Check,
    id::{AgentName, CommitId, Key},
    issue::{SaveTask, SurveyTask, TrialTask},
    phases::{Accepted, Brief},
    returns::Sitting,
    roadmap::{PhaseId, TaskId},
    role::Role,
    time::Timestamp,
};

/// Something owed to the world, under the key that its outcome must carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Owed {
    /// The idempotency key.
    pub key: Key,
    /// What is to be done.
    pub effect: Effect,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// See that nothing the run rests on has moved.
    Preflight(Preflight),
    /// Have an agent do something.
    Agent(Box<AgentTask>),
    /// Run verification commands.
    Check(CheckTask),
    /// Break the work and see whether checks go red.
    Canary(CanaryTask),
    /// Break the work so that a check goes red, and keep that in a commit.
    Seed(CanaryTask),
    /// Make a commit of finished work.
    Commit(CommitTask),
    /// Move the run branch forward to a finished phase.
    Integrate(IntegrateTask),
    /// Put rejected work on a branch of its own, for people to look at.
    Reject(RejectTask),
    /// Look at what a commit holds, without running anything of it.
    Survey(SurveyTask),
    /// Run checks, once or again and again, to see which tests fail.
    Trial(TrialTask),
    /// Make a commit of a part of a work, with files of the engine's own.
    Save(SaveTask),
}

impl Effect {
    /// Whether a fact must stand in the journal before this starts, because it must not happen unnoticed.
    ///
    /// The others give the same result however often they are repeated.
    pub const fn needs_intent(&self) -> bool {
        match self {
            Self::Agent(_) | Self::Integrate(_) => true,
            Self::Preflight(_)
            | Self::Check(_)
            | Self::Canary(_)
            | Self::Seed(_)
            | Self::Commit(_)
            | Self::Reject(_)
            | Self::Survey(_)
            | Self::Trial(_)
            | Self::Save(_) => false,
        }
    }
}

/// See that the run branch is where the run left it and that the frozen specification is unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct Preflight {
    /// Where the run branch must be.
    pub head: CommitId,
    /// SHA-256 of the roadmap as it was frozen, and of every other one that a person has accepted since.
    pub specs: Vec<String>,
}

/// Have an agent do something in a place that holds only what its role may see.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentTask {
    /// What the agent is asked to be.
    pub role: Role,
    /// Which agent.
    pub agent: AgentName,
    /// Which time it is asked.
    pub sitting: Sitting,
    /// For which phase, where it is one of them alone.
    pub phase: Option<PhaseId>,
    /// For which task, where there is one.
    pub task: Option<TaskId>,
    /// The commit its files come from.
    pub base: CommitId,
    /// The commit by whose files it will be judged.
    pub judged_by: CommitId,
    /// The commit of the plan that stands, by whose test specs it will be judged too.
    pub planned: Option<CommitId>,
    /// What it is told.
    pub brief: Brief,
    /// What someone before it leaves it, where there was one.
    pub handover: Option<Handover>,
    /// How long it may take.
    pub time_ms_max: u64,
    /// How long it may be silent.
    pub silence_ms_max: u64,
}

/// A file that the engine writes into the project's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Where, below the project's root.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// What an agent that came to the end of what it can remember leaves to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// What is done and what remains.
    pub paper: Paper,
    /// The date of the commit that holds it, so that making it again gives the same commit.
    pub date: Timestamp,
}

/// By what a work is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// The commit whose protected files decide.
    pub base: CommitId,
    /// Protected files whose edits were accepted.
    pub accepted: Vec<String>,
    /// Those of them that a person accepted: they count also against what held before.
    pub granted: Vec<String>,
    /// The commit that the run began with, where earlier phases of it have brought something.
    pub origin: Option<Origin>,
    /// The commit of the plan that stands: its test specs decide, too.
    pub planned: Option<CommitId>,
}

/// Where a run began: what its earlier phases brought may decide no more than what this one brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The commit.
    pub commit: CommitId,
    /// Protected files of which a person accepted an edit in an earlier phase.
    pub granted: Vec<String>,
}

impl Freeze {
    /// A freeze of a commit, with the edits that were accepted.
    pub fn of<'a>(base: CommitId, accepted: impl Iterator<Item = &'a Accepted> + Clone) -> Self {
        let path = |accepted: &Accepted| accepted.path.clone();
        let granted = accepted.clone().filter(|accepted| accepted.is_granted()).map(path).collect();
        let accepted = accepted.map(path).collect();
        Self { base, accepted, granted, origin: None, planned: None }
    }

    /// The same once a plan stands.
    pub fn by_plan(self, planned: Option<CommitId>) -> Self {
        Self { planned, ..self }
    }

    /// The same in a run that began elsewhere.
    pub fn since(self, commit: &CommitId, granted: &[String]) -> Self {
        let origin = Origin { commit: commit.clone(), granted: granted.to_vec() };
        Self { origin: (origin.commit != self.base).then_some(origin), ..self }
    }

    /// By what the work would be judged if the run were one phase; nothing where this is its first one.
    pub fn of_the_run(&self) -> Option<Self> {
        let origin = self.origin.as_ref()?;
        let granted = origin.granted.iter().chain(&self.granted).cloned().collect();
        let (base, accepted) = (origin.commit.clone(), self.accepted.clone());
        Some(Self { base, accepted, granted, origin: None, planned: self.planned.clone() })
    }

    /// A freeze of a commit that nothing was changed against.
    pub const fn as_it_is(base: CommitId) -> Self {
        Self { base, accepted: Vec::new(), granted: Vec::new(), origin: None, planned: None }
    }
}

/// Run verification commands one after another, in a clean checkout that is made for the purpose.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckTask {
    /// The commit that is checked.
    pub commit: CommitId,
    /// By what it is judged.
    pub freeze: Freeze,
    /// The checks that held on the base: they must hold by the rules of the base, too.
    pub held: Vec<String>,
    /// The checks of which tests failed on the base, or could not run: these must pass without those that came with the work.
    pub red: Vec<String>,
    /// What makes a checkout ready for the commands, where something must.
    pub prepare: Option<String>,
    /// What must hold.
    pub checks: Vec<Check>,
    /// How long a criterion's command may take.
    pub criterion_ms_max: u64,
    /// How long a guard may take, and what makes the checkout ready.
    pub guard_ms_max: u64,
}

/// Break the work in copies of it and run checks that hold on it.
#[derive(Clone, Debug, PartialEq)]
pub struct CanaryTask {
    /// The work, and the checks that must be able to go red.
    pub check: CheckTask,
    /// The commit before the work: what changed since is broken.
    pub since: CommitId,
    /// The directory of the phase's own documents, which no check is about.
    pub documents: String,
    /// How many small mutations are tried at most.
    pub breaks_max: u32,
}

/// Make a commit that holds the files of `work` and follows `parent`.
#[derive(Clone, Debug, PartialEq)]
pub struct CommitTask {
    /// The commit it follows.
    pub parent: CommitId,
    /// The commit whose files it holds.
    pub work: CommitId,
    /// Edits of protected files that were not accepted are left out.
    pub freeze: Freeze,
    /// Files of the engine's own, written where there are none.
    pub new: Vec<Paper>,
    /// The message.
    pub message: String,
    /// The date of the commit, so that making it again gives the same commit.
    pub date: Timestamp,
}

/// Move the run branch from `from` to a commit that follows `commit` and marks the phase complete, where it is one.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegrateTask {
    /// The finished phase.
    pub phase: Option<PhaseId>,
    /// Where the run branch is.
    pub from: CommitId,
    /// The last commit of the phase.
    pub commit: CommitId,
    /// What the phase leaves in its directory.
    pub papers: Vec<Paper>,
    /// The date of the commit that marks the phase complete.
    pub date: Timestamp,
}

/// Keep rejected work on a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct RejectTask {
    /// The rejected phase.
    pub phase: PhaseId,
    /// Where it began.
    pub base: CommitId,
    /// The last commit of it that stands.
    pub commit: CommitId,
    /// The last work of it that came back and changed anything.
    pub work: Option<CommitId>,
    /// The date of a commit that brings its works together.
    pub date: Timestamp,
}
