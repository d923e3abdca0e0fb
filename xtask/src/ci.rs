//! `cargo xtask ci`: everything that must hold before a change lands.

use std::process::Command;

use crate::{
    shell::{Outcome, run, say},
    tidy,
};

/// Runs formatting, lints and tests, the quick ones first.
pub(crate) fn run_all() -> Outcome {
    run("cargo", &["fmt", "--all", "--check"])?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    tidy::run()?;
    run("cargo", &["test", "--workspace", "--quiet"])?;
    in_namespaces()
}

/// Runs the tests that mount disks and take the network away, in a world of their own.
///
/// Nothing else runs them. Where such a world cannot be made, the last line says what was not tested.
fn in_namespaces() -> Outcome {
    let tests = ["cargo", "test", "--package", "autopilot", "--test", "namespaces", "--quiet"];
    for world in [&["--mount"][..], &["--map-root-user", "--mount", "--net"]] {
        let tried = Command::new("unshare")
            .args(world)
            .args(["mount", "-t", "tmpfs", "x", "/mnt"])
            .output();
        if tried.is_ok_and(|tried| tried.status.success()) {
            return run("unshare", &[world, &tests].concat());
        }
    }
    say(&format!(
        "NOT TESTED HERE: a full disk and a demo without network. These tests need root, or a system on which users \
         may make namespaces: `{}`\n",
        tests.join(" ")
    ))
}
