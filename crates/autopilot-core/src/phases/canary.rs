//! Before what is newly green is believed, the work is broken to see whether it goes red.

use crate::{
    evidence::{Canary, Check, CheckKind, Standing, may_judge_itself},
    phases::{Active, Phase, PhaseFact, Stage, calibrate, checks, turn::Turn},
    role::Role,
    run::Run,
};

/// The checks that must show that they can go red: those that became true in this phase and might look at nothing but
/// what came with it. The others were red on the base for want of the work, and nobody has waived them.
pub(super) fn wanted(run: &Run, phase: &Phase, active: &Active) -> Vec<Check> {
    let mut checks = checks::all(run, phase, active);
    checks.retain(|check| may_judge_itself(&check.criterion) && counts(active, &check.name));
    checks
}

fn counts(active: &Active, check: &str) -> bool {
    active.settled.iter().any(|entry| {
        entry.name == check
            && entry.kind == CheckKind::Criterion
            && entry.standing == Standing::New
            && entry.waived.is_none()
    })
}

/// Goes on from work that is green.
pub(super) fn begin(turn: &mut Turn<'_>) {
    let asked = turn.run.given.limits.canary_breaks > 0;
    let wanted = asked && !wanted(turn.run, turn.phase, &turn.now).is_empty();
    if wanted {
        turn.enter(Stage::Canary);
    } else {
        calibrate::begin(turn);
    }
}

/// What follows when the work was broken.
pub(super) fn take(turn: &mut Turn<'_>, canaries: &[Canary]) {
    turn.note(PhaseFact::Canaries { canaries: canaries.to_vec() });
    waive(turn);
    let blind: Vec<&Canary> = canaries
        .iter()
        .filter(|canary| !canary.bites() && counts(&turn.now, &canary.check))
        .collect();
    let Some(first) = blind.first() else {
        return calibrate::begin(turn);
    };
    let repaired = turn.now.tries.repairs + turn.now.tries.remedies > 0;
    let who = if repaired { Role::Debugger } else { Role::Executor };
    let (claim, seen) = ("handed in as tested".to_owned(), first.seen());
    turn.note(PhaseFact::Caught { who, claim, seen });
    turn.repair(blind.iter().map(|canary| canary.finding()).collect());
}

/// A person can let a check count that does not bite; it is then told as waived.
fn waive(turn: &mut Turn<'_>) {
    let (run, time) = (turn.run, turn.time);
    let mut entries = turn.now.settled.clone();
    for canary in turn.now.canaries.iter().filter(|canary| !canary.bites()) {
        for entry in entries.iter_mut().filter(|entry| entry.name == canary.check) {
            entry.waived = run.waiver(&entry.name, time);
        }
    }
    if entries != turn.now.settled {
        turn.note(PhaseFact::Settled { entries });
    }
}
