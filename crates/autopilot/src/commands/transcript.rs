//! `autopilot transcript`

use std::path::Path;

use autopilot_core::{fact::Fact, id::RunId};
use autopilot_engine::{
    book::read_all,
    error::EngineError,
    transcript::{Part, Piece, read},
};
use autopilot_views::{clean_lines, table};

use crate::{
    args::Transcript,
    commands::{data, engine_failure},
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// Shows what agents were told and what they printed.
pub(crate) fn transcript(args: &Transcript, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let run = project.run(args.run.as_deref())?;
    let directory = project.home.transcript(&run);
    let attempts = attempts(&directory)?;
    if attempts.is_empty() {
        return nothing_kept(&project, &run, &directory, ui);
    }
    let Some(step) = &args.step else {
        data(ui, &list(&attempts))?;
        return Ok(Exit::Done);
    };
    let mut found = false;
    for attempt in attempts.iter().filter(|attempt| is_of(&attempt.key, step)) {
        found = true;
        for part in [Part::Prompt, Part::Output] {
            let bytes = bytes_of(&directory, &attempt.key, part)?;
            let text = clean_lines(&String::from_utf8_lossy(&bytes));
            data(ui, &format!("--- {} of {}\n{}\n", part.name(), attempt.key, text.trim_end()))?;
        }
    }
    if found { Ok(Exit::Done) } else { Err(nothing(step)) }
}

/// Tells why there is nothing to show, which is in order only where no agent was started.
fn nothing_kept(project: &Project, run: &RunId, directory: &Path, ui: &mut Ui) -> Outcome {
    let facts = read_all(&project.home.journal(run)).map_err(|error| engine_failure(&error))?;
    let started = facts.iter().filter(|record| matches!(record.fact, Fact::Started { .. })).count();
    let place = directory.display();
    if started == 0 {
        ui.tell(format!("no agent was started in {run}, so `{place}` holds nothing"));
        return Ok(Exit::Done);
    }
    let found = if directory.is_dir() { "holds nothing" } else { "is not there" };
    Err(Failure::refused(
        format!("the transcript of {run} was looked for in `{place}`, which {found}"),
        format!(
            "its journal tells of {started} started steps; what their agents were told and printed is kept outside the \
             checkout, below XDG_STATE_HOME or ~/.local/state"
        ),
        "set XDG_STATE_HOME to what it was when the run was made; if the directory was removed, the transcript is lost",
    ))
}

/// One attempt of a step, and how much there is of it.
struct Attempt {
    key: String,
    told: u64,
    printed: u64,
}

fn attempts(directory: &Path) -> Result<Vec<Attempt>, Failure> {
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut add = |piece: &Piece| {
        let known = attempts.iter().position(|attempt| attempt.key == piece.key);
        let at = known.unwrap_or_else(|| {
            attempts.push(Attempt { key: piece.key.clone(), told: 0, printed: 0 });
            attempts.len() - 1
        });
        match piece.part {
            Part::Prompt => attempts[at].told += piece.bytes,
            Part::Output => attempts[at].printed += piece.bytes,
        }
        false
    };
    read(directory, &mut add, |_, _| {}).map_err(|error| unreadable(directory, error))?;
    Ok(attempts)
}

fn bytes_of(directory: &Path, key: &str, part: Part) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let wanted = |piece: &Piece| piece.part == part && piece.key == key;
    read(directory, wanted, |_, more| bytes.extend_from_slice(more))
        .map_err(|error| unreadable(directory, error))?;
    Ok(bytes)
}

/// Whether an attempt is the one that was named, or one of the step that was named.
fn is_of(key: &str, step: &str) -> bool {
    key == step || key.rsplit_once('/').is_some_and(|(its_step, _)| its_step == step)
}

fn list(attempts: &[Attempt]) -> String {
    let heading = ["ATTEMPT", "TOLD", "PRINTED"].map(str::to_owned).to_vec();
    let rows = attempts.iter().map(|attempt| {
        vec![
            clean_lines(&attempt.key),
            format!("{} bytes", attempt.told),
            format!("{} bytes", attempt.printed),
        ]
    });
    table(&std::iter::once(heading).chain(rows).collect::<Vec<_>>())
}

fn nothing(step: &str) -> Failure {
    Failure::refused(
        format!("no agent was started for `{step}` in this run"),
        "there is nothing to show",
        "`autopilot transcript` without a step lists the attempts",
    )
}

fn unreadable(directory: &Path, error: std::io::Error) -> Failure {
    engine_failure(&EngineError::file("read", directory)(error))
}
