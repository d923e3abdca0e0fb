//! `cargo xtask bench NAME`: ratios that are measured in one run, interleaved.

mod roadmap;

use crate::shell::Outcome;

const NAMES: &str = "roadmap";

/// Runs one benchmark; a release build gives the figures that count.
pub(crate) fn run(name: &str) -> Outcome {
    match name {
        "roadmap" => roadmap::run(),
        other => Err(format!("no benchmark `{other}`; there are: {NAMES}")),
    }
}
