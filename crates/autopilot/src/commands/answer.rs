//! `autopilot approve` and `autopilot reject`

use std::env;

use autopilot_core::{id::GateId, input::Answer};
use autopilot_engine::driver::{Driver, Given};

use crate::{
    args,
    commands::engine_failure,
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// What a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Approved.
    Yes,
    /// Rejected.
    No,
}

/// Gives a person's answer to a question.
pub(crate) fn answer(args: &args::Answer, word: Word, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let run = project.run(args.run.as_deref())?;
    let gate = GateId::new(args.gate.as_str());
    let answer = Answer {
        approved: word == Word::Yes,
        message: args.message.clone(),
        by: env::var("USER")
            .or_else(|_| env::var("LOGNAME"))
            .unwrap_or_else(|_| "someone".to_owned()),
    };
    let given =
        project.runs().answer(&run, &gate, &answer).map_err(|error| engine_failure(&error))?;
    match given {
        Given::Kept => {
            ui.tell(format!("kept; `autopilot resume {run}` goes on if nothing is working on it"));
            Ok(Exit::Done)
        }
        Given::TooLate => Err(Failure::refused(
            format!("`{gate}` has been answered already"),
            "the first answer counts",
            format!("`autopilot log {run}` shows it"),
        )),
    }
}
