//! Project tasks: `cargo xtask --help`.

mod bench;
mod ci;
mod shell;
mod torture;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  ci                             what CI runs: formatting, lints and every test
  bench journal                  appends, folds and opens beside their floors, as ratios
  torture journal [COUNT [SEED]] crash the journal COUNT times and count what is lost

Run bench and torture in release: cargo run --release --package xtask -- bench journal
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["ci"] => ci::run_all(),
        ["bench", "journal"] => bench::journal::run(),
        ["torture", "journal", rest @ ..] => torture::journal::run(rest),
        ["--help" | "-h" | "help"] => shell::say(USAGE),
        [] => Err(format!("no task given\n\n{USAGE}")),
        [other, ..] => Err(format!("no task `{other}`\n\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => shell::fail(&why),
    }
}
