//! The few things every task does: run a program, say a line, fail.

use std::{
    io::Write,
    process::{Command, ExitCode},
};

/// Why a task failed, in words for the terminal.
pub(crate) type Outcome = Result<(), String>;

/// Runs a program in the foreground and fails when it fails.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Outcome {
    say(&format!("$ {program} {}\n", arguments.join(" ")))?;
    let status = Command::new(program)
        .args(arguments)
        .status()
        .map_err(|error| format!("cannot start `{program}`: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{program} {}` ended with {status}", arguments.join(" ")))
    }
}

/// Writes to standard output.
pub(crate) fn say(text: &str) -> Outcome {
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| format!("cannot write to standard output: {error}"))
}

/// Writes the reason to standard error and gives the exit code of a failed task.
pub(crate) fn fail(why: &str) -> ExitCode {
    // Nothing is left to tell if standard error is gone too.
    drop(writeln!(std::io::stderr(), "xtask: {why}"));
    ExitCode::FAILURE
}
