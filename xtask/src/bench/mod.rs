//! `cargo xtask bench NAME`: ratios that are measured in one run, interleaved.

mod measure;
mod spawn;
mod worktree;

use crate::shell::Outcome;

const NAMES: &str = "spawn, flood, worktree";

/// Runs one benchmark; a release build gives the figures that count.
pub(crate) fn run(name: &str) -> Outcome {
    match name {
        "spawn" => spawn::spawn(),
        "flood" => spawn::flood(),
        "worktree" => worktree::run(),
        other => Err(format!("no benchmark `{other}`; there are: {NAMES}")),
    }
}
