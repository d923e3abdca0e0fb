//! `cargo xtask ci`: everything that must hold before a change lands.

use crate::{
    shell::{Outcome, run},
    tidy,
};

/// Runs formatting, lints and tests, the quick ones first.
pub(crate) fn run_all() -> Outcome {
    run("cargo", &["fmt", "--all", "--check"])?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    tidy::run()?;
    run("cargo", &["test", "--workspace", "--quiet"])
}
