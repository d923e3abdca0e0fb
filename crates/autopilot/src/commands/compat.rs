//! `autopilot compat`

use std::io::{BufRead, BufReader, stdin};

use autopilot_core::compat::{Case, complete, names};
use autopilot_engine::queue::scripts::SCRIPTS;

use crate::{
    args::Compat,
    commands::data,
    exit::Exit,
    failure::{Failure, Outcome},
    ui::Ui,
};

/// Completes cases from standard input, line by line.
pub(crate) fn compat(args: &Compat, ui: &mut Ui) -> Outcome {
    let Some(complete) = complete(&args.name).filter(|_| args.arguments.is_empty()) else {
        return Err(unknown(&args.name));
    };
    for (number, line) in BufReader::new(stdin().lock()).lines().enumerate() {
        let wrong = |why: String| bad_line(number + 1, &why);
        let line = line.map_err(|error| wrong(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let case: Case = serde_json::from_str(&line).map_err(|error| wrong(error.to_string()))?;
        let done =
            serde_json::to_string(&complete(&case)).map_err(|error| wrong(error.to_string()))?;
        data(ui, &(done + "\n"))?;
    }
    Ok(Exit::Done)
}

fn unknown(name: &str) -> Failure {
    let scripts = SCRIPTS.iter().map(|(name, _)| *name);
    Failure::new(
        Exit::Usage,
        format!("there is no function `{name}` of an earlier program here"),
        "nothing was read",
        format!("one of: {}", names().chain(scripts).collect::<Vec<_>>().join(", ")),
    )
}

fn bad_line(number: usize, why: &str) -> Failure {
    Failure::refused(
        format!("line {number} of standard input is not a case: {why}"),
        "what comes after it was not read; the lines before it are completed",
        "give one JSON object on each line",
    )
}
