//! A run's journal: facts in, a run out.

use std::path::Path;

use autopilot_core::{
    fact::{Fact, Record},
    input::Repair,
    phases::PhaseFact,
    run::{Run, fold},
};
use autopilot_journal::{
    AuditReport, Disk, Error, Holder, Journal, Reader, Sequence, SnapshotState, Storage, TornTail,
    audit,
};
use serde::{Deserialize, Serialize};

use crate::{drive::Log, error::EngineError};

/// A snapshot is only written when opening without it would mean folding this many facts.
const SNAPSHOT_FACTS_MIN: u64 = 1_000;
/// The version of snapshots. A snapshot of another version is not used.
const SNAPSHOT_VERSION: u32 = 1;

/// The journal of a run that this process works on.
#[derive(Debug)]
pub struct Book {
    journal: Journal,
    since_snapshot: u64,
    lines: Vec<Vec<u8>>,
}

#[derive(Serialize)]
struct SnapshotOut<'a> {
    v: u32,
    run: &'a Run,
}

#[derive(Deserialize)]
struct SnapshotIn {
    v: u32,
    run: Run,
}

/// A run taken up from its journal.
#[derive(Debug)]
pub struct TakenUp {
    /// Its journal, held by this process.
    pub book: Book,
    /// Its state; none when nothing was ever recorded.
    pub run: Option<Run>,
    /// Whether nothing has happened since it was handed in.
    pub fresh: bool,
    /// What was done about what a crash or a damaged disk left.
    pub repairs: Vec<Repair>,
}

impl Book {
    /// Takes a journal up, or begins it. Refused while another process holds it.
    pub fn open(path: &Path, label: &str) -> Result<TakenUp, EngineError> {
        Self::open_on(Disk::create(path)?, path, label)
    }

    /// The same on any storage; `path` is what errors call it.
    pub fn open_on(
        storage: impl Storage + 'static,
        path: &Path,
        label: &str,
    ) -> Result<TakenUp, EngineError> {
        let mut opening = Journal::open(storage, &Holder::this_process(label))?;
        let mut run = from_snapshot(opening.snapshot());
        let ignored = not_used(opening.snapshot(), run.as_ref());
        if run.is_none() {
            opening = opening.decline_snapshot()?;
        }
        let opened =
            opening.replay(|record| take(path, &mut run, record.sequence, record.payload))?;
        let book =
            Self { journal: opened.journal, since_snapshot: opened.replayed, lines: Vec::new() };
        let fresh = book.journal.last_sequence().is_none_or(|last| last == Sequence::FIRST);
        let repairs = opened.torn.map(cut_off).into_iter().chain(ignored).collect();
        Ok(TakenUp { book, run, fresh, repairs })
    }

    /// Checks every record from the first and the chain between them, which opening from a snapshot does not: it
    /// reads only what comes after. Damage in a record is an error; what an opening repairs is in the report.
    pub fn audit(path: &Path) -> Result<AuditReport, EngineError> {
        let report = audit(Disk::open(path)?)?;
        match &report.corruption {
            Some(corruption) => Err(EngineError::Damaged {
                path: path.to_owned(),
                records: report.records,
                source: corruption.clone(),
            }),
            None => Ok(report),
        }
    }

    /// Reads the state of a run without taking it up; a run that someone works on can be read too.
    pub fn read(path: &Path) -> Result<Option<Run>, EngineError> {
        let (mut reader, snapshot) = Reader::from_snapshot(Disk::open(path)?)?;
        let mut run = from_snapshot(&snapshot);
        if run.is_none() && matches!(snapshot, SnapshotState::Usable(_)) {
            reader = Reader::from_start(Disk::open(path)?)?;
        }
        while let Some(record) = reader.next_record()? {
            take(path, &mut run, record.sequence, record.payload)?;
        }
        Ok(run)
    }

    /// Whether nothing was ever recorded: whoever made the journal was cut off before its first record.
    pub fn is_empty(path: &Path) -> Result<bool, EngineError> {
        Ok(Reader::from_start(Disk::open(path)?)?.next_record()?.is_none())
    }

    /// The process that works on a run, if any.
    pub fn holder(path: &Path) -> Result<Option<Holder>, EngineError> {
        Ok(Journal::holder(Disk::open(path)?)?)
    }

    /// Ends the writing; fails if somebody else has written to the journal's end meanwhile.
    pub fn close(self) -> Result<(), EngineError> {
        Ok(self.journal.close()?)
    }

    /// How often the journal was made durable since it was opened.
    pub fn syncs(&self) -> u64 {
        self.journal.syncs()
    }

