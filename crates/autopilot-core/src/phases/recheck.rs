//! When nothing is left to do, what the phases of the run promised must hold together.
//!
//! A phase is judged by its own criteria and by those of the phases it builds on. What a phase may have done to one
//! that it has nothing to do with is seen here, once, on the final result: a run of a thousand phases must not run a
//! thousand checks in each.

use crate::{
    effect::{CheckTask, Effect, Freeze, Owed},
    evidence::{Check, CheckKind, CheckResult, Entry, Standing, Verdict},
    fact::{Ending, Fact},
    id::Step,
    input::{Failure, Outcome},
    phases::{Awaited, Close, Phase, Phases, Status, checks},
    run::Run,
    time::{SECOND_MS, Timestamp},
};

/// No phase has this name: an id holds a digit.
const STEP: &str = "run/recheck";

/// Whether the step is this one, and its outcome is waited for.
pub(super) fn expects(work: &Phases, step: &Step) -> bool {
    step.as_str() == STEP && is_due(work)
}

/// What is owed when nothing else is: the promises of all phases, on the final result.
pub(super) fn owed(run: &Run, work: &Phases) -> Option<Owed> {
    if !is_due(work) {
        return None;
    }
    let checks: Vec<Check> = earlier(work).flat_map(|phase| promises(run, phase)).collect();
    let limits = &run.given.limits;
    let task = CheckTask {
        commit: work.head.clone(),
        // Whatever stands on the run branch was accepted when its phase was.
        freeze: Freeze::as_it_is(work.head.clone()),
        held: checks.iter().map(|check| check.name.clone()).collect(),
        red: Vec::new(),
        prepare: run.given.prepare.clone(),
        checks,
        criterion_ms_max: limits.check_seconds.saturating_mul(SECOND_MS),
        guard_ms_max: limits.guard_seconds.saturating_mul(SECOND_MS),
    };
    Some(Owed { key: run.ledger.key(Step::new(STEP)), effect: Effect::Check(task) })
}

/// What follows from the results.
pub(super) fn decide(run: &Run, now: Timestamp, outcome: &Outcome) -> Vec<Fact> {
    let Outcome::Checked(results) = outcome else {
        return Vec::new();
    };
    let entries = results.iter().map(|result| entry(run, now, result)).collect();
    vec![Fact::Rechecked { entries }]
}

/// What follows when they could not be had.
pub(super) fn gave_up(failure: &Failure) -> Vec<Fact> {
    let why = format!("whether everything holds together could not be seen: {}", failure.detail);
    vec![Fact::Finished(Ending::Halted { why })]
}

/// How a run ends that has nothing left to do; `None` while its promises are not known to hold.
pub(super) fn ending(work: &Phases) -> Option<Ending> {
    if is_due(work) || work.finale_is_due() || work.release_is_due() {
        return None;
    }
    // Whether a phase with parts is complete is told by itself.
    let is_complete = |phase: &Phase| {
        phase.part_of.is_some()
            || matches!(&phase.status, Status::Closed(Close::Completed { .. }))
                && work.awaited_of(phase).all(Awaited::is_fine)
    };
    let holds = work.rechecked.iter().flatten().all(Entry::stands);
    let is_whole = work.finale.remaining().next().is_none();
    let done = holds && is_whole && work.list.iter().all(is_complete);
    Some(if done { Ending::Done } else { Ending::Incomplete })
}

/// The criteria of a completed phase, which must stay true; without those that it was completed without.
pub(super) fn promises(run: &Run, phase: &Phase) -> Vec<Check> {
    let Status::Closed(Close::Completed { waived, .. }) = &phase.status else {
        return Vec::new();
    };
    let mut checks = checks::of_phase(run, phase);
    checks.retain(|check| waived.iter().all(|waived| waived.check != check.name));
    for check in &mut checks {
        check.kind = CheckKind::Guard;
    }
    checks
}

/// Whether it must be seen now what the promises of completed phases came to.
pub(super) fn is_due(work: &Phases) -> bool {
    let has_promise = |phase: &Phase| phase.spec.criteria.iter().any(|one| one.command.is_some());
    let is_next = work.is_at_rest() && !work.finale_is_due() && !work.release_is_due();
    work.rechecked.is_none() && is_next && earlier(work).any(has_promise)
}

/// The phases on the run branch.
fn integrated(work: &Phases) -> impl Iterator<Item = &Phase> {
    let is_integrated =
        |phase: &&Phase| matches!(phase.status, Status::Closed(Close::Completed { .. }));
    work.list.iter().filter(is_integrated)
}

/// Those that another one was put on top of: the last one was seen to hold on the very same files.
fn earlier(work: &Phases) -> impl Iterator<Item = &Phase> {
    let last = work.before_marks.as_ref().unwrap_or(&work.head);
    integrated(work).filter(move |phase| match &phase.status {
        Status::Closed(Close::Completed { commit, .. }) => commit != last,
        Status::Closed(_) | Status::Active(_) | Status::Waiting => false,
    })
}

fn entry(run: &Run, now: Timestamp, result: &CheckResult) -> Entry {
    let (standing, waived) = match &result.verdict {
        Verdict::Passed => (Standing::Held, None),
        Verdict::Failed(why) | Verdict::Unproven(why) => {
            (Standing::Broken(why.clone()), run.waiver(&result.name, now))
        }
    };
    Entry { name: result.name.clone(), kind: result.kind, standing, waived }
}
