//! How a planner asks for a phase to be done in parts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A wish to do a phase in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Split {
    /// Why it is too much for one plan.
    pub reason: String,
    /// The parts, in the order in which they are to be done.
    pub recommended_sub_phases: Vec<SubPhase>,
}

/// One part of a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubPhase {
    /// Its name.
    pub name: String,
    /// What it covers.
    pub scope: String,
    /// What must change in it, where somebody has found something.
    #[serde(default)]
    pub issues: Vec<String>,
}
