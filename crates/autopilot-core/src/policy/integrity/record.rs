//! What a phase came to, as its steps returned it and as it was seen.

use crate::{
    policy::PhaseType,
    returns::{Recommendation, Score},
};

/// How a phase says that it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Complete.
    Completed,
    /// Not to be had.
    Failed,
    /// A person must look.
    NeedsHuman,
    /// It should be done in parts.
    SplitRequest,
}

/// What a check of the project's own came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckWord {
    /// It was run.
    Ran(bool),
    /// There is nothing to run.
    NotApplicable,
}

/// A step that an agent should have done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepSeen {
    /// It was left out.
    pub skipped: bool,
    /// An agent of its own was started for it.
    pub by_agent: bool,
}

/// Why a person must look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Justification {
    /// The task that asks for them.
    pub checkpoint_task_id: String,
    /// What they are to look at.
    pub task_description: String,
    /// Tasks of agents that passed.
    pub auto_tasks_passed: u32,
    /// Tasks of agents.
    pub auto_tasks_total: u32,
}

/// What a verifier and a judge did, beyond their verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// Commands of the verifier that were seen to run.
    pub verifier_commands: usize,
    /// How long the verifier took.
    pub verifier_seconds: u64,
    /// The judge left a report.
    pub report: bool,
    /// The report says where it differs from the verifier's.
    pub divergence_section: bool,
    /// And says that it does not differ at all.
    pub no_divergence: bool,
    /// The judge agrees with the verifier.
    pub agrees: bool,
    /// What the judge says that the verifier missed.
    pub missed: usize,
    /// What the judge found alone.
    pub independent: usize,
    /// Failures without a category.
    pub unclassified: usize,
    /// Words of one reviewer in the text of another.
    pub contaminated: bool,
}

/// What a phase came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseRecordSeen {
    /// How it says that it ended.
    pub claim: Claim,
    /// What it changes.
    pub kind: PhaseType,
    /// Whether a file of what people see is among those that it changes.
    pub has_ui: bool,
    /// Its score.
    pub score: Option<Score>,
    /// The score it must reach.
    pub pass: Score,
    /// What the judge says should happen.
    pub recommendation: Recommendation,
    /// Tasks of agents that were done.
    pub tasks_done: u32,
    /// Tasks of agents.
    pub tasks_total: u32,
    /// Commits that it made.
    pub commits: usize,
    /// Whether it compiles.
    pub compile: CheckWord,
    /// Whether it builds.
    pub build: CheckWord,
    /// Whether there is a command that compiles.
    pub has_compile_command: bool,
    /// Whether there is a command that builds.
    pub has_build_command: bool,
    /// The verifier's step.
    pub verify: StepSeen,
    /// The judge's step.
    pub judge: StepSeen,
    /// The rater's step.
    pub rate: StepSeen,
    /// Criteria of the phase.
    pub criteria: usize,
    /// Criteria that name a place in a file which is there.
    pub criteria_with_place: usize,
    /// The check that its kind of phase asks for was seen to run.
    pub kind_check: bool,
    /// It says what it changed.
    pub diff_summary: bool,
    /// How long it took.
    pub minutes: u64,
    /// Why a person must look.
    pub justification: Option<Justification>,
    /// What verifier and judge did.
    pub review: Review,
    /// The least that a verification must take; zero asks for nothing.
    pub verify_seconds_min: u64,
    /// The file that says what keeps the score down is there.
    pub diagnostic: bool,
    /// Improvement is still possible.
    pub can_improve: bool,
}
