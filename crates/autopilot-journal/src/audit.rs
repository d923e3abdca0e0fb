//! Proves a whole log, or names the first place where it fails.

use std::sync::Arc;

use crate::{
    error::{Corruption, Error, ErrorKind},
    files::Files,
    ids::RecordHash,
    reader::{Check, IncompleteTail, Reader},
    snapshot::{SnapshotDefect, SnapshotState},
    storage::Storage,
};

/// What an audit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditReport {
    /// How many records are good, counted from the first.
    pub records: u64,
    /// The hash of the last good record: it vouches for all of them.
    pub head: RecordHash,
    /// The first bad record, if there is one.
    pub corruption: Option<Corruption>,
    /// Bytes behind the last good record; normal while a writer is at work, else a damaged end.
    pub incomplete: Option<IncompleteTail>,
    /// What is wrong with the snapshot, if anything.
    pub snapshot: Option<SnapshotDefect>,
}

impl AuditReport {
    /// Tells whether every byte is as it was written.
    pub fn is_sound(&self) -> bool {
        self.corruption.is_none() && self.incomplete.is_none() && self.snapshot.is_none()
    }
}

/// Checks every record from the first: checksum, sequence and the hash chain, across all segments.
///
/// It takes no lock and changes nothing. Only a disk that cannot be read is an error; damage is a finding.
pub fn audit(storage: impl Storage + 'static) -> Result<AuditReport, Error> {
    let files = Files::new(Arc::new(storage));
    let mut report = AuditReport {
        records: 0,
        head: RecordHash::GENESIS,
        corruption: None,
        incomplete: None,
        snapshot: None,
    };
    report.corruption = finding(audit_log(&files, &mut report))?;
    if report.corruption.is_none() {
        let (_, state) = Reader::restore(files)?;
        report.snapshot = match state {
            SnapshotState::Absent | SnapshotState::Usable(_) => None,
            SnapshotState::Ignored(defect) => Some(defect),
        };
    }
    Ok(report)
}

fn audit_log(files: &Files, report: &mut AuditReport) -> Result<(), Error> {
    let mut reader = Reader::new(files.clone(), Check::Chain(RecordHash::GENESIS))?;
    let walked = loop {
        match reader.next_record() {
            Ok(Some(_)) => report.records += 1,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    if let Check::Chain(head) = reader.check() {
        report.head = *head;
    }
    report.incomplete = reader.incomplete_tail().cloned();
    walked
}

/// Tells damage, which is what an audit is for, from a failure to look.
fn finding(walked: Result<(), Error>) -> Result<Option<Corruption>, Error> {
    let Err(error) = walked else {
        return Ok(None);
    };
    if let ErrorKind::Corrupt(corruption) = error.kind() {
        Ok(Some(corruption.clone()))
    } else {
        Err(error)
    }
}
