//! `cargo xtask bench [NAME]`: what we do beside the least it could cost, as ratios of one interleaved run.

mod facts;
mod journal;
mod measure;
mod roadmap;
mod unsynced;

use crate::shell::Outcome;

/// Runs one benchmark, or all; a release build gives the figures that count.
pub(crate) fn run(names: &[&str]) -> Outcome {
    match names {
        [] => ["journal", "roadmap"].iter().try_for_each(|name| run(&[name])),
        ["journal"] => journal::run(),
        ["roadmap"] => roadmap::run(),
        other => Err(format!("no benchmark `{}`; there are: journal, roadmap", other.join(" "))),
    }
}
