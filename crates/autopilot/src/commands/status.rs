//! `autopilot status`

use autopilot_engine::{book::Book, driver::Driver};
use autopilot_views::{status as view, status_text};

use crate::{
    args::Which,
    commands::{data, engine_failure, json},
    exit::Exit,
    failure::Outcome,
    project::Project,
    ui::Ui,
};

/// Says where a run stands.
pub(crate) fn status(args: &Which, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let run = project.run(args.run.as_deref())?;
    let state = project.runs().state(&run).map_err(|error| engine_failure(&error))?;
    let holder =
        Book::holder(&project.home.journal(&run)).map_err(|error| engine_failure(&error))?;
    let view = view(&state, holder.is_some_and(|holder| holder.is_running()));
    let text = if args.json { json(&view)? } else { status_text(&view) };
    data(ui, &text)?;
    Ok(Exit::Done)
}