    /// Writes a snapshot of the state after the last record, so that opening is quick.
    pub fn snapshot(&mut self, run: &Run) -> Result<(), EngineError> {
        let Some(last) = self.journal.last_sequence() else { return Ok(()) };
        let bytes = serde_json::to_vec(&SnapshotOut { v: SNAPSHOT_VERSION, run })
            .map_err(|error| EngineError::Bug(format!("a state cannot be written: {error}")))?;
        match self.journal.write_snapshot(last, &bytes) {
            Ok(()) => {
                self.since_snapshot = 0;
                Ok(())
            }
            // A snapshot only saves time; without it the journal is folded from the start.
            Err(error) if is_too_long(&error) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Log<EngineError> for Book {
    fn append(&mut self, records: &[Record]) -> Result<(), EngineError> {
        self.lines.resize_with(records.len().max(self.lines.len()), Vec::new);
        for (record, line) in records.iter().zip(&mut self.lines) {
            line.clear();
            serde_json::to_writer(line, record)
                .map_err(|error| EngineError::Bug(format!("a fact cannot be written: {error}")))?;
        }
        self.journal.append(&self.lines[..records.len()])?;
        self.since_snapshot += records.len() as u64;
        Ok(())
    }

    fn settled(&mut self, run: &Run, records: &[Record]) -> Result<(), EngineError> {
        let phase_over = records.iter().any(|record| {
            matches!(
                &record.fact,
                Fact::Phase { fact: PhaseFact::Closed(_), .. } | Fact::Finished(_)
            )
        });
        if phase_over && self.since_snapshot >= SNAPSHOT_FACTS_MIN {
            // It only saves time. It is tried again, and what fails then is told, when the run stands still.
            drop(self.snapshot(run));
        }
        Ok(())
    }
}

fn take(
    path: &Path,
    run: &mut Option<Run>,
    sequence: Sequence,
    payload: &[u8],
) -> Result<(), EngineError> {
    let record = read_record(path, sequence, payload)?;
    fold(run, &record).map_err(|source| EngineError::NotARun { path: path.to_owned(), source })
}

/// Understands one record of a journal.
pub fn read_record(path: &Path, sequence: Sequence, payload: &[u8]) -> Result<Record, EngineError> {
    serde_json::from_slice(payload).map_err(|source| EngineError::BadRecord {
        path: path.to_owned(),
        sequence: sequence.get(),
        source,
    })
}

/// Folds a journal from its first record; `each` hears every record with the state after it.
pub fn replay(
    path: &Path,
    mut each: impl FnMut(&Run, &Record),
) -> Result<Option<Run>, EngineError> {
    let mut reader = Reader::from_start(Disk::open(path)?)?;
    let mut run = None;
    while let Some(record) = reader.next_record()? {
        let record = read_record(path, record.sequence, record.payload)?;
        fold(&mut run, &record)
            .map_err(|source| EngineError::NotARun { path: path.to_owned(), source })?;
        if let Some(run) = &run {
            each(run, &record);
        }
    }
    Ok(run)
}

/// Every record of a journal, in order.
pub fn read_all(path: &Path) -> Result<Vec<Record>, EngineError> {
    let mut reader = Reader::from_start(Disk::open(path)?)?;
    let mut records = Vec::new();
    while let Some(record) = reader.next_record()? {
        records.push(read_record(path, record.sequence, record.payload)?);
    }
    Ok(records)
}

fn from_snapshot(snapshot: &SnapshotState) -> Option<Run> {
    let SnapshotState::Usable(snapshot) = snapshot else { return None };
    let read: SnapshotIn = serde_json::from_slice(&snapshot.bytes).ok()?;
    (read.v == SNAPSHOT_VERSION).then_some(read.run)
}

/// Why a snapshot that is there was of no use.
fn not_used(snapshot: &SnapshotState, run: Option<&Run>) -> Option<Repair> {
    let why = match (snapshot, run) {
        (SnapshotState::Ignored(defect), _) => defect.to_string(),
        (SnapshotState::Usable(_), None) => "was written by another version".to_owned(),
        (SnapshotState::Usable(_), Some(_)) | (SnapshotState::Absent, _) => return None,
    };
    Some(Repair::SnapshotIgnored { why })
}

fn cut_off(torn: TornTail) -> Repair {
    Repair::TornTail { bytes: torn.bytes, kept: torn.kept.display().to_string() }
}

fn is_too_long(error: &Error) -> bool {
    matches!(error.kind(), autopilot_journal::ErrorKind::SnapshotTooLong { .. })
}
