//! What the run owes to the world, derived from its state alone.

use crate::{
    effect::{Effect, Owed},
    run::Run,
};

/// Every effect that should be under way and has no intent in the journal yet.
///
/// It is derived, never stored: after a crash between an append and an act the same debt comes out again.
/// Effects without an intent keep being owed until they end; whoever performs them knows what it has begun.
pub fn owed(run: &Run) -> Vec<Owed> {
    if run.ending.is_some() || run.stopping {
        return Vec::new();
    }
    run.debts().into_iter().filter(|owed| may_start(run, owed)).collect()
}

fn may_start(run: &Run, owed: &Owed) -> bool {
    if run.ledger.is_open(&owed.key.step) {
        return false;
    }
    match &owed.effect {
        Effect::Agent(task) => !run.held.get(&task.agent).is_some_and(|held| held.now),
        Effect::Preflight(_)
        | Effect::Check(_)
        | Effect::Canary(_)
        | Effect::Seed(_)
        | Effect::Commit(_)
        | Effect::Integrate(_)
        | Effect::Reject(_)
        | Effect::Survey(_)
        | Effect::Trial(_)
        | Effect::Save(_) => true,
    }
}
