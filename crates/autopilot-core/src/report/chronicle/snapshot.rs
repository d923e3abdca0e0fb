//! `state.json` as of the last fact.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    Chronicle, Told,
    after::{count as total, deferred, verdicts, wholes},
    confidence,
    event::opens,
};
use crate::{
    fact::Ending,
    phases::{Awaited, Close, Phase, PhaseSpec, Phases, STEPS, Status, Verdict},
    policy::{BreakerState, Cycle, DEFER_RATE_MAX, HumanVerdict, PhaseType},
    report::{
        CircuitBreaker, Meta, PhaseRecord, PhaseStatus, RunStatus, SpecLock, StateFile, StepRecord,
        Totals,
    },
    run::{Run, Standing, Work},
    sessions::clock::seconds,
    time::MINUTE_MS,
};

/// The version of the file.
const VERSION: &str = "1.0";

impl Chronicle {
    /// The whole file. Its size depends on the number of phases, not on how long the run has been going on.
    pub fn state(&self, run: &Run) -> StateFile {
        let Work::Phases(work) = &run.work;
        let record = |phase: &Phase| (key_of(phase), self.record(run, phase));
        StateFile { phases: work.list.iter().map(record).collect(), ..self.frame(run) }
    }

    /// The file without its phases.
    pub(super) fn frame(&self, run: &Run) -> StateFile {
        let Work::Phases(work) = &run.work;
        StateFile {
            meta: meta(run, work, self.settled_alone(work)),
            spec: spec_lock(run),
            roadmap_path: run.given.roadmap.clone(),
            last_checkpoint_sha: Some(work.head.to_string()),
            phases: BTreeMap::new(),
            circuit_breaker: breaker(run),
            event_log: self.events.iter().cloned().collect(),
            metrics: self.totals(run, work),
        }
    }

    /// One phase of the file.
    pub(super) fn record(&self, run: &Run, phase: &Phase) -> PhaseRecord {
        let Work::Phases(work) = &run.work;
        let nothing = Told::default();
        let told = self.phases.get(&phase.spec.id).unwrap_or(&nothing);
        let ended = ended_of(phase);
        let awaits: Vec<&Awaited> = work.awaited_of(phase).collect();
        // Each way of improving has its own mark for a phase that did not get there.
        let exhausted = |cycle: Cycle| ended.below_pass && run.given.manner.cycle == cycle;
        let history = phase.spec.earlier_scores.iter().chain(&told.earlier).chain(&told.scores);
        PhaseRecord {
            phase_type: Some(told.kind.unwrap_or_else(|| kind_of(&phase.spec))),
            status: status_of(work, phase),
            started_at: told.began_at.map(seconds),
            completed_at: told.ended_at.map(seconds),
            steps: steps(run, phase, told),
            debug_attempts: told.debugs,
            replan_attempts: told.replans,
            tokens_used: phase.spent.tokens,
            estimated_tokens: phase.spec.estimated_tokens,
            alignment_score: self.score_of(phase),
            commit_shas: told.commits.clone(),
            checkpoint_sha: told.base.clone(),
            automated_checks: told.automated.clone(),
            human_verify_justification: awaits.first().map(|first| justification(told, first)),
            human_verdict: human_verdict(&awaits),
            force_incomplete: exhausted(Cycle::Standard),
            diagnostic_path: ended.diagnosed.then(|| confidence::path_of(phase.spec.id)),
            remediation_cycles: told.remedies,
            score_history: history.map(|score| Value::from(score.as_number())).collect(),
            quality_exhausted: exhausted(Cycle::Quality),
            gaps_exhausted: exhausted(Cycle::Gaps),
            split: !told.parts.is_empty(),
            sub_phases: told.parts.iter().map(|id| Value::from(id.as_str())).collect(),
            rubber_stamp_suspect: ended.suspect,
            rollback_performed: ended.branch.is_some() && !told.commits.is_empty(),
            rollback_from: ended.branch.and(told.commits.last().cloned()),
            rollback_to: ended.branch.and(told.commits.last()).and(told.base.clone()),
            diagnostic_branch: ended.branch.cloned(),
            deferral_evidence: awaits.iter().flat_map(|one| one.evidence.clone()).collect(),
            split_details: told.split.clone(),
        }
    }

