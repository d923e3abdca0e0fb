//! The names of events in `state.json`.

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The run.
    Run,
    /// A phase.
    Phase,
    /// A step.
    Step,
    /// A task.
    Task,
    /// The books.
    System,
    /// A way back.
    Recovery,
}

/// Every name, by what it is about.
const NAMES: [(Level, &[&str]); 6] = [
    (
        Level::Run,
        &[
            "run_started",
            "run_completed",
            "run_halted",
            "run_resumed",
            "high_defer_rate_warning",
            "deferral_threshold_adjusted",
            "self_audit_started",
            "self_audit_completed",
            "self_audit_gap_found",
            "self_audit_gap_fixed",
            "batch_completion_report",
            "context_mapping_started",
            "context_mapping_completed",
            "discuss_session_started",
            "flag_mutual_exclusivity_error",
            "rubber_stamp_warning",
            "rubber_stamp_enhanced",
            "rubber_stamp_critical",
            "cross_contamination_warning",
        ],
    ),
    (
        Level::Phase,
        &[
            "phase_started",
            "phase_completed",
            "phase_failed",
            "human_verdict_recorded",
            "unnecessary_deferral_warning",
            "autonomous_resolution_success",
            "phase_skipped",
            "remediation_started",
            "remediation_completed",
            "confidence_diagnostic_written",
            "force_incomplete_marked",
            "force_reexecution_started",
            "quality_remediation_started",
            "quality_remediation_completed",
            "quality_exhausted",
            "gaps_iteration_started",
            "gaps_iteration_completed",
            "gaps_exhausted",
            "discuss_answers_recorded",
        ],
    ),
    (Level::Step, &["step_started", "step_completed", "step_failed"]),
    (Level::Task, &["task_completed", "task_failed", "task_retried"]),
    (Level::System, &["circuit_breaker_opened", "circuit_breaker_closed", "checkpoint_written"]),
    (
        Level::Recovery,
        &["debug_attempt", "replan_attempt", "rollback_initiated", "rollback_completed"],
    ),
];

/// Every name.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().flat_map(|(_, names)| names.iter().copied())
}

/// What an event of that name is about.
pub fn level_of(name: &str) -> Option<Level> {
    NAMES.iter().find(|(_, names)| names.contains(&name)).map(|(level, _)| *level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fifty_one_names_and_none_twice() {
        let all: Vec<&str> = names().collect();
        let different: std::collections::BTreeSet<&str> = names().collect();
        assert_eq!((all.len(), different.len()), (51, 51));
        assert_eq!(level_of("rollback_completed"), Some(Level::Recovery));
    }
}
