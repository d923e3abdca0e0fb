//! `autopilot inbox`

use autopilot_engine::{book::Book, driver::Driver};
use autopilot_views::{InboxView, inbox_text, waiting};

use crate::{
    args::Json,
    commands::{data, engine_failure, json},
    exit::Exit,
    failure::Outcome,
    project::Project,
    ui::Ui,
};

/// Lists everything that waits for a person, over all runs of the project.
pub(crate) fn inbox(args: &Json, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let driver = project.runs();
    let mut view = InboxView { waiting: Vec::new() };
    for run in driver.list().map_err(|error| engine_failure(&error))? {
        match Book::read(&project.home.journal(&run)) {
            Ok(Some(state)) => view.waiting.extend(waiting(&state, &driver.answered(&run))),
            // It was handed in a moment ago and has not begun.
            Ok(None) => {}
            // One journal that cannot be read must not hide what waits in the others.
            Err(error) => ui.warn(&format!("what waits in {run} cannot be told: {error}")),
        }
    }
    let text = if args.json { json(&view)? } else { inbox_text(&view) };
    data(ui, &text)?;
    Ok(Exit::Done)
}