    /// How many phases left something to a person that a verifier was sure of.
    fn settled_alone(&self, work: &Phases) -> u32 {
        let is_alone = |phase: &&Phase| {
            let told = self.phases.get(&phase.spec.id);
            told.is_some_and(|told| told.settled_alone) && phase.awaits().is_empty()
        };
        total(wholes(work).filter(is_alone))
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
#[derive(Default)]
struct Ended<'a> {
    below_pass: bool,
    diagnosed: bool,
    suspect: bool,
    branch: Option<&'a String>,
}

fn ended_of(phase: &Phase) -> Ended<'_> {
    match &phase.status {
        Status::Closed(close @ Close::Completed { below_pass, suspect, .. }) => Ended {
            below_pass: *below_pass,
            diagnosed: confidence::is_told(close),
            suspect: *suspect,
            branch: None,
        },
        Status::Closed(Close::Failed { branch, .. }) => {
            Ended { branch: branch.as_ref(), ..Ended::default() }
        }
        Status::Closed(Close::Blocked { .. }) | Status::Active(_) | Status::Waiting => {
            Ended::default()
        }
    }
}

/// The papers of the steps that have one.
const PAPERS: [(&str, &str); 7] = [
    ("triage", "TRIAGE.json"),
    ("research", "RESEARCH.md"),
    ("plan", "PLAN.md"),
    ("execute", "EXECUTION-LOG.md"),
    ("verify", "VERIFICATION.md"),
    ("judge", "JUDGE-REPORT.md"),
    ("rate", "SCORECARD.md"),
];
/// How steps stand that did not come to an end.
const NOT_ENDED: [&str; 4] = ["skipped", "failed", "waiting", "interrupted"];

/// The steps of a phase, with the files that those left which came to an end.
fn steps(run: &Run, phase: &Phase, told: &Told) -> BTreeMap<String, StepRecord> {
    let mut steps = told.steps.clone();
    for (name, paper) in PAPERS {
        let has_ended = |step: &&mut StepRecord| {
            step.status.as_deref().is_some_and(|status| !NOT_ENDED.contains(&status))
        };
        if let Some(step) = steps.get_mut(name).filter(has_ended) {
            step.output = Some(format!("{}/{paper}", phase.spec.directory));
        }
    }
    if let Some(step) = steps.get_mut("rate")
        && let Some(score) = step.alignment_score
    {
        let passes = score >= run.given.pass_score.as_number();
        step.status = Some(if passes { "pass" } else { "fail" }.to_owned());
    }
    steps
}

/// What a phase is about, where nobody has seen yet what it changes.
fn kind_of(spec: &PhaseSpec) -> PhaseType {
    let texts = spec.criteria.iter().map(|one| one.command.as_deref().unwrap_or(&one.text));
    let text: Vec<&str> = [spec.goal.as_str()].into_iter().chain(texts).collect();
    PhaseType::of_text(&text.join(" "), None)
}

/// What people said of a phase that was left to them: nothing before all is said, unless it was a no.
fn human_verdict(awaits: &[&Awaited]) -> Option<Value> {
    let said: Vec<HumanVerdict> =
        awaits.iter().filter_map(|one| Some(one.verdict.as_ref()?.verdict)).collect();
    let verdict = if said.contains(&HumanVerdict::Fail) {
        HumanVerdict::Fail
    } else if said.contains(&HumanVerdict::IssuesFound) {
        HumanVerdict::IssuesFound
    } else if !said.is_empty() && said.len() == awaits.len() {
        HumanVerdict::Pass
    } else {
        return None;
    };
    let found = awaits.iter().filter(|one| !one.is_fine());
    let issues = found.filter_map(|one| Some(one.verdict.as_ref()?.message.as_str()));
    let issues: Vec<&str> = issues.filter(|issue| !issue.trim().is_empty()).collect();
    let at = awaits.iter().filter_map(|one| one.looked_at).max().map(seconds);
    Some(json!({ "verdict": verdict, "timestamp": at, "issues": issues }))
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
    phase.spec.id.to_string()
}

/// The document that says what is to be done. The roadmap is frozen beside it, and stands there where there is no other.
fn spec_lock(run: &Run) -> SpecLock {
    let given = &run.given;
    let (path, sha256) = match &given.requirements {
        Some(document) => (&document.path, &document.sha256),
        None => (&given.roadmap, &given.spec_sha256),
    };
    SpecLock {
        path: path.clone(),
        hash: format!("sha256:{sha256}"),
        locked_at: seconds(run.submitted_at),
    }
}

