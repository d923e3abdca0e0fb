//! `autopilot audit`

use autopilot_journal::{Disk, audit as check};
use serde::Serialize;

use crate::{
    args::Which,
    commands::{data, engine_failure, json},
    exit::Exit,
    failure::Outcome,
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
    let defect = report.corruption.as_ref().map(ToString::to_string).or_else(|| {
        report.incomplete.as_ref().map(|tail| {
            format!(
                "`{}` ends with {} bytes that are no whole record",
                tail.segment.display(),
                tail.bytes
            )
        })
    });
    let view = AuditView {
        run: run.to_string(),
        sound,
        records: report.records,
        head: report.head.to_string(),
        defect,
    };
    let text = if args.json { json(&view)? } else { told(&view) };
    data(ui, &text)?;
    Ok(if sound { Exit::Done } else { Exit::Incomplete })
}

fn told(view: &AuditView) -> String {
    match &view.defect {
        None => format!(
            "{}: {} records, every one whole and chained to {}\n",
            view.run, view.records, view.head
        ),
        Some(defect) => format!("{}: {} good records, then: {defect}\n", view.run, view.records),
    }
}
