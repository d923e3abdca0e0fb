//! What a run is given: its phases, and how they are to be done.

use serde::{Deserialize, Serialize};

use crate::{
    evidence::Criterion,
    phases::TalkWish,
    policy::{Cycle, DeferralThreshold},
    returns::Score,
    roadmap::PhaseId,
};

/// A phase as the run is given it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseSpec {
    /// Its id.
    pub id: PhaseId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub goal: String,
    /// What must hold when it is done.
    pub criteria: Vec<Criterion>,
    /// The requirements it is there for, as the roadmap names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// What must be complete before it begins.
    pub depends_on: Vec<PhaseId>,
    /// The directory of its documents, below the project's root.
    pub directory: String,
    /// What is to be done with it.
    #[serde(default)]
    pub start: Start,
    /// The scores it had in earlier runs, the oldest first.
    #[serde(default)]
    pub earlier_scores: Vec<Score>,
    /// What a person found wrong when it was done before. It is done from the start again then, however good it looks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// What it is likely to cost, told before anything was paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_tokens: Option<u64>,
}

impl PhaseSpec {
    /// Whether it is done from the start, on top of what is there.
    pub fn is_again(&self) -> bool {
        self.start == Start::Again || !self.refused.is_empty()
    }
}

/// What is to be done with a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// What it asks for, unless that is there.
    #[default]
    New,
    /// It was complete: what is there is looked at and made better.
    Improve,
    /// It was complete: it is done again from the start, on top of what is there.
    Again,
}

/// How a run does its phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manner {
    /// How a phase that is good is made better.
    pub cycle: Cycle,
    /// After how many phases a person looks before the run goes on, where one should.
    pub checkpoint_every: Option<u32>,
    /// How sure a verifier must be to do without a person.
    pub deferral: DeferralThreshold,
    /// Whether someone looks at the result as a whole before the run ends.
    pub audit: bool,
    /// What a person is asked before the first phase.
    pub talk: TalkWish,
    /// Whether the version of the project goes up when something was completed.
    pub bump: bool,
}
