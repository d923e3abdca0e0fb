//! Project tasks: `cargo xtask --help`.

mod agents;
mod bench;
mod ci;
mod corpus;
mod docs;
mod shell;
mod sim;
mod tidy;
mod torture;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  ci                              what CI runs: formatting, lints and every test
  agents [TEST…]                  whole runs with the agents that people use, installed by npm, against a
                                  model service on loopback (AUTOPILOT_TEST_AGENTS=skip leaves them out)
  tidy                            the house rules that a machine can check
  docs                            write docs/reference.md from the program itself
  sim [--seeds N | --seed N [--crash-at POINT]]
                                  whole runs in a simulated world, with crashes
  bench [NAME]                    figures as ratios against a floor in the same run
  bench liars [CASE | RUNNER]…    agents that lie, through the real program; one CASE keeps its directory
  torture journal [COUNT [SEED]]  crash the journal COUNT times and count what is lost
  torture starts [RACES [SEED]]   start many times at once, over killed holders and stale locks
  torture signals [ROUNDS [SEED]] strike the engine with every signal and every kind of agent
  torture kills [STRIDE [KIND,…] | KIND:N]
                                  kill the engine at its system calls (needs strace)
  torture power-cuts [CUTS [SEED]]
                                  cut the power of the disk under a run and resume (as root)
  torture long [STEPS [FACTS]]    see that nothing grows over a long run
  torture fuzz [SECONDS [SEED]]   read damaged roadmaps, plans and criteria
  torture all                     all of these with their usual sizes
  corpus [DIR [FILES PHASES]]     read roadmaps and compare them with what people read in them: our own,
                                  or those of DIR (or of $AUTOPILOT_CORPUS), which must be so many

Run bench and torture in release: cargo run --release --package xtask -- bench
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        // The benchmarks of processes need a guardian, which is this binary again.
        ["__guardian"] => return autopilot_engine::process::guardian_main(),
        ["ci"] => ci::run_all(),
        ["agents", words @ ..] => agents::run_all(words),
        ["tidy"] => tidy::run(),
        ["docs"] => docs::write(),
        ["sim", rest @ ..] => sim::run(rest),
        ["bench", names @ ..] => bench::run(names),
        ["torture", words @ ..] => torture::run(words),
        ["corpus", words @ ..] => corpus::run(words),
        ["--help" | "-h" | "help"] => shell::say(USAGE),
        [] => Err(format!("no task given\n\n{USAGE}")),
        [other, ..] => Err(format!("no task `{other}`\n\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => shell::fail(&why),
    }
}
