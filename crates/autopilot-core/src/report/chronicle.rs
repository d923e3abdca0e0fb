//! A run as files tell it: a fold over its records, beside the state that decides.
//!
//! Start at [`Chronicle::take`]. The state forgets what no decision needs any more; files are for those who come later
//! and want to know. Nothing is decided here, no clock is asked, and all of it can be made again from the journal, byte for
//! byte.

mod after;
mod audit;
mod closing;
mod confidence;
mod event;
mod snapshot;
#[cfg(test)]
mod tests;
mod text;
mod told;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub use self::text::StateText;
use self::told::Told;
use crate::{
    fact::{Fact, Record},
    phases::{Phase, PhaseFact},
    report::EventEntry,
    returns::Score,
    roadmap::PhaseId,
    run::{Run, Work},
    time::Timestamp,
};

/// How many of the last events `state.json` holds: the file must not grow with the run. The journal has all.
pub const EVENTS_MAX: usize = 200;
/// A completed phase below this score leaves a file that tells what would raise it.
pub const DIAGNOSED_BELOW: Score = Score::from_tenths(90);

/// What files tell of a run.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    phases: BTreeMap<PhaseId, Told>,
    events: VecDeque<EventEntry>,
    /// Phases of which something was told since this was asked last.
    changed: BTreeSet<PhaseId>,
    /// When the run ended last.
    ended_at: Option<Timestamp>,
}

impl Chronicle {
    /// Takes in one more record. `run` is the state after it.
    pub fn take(&mut self, run: &Run, record: &Record) {
        let at = record.at;
        for entry in event::of(run, self, record) {
            self.note(entry);
        }
        match &record.fact {
            Fact::Ended { key, end, .. } => {
                if let Some((phase, name)) = event::parts(key.step.as_str()) {
                    self.told(phase).step_ended(at, name, end);
                }
            }
            Fact::Phase { phase, fact } => {
                self.told(*phase).take(at, fact);
                self.merge(run, *phase, fact);
            }
            Fact::Finished(_) => self.ended_at = Some(at),
            Fact::Submitted(_)
            | Fact::Started { .. }
            | Fact::Held { .. }
            | Fact::Released { .. }
            | Fact::Asked { .. }
            | Fact::Answered { .. }
            | Fact::LeftOut(_)
            | Fact::Strays(_)
            | Fact::Denied(_)
            | Fact::Repaired(_)
            | Fact::Environment(_)
            | Fact::StopAsked
            | Fact::Resumed { .. }
            | Fact::Finale(_)
            | Fact::Rechecked { .. } => {}
        }
    }

    /// What a part brought is told with the phase that it is a part of, too.
    fn merge(&mut self, run: &Run, id: PhaseId, fact: &PhaseFact) {
        let whole = phase_of(run, id).and_then(|phase| phase.part_of);
        let (Some(whole), PhaseFact::Closed(_)) = (whole, fact) else { return };
        let commits = self.phases.get(&id).map(|told| told.commits.clone()).unwrap_or_default();
        self.told(whole).commits.extend(commits);
    }

    /// The phase that a record closes, if it does.
    pub fn closed_by(record: &Record) -> Option<PhaseId> {
        let Fact::Phase { phase, fact } = &record.fact else { return None };
        matches!(fact, PhaseFact::Closed(_)).then_some(*phase)
    }

    /// Whether there may be something to learn from a record.
    pub fn teaches(record: &Record) -> bool {
        let Fact::Phase { fact, .. } = &record.fact else { return false };
        matches!(fact, PhaseFact::Closed(_) | PhaseFact::Looked { .. })
    }

    /// When the run ended; the time of its last fact where it has not.
    pub fn ended_at(&self, run: &Run) -> Timestamp {
        self.ended_at.filter(|_| run.ending.is_some()).unwrap_or(run.last_at)
    }

    fn told(&mut self, phase: PhaseId) -> &mut Told {
        self.changed.insert(phase);
        self.phases.entry(phase).or_default()
    }

    fn note(&mut self, entry: EventEntry) {
        if self.events.len() == EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(entry);
    }
}

/// A phase of a run.
fn phase_of(run: &Run, id: PhaseId) -> Option<&Phase> {
    let Work::Phases(work) = &run.work;
    work.place(&id).and_then(|at| work.list.get(at))
}
