//! `autopilot demo`

use std::{env, fs};

use autopilot_core::{
    fact::{End, Fact, Record},
    id::RunId,
    phases::{Close, PhaseFact},
};
use autopilot_engine::{
    book::read_all,
    demo::{Rehearsal, SampleFile},
    process::{environment, find_program},
};
use autopilot_views::{Styled, Tone, clean, duration, table};

use crate::{
    args,
    commands::{data, engine_failure},
    exit::Exit,
    failure::{Failure, Outcome},
    ui::Ui,
};

/// The sample project.
const SAMPLE: [SampleFile; 4] = [
    SampleFile { path: ".planning/ROADMAP.md", text: include_str!("../demo/ROADMAP.md") },
    // Scripts of the sample must stay scripts whatever the person's git does to line ends.
    SampleFile { path: ".gitattributes", text: "* -text\n" },
    SampleFile { path: "greeter.sh", text: include_str!("../demo/greeter.sh") },
    SampleFile { path: "README.md", text: include_str!("../demo/README.md") },
];
/// What the embedded agent does.
const SCRIPT: &str = include_str!("../demo/script.toml");
/// The engine is killed when this step has begun.
const KILL_AT: &str = "2/verify";

/// Plays the sample project from start to finish.
pub(crate) fn demo(args: &args::Demo, ui: &mut Ui) -> Outcome {
    let directory = match &args.dir {
        Some(directory) => directory.clone(),
        None => env::temp_dir().join(format!("autopilot-demo-{}", std::process::id())),
    };
    if directory.symlink_metadata().is_ok() {
        return Err(Failure::refused(
            format!("`{}` is there already", directory.display()),
            "the demo makes a project of its own and touches nothing else",
            "name a directory that does not exist yet, or leave `--dir` out",
        ));
    }
    let rehearsal =
        Rehearsal::set_up(&directory, &SAMPLE, SCRIPT).map_err(|error| engine_failure(&error))?;
    say(ui, &format!("A sample project is in {}", rehearsal.project().display()));
    say(
        ui,
        "Its agent is embedded: no key, no network. It will claim success once while its test is red, and",
    );
    say(
        ui,
        "meet a usage limit once. The engine will be killed with kill -9 while an agent works.\n",
    );
    let killed = rehearsal.run_until(KILL_AT).map_err(|error| engine_failure(&error))?;
    ui.clear_what_is_left();
    say(
        ui,
        &format!(
            "\nThe engine, process {}, was killed with kill -9 during `{KILL_AT}`.",
            killed.pid
        ),
    );
    say(
        ui,
        &format!(
            "Its agents had {} processes then and have {} now. A new engine goes on from the last fact.\n",
            killed.alive_before, killed.alive_after
        ),
    );
    let code = rehearsal.resume().map_err(|error| engine_failure(&error))?;
    let run = rehearsal.newest_run().map_err(|error| engine_failure(&error))?;
    let run = run.unwrap_or_else(|| RunId::new("?"));
    let records =
        read_all(&rehearsal.home().journal(&run)).map_err(|error| engine_failure(&error))?;
    let mut rows =
        vec![["WHERE", "WHAT HAPPENED", "WHAT AUTOPILOT DID"].map(str::to_owned).to_vec()];
    rows.extend(records.iter().filter_map(row));
    data(ui, &format!("\n{}\n", table(&rows)))?;
    data(ui, &places(&rehearsal, &run))?;
    if code == 0 && killed.alive_after == 0 {
        Ok(Exit::Done)
    } else {
        Err(Failure::new(
            Exit::Incomplete,
            format!(
                "the demo did not end as it should (exit code {code}, {} agents left)",
                killed.alive_after
            ),
            "it shows what the program promises",
            format!("please report it with what is in {}", directory.display()),
        ))
    }
}

/// The row of a fact that is worth telling.
fn row(record: &Record) -> Option<Vec<String>> {
    let (place, happened, done) = match &record.fact {
        Fact::Phase { phase, fact } => {
            let (happened, done) = of_phase(fact)?;
            (format!("phase {phase}"), happened, done)
        }
        Fact::Held { agent, until, .. } => (
            format!("agent {agent}"),
            "reached its usage limit".to_owned(),
            format!("waited {} and tried again", duration(until.ms_since(record.at))),
        ),
        Fact::Ended { key, end: End::Lost, .. } => (
            key.step.to_string(),
            "was cut off when the engine was killed".to_owned(),
            "ended its processes, kept its work, tried again".to_owned(),
        ),
        Fact::Ended { key, end: End::Failed(failure), .. } => {
            (key.step.to_string(), clean(&failure.detail), "tried again".to_owned())
        }
        _ => return None,
    };
    Some(vec![place, happened, done])
}

fn of_phase(fact: &PhaseFact) -> Option<(String, String)> {
    Some(match fact {
        PhaseFact::Caught { who, claim, seen } => (
            format!("the {who}'s work was {claim}"),
            format!("ran the check itself and caught it: {}", clean(seen)),
        ),
        PhaseFact::TaskDone { .. } => {
            ("a task was checked".to_owned(), "saw its checks pass and committed it".to_owned())
        }
        PhaseFact::Closed(Close::Completed { score, .. }) => {
            (format!("is complete, {score}/10"), "put it on the run branch".to_owned())
        }
        PhaseFact::Closed(Close::Failed { why, .. }) => {
            (format!("failed: {}", clean(why)), "kept its work on a branch of its own".to_owned())
        }
        _ => return None,
    })
}

/// Commands that can be pasted into any shell, whatever its directory and its environment.
fn places(rehearsal: &Rehearsal, run: &RunId) -> String {
    let project = quoted(&rehearsal.project().display().to_string());
    let state = quoted(&rehearsal.state().display().to_string());
    let program = quoted(&own_name());
    let rows = [
        ("where the run stands", "status"),
        ("every fact of it", "log"),
        ("what the agents were told and printed", "transcript"),
        ("the journal's hash chain", "audit"),
        ("bring it to your branch", "land"),
    ];
    let mut text = format!(
        "Look around. Each command can be pasted as it is.\n\nthe finished work:\n  \
         git -C {project} log --oneline autopilot/{run}/head\n"
    );
    for (what, word) in rows {
        text.push_str(&format!(
            "{what}:\n  cd {project} && XDG_STATE_HOME={state} {program} {word}\n"
        ));
    }
    text
}

/// What a person types to start this very program: its name where `PATH` leads to it, its path otherwise.
fn own_name() -> String {
    let own = env::current_exe().unwrap_or_else(|_| "autopilot".into());
    let found = own.file_name().filter(|name| {
        find_program(name, &environment::of_agent(&[], []))
            .is_ok_and(|found| fs::canonicalize(found).ok() == fs::canonicalize(&own).ok())
    });
    found.unwrap_or(own.as_os_str()).to_string_lossy().into_owned()
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn say(ui: &mut Ui, text: &str) {
    ui.say(&Styled::new(Tone::Heading, text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_a_quoted_word_as_one() {
        assert_eq!(quoted("/tmp/demo-1/project"), "/tmp/demo-1/project");
        assert_eq!(quoted("/tmp/my demo"), "'/tmp/my demo'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
