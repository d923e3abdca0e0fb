//! The few things every task does: run or build a program, read a number, say a line, fail.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, ExitCode},
    str::FromStr,
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

/// Builds a program of the workspace as people get it, and tells where it is.
pub(crate) fn build(package: &str, binary: &str) -> Result<PathBuf, String> {
    run("cargo", &["build", "--quiet", "--release", "--package", package, "--bin", binary])?;
    built("release", binary)
}

/// Builds a program of the workspace in the profile of this one: for what it does, not for how fast.
pub(crate) fn build_like_this(package: &str, binary: &str) -> Result<PathBuf, String> {
    if !cfg!(debug_assertions) {
        return build(package, binary);
    }
    run("cargo", &["build", "--quiet", "--package", package, "--bin", binary])?;
    built("debug", binary)
}

fn built(profile: &str, binary: &str) -> Result<PathBuf, String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let built = target.join(profile).join(binary);
    fs::canonicalize(&built).map_err(|error| format!("cannot find `{}`: {error}", built.display()))
}

/// Reads a number; `_` may group its digits.
pub(crate) fn number<T: FromStr>(word: &str) -> Result<T, String> {
    word.replace('_', "").parse().map_err(|_| format!("`{word}` is not a number"))
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
