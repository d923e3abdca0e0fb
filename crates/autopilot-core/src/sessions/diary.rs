//! What a loop was told, as facts. A loop is a fold over them, so that one that was killed still gets its record.

use serde::{Deserialize, Serialize};

use crate::{
    sessions::{
        Reading,
        flags::Limits,
        record::{Identity, Record},
        run_loop::{Ask, RunLoop, Told},
    },
    time::Timestamp,
};

/// The version of the facts that this program writes.
pub const VERSION: u32 = 1;

/// One fact of a loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The version of the fact.
    pub v: u32,
    /// When it was recorded.
    pub at: Timestamp,
    /// What happened.
    pub fact: Fact,
}

/// What happened to a loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fact {
    /// It began. Always the first fact, and only that.
    Begun(Box<Begun>),
    /// It was told what came of what it asked.
    Told(Told),
    /// Its record stands in the file of all loops.
    Recorded,
}

/// What a loop is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begun {
    /// What it is called, and what it belongs to.
    pub identity: Identity,
    /// What ends it.
    pub limits: Limits,
    /// Whether it runs nothing.
    pub dry_run: bool,
}

/// A loop and how far it has come.
#[derive(Clone, Debug, Default)]
pub struct Diary {
    looping: Option<RunLoop>,
    last_at: Option<Timestamp>,
    ended: Option<Record>,
    recorded: bool,
}

impl Diary {
    /// Takes in a fact. What does not fit changes nothing.
    pub fn take(&mut self, line: &Line) {
        self.last_at = Some(line.at);
        match (&line.fact, &mut self.looping) {
            (Fact::Begun(begun), empty @ None) => {
                let Begun { identity, limits, dry_run } = begun.as_ref();
                let looping = RunLoop::new(identity, limits.clone(), Reading::Corrected, line.at);
                *empty = Some(if *dry_run { looping.dry() } else { looping });
            }
            (Fact::Told(told), Some(looping)) if self.ended.is_none() => {
                self.ended = looping.told(line.at, told.clone());
            }
            (Fact::Recorded, Some(_)) => self.recorded = true,
            (Fact::Begun(_), Some(_)) | (Fact::Told(_) | Fact::Recorded, _) => {}
        }
    }

    /// What is to be done next; nothing once the loop has ended, or before it has begun.
    pub fn ask(&self) -> Option<Ask<'_>> {
        let looping = self.looping.as_ref().filter(|_| self.ended.is_none())?;
        Some(looping.ask())
    }

    /// The record that is still to be written: that of a loop that has ended, or of one that nobody carries forward any more.
    pub fn unrecorded(&self) -> Option<Record> {
        if self.recorded {
            return None;
        }
        let ended = self.ended.clone();
        ended.or_else(|| Some(self.looping.clone()?.interrupted(self.last_at?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::{
        kill_switch::{KillSwitch, Outcome},
        resources::Verdict,
        run_loop::{Choice, INTERRUPTED, Ran, Sight},
        select::Mode,
    };

    fn begun(dry_run: bool) -> Fact {
        let identity = Identity { run_id: "r".to_owned(), ..Identity::default() };
        let limits = Limits { max_sessions: 1, ..Limits::default() };
        Fact::Begun(Box::new(Begun { identity, limits, dry_run }))
    }

    fn facts() -> Vec<Fact> {
        let choice = Choice { mode: Some(Mode::Deep), confidence: 0.9 };
        let outcome = Outcome { session_id: Some("s".to_owned()), tokens: 7, ..Outcome::default() };
        vec![
            begun(false),
            Fact::Told(Told::Begun(Some(Verdict::Green))),
            Fact::Told(Told::Looked(Sight { peers: Some(1), ..Sight::default() })),
            Fact::Told(Told::Selected(Ok(choice))),
            Fact::Told(Told::Ran(Ok(Ran { outcome, ..Ran::default() }))),
            Fact::Told(Told::Looked(Sight::default())),
            Fact::Recorded,
        ]
    }

    /// The diary of these facts, as it is read back from their text.
    fn read(facts: &[Fact]) -> Diary {
        let mut diary = Diary::default();
        for (second, fact) in (0_i64..).zip(facts) {
            let line =
                Line { v: VERSION, at: Timestamp::from_ms(second * 1_000), fact: fact.clone() };
            let text = serde_json::to_string(&line).unwrap();
            let back: Line = serde_json::from_str(&text).unwrap();
            assert_eq!(back, line);
            diary.take(&back);
        }
        diary
    }

    #[test]
    fn e34_a_loop_that_was_killed_at_any_fact_gets_the_record_of_what_it_did() {
        let facts = facts();
        for cut in 1..facts.len() - 1 {
            let record = read(&facts[..cut]).unrecorded().unwrap();
            assert_eq!((record.kill_switch, record.autopilot_run_id.as_str()), (None, "r"));
            assert_eq!(record.kill_switch_detail.as_deref(), Some(INTERRUPTED), "cut at {cut}");
            assert_eq!(record.sessions.len(), usize::from(cut > 4), "cut at {cut}");
        }
        assert_eq!(read(&[]).unrecorded(), None, "nothing ever began");
    }

    #[test]
    fn e34_a_record_is_written_once() {
        let facts = facts();
        let ended = read(&facts[..facts.len() - 1]);
        assert_eq!(ended.ask(), None);
        let record = ended.unrecorded().unwrap();
        assert_eq!(record.kill_switch, Some(KillSwitch::MaxSessionsReached));
        assert_eq!(record.total_tokens_used, 7);
        assert_eq!(read(&facts).unrecorded(), None);
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let mut facts = facts();
        facts.insert(2, begun(true));
        let record = read(&facts[..4]).unrecorded().unwrap();
        assert!(!record.dry_run);
        assert_eq!(read(&[Fact::Recorded]).unrecorded(), None);
    }
}
