//! A phase that waits for a person is on the run branch without its mark in the roadmap; the mark comes with their word.
//!
//! Everybody who reads the branch would take it for complete otherwise, also after the person has said no.

use crate::{
    effect::{Effect, IntegrateTask, Owed},
    fact::{Ending, Fact},
    id::{CommitId, Step},
    input::{Failure, Outcome},
    phases::{Awaited, Close, Phase, PhaseFact, Phases, Status, deferral, recheck},
    run::Run,
};

/// No phase has this name: an id holds a digit.
const STEP: &str = "run/mark";

/// The phase whose mark is put on the run branch next: a person found it good, and nothing else is left to do.
pub(super) fn due(work: &Phases) -> Option<&Phase> {
    if !work.is_at_rest() || recheck::is_due(work) || work.finale_is_due() {
        return None;
    }
    let is_unmarked = |phase: &&Phase| {
        matches!(phase.status, Status::Closed(Close::Completed { unmarked: true, .. }))
    };
    let mut waiting = work.list.iter().filter(is_unmarked).peekable();
    waiting.peek()?;
    if deferral::is_open(work) {
        return None;
    }
    waiting.find(|phase| work.awaited_of(phase).all(Awaited::is_fine))
}

/// Whether the step is this one, and its outcome is waited for.
pub(super) fn expects(work: &Phases, step: &Step) -> bool {
    due(work).is_some_and(|phase| step_of(phase) == *step)
}

/// What is owed: the mark, on top of the run branch.
pub(super) fn owed(run: &Run, work: &Phases) -> Option<Owed> {
    let phase = due(work)?;
    let looked_at = work.awaited_of(phase).filter_map(|awaited| awaited.looked_at).max();
    let task = IntegrateTask {
        phase: Some(phase.spec.id),
        from: work.head.clone(),
        commit: work.head.clone(),
        papers: Vec::new(),
        pictures: Vec::new(),
        mark: true,
        date: looked_at.unwrap_or(run.submitted_at),
    };
    Some(Owed { key: run.ledger.key(step_of(phase)), effect: Effect::Integrate(task) })
}

/// What follows when it stands.
pub(super) fn decide(work: &Phases, outcome: &Outcome) -> Vec<Fact> {
    let (Some(phase), Outcome::Integrated(commit)) = (due(work), outcome) else {
        return Vec::new();
    };
    let fact = PhaseFact::Marked { commit: commit.clone() };
    vec![Fact::Phase { phase: phase.spec.id, fact }]
}

/// What follows when it cannot be put there.
pub(super) fn gave_up(failure: &Failure) -> Vec<Fact> {
    let why = format!("a completed phase could not be marked in the roadmap: {}", failure.detail);
    vec![Fact::Finished(Ending::Halted { why })]
}

fn step_of(phase: &Phase) -> Step {
    Step::new(format!("{STEP}/{}", phase.spec.id))
}

impl Phases {
    /// Takes note of a mark on the run branch.
    pub(super) fn mark(&mut self, at: usize, commit: &CommitId) {
        let before = std::mem::replace(&mut self.head, commit.clone());
        self.before_marks.get_or_insert(before);
        if let Status::Closed(Close::Completed { unmarked, .. }) = &mut self.list[at].status {
            *unmarked = false;
        }
    }
}
