//! `autopilot status`

use autopilot_engine::book::Book;
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
    let (run, state) = project.state(args.run.as_deref())?;
    // Nobody works on a run that has ended.
    let is_running = state.ending.is_none() && {
        let holder = Book::holder(&project.home.journal(&run));
        let holder = holder.map_err(|error| engine_failure(&error))?;
        holder.is_some_and(|holder| holder.is_running())
    };
    let view = view(&state, is_running);
    let text = if args.json { json(&view)? } else { status_text(&view) };
    data(ui, &text)?;
    Ok(Exit::Done)
}
