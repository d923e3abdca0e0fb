//! How work that holds and is not good enough is made better, and when that ends.

use crate::{
    phases::{Active, PhaseFact, calibrate, fact::SentBack, turn::Turn},
    policy::{Cycle, Cycles, Next, Target},
    returns::Score,
    run::Run,
};

/// Has a phase improved as long as its way of improving says so, and takes it as it is otherwise.
pub(super) fn remedy(turn: &mut Turn<'_>, score: Score, remarks: Vec<String>) {
    match rounds(turn.run, &turn.now).map(|rounds| rounds.next()) {
        Some(Next::Again(deficiency)) => {
            // One at a time where that was asked for: what it came to can then be told.
            let findings = deficiency.map_or(remarks, |one| vec![one.what]);
            turn.note(PhaseFact::SentBack { to: SentBack::Remedy, findings });
            turn.enter(crate::phases::Stage::Repair);
        }
        Some(Next::Reached | Next::Exhausted) | None => calibrate::complete(turn, score),
    }
}

/// Whether the way of improving has a try left.
pub(super) fn can(run: &Run, active: &Active) -> bool {
    rounds(run, active).is_some_and(|rounds| matches!(rounds.next(), Next::Again(_)))
}

/// The tries of a phase so far, from the scores since it was last planned.
fn rounds(run: &Run, active: &Active) -> Option<Cycles> {
    let cycle = run.given.manner.cycle;
    let (first, later) = active.scores.split_first()?;
    let mut rounds = Cycles::towards(cycle, target(run), *first, active.lacks.clone());
    for score in later {
        rounds.tried(*score);
    }
    Some(rounds)
}

fn target(run: &Run) -> Target {
    let mut target = run.given.manner.cycle.target(run.given.pass_score);
    if run.given.manner.cycle == Cycle::Standard {
        // Of the three only this one is a limit that people set.
        target.tries_max = usize::try_from(run.given.limits.remediations).unwrap_or(usize::MAX);
    }
    target
}
