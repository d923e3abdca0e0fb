//! `autopilot audit`

use std::path::Path;

use autopilot_engine::{book::Book, error::EngineError};
use autopilot_journal::{AuditReport, Disk, audit as check};
use serde::Serialize;

use crate::{
    args::Which,
    commands::{data, engine_failure, json},
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// What an audit found, as JSON.
#[derive(Serialize)]
struct AuditView {
    run: String,
    sound: bool,
    records: u64,
    head: String,
    defect: Option<String>,
}

/// Checks checksums, sequence and hash chain of a run's journal.
pub(crate) fn audit(args: &Which, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let run = project.run(args.run.as_deref())?;
    let path = project.home.journal(&run);
    let report = Disk::open(path).and_then(check).map_err(|error| engine_failure(&error.into()))?;
    let sound = report.is_sound();
    let damage = report.corruption.as_ref().map(ToString::to_string);
    let defect = damage.or_else(|| beside_the_records(&report));
    let view = AuditView {
        run: run.to_string(),
        sound,
        records: report.records,
        head: report.head.to_string(),
        defect,
    };
    let text = if args.json { json(&view)? } else { told(&view, report.corruption.is_some()) };
    data(ui, &text)?;
    Ok(if sound { Exit::Done } else { Exit::Incomplete })
}

fn told(view: &AuditView, is_damaged: bool) -> String {
    let whole = || {
        let AuditView { run, records, head, .. } = view;
        format!("{run}: {records} records, every one whole and chained to {head}")
    };
    match &view.defect {
        None => whole() + "\n",
        Some(defect) if !is_damaged => format!("{}, but {defect}\n", whole()),
        Some(defect) => {
            format!("{}: damaged after {} sound records: {defect}\n", view.run, view.records)
        }
    }
}

/// What is wrong with what lies behind the records or beside them. An opening puts it in order by itself.
fn beside_the_records(report: &AuditReport) -> Option<String> {
    let tail = report.incomplete.as_ref().map(|tail| {
        let (segment, bytes) = (tail.segment.display(), tail.bytes);
        format!("`{segment}` ends with {bytes} bytes that are no whole record")
    });
    let snapshot = report
        .snapshot
        .as_ref()
        .map(|defect| format!("the snapshot {defect}; it only saves time and may be removed"));
    let parts: Vec<String> = tail.into_iter().chain(snapshot).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Refuses a run whose journal is damaged, with an audit's words and its exit code. What an opening puts in order by
/// itself is only told.
pub(crate) fn refuse_damaged(journal: &Path, ui: &mut Ui) -> Result<(), Failure> {
    let report = Book::audit(journal).map_err(|error| {
        let failure = engine_failure(&error);
        let damaged = matches!(error, EngineError::Damaged { .. });
        if damaged { Failure { exit: Exit::Incomplete, ..failure } } else { failure }
    })?;
    if let Some(defect) = beside_the_records(&report) {
        ui.warn(&defect);
    }
    Ok(())
}
