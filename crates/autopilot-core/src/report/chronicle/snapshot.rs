//! `state.json` as of now.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Chronicle, Told};
use crate::{
    phases::{Close, Phase, STEPS, Status},
    policy::BreakerState,
    report::{
        CircuitBreaker, Meta, PhaseRecord, PhaseStatus, RunStatus, SpecLock, StateFile, Totals,
    },
    run::{Run, Standing, Work},
    sessions::clock::seconds,
    time::{MINUTE_MS, Timestamp},
};

/// The version of the file.
const VERSION: &str = "1.0";

impl Chronicle {
    /// The file as of now. Its size depends on the number of phases, not on how long the run has been going on.
    pub fn state(&self, run: &Run, now: Timestamp) -> StateFile {
        let Work::Phases(work) = &run.work;
        let phases: BTreeMap<String, PhaseRecord> = work
            .list
            .iter()
            .map(|phase| (phase.spec.id.to_string(), self.phase(phase)))
            .collect();
        let standing = |wanted: PhaseStatus| {
            let count = phases.values().filter(|phase| phase.status == wanted).count();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        let (completed, failed) =
            (standing(PhaseStatus::Completed), standing(PhaseStatus::Failed));
        let skipped = standing(PhaseStatus::Skipped);
        let current = work.active.first().and_then(|at| work.list.get(*at));
        let step = current.and_then(|phase| match &phase.status {
            Status::Active(active) => STEPS.get(active.stage.shown_as()),
            Status::Waiting | Status::Closed(_) => None,
        });
        StateFile {
            meta: Meta {
                version: VERSION.to_owned(),
                run_id: run.given.run.to_string(),
                started_at: seconds(run.submitted_at),
                last_checkpoint: seconds(now),
                status: status_of(run),
                total_phases: u32::try_from(work.list.len()).unwrap_or(u32::MAX),
                current_phase: current.map(|phase| phase.spec.id.to_string()),
                current_step: step.map(|step| step.to_lowercase().replace('-', "_")),
                orchestrator_context_pct: None,
                human_deferred_count: standing(PhaseStatus::NeedsHumanVerification),
                total_phases_processed: completed + failed + skipped,
                pass_threshold: run.given.pass_score.as_number(),
                autonomous_resolution_rate: None,
                deferral_threshold: None,
                deferral_confidence: None,
                deferral_history: Vec::new(),
            },
            spec: SpecLock {
                path: run.given.roadmap.clone(),
                hash: format!("sha256:{}", run.given.spec_sha256),
                locked_at: seconds(run.submitted_at),
            },
            roadmap_path: run.given.roadmap.clone(),
            last_checkpoint_sha: Some(work.head.to_string()),
            metrics: self.totals(run, completed, failed),
            phases,
            circuit_breaker: breaker(run),
            event_log: self.events.iter().cloned().collect(),
        }
    }

    fn phase(&self, phase: &Phase) -> PhaseRecord {
        let empty = Told::default();
        let told = self.phases.get(&phase.spec.id).unwrap_or(&empty);
        let (status, score, below_pass) = match &phase.status {
            Status::Waiting => (PhaseStatus::NotStarted, None, false),
            Status::Active(_) => (PhaseStatus::InProgress, told.scores.last().copied(), false),
            Status::Closed(Close::Completed { score, below_pass, .. }) => {
                (PhaseStatus::Completed, Some(*score), *below_pass)
            }
            Status::Closed(Close::Failed { .. }) => {
                (PhaseStatus::Failed, told.scores.last().copied(), false)
            }
            Status::Closed(Close::Blocked { .. }) => (PhaseStatus::Skipped, None, false),
        };
        PhaseRecord {
            phase_type: None,
            status,
            started_at: told.began_at.map(seconds),
            completed_at: told.ended_at.map(seconds),
            steps: told.steps.clone(),
            debug_attempts: told.debugs,
            replan_attempts: told.replans,
            tokens_used: phase.spent.tokens,
            estimated_tokens: None,
            alignment_score: score.map(|score| score.as_number()),
            commit_shas: told.commits.clone(),
            checkpoint_sha: told.base.clone(),
            automated_checks: None,
            human_verify_justification: None,
            human_verdict: None,
            force_incomplete: below_pass,
            diagnostic_path: None,
            remediation_cycles: told.remedies,
            score_history: told.scores.iter().map(|score| Value::from(score.as_number())).collect(),
            quality_exhausted: false,
            gaps_exhausted: false,
            split: false,
            sub_phases: Vec::new(),
            rubber_stamp_suspect: false,
        }
    }

    fn totals(&self, run: &Run, completed: u32, failed: u32) -> Totals {
        Totals {
            total_tokens_used: run.spent.tokens,
            total_duration_minutes: minutes(run.spent.busy_ms),
            phases_completed: completed,
            phases_failed: failed,
            debug_loops_total: self.phases.values().map(|told| told.debugs).sum(),
            replan_count: self.phases.values().map(|told| told.replans).sum(),
        }
    }
}

fn status_of(run: &Run) -> RunStatus {
    use crate::fact::Ending;
    match run.standing() {
        Standing::Working | Standing::Holding(_) => RunStatus::Running,
        Standing::Asking(_) | Standing::Stopped => RunStatus::Paused,
        Standing::Ended(Ending::Done) => RunStatus::Completed,
        Standing::Ended(Ending::Ceiling(_) | Ending::NoAgent { .. } | Ending::Halted { .. }) => {
            RunStatus::Paused
        }
        Standing::Ended(Ending::Incomplete) => RunStatus::Failed,
    }
}

fn breaker(run: &Run) -> CircuitBreaker {
    use crate::fact::Ending;
    let open = match &run.ending {
        Some(Ending::Ceiling(ceiling)) => Some(ceiling.name().to_owned()),
        Some(Ending::Done | Ending::Incomplete | Ending::NoAgent { .. } | Ending::Halted { .. })
        | None => None,
    };
    CircuitBreaker {
        state: if open.is_some() { BreakerState::Open } else { BreakerState::Closed },
        consecutive_no_progress: 0,
        consecutive_same_error: 0,
        last_error: open,
        cooldown_until: None,
    }
}

/// Minutes with one decimal.
#[expect(clippy::cast_precision_loss, reason = "no run lasts that long")]
pub(super) fn minutes(ms: u64) -> f64 {
    (ms as f64 / MINUTE_MS as f64 * 10.0).round() / 10.0
}
