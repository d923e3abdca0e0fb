//! `state.json` as of the last fact.

use serde_json::{Value, json};

use super::{Chronicle, DIAGNOSED_BELOW, Told, confidence};
use crate::{
    fact::Ending,
    phases::{Awaited, Close, Phase, Phases, STEPS, Status},
    policy::BreakerState,
    report::{
        CircuitBreaker, Meta, PhaseRecord, PhaseStatus, RunStatus, SpecLock, StateFile, Totals,
    },
    run::{Run, Standing},
    sessions::clock::seconds,
    time::MINUTE_MS,
};

/// The version of the file.
const VERSION: &str = "1.0";

impl Chronicle {
    /// The whole file. Its size depends on the number of phases, not on how long the run has been going on.
    pub fn state(&self, run: &Run) -> StateFile {
        let work = run.work.phases();
        let record = |phase: &Phase| (key_of(phase), self.record(phase));
        StateFile { phases: work.list.iter().map(record).collect(), ..self.frame(run) }
    }

    /// The file without its phases.
    pub(super) fn frame(&self, run: &Run) -> StateFile {
        let work = run.work.phases();
        StateFile {
            meta: meta(run, work),
            spec: SpecLock {
                path: run.given.roadmap.clone(),
                hash: format!("sha256:{}", run.given.spec_sha256),
                locked_at: seconds(run.submitted_at),
            },
            roadmap_path: run.given.roadmap.clone(),
            last_checkpoint_sha: Some(run.work.head().to_string()),
            phases: std::collections::BTreeMap::new(),
            circuit_breaker: breaker(run),
            event_log: self.events.iter().cloned().collect(),
            metrics: self.totals(run, work),
        }
    }

    /// One phase of the file.
    pub(super) fn record(&self, phase: &Phase) -> PhaseRecord {
        let nothing = Told::default();
        let told = self.phases.get(&phase.spec.id).unwrap_or(&nothing);
        let last = told.scores.last().copied();
        let (score, below_pass) = match &phase.status {
            Status::Closed(Close::Completed { score, below_pass, .. }) => {
                (Some(*score), *below_pass)
            }
            Status::Closed(Close::Failed { .. }) | Status::Active(_) => (last, false),
            Status::Closed(Close::Blocked { .. }) | Status::Waiting => (None, false),
        };
        let (status, ended) = (status_of(phase), ended_of(phase));
        let diagnosed =
            status == PhaseStatus::Completed && score.is_some_and(|score| score < DIAGNOSED_BELOW);
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
            automated_checks: told.automated.clone(),
            human_verify_justification: ended
                .awaits
                .first()
                .map(|first| justification(told, first)),
            human_verdict: None,
            force_incomplete: below_pass,
            diagnostic_path: diagnosed.then(|| confidence::path_of(phase.spec.id)),
            remediation_cycles: told.remedies,
            score_history: told.scores.iter().map(|score| Value::from(score.as_number())).collect(),
            quality_exhausted: false,
            gaps_exhausted: false,
            split: !told.parts.is_empty(),
            sub_phases: told.parts.iter().map(|id| Value::from(id.as_str())).collect(),
            rubber_stamp_suspect: ended.suspect,
            rollback_performed: ended.branch.is_some() && !told.commits.is_empty(),
            rollback_from: ended.branch.and(told.commits.last().cloned()),
            rollback_to: ended.branch.and(told.commits.last()).and(told.base.clone()),
            diagnostic_branch: ended.branch.cloned(),
            deferral_evidence: ended.awaits.iter().flat_map(|one| one.evidence.clone()).collect(),
            split_details: None,
        }
    }

    fn totals(&self, run: &Run, work: &Phases) -> Totals {
        Totals {
            total_tokens_used: run.spent.tokens,
            total_duration_minutes: minutes(run.spent.busy_ms),
            phases_completed: count(work, PhaseStatus::Completed),
            phases_failed: count(work, PhaseStatus::Failed),
            debug_loops_total: self.phases.values().map(|told| told.debugs).sum(),
            replan_count: self.phases.values().map(|told| told.replans).sum(),
        }
    }
}

/// What is told of a phase that is over.
struct Ended<'a> {
    awaits: &'a [Awaited],
    suspect: bool,
    branch: Option<&'a String>,
}

fn ended_of(phase: &Phase) -> Ended<'_> {
    match &phase.status {
        Status::Closed(Close::Completed { awaits, suspect, .. }) => {
            Ended { awaits, suspect: *suspect, branch: None }
        }
        Status::Closed(Close::Failed { branch, .. }) => {
            Ended { awaits: &[], suspect: false, branch: branch.as_ref() }
        }
        Status::Closed(Close::Blocked { .. }) | Status::Active(_) | Status::Waiting => {
            Ended { awaits: &[], suspect: false, branch: None }
        }
    }
}

