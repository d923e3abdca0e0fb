//! `state.json`: where a run stands, for programs that look at files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::policy::{BreakerState, PhaseType};

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateFile {
    /// The run itself.
    #[serde(rename = "_meta")]
    pub meta: Meta,
    /// The specification that it holds itself to.
    pub spec: SpecLock,
    /// The roadmap.
    pub roadmap_path: String,
    /// Where the run branch was last.
    #[serde(default)]
    pub last_checkpoint_sha: Option<String>,
    /// Its phases, by id. Earlier programs wrote `phase_` before it.
    #[serde(deserialize_with = "by_id")]
    #[schemars(with = "BTreeMap<String, PhaseRecord>")]
    pub phases: BTreeMap<String, PhaseRecord>,
    /// The breaker.
    pub circuit_breaker: CircuitBreaker,
    /// What happened.
    pub event_log: Vec<EventEntry>,
    /// What it came to so far.
    pub metrics: Totals,
}

/// Phases by their ids, whether they stand by them or as earlier programs wrote them.
fn by_id<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, PhaseRecord>, D::Error> {
    let phases = BTreeMap::<String, PhaseRecord>::deserialize(deserializer)?;
    let named = |(key, phase): (String, PhaseRecord)| {
        let id = key.strip_prefix("phase_").map(str::to_owned);
        (id.unwrap_or(key), phase)
    };
    Ok(phases.into_iter().map(named).collect())
}

/// The run itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Meta {
    /// Of this format.
    pub version: String,
    /// `run-YYYY-MM-DD-HHMMSS`.
    pub run_id: String,
    /// When it began.
    pub started_at: String,
    /// When this file was written.
    pub last_checkpoint: String,
    /// How it stands.
    pub status: RunStatus,
    /// How many phases it has.
    pub total_phases: u32,
    /// The phase at hand.
    #[serde(default)]
    pub current_phase: Option<String>,
    /// The step at hand.
    #[serde(default)]
    pub current_step: Option<String>,
    /// How full the context of whoever leads the run is. Nobody does here.
    #[serde(default)]
    pub orchestrator_context_pct: Option<f64>,
    /// Phases that were left to a person, whatever they said.
    #[serde(default)]
    pub human_deferred_count: u32,
    /// Phases that somebody worked on and that came to an end.
    #[serde(default)]
    pub total_phases_processed: u32,
    /// The score that phases must reach.
    #[serde(default = "usual_threshold")]
    pub pass_threshold: f64,
    /// Which part of the checkpoints for people were resolved without one.
    #[serde(default)]
    pub autonomous_resolution_rate: Option<f64>,
    /// Above which part of waiting phases a warning is given.
    #[serde(default)]
    pub deferral_threshold: Option<f64>,
    /// How sure a verifier must be to do without a person.
    #[serde(default)]
    pub deferral_confidence: Option<f64>,
    /// What people said of phases that waited for them.
    #[serde(default)]
    pub deferral_history: Vec<Value>,
}

const fn usual_threshold() -> f64 {
    9.0
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It has not begun.
    NotStarted,
    /// It goes on.
    Running,
    /// It waits for someone.
    Paused,
    /// Everything is done.
    Completed,
    /// It ended otherwise.
    Failed,
}

/// The specification that a run holds itself to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpecLock {
    /// The file.
    pub path: String,
    /// `sha256:…`.
    pub hash: String,
    /// Since when.
    pub locked_at: String,
}

/// How a phase stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseStatus {
    /// It has not begun.
    NotStarted,
    /// It is worked on.
    InProgress,
    /// It is complete.
    Completed,
    /// It failed.
    Failed,
    /// It waits for a person.
    NeedsHumanVerification,
    /// It was left out.
    Skipped,
    /// It is being done in parts.
    Split,
}

