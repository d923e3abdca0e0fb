//! `completion-report.md`: what `--complete` came to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::diagnostic::cell;

/// What a run that was to finish the project came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BatchCompletion {
    /// The run.
    pub run_id: String,
    /// When the report was made.
    pub timestamp: String,
    /// Always `--complete`.
    pub mode: String,
    /// Phases of the roadmap.
    pub total_phases_in_roadmap: u32,
    /// Those that are complete, by whatever run.
    pub completed_phases_total: u32,
    /// How much of the project that is.
    pub completion_percentage: f64,
    /// Phases that were begun.
    pub phases_attempted: u32,
    /// Those that are complete.
    pub phases_succeeded: u32,
    /// Those that failed.
    pub phases_failed: u32,
    /// Those that were not begun, and why.
    pub phases_skipped: Vec<Skipped>,
    /// Those that wait for a person.
    pub phases_deferred: u32,
    /// What failed phases hold up.
    pub dependency_gaps: Vec<DependencyGap>,
    /// The phases that were begun. The ancestors had them in the text alone.
    #[serde(default)]
    pub attempted: Vec<Attempted>,
}

/// A phase that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attempted {
    /// The phase.
    pub phase_id: String,
    /// How it stands.
    pub status: String,
    /// Its score, where it has one.
    pub score: Option<String>,
    /// How long it took.
    pub minutes: u64,
    /// What there is to say.
    pub notes: String,
}

/// A phase that was not begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// The phase.
    pub phase_id: String,
    /// Its name.
    pub phase_name: String,
    /// `already_completed` or `blocked_by_phase_{N}`.
    pub reason: String,
    /// When it was completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_run_timestamp: Option<String>,
    /// What it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocking_phase: Option<String>,
}

/// Why a phase was not begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It is complete since then, where that is known.
    AlreadyCompleted(Option<String>),
    /// That phase failed.
    BlockedBy(String),
}

impl Skipped {
    /// A phase that was not begun.
    pub fn new(phase_id: String, phase_name: String, skip: Skip) -> Self {
        let (reason, original_run_timestamp, blocking_phase) = match skip {
            Skip::AlreadyCompleted(when) => ("already_completed".to_owned(), when, None),
            Skip::BlockedBy(phase) => (format!("blocked_by_phase_{phase}"), None, Some(phase)),
        };
        Self { phase_id, phase_name, reason, original_run_timestamp, blocking_phase }
    }
}

/// A failed phase and what waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DependencyGap {
    /// The failed phase.
    pub failed_phase_id: String,
    /// Its name.
    pub failed_phase_name: String,
    /// Why it failed.
    pub failure_reason: String,
    /// What waits for it, directly or not.
    pub blocked_phases: Vec<Named>,
}

/// A phase by id and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// Its id.
    pub phase_id: String,
    /// Its name.
    pub phase_name: String,
}

impl BatchCompletion {
    /// The file.
    pub fn to_markdown(&self) -> String {
        let blocked =
            self.phases_skipped.iter().filter(|skip| skip.blocking_phase.is_some()).count();
        let done = self.phases_skipped.len() - blocked;
        let mut text = format!(
            "# Batch Completion Report\n\n**Run ID:** {}\n**Date:** {}\n**Mode:** {}\n**Project completion:** {:.1}% ({}/{} phases)\n\n\
             ## Phases Attempted\n| Phase | Status | Alignment | Duration | Notes |\n|---|---|---|---|---|\n",
            self.run_id,
            self.timestamp,
            self.mode,
            self.completion_percentage,
            self.completed_phases_total,
            self.total_phases_in_roadmap,
        );
        for phase in &self.attempted {
            let score = phase.score.as_ref().map_or("-".to_owned(), |score| format!("{score}/10"));
            let Attempted { phase_id, status, minutes, notes, .. } = phase;
            text.push_str(&format!(
                "| {phase_id} | {status} | {score} | {minutes}m | {} |\n",
                cell(notes)
            ));
        }
        text.push_str("\n## Phases Skipped\n| Phase | Reason |\n|---|---|\n");
        for skip in &self.phases_skipped {
            text.push_str(&format!("| {} | {} |\n", skip.phase_id, skip.reason));
        }
        text.push_str("\n## Dependency Gaps\n");
        for gap in self.dependency_gaps.iter().filter(|gap| !gap.blocked_phases.is_empty()) {
            let blocked = gap.blocked_phases.iter();
            let blocked = blocked
                .map(|phase| format!("Phase {} ({})", phase.phase_id, cell(&phase.phase_name)));
            let blocked = blocked.collect::<Vec<_>>().join(", ");
            text.push_str(&format!(
                "- **Phase {} failed** -> Blocked: {blocked}\n",
                gap.failed_phase_id
            ));
        }
        text.push_str(&format!(
            "\n## Summary\n- Attempted: {}\n- Succeeded: {}\n- Failed: {}\n- Skipped (already done): {done}\n\
             - Skipped (blocked): {blocked}\n- Deferred to human: {}\n",
            self.phases_attempted, self.phases_succeeded, self.phases_failed, self.phases_deferred,
        ));
        text
    }
}
