//! Commands that only this program itself calls.

use autopilot_core::id::RunId;
use autopilot_engine::{home::Home, work::keep_leftovers};

use crate::{args::Keep, commands::engine_failure, exit::Exit, failure::Outcome};

/// Keeps what a killed engine's agents left; the guardian calls it.
pub(crate) fn keep(args: &Keep) -> Outcome {
    let home = Home::of(&args.root).map_err(|error| engine_failure(&error))?;
    // The next start tells what could not be kept; `rescue` finds it on disk.
    keep_leftovers(&home, &RunId::new(args.run.as_str()))
        .map_err(|error| engine_failure(&error))?;
    Ok(Exit::Done)
}
