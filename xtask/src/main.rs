//! Project tasks: `cargo xtask --help`.

mod bench;
mod ci;
mod shell;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  bench    figures of one part, as ratios; build with --release   NAME
  ci       what CI runs: formatting, lints and every test
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        // The benchmarks of processes need a guardian, which is this binary again.
        ["__guardian"] => return autopilot_engine::process::guardian_main(),
        ["bench", name] => bench::run(name),
        ["ci"] => ci::run_all(),
        ["--help" | "-h" | "help"] => shell::say(USAGE),
        [] => Err(format!("no task given\n\n{USAGE}")),
        [other, ..] => Err(format!("no task `{other}`\n\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => shell::fail(&why),
    }
}
