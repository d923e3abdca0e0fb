//! A person may let the failed phases of a run be tried once more.

use std::collections::BTreeSet;

use crate::{
    fact::Fact,
    phases::{Close, Finale, Graph, Phase, PhaseFact, PhaseSpec, Phases, Status},
    roadmap::PhaseId,
};

/// What follows from a person's word that failed phases be tried again: each of them once, and what waited for it.
pub fn retry(work: &Phases) -> Vec<Fact> {
    let retried: BTreeSet<PhaseId> = failed(work, false).collect();
    let stuck: BTreeSet<PhaseId> = failed(work, true)
        .filter_map(|id| work.place(&id))
        .flat_map(|at| work.graph.dependents(at))
        .map(|at| work.list[at].spec.id)
        .collect();
    let waits = |phase: &&Phase| match &phase.status {
        Status::Closed(Close::Blocked { by }) => {
            retried.contains(by) && !stuck.contains(&phase.spec.id)
        }
        Status::Closed(_) | Status::Active(_) | Status::Waiting => false,
    };
    let waiting = work.list.iter().filter(waits).map(|phase| phase.spec.id);
    let all = retried.iter().copied().chain(waiting);
    all.map(|phase| Fact::Phase { phase, fact: PhaseFact::Retried }).collect()
}

/// The phases that failed, or that a person refused in the end, and were tried again before, or were not.
fn failed(work: &Phases, again: bool) -> impl Iterator<Item = PhaseId> {
    let is_failed = move |phase: &&Phase| {
        let is_failed = matches!(phase.status, Status::Closed(Close::Failed { .. }));
        let is_refused = || work.faults(phase).next().is_some();
        phase.part_of.is_none() && phase.retried == again && (is_failed || is_refused())
    };
    work.list.iter().filter(is_failed).map(|phase| phase.spec.id)
}

/// A phase with what it still waits for. One that is complete waits for nothing, also where something that it was built on
/// is done again.
fn as_it_waits(phase: &Phase) -> PhaseSpec {
    let mut spec = phase.spec.clone();
    if matches!(phase.status, Status::Closed(Close::Completed { .. })) {
        spec.depends_on.clear();
    }
    spec
}

impl Phases {
    /// How many failed phases a person may let be tried again.
    pub fn retriable(&self) -> usize {
        failed(self, false).count()
    }

    /// Puts a phase back to where it has not begun.
    pub(super) fn reopen(&mut self, at: usize) {
        let faults: Vec<String> = self.faults(&self.list[at]).collect();
        let phase = &mut self.list[at];
        if matches!(phase.status, Status::Closed(Close::Failed { .. })) || !faults.is_empty() {
            phase.retried = true;
            self.over = self.over.saturating_sub(1);
        }
        if !faults.is_empty() {
            phase.spec.refused = faults;
        }
        phase.status = Status::Waiting;
        let whole = phase.spec.id;
        for part in self.list.iter_mut().filter(|part| part.part_of == Some(whole)) {
            // It gets new parts, and nobody asks about these any more.
            if let Status::Closed(Close::Completed { awaits, .. }) = &mut part.status {
                awaits.clear();
            }
        }
        // What was seen of the result as a whole was seen without it.
        self.rechecked = None;
        self.finale = Finale::of(self.finale != Finale::Unwanted);
        let specs: Vec<PhaseSpec> = self.list.iter().map(as_it_waits).collect();
        self.graph = Graph::new(&specs);
        for (at, phase) in self.list.iter().enumerate() {
            match &phase.status {
                Status::Waiting => {}
                Status::Closed(Close::Completed { .. }) => self.graph.complete(at),
                Status::Active(_) | Status::Closed(_) => {}
            }
        }
        for (at, phase) in self.list.iter().enumerate() {
            if !matches!(phase.status, Status::Waiting) {
                self.graph.take(at);
            }
        }
    }
}
