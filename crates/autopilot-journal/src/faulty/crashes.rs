//! Crashes the shipped journal at random moments, many times, and counts what is lost.
//!
//! Each world is one disk that lives through several crashes. In each life the journal is opened,
//! records are appended, segments rotate, snapshots are written, and at some call the power goes or
//! the process is killed. Then the journal is opened again and compared with what was acknowledged.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Add,
};

use crate::{
    error::Error,
    faulty::{Chance, Fault, FaultyDisk, Lasting},
    ids::RecordHash,
    journal::Journal,
    lock::Holder,
    opening::Opened,
    snapshot::SnapshotState,
};

const LIVES_MAX: usize = 4;
const APPENDS_MAX: usize = 6;
const APPEND_RECORDS_MAX: usize = 3;
/// Small, so that most worlds have several segments.
const SEGMENT_BYTES: u64 = 3072;
/// A little more than the appends of a life have calls.
const APPENDING_CALLS_MAX: usize = 30;
/// A little more than opening has calls.
const OPENING_CALLS_MAX: usize = 24;

/// Whether the disk under the journal keeps its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syncs {
    /// A sync makes content last.
    Kept,
    /// A sync does nothing: the same as a journal that does not sync, and a torture must notice.
    Ignored,
}

/// What a torture came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How often the power went or the process was killed.
    pub crashes: u64,
    /// How many of those were kills.
    pub kills: u64,
    /// How many records were acknowledged.
    pub acknowledged: u64,
    /// How many torn tails were cut.
    pub torn: u64,
    /// How many snapshots were started from.
    pub snapshots: u64,
    /// Acknowledged records that were gone after a crash.
    pub lost: u64,
    /// Crashes after which a record was there that was never appended, or only a part of an append.
    pub invented: u64,
    /// Crashes after which the journal could not be opened.
    pub refused: u64,
    /// Crashes after which opening twice gave two results.
    pub unstable: u64,
    /// Crashes after which one of the last four was seen; it ends that world.
    pub caught: u64,
}

impl Figures {
    /// Tells whether every promise was kept.
    pub fn is_clean(&self) -> bool {
        self.caught == 0
    }
}

impl Add for Figures {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            crashes: self.crashes + other.crashes,
            kills: self.kills + other.kills,
            acknowledged: self.acknowledged + other.acknowledged,
            torn: self.torn + other.torn,
            snapshots: self.snapshots + other.snapshots,
            lost: self.lost + other.lost,
            invented: self.invented + other.invented,
            refused: self.refused + other.refused,
            unstable: self.unstable + other.unstable,
            caught: self.caught + other.caught,
        }
    }
}

/// Crashes the journal `count` times; the seed repeats the whole torture.
pub fn torture(count: u64, seed: u64, syncs: Syncs) -> Figures {
    let holder = Holder::this_process("torture");
    let mut figures = Figures::default();
    let mut worlds = Chance::new(seed);
    while figures.crashes < count {
        World::new(worlds.number(), syncs, &holder).run(&mut figures);
    }
    figures
}

/// One disk, and what must be on it.
struct World<'a> {
    chance: Chance,
    holder: &'a Holder,
    disk: FaultyDisk,
    /// Every record that may be there, in order.
    issued: Vec<Vec<u8>>,
    /// How many records there may be: a crash takes whole appends.
    ends: Vec<usize>,
    /// How many of them must be there.
    acknowledged: usize,
}

/// What a journal held when it was opened.
#[derive(PartialEq, Eq)]
struct Seen {
    /// How many records there were, with those that the snapshot stands for.
    length: usize,
    /// Whether snapshot and records are what was issued.
    is_true: bool,
    /// Vouches for all of them.
    head: RecordHash,
}

/// A promise was not kept; the figures say which.
struct Broken;

impl<'a> World<'a> {
    fn new(seed: u64, syncs: Syncs, holder: &'a Holder) -> Self {
        let disk = FaultyDisk::new();
        if syncs == Syncs::Ignored {
            disk.ignore_syncs();
        }
        Self {
            chance: Chance::new(seed),
            holder,
            disk,
            issued: Vec::new(),
            ends: vec![0],
            acknowledged: 0,
        }
    }

    /// Lives until the last life is over or a promise is broken.
    fn run(&mut self, figures: &mut Figures) {
        let mut journal = self.found(figures);
        for _ in 0..LIVES_MAX {
            if let Some(journal) = journal {
                let before = self.acknowledged;
                // Every failure here is the power cut that was planned.
                drop(self.live(journal));
                figures.acknowledged += (self.acknowledged - before) as u64;
                self.crash(figures);
            }
            if self.chance.one_in(4) {
                self.open_in_vain();
                self.crash(figures);
            }
            match self.verify(figures) {
                Ok(reopened) => journal = Some(reopened),
                Err(Broken) => {
                    figures.caught += 1;
                    return;
                }
            }
        }
    }

