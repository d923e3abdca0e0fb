//! `autopilot log`

use std::{path::Path, thread, time::Duration};

use autopilot_core::fact::Fact;
use autopilot_engine::book::{Book, read_record};
use autopilot_journal::{Disk, Reader};
use autopilot_views::{log_json, log_line};
use jiff::tz::TimeZone;

use crate::{
    args::Log,
    commands::{data, engine_failure},
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// How often a followed journal is looked at. Its writer wakes nobody: a sync costs it enough.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Says what happened, fact by fact.
///
/// The journal is read here and not through the driver: that interface tells where a run stands, for drivers that
/// have no journal on this disk too, and has no word for single facts.
pub(crate) fn log(args: &Log, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let run = project.run(args.run.as_deref())?;
    let path = project.home.journal(&run);
    let zone = TimeZone::system();
    let mut reader = open(&path)?;
    loop {
        // Whether someone still writes is asked before reading, so that nothing written last is missed.
        let over = !args.follow || !is_written(&path)?;
        while let Some(record) =
            reader.next_record().map_err(|error| engine_failure(&error.into()))?
        {
            let sequence = record.sequence;
            let record = read_record(&path, sequence, record.payload)
                .map_err(|error| engine_failure(&error))?;
            let line = if args.json {
                log_json(sequence.get(), &record)
            } else {
                log_line(sequence.get(), &record, &zone)
            };
            data(ui, &(line + "\n"))?;
            if args.follow && matches!(record.fact, Fact::Finished(_)) {
                return Ok(Exit::Done);
            }
        }
        if over {
            return Ok(Exit::Done);
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn open(path: &Path) -> Result<Reader, Failure> {
    Disk::open(path).and_then(Reader::from_start).map_err(|error| engine_failure(&error.into()))
}

fn is_written(path: &Path) -> Result<bool, Failure> {
    let holder = Book::holder(path).map_err(|error| engine_failure(&error))?;
    Ok(holder.is_some_and(|holder| holder.is_running()))
}
