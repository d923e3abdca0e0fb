//! `archive/metrics.json`: one entry for each run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a run came to, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunMetrics {
    /// The run.
    pub run_id: String,
    /// When it ended.
    pub timestamp: String,
    /// Phases that were begun.
    pub phases_attempted: u32,
    /// Phases that are complete and reached the score that they must reach.
    pub phases_succeeded: u32,
    /// Phases that failed.
    pub phases_failed: u32,
    /// Phases that wait for a person.
    pub phases_human_deferred: u32,
    /// How often each kind of failure occurred.
    pub failure_taxonomy_histogram: BTreeMap<String, u32>,
    /// The mean of all scores there are.
    pub avg_alignment_score: Option<f64>,
    /// How long it took.
    pub total_duration_minutes: f64,
    /// What it was expected to cost.
    pub total_estimated_tokens: u64,
    /// What it did cost. The ancestors could not tell, so their entries have none.
    #[serde(default)]
    pub total_tokens: Option<u64>,
    /// Repairs of phases.
    pub total_debug_loops: u32,
    /// Phases that were planned anew.
    pub total_replan_attempts: u32,
    /// Which part of the attempted phases succeeded.
    pub success_rate: f64,
    /// Each phase in short.
    pub per_phase_summary: Vec<PhaseSummary>,
}

/// A phase in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseSummary {
    /// The phase.
    pub phase_id: String,
    /// How it stands.
    pub status: String,
    /// Its score.
    pub alignment_score: Option<f64>,
    /// What it was expected to cost.
    pub estimated_tokens: Option<u64>,
    /// How long it took.
    pub duration_minutes: f64,
}