/// Which part of the checkpoints for people were resolved without one; nothing where there were none.
fn resolved_alone(alone: u32, deferred: u32) -> Option<f64> {
    let all = alone.saturating_add(deferred);
    (all > 0).then(|| f64::from(alone) / f64::from(all))
}

/// What people said, one after another.
fn deferral_history(work: &Phases) -> Vec<Value> {
    let told = |(phase, awaited, said): (&Phase, &Awaited, &Verdict)| {
        json!({
            "phase_id": phase.spec.id.as_str(),
            "task": awaited.task,
            "verdict": said.verdict,
            "timestamp": awaited.looked_at.map(seconds),
        })
    };
    verdicts(work).map(told).collect()
}

fn meta(run: &Run, work: &Phases, alone: u32) -> Meta {
    let current = work.active.first().and_then(|at| work.list.get(*at));
    let step = current.and_then(|phase| match &phase.status {
        Status::Active(active) => STEPS.get(active.stage.shown_as()),
        Status::Waiting | Status::Closed(_) => None,
    });
    let deferred = deferred(work);
    Meta {
        version: VERSION.to_owned(),
        run_id: run.given.run.to_string(),
        started_at: seconds(run.submitted_at),
        last_checkpoint: seconds(run.last_at),
        status: standing_of(run),
        total_phases: total(wholes(work)),
        current_phase: current.map(|phase| phase.spec.id.to_string()),
        current_step: step.map(|step| step.to_lowercase().replace('-', "_")),
        orchestrator_context_pct: None,
        human_deferred_count: deferred,
        total_phases_processed: work.over,
        pass_threshold: run.given.pass_score.as_number(),
        autonomous_resolution_rate: resolved_alone(alone, deferred),
        deferral_threshold: Some(DEFER_RATE_MAX),
        deferral_confidence: Some(run.given.manner.deferral.points()),
        deferral_history: deferral_history(work),
    }
}

fn count(work: &Phases, wanted: PhaseStatus) -> u32 {
    total(wholes(work).filter(|phase| status_of(work, phase) == wanted))
}

fn status_of(work: &Phases, phase: &Phase) -> PhaseStatus {
    match &phase.status {
        Status::Waiting => PhaseStatus::NotStarted,
        Status::Active(_) => PhaseStatus::InProgress,
        Status::Closed(Close::Completed { .. }) => {
            let is_fine = work.awaited_of(phase).all(Awaited::is_fine);
            if is_fine { PhaseStatus::Completed } else { PhaseStatus::NeedsHumanVerification }
        }
        Status::Closed(Close::Failed { .. }) => PhaseStatus::Failed,
        Status::Closed(Close::Blocked { .. }) => PhaseStatus::Skipped,
    }
}

fn standing_of(run: &Run) -> RunStatus {
    match run.standing() {
        Standing::Working | Standing::Holding(_) => RunStatus::Running,
        Standing::Asking(_) | Standing::Stopped => RunStatus::Paused,
        Standing::Ended(Ending::Done) => RunStatus::Completed,
        Standing::Ended(Ending::Ceiling(ceiling)) if !ceiling.fails_run() => RunStatus::Paused,
        Standing::Ended(Ending::NoAgent { .. } | Ending::Checkpoint { .. }) => RunStatus::Paused,
        Standing::Ended(Ending::Ceiling(_) | Ending::Halted { .. } | Ending::Incomplete) => {
            RunStatus::Failed
        }
    }
}

/// The breaker; a ceiling of a phase that ended the run keeps it open.
fn breaker(run: &Run) -> CircuitBreaker {
    let is_open = matches!(&run.ending, Some(Ending::Ceiling(ceiling)) if opens(*ceiling));
    let own = &run.breaker;
    CircuitBreaker {
        state: if is_open { BreakerState::Open } else { own.state },
        consecutive_no_progress: own.consecutive_no_progress,
        consecutive_same_error: own.consecutive_same_error,
        last_error: own.last_error.clone(),
        cooldown_until: own.cooldown_until.map(seconds),
    }
}

/// Minutes with one decimal.
#[expect(clippy::cast_precision_loss, reason = "no run lasts that long")]
pub(super) fn minutes(ms: u64) -> f64 {
    (ms as f64 / MINUTE_MS as f64 * 10.0).round() / 10.0
}