/// Why a person must look, with what became of the tasks of agents.
fn justification(told: &Told, awaited: &Awaited) -> Value {
    let tasks = told.steps.get("execute").and_then(|step| step.tasks.as_ref());
    let tasks = tasks.and_then(Value::as_object);
    let passed = |task: &&Value| task["status"] == "completed";
    json!({
        "checkpoint_task_id": awaited.task,
        "task_description": awaited.question,
        "auto_tasks_passed": tasks.map_or(0, |all| all.values().filter(passed).count()),
        "auto_tasks_total": tasks.map_or(0, serde_json::Map::len),
    })
}

/// The name of a phase in the file.
pub(super) fn key_of(phase: &Phase) -> String {
    format!("phase_{}", phase.spec.id)
}

fn meta(run: &Run, work: &Phases) -> Meta {
    let current = work.active.first().and_then(|at| work.list.get(*at));
    let step = current.and_then(|phase| match &phase.status {
        Status::Active(active) => STEPS.get(active.stage.shown_as()),
        Status::Waiting | Status::Closed(_) => None,
    });
    let over = [PhaseStatus::Completed, PhaseStatus::Failed, PhaseStatus::Skipped];
    Meta {
        version: VERSION.to_owned(),
        run_id: run.given.run.to_string(),
        started_at: seconds(run.submitted_at),
        last_checkpoint: seconds(run.last_at),
        status: standing_of(run),
        total_phases: u32::try_from(work.list.len()).unwrap_or(u32::MAX),
        current_phase: current.map(|phase| phase.spec.id.to_string()),
        current_step: step.map(|step| step.to_lowercase().replace('-', "_")),
        orchestrator_context_pct: None,
        human_deferred_count: count(work, PhaseStatus::NeedsHumanVerification),
        total_phases_processed: over.into_iter().map(|status| count(work, status)).sum(),
        pass_threshold: run.given.pass_score.as_number(),
        autonomous_resolution_rate: None,
        deferral_threshold: None,
        deferral_confidence: None,
        deferral_history: Vec::new(),
    }
}

fn count(work: &Phases, wanted: PhaseStatus) -> u32 {
    let phases = work.list.iter().filter(|phase| status_of(phase) == wanted);
    u32::try_from(phases.count()).unwrap_or(u32::MAX)
}

/// Whether a person has found everything good that was left to them.
fn are_fine(awaits: &[Awaited]) -> bool {
    awaits.iter().all(Awaited::is_fine)
}

fn status_of(phase: &Phase) -> PhaseStatus {
    match &phase.status {
        Status::Waiting => PhaseStatus::NotStarted,
        Status::Active(_) => PhaseStatus::InProgress,
        Status::Closed(Close::Completed { awaits, .. }) if !are_fine(awaits) => {
            PhaseStatus::NeedsHumanVerification
        }
        Status::Closed(Close::Completed { .. }) => PhaseStatus::Completed,
        Status::Closed(Close::Failed { .. }) => PhaseStatus::Failed,
        Status::Closed(Close::Blocked { .. }) => PhaseStatus::Skipped,
    }
}

fn standing_of(run: &Run) -> RunStatus {
    match run.standing() {
        Standing::Working | Standing::Holding(_) => RunStatus::Running,
        Standing::Asking(_) | Standing::Stopped => RunStatus::Paused,
        Standing::Ended(Ending::Done) => RunStatus::Completed,
        Standing::Ended(
            Ending::Ceiling(_)
            | Ending::NoAgent { .. }
            | Ending::Checkpoint { .. }
            | Ending::Halted { .. },
        ) => RunStatus::Paused,
        Standing::Ended(Ending::Incomplete) => RunStatus::Failed,
    }
}

/// The breaker; a ceiling that ended the run keeps it open.
fn breaker(run: &Run) -> CircuitBreaker {
    let ceiling = match &run.ending {
        Some(Ending::Ceiling(ceiling)) => Some(ceiling.name().to_owned()),
        Some(
            Ending::Done
            | Ending::Incomplete
            | Ending::NoAgent { .. }
            | Ending::Checkpoint { .. }
            | Ending::Halted { .. },
        )
        | None => None,
    };
    let own = &run.breaker;
    CircuitBreaker {
        state: if ceiling.is_some() { BreakerState::Open } else { own.state },
        consecutive_no_progress: own.consecutive_no_progress,
        consecutive_same_error: own.consecutive_same_error,
        last_error: ceiling.or_else(|| own.last_error.clone()),
        cooldown_until: own.cooldown_until.map(seconds),
    }
}

/// Minutes with one decimal.
#[expect(clippy::cast_precision_loss, reason = "no run lasts that long")]
pub(super) fn minutes(ms: u64) -> f64 {
    (ms as f64 / MINUTE_MS as f64 * 10.0).round() / 10.0
}