    /// Opens the empty disk for the first time, which the power may not outlast either.
    fn found(&mut self, figures: &mut Figures) -> Option<Journal> {
        if self.chance.one_in(4) {
            self.open_in_vain();
            self.crash(figures);
            return None;
        }
        self.open().ok().map(|(opened, _)| opened.journal)
    }

    fn live(&mut self, mut journal: Journal) -> Result<(), Error> {
        self.power_off_within(APPENDING_CALLS_MAX);
        for _ in 0..APPENDS_MAX {
            let records: Vec<Vec<u8>> =
                (0..=self.chance.below(APPEND_RECORDS_MAX)).map(|_| self.payload()).collect();
            self.issued.extend_from_slice(&records);
            self.ends.push(self.issued.len());
            let appended = journal.append(&records)?;
            self.acknowledged = self.issued.len();
            if self.chance.one_in(8) {
                journal.write_snapshot(appended.last, &digest(&self.issued))?;
            }
        }
        Ok(())
    }

    fn power_off_within(&mut self, calls: usize) {
        let call = self.disk.calls() + 1 + self.chance.below(calls) as u64;
        self.disk.fail_call(call, Fault::PowerOff, Lasting::FromThenOn);
    }

    fn payload(&mut self) -> Vec<u8> {
        let bytes_max = if self.chance.one_in(12) { 1500 } else { 100 };
        let mut payload = vec![0; self.chance.below(bytes_max)];
        self.chance.fill(&mut payload);
        payload
    }

    /// Opens the journal while the power is about to go.
    fn open_in_vain(&mut self) {
        self.power_off_within(OPENING_CALLS_MAX);
        if let Ok((_, seen)) = self.open()
            && self.is_possible(&seen)
        {
            self.acknowledged = self.acknowledged.max(seen.length);
        }
    }

    fn crash(&mut self, figures: &mut Figures) {
        figures.crashes += 1;
        self.disk = if self.chance.one_in(4) {
            figures.kills += 1;
            self.disk.after_kill()
        } else {
            self.disk.after_power_cut(&mut self.chance)
        };
    }

    fn open(&self) -> Result<(Opened, Seen), Error> {
        let opening =
            Journal::open(self.disk.clone(), self.holder)?.with_segment_bytes(SEGMENT_BYTES);
        let (mut length, mut is_true) = match opening.snapshot() {
            SnapshotState::Usable(snapshot) => {
                let length = snapshot.sequence.get() as usize;
                let state = self.issued.get(..length).map(digest);
                (length, state.as_ref() == Some(&snapshot.bytes))
            }
            SnapshotState::Absent | SnapshotState::Ignored(_) => (0, true),
        };
        let opened = opening.replay::<Error>(|record| {
            is_true &= self.issued.get(length).is_some_and(|issued| issued == record.payload);
            length += 1;
            Ok(())
        })?;
        let head = opened.journal.head();
        Ok((opened, Seen { length, is_true, head }))
    }

    /// Compares the journal after a crash with what was issued and acknowledged, and gives it back.
    fn verify(&mut self, figures: &mut Figures) -> Result<Journal, Broken> {
        let Ok((opened, seen)) = self.open() else {
            figures.refused += 1;
            return Err(Broken);
        };
        figures.torn += u64::from(opened.torn.is_some());
        figures.snapshots += u64::from(opened.replayed < seen.length as u64);
        drop(opened);
        if !self.is_possible(&seen) {
            figures.invented += 1;
            return Err(Broken);
        }
        if seen.length < self.acknowledged {
            figures.lost += (self.acknowledged - seen.length) as u64;
            return Err(Broken);
        }
        self.build_on(&seen);
        match self.open() {
            Ok((again, seen_again)) if again.torn.is_none() && seen_again == seen => {
                Ok(again.journal)
            }
            _ => {
                figures.unstable += 1;
                Err(Broken)
            }
        }
    }

    /// Tells whether a journal may hold this: whole appends from the start, nothing else.
    fn is_possible(&self, seen: &Seen) -> bool {
        seen.is_true && self.ends.binary_search(&seen.length).is_ok()
    }

    /// From now on what was seen must stay: the caller acts on it.
    fn build_on(&mut self, seen: &Seen) {
        self.issued.truncate(seen.length);
        self.ends.retain(|&end| end <= seen.length);
        self.acknowledged = seen.length;
    }
}

/// Stands for a state that depends on every record.
fn digest(records: impl AsRef<[Vec<u8>]>) -> Vec<u8> {
    let mut hasher = DefaultHasher::new();
    records.as_ref().hash(&mut hasher);
    hasher.finish().to_le_bytes().to_vec()
}
