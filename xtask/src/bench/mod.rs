//! `cargo xtask bench [NAME]`: what we do beside the least it could cost, as ratios of one interleaved run.

mod contest;
mod facts;
mod journal;
mod liars;
pub(crate) mod measure;
mod phases;
mod program;
mod roadmap;
mod spawn;
pub(crate) mod step;
mod unsynced;
mod worktree;

use crate::shell::{self, Outcome};

/// Every benchmark.
const NAMES: [&str; 10] = [
    "step", "journal", "startup", "memory", "worktree", "roadmap", "spawn", "flood", "phases",
    "liars",
];

/// Runs one benchmark, or all; a release build gives the figures that count.
pub(crate) fn run(names: &[&str]) -> Outcome {
    match names {
        [] => all(),
        ["step"] => step::run(),
        ["startup"] => program::startup(),
        ["memory"] => program::memory(),
        ["journal"] => journal::run(),
        ["roadmap"] => roadmap::run(),
        ["spawn"] => spawn::spawn(),
        ["flood"] => spawn::flood(),
        ["worktree"] => worktree::run(),
        ["phases"] => phases::run(phases::PHASES),
        ["phases", number] => phases::run(shell::number(number)?),
        ["liars", cases @ ..] => liars::run(cases),
        other => {
            Err(format!("no benchmark `{}`; there are: {}", other.join(" "), NAMES.join(", ")))
        }
    }
}

/// Runs them all, also behind one that missed its target, and says which did.
fn all() -> Outcome {
    let failed = |name: &&str| run(&[name]).err().map(|why| format!("{name}: {why}"));
    let missed: Vec<String> = NAMES.iter().filter_map(failed).collect();
    if missed.is_empty() { Ok(()) } else { Err(missed.join("; ")) }
}
