//! `autopilot answer`, and answers from files and terminals

use std::{
    collections::BTreeMap,
    io::{self, BufRead, IsTerminal},
    path::Path,
};

use autopilot_core::{
    id::{GateId, RunId},
    input::Answer,
    phases::{self, accepts, kind_of},
    run::Run,
};
use autopilot_engine::{
    driver::{Driver, Given},
    home::Home,
    local::LocalDriver,
};
use serde::Deserialize;

use crate::{
    args,
    commands::{
        answer::{give, person},
        engine_failure,
    },
    exit::Exit,
    failure::{Failure, Outcome},
    project::{Project, read},
    ui::Ui,
};

/// Larger files are no answers.
const FILE_BYTES_MAX: usize = 4 << 20;

/// A file of answers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// What is said, by the names of questions.
    answers: BTreeMap<String, String>,
}

/// Gives a person's answer to questions of a map or a discussion.
pub(crate) fn say(args: &args::Say, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let answers = match (&args.gate, &args.text, &args.answers) {
        (Some(gate), Some(text), _) => vec![(GateId::new(gate.as_str()), answer(text))],
        (_, _, Some(path)) => from_file(path)?,
        (_, _, None) => Vec::new(),
    };
    let (run, state) = project.state(args.run.as_deref())?;
    for (gate, answer) in &answers {
        check(&run, &state, gate, answer)?;
    }
    let driver = project.runs();
    for (gate, answer) in &answers {
        if give(&driver, &project.home, &run, (gate, answer))? == Given::TooLate {
            if answers.len() > 1 {
                ui.warn(&format!(
                    "`{gate}` has been answered already, and the first answer counts"
                ));
                continue;
            }
            return Err(Failure::refused(
                format!("`{gate}` has been answered already"),
                "the first answer counts",
                format!("`autopilot log {run}` shows it"),
            ));
        }
    }
    ui.tell(format!("kept; `autopilot resume {run}` goes on if nothing is working on it"));
    Ok(Exit::Done)
}

/// Why an answer cannot be one to the question of that name, where it cannot.
fn check(run: &RunId, state: &Run, gate: &GateId, answer: &Answer) -> Result<(), Failure> {
    if kind_of(gate).is_none() {
        return Err(Failure::refused(
            format!("`{gate}` is no question that is answered in words"),
            "an answer under the wrong name would leave the question open",
            "`autopilot inbox` names what is open and how it is answered; a yes or no is `autopilot approve` or `reject`",
        ));
    }
    if !phases::may_ask(state, gate) {
        let open: Vec<&str> = state.asked.keys().map(GateId::as_str).collect();
        let open = if open.is_empty() { "none".to_owned() } else { open.join(", ") };
        return Err(Failure::refused(
            format!("{run} never asks `{gate}`"),
            "an answer under the wrong name would leave the question open",
            format!("its open questions: {open}"),
        ));
    }
    fits(state, gate, answer)
}

/// Refuses what is no answer to a question that is open.
pub(super) fn fits(state: &Run, gate: &GateId, answer: &Answer) -> Result<(), Failure> {
    accepts(state, gate, answer).map_err(|how| {
        Failure::refused(
            format!("`{}` is no answer to `{gate}`", answer.message),
            "the first answer counts, so one that means nothing is not taken",
            how,
        )
    })
}

/// The answers in a file.
pub(super) fn from_file(path: &Path) -> Result<Vec<(GateId, Answer)>, Failure> {
    let refused = |what: String| {
        Failure::refused(
            what,
            "questions would stay open, or be answered otherwise than you meant",
            "write `{\"answers\": {\"map/3/1\": \"npm run build\", \"discuss/3/areas\": \"1, 3\"}}`; docs/questions.md tells all of it",
        )
    };
    let bytes = read(path)?;
    if bytes.len() > FILE_BYTES_MAX {
        return Err(refused(format!("`{}` is too long for a file of answers", path.display())));
    }
    let file: File = serde_json::from_slice(&bytes)
        .map_err(|error| refused(format!("`{}` is no file of answers: {error}", path.display())))?;
    let answers = file.answers.into_iter().map(|(gate, text)| {
        let gate = GateId::new(gate);
        match kind_of(&gate) {
            Some(_) => Ok((gate, answer(&text))),
            None => Err(refused(format!(
                "`{}` answers `{gate}`, which is no question of a map or a discussion",
                path.display()
            ))),
        }
    });
    answers.collect()
}

/// Leaves answers that a person has written down before the questions.
pub(super) fn leave_all(
    driver: &LocalDriver,
    home: &Home,
    run: &RunId,
    answers: &[(GateId, Answer)],
) -> Result<(), Failure> {
    for (gate, answer) in answers {
        give(driver, home, run, (gate, answer))?;
    }
    Ok(())
}

/// Asks the person at the terminal what a run waits for, and tells whether anything was answered.
pub(super) fn ask_at_terminal(
    driver: &LocalDriver,
    home: &Home,
    run: &RunId,
    ui: &mut Ui,
) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    let state = driver.state(run).map_err(|error| engine_failure(&error))?;
    let open: Vec<&GateId> = state.asked.keys().filter(|gate| kind_of(gate).is_some()).collect();
    for gate in &open {
        loop {
            ui.tell(format!("your answer to {gate}:"));
            let mut line = String::new();
            let is_read = io::stdin().lock().read_line(&mut line).is_ok_and(|bytes| bytes > 0);
            if !is_read {
                return Ok(false);
            }
            let answer = answer(line.trim());
            match fits(&state, gate, &answer) {
                Ok(()) => {
                    give(driver, home, run, (gate, &answer))?;
                    break;
                }
                Err(failure) => ui.tell(failure.hint),
            }
        }
    }
    Ok(!open.is_empty())
}

fn answer(text: &str) -> Answer {
    Answer { approved: true, message: text.to_owned(), by: person(), until: None }
}
