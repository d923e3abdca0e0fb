//! `phase-{N}-postmortem.json`: why a phase failed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::policy::FailureCategory;

/// How many moments are told at most: the first ones and the last ones.
pub const TIMELINE_MAX: usize = 20;

/// Why a phase failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PostMortem {
    /// The phase.
    pub phase_id: String,
    /// Its name.
    pub phase_name: String,
    /// When this was written.
    pub timestamp: String,
    /// Always `failed`.
    pub status: String,
    /// What was at the bottom of it.
    pub root_cause: RootCause,
    /// What led to it.
    pub timeline: Vec<Moment>,
    /// What was seen.
    pub evidence: Evidence,
    /// What was tried.
    pub attempted_fixes: Vec<AttemptedFix>,
    /// What to tell whoever comes next.
    pub prevention_rule: String,
}

/// What was at the bottom of a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RootCause {
    /// What kind of failure it is.
    pub category: FailureCategory,
    /// What happened.
    pub description: String,
    /// When it was first seen.
    pub first_observed_at: String,
    /// In which step.
    pub step: String,
}

/// Something that happened on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moment {
    /// When.
    pub timestamp: String,
    /// In which step.
    pub step: String,
    /// What.
    pub event: String,
    /// How it ended.
    pub status: String,
}

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Commands and what came of them.
    #[serde(default)]
    pub commands_run: Vec<String>,
    /// Files that were looked at.
    #[serde(default)]
    pub files_checked: Vec<String>,
}

/// A repair that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptedFix {
    /// Which one.
    pub attempt: u32,
    /// What was done.
    pub description: String,
    /// The commit that holds it.
    #[serde(default)]
    pub commit_sha: Option<String>,
    /// What it put right.
    #[serde(default)]
    pub resolved: Vec<String>,
    /// What it did not.
    #[serde(default)]
    pub remaining: Vec<String>,
}

impl PostMortem {
    /// Leaves out what lies in the middle of a long story.
    #[must_use]
    pub fn shortened(mut self) -> Self {
        let count = self.timeline.len();
        if count > TIMELINE_MAX {
            let half = TIMELINE_MAX / 2;
            self.timeline.drain(half..count - half);
        }
        self
    }
}