/// A phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseRecord {
    /// What it changes.
    #[serde(default)]
    pub phase_type: Option<PhaseType>,
    /// How it stands.
    pub status: PhaseStatus,
    /// When it began.
    #[serde(default)]
    pub started_at: Option<String>,
    /// When it came to its end.
    #[serde(default)]
    pub completed_at: Option<String>,
    /// Its steps, by name.
    #[serde(default)]
    pub steps: BTreeMap<String, StepRecord>,
    /// Repairs.
    #[serde(default)]
    pub debug_attempts: u32,
    /// New plans.
    #[serde(default)]
    pub replan_attempts: u32,
    /// What it cost.
    #[serde(default)]
    pub tokens_used: u64,
    /// What it was expected to cost.
    #[serde(default)]
    pub estimated_tokens: Option<u64>,
    /// Its score.
    #[serde(default)]
    pub alignment_score: Option<f64>,
    /// Its commits.
    #[serde(default)]
    pub commit_shas: Vec<String>,
    /// Where the run branch was when it began.
    #[serde(default)]
    pub checkpoint_sha: Option<String>,
    /// Compile, build and lint.
    #[serde(default)]
    pub automated_checks: Option<Value>,
    /// Why a person must look.
    #[serde(default)]
    pub human_verify_justification: Option<Value>,
    /// What they said.
    #[serde(default)]
    pub human_verdict: Option<Value>,
    /// It passed without reaching its score.
    #[serde(default)]
    pub force_incomplete: bool,
    /// What keeps its score down.
    #[serde(default)]
    pub diagnostic_path: Option<String>,
    /// How often it was improved.
    #[serde(default)]
    pub remediation_cycles: u32,
    /// Its scores, those of earlier times that it was done first.
    #[serde(default)]
    pub score_history: Vec<Value>,
    /// `--quality` did not get it where it should be.
    #[serde(default)]
    pub quality_exhausted: bool,
    /// Nor did `--gaps`.
    #[serde(default)]
    pub gaps_exhausted: bool,
    /// It is done in parts.
    #[serde(default)]
    pub split: bool,
    /// The parts.
    #[serde(default)]
    pub sub_phases: Vec<Value>,
    /// Its score is too much like those before it.
    #[serde(default)]
    pub rubber_stamp_suspect: bool,
    /// Its work is not on the run branch.
    #[serde(default)]
    pub rollback_performed: bool,
    /// The last commit of that work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback_from: Option<String>,
    /// Where the run branch stayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback_to: Option<String>,
    /// The branch that keeps the work for people to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostic_branch: Option<String>,
    /// Why the verifier could not do without a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deferral_evidence: Vec<String>,
    /// How it should be done in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_details: Option<Value>,
}

/// A step. What else there is to tell differs from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepRecord {
    /// How it ended; a judge's step tells its recommendation instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// The file it wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// `sha256:…` of that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// How often a plan went back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_rounds: Option<u32>,
    /// How sure a plan-checker was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The tasks, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Value>,
    /// What was seen without anybody's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automated: Option<Value>,
    /// What a judge says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// What a judge does not like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
    /// A rater's score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alignment_score: Option<f64>,
    /// The band that it lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_band: Option<String>,
}

/// The breaker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CircuitBreaker {
    /// Whether steps may be started.
    pub state: BreakerState,
    /// Steps in a row without progress.
    pub consecutive_no_progress: u32,
    /// The same failure in a row.
    pub consecutive_same_error: u32,
    /// The last failure.
    pub last_error: Option<String>,
    /// Until when it stays open.
    pub cooldown_until: Option<String>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventEntry {
    /// When.
    pub timestamp: String,
    /// In which phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// In which step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What.
    pub event: String,
    /// What there is to tell.
    #[serde(default)]
    pub details: Value,
}

/// What a run came to so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Tokens.
    pub total_tokens_used: u64,
    /// Minutes.
    pub total_duration_minutes: f64,
    /// Complete phases.
    pub phases_completed: u32,
    /// Failed phases.
    pub phases_failed: u32,
    /// Repairs.
    pub debug_loops_total: u32,
    /// New plans.
    pub replan_count: u32,
}
