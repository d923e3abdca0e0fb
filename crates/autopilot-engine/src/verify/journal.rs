//! Compares a certificate with the journal that it was derived from.

use autopilot_core::{
    certificate::{Certificate, Difference, Finding, Report, difference},
    id::RunId,
};
use autopilot_journal::{AuditReport, Disk, audit};

use crate::{
    book::Book,
    certificates::{derive, seal},
    error::{EngineError, told},
    home::Home,
};

/// A longer name is not one of a run.
const RUN_CHARS_MAX: usize = 64;

/// Checks the whole chain of the run's journal and derives the certificate again, where the journal is here.
pub(super) fn examine(
    home: &Home,
    certificate: &Certificate,
    bytes: &[u8],
    report: &mut Report,
) -> Result<(), EngineError> {
    let run = &certificate.run;
    let path = home.journal(run);
    if !is_plain(run) || !path.is_dir() {
        let why = "the journal of the run is not here, so that nothing was left out or made up rests on the document";
        report.add("journal", Finding::Unchecked(why.to_owned()));
        return Ok(());
    }
    // A clone could bring a journal that agrees with its certificate.
    home.check_state(Some(run))?;
    let audited = audit(Disk::open(&path)?)?;
    let is_written = Book::holder(&path)?.is_some_and(|holder| holder.is_running());
    let damage = damage(&audited, is_written);
    let is_whole = damage.is_none();
    let seen = format!("{} records, every one whole and chained", audited.records);
    report.add("journal", Finding::of(damage, seen));
    if is_whole {
        report.add(Report::POSITION, compare(home, certificate, bytes));
    }
    Ok(())
}

/// The first thing that is wrong with a journal.
fn damage(audited: &AuditReport, is_written: bool) -> Option<Difference> {
    let whole = "every record as it was written";
    if let Some(corruption) = &audited.corruption {
        let at = format!("record {}", corruption.sequence);
        return Some(Difference::at(at, whole, corruption.to_string()));
    }
    if let Some(tail) = audited.incomplete.as_ref().filter(|_| !is_written) {
        let at = format!("`{}`, byte {}", tail.segment.display(), tail.offset);
        let found = format!("{} bytes that are no whole record", tail.bytes);
        return Some(Difference::at(at, whole, found));
    }
    let snapshot = audited.snapshot.as_ref();
    snapshot.map(|defect| Difference::at("the snapshot", whole, format!("one that {defect}")))
}

/// Derives the certificate again.
fn compare(home: &Home, certificate: &Certificate, bytes: &[u8]) -> Finding {
    let derived = match derive(&home.journal(&certificate.run)) {
        Ok(derived) => derived,
        Err(error) => {
            let difference = Difference::at("the journal", "the records of a run", told(&error));
            return Finding::Differs(difference);
        }
    };
    let (id, run) = (certificate.phase.id, &certificate.run);
    // A phase that was done again has the last one.
    match derived.iter().rev().find(|derived| derived.phase.id == id && derived.run == *run) {
        Some(derived) => {
            let seen =
                format!("derived again from record {}, byte for byte", derived.journal.sequence);
            Finding::of(difference(&seal(derived), bytes), seen)
        }
        None => {
            let found = format!("none that completes phase {id} of {run}");
            Finding::Differs(Difference::at("the journal", "a record that completes it", found))
        }
    }
}

/// Whether the name of a run can be part of a path.
fn is_plain(run: &RunId) -> bool {
    let name = run.as_str();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.starts_with("run-") && name.len() <= RUN_CHARS_MAX && name.chars().all(plain)
}
