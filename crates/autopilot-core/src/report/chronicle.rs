//! A run as files tell it: a fold over its records, beside the state that decides.
//!
//! Start at [`Chronicle::take`]. The state forgets what no decision needs any more; files are for those who come later
//! and want to know. Nothing is decided here, no clock is asked, and all of it can be made again from the journal, byte for
//! byte.

mod after;
mod audit;
mod closing;
mod confidence;
mod detail;
mod event;
mod handoff;
mod phase_event;
mod snapshot;
mod talk;
#[cfg(test)]
mod tests;
mod text;
mod told;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub use self::text::StateText;
use self::told::Told;
use crate::{
    fact::{Ending, Fact, Record},
    phases::{Phase, PhaseFact},
    policy::BreakerState,
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
    /// Whether it has ended and was not taken up again.
    is_over: bool,
    /// Whether the breaker was told to be open.
    is_open: bool,
    /// The files about agents that came to the end of what they can remember: their names, and what stands in them.
    handoffs: VecDeque<(String, String)>,
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
            Fact::Phase { phase, fact } => self.of_phase(run, at, (*phase, fact)),
            Fact::Finished(ending) => {
                self.ended_at = Some(at);
                self.is_over = true;
                self.is_open |= matches!(ending, Ending::Ceiling(which) if event::opens(*which));
            }
            Fact::Resumed { .. } => self.is_over = false,
            Fact::Submitted(_)
            | Fact::Started { .. }
            | Fact::Held { .. }
            | Fact::Released { .. }
            | Fact::Asked { .. }
            | Fact::Answered { .. }
            | Fact::LeftOut(_)
            | Fact::Strays(_)
            | Fact::Repaired(_)
            | Fact::Environment(_)
            | Fact::StopAsked
            | Fact::Talk(_)
            | Fact::Finale(_)
            | Fact::Debug(_)
            | Fact::Release(_)
            | Fact::Rechecked { .. } => {}
        }
        if self.is_open && !self.is_over && run.breaker.state == BreakerState::Closed {
            self.is_open = false;
            self.note(event::closed(record));
        }
    }

    fn of_phase(&mut self, run: &Run, at: Timestamp, (id, fact): (PhaseId, &PhaseFact)) {
        if let PhaseFact::HandedOff { step, why, .. } = fact {
            if self.handoffs.len() == handoff::HANDOFFS_MAX {
                self.handoffs.pop_front();
            }
            self.handoffs.push_back(handoff::file(run, id, at, (step.as_str(), why.as_str())));
        }
        self.is_over &= !matches!(fact, PhaseFact::Retried);
        self.told(id).take(at, fact);
        self.merge(run, id, fact);
        // What a part leaves to a person, and what they say of it, is told with the whole.
        if let Some(whole) = phase_of(run, id).and_then(|phase| phase.part_of) {
            self.changed.insert(whole);
        }
    }

    /// What a part brought is told with the phase that it is a part of, too.
    fn merge(&mut self, run: &Run, id: PhaseId, fact: &PhaseFact) {
        let whole = phase_of(run, id).and_then(|phase| phase.part_of);
        let (Some(whole), PhaseFact::Closed(_)) = (whole, fact) else { return };
        let commits = self.phases.get(&id).map(|told| told.commits.clone()).unwrap_or_default();
        let whole = self.told(whole);
        commits.iter().for_each(|commit| whole.commit(commit));
    }

    /// The files about agents that came to the end of what they can remember, by name.
    pub fn handoffs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.handoffs.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Whether a record is about an agent that came to the end of what it can remember.
    pub fn hands_off(record: &Record) -> bool {
        let Fact::Phase { fact, .. } = &record.fact else { return false };
        matches!(fact, PhaseFact::HandedOff { .. })
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
