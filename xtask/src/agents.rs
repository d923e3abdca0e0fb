//! `cargo xtask agents`: the agents that people use, as their makers ship them, against a model service on loopback.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell::{Outcome, run, say};

/// What is installed, and from where. Versions are fixed: what an agent prints is read as these print it.
const PACKAGES: [(&str, &str); 5] = [
    ("claude", "@anthropic-ai/claude-code@2.1.325"),
    ("codex", "@openai/codex@0.166.0"),
    ("gemini", "@google/gemini-cli@0.61.0"),
    ("goose", "@aaif/goose-binary-linux-x64@1.52.0"),
    ("opencode", "opencode-ai@1.18.33"),
];
/// Where they are, for the tests; `skip` leaves the tests out.
const VARIABLE: &str = "AUTOPILOT_TEST_AGENTS";
/// The tests.
const TESTS: [&str; 6] = ["test", "--package", "autopilot", "--test", "real_agents", "--quiet"];
/// A network that holds nothing but loopback, as root and as anybody else.
const WORLDS: [&[&str]; 2] = [&["--net"], &["--map-root-user", "--net"]];
/// Runs what follows with loopback up.
const WITH_LOOPBACK: &str = "ip link set lo up && exec \"$@\"";

/// Installs the agents where they are not installed yet, and runs the tests with them.
pub(crate) fn run_all(words: &[&str]) -> Outcome {
    let named = env::var_os(VARIABLE).filter(|value| !value.is_empty());
    if named.as_ref().is_some_and(|value| value == "skip") {
        return skipped();
    }
    let place = named.map_or_else(cache, PathBuf::from);
    for (name, package) in PACKAGES {
        install(&place.join(name), package)?;
    }
    run("cargo", &[&TESTS[..], &["--no-run"]].concat())?;
    let place = place.display().to_string();
    // One after another: some of them keep both processors busy.
    let tests = [&["cargo"], &TESTS[..], &["--", "--test-threads=1"], words].concat();
    let variable = format!("{VARIABLE}={place}");
    let tests = [&["env", &variable], tests.as_slice()].concat();
    for world in WORLDS {
        let within = [world, &["sh", "-c", WITH_LOOPBACK, "sh"]].concat();
        let tried = Command::new("unshare").args(&within).arg("true").output();
        if tried.is_ok_and(|tried| tried.status.success()) {
            return run("unshare", &[within, tests].concat());
        }
    }
    say(
        "a network of its own cannot be made here: the agents could reach more than the service on loopback\n",
    )?;
    run(tests[0], &tests[1..])
}

/// Says how many tests were left out.
fn skipped() -> Outcome {
    let listed = Command::new("cargo").args(TESTS).args(["--", "--list"]).output();
    let listed = listed.map_err(|error| format!("cannot start `cargo`: {error}"))?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let count = listed.lines().filter(|line| line.ends_with(": test")).count();
    say(&format!("NOT RUN: {count} tests with the agents that people use ({VARIABLE}=skip)\n"))
}

fn cache() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"));
    // Programs are started from other directories.
    fs::canonicalize(&target).unwrap_or(target).join("agents")
}

fn install(place: &Path, package: &str) -> Outcome {
    let note = place.join("installed");
    if fs::read_to_string(&note).is_ok_and(|installed| installed == package) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("cannot write to `{}`: {error}", place.display());
    drop(fs::remove_dir_all(place));
    fs::create_dir_all(place).map_err(failed)?;
    // Else npm would look for a project further up.
    fs::write(place.join("package.json"), "{\"private\": true}\n").map_err(failed)?;
    let prefix = place.display().to_string();
    let words = ["install", "--prefix", &prefix, "--no-audit", "--no-fund", "--loglevel=error"];
    run("npm", &[&words[..], &["--save-exact", package]].concat()).map_err(|why| {
        format!("{why}; these tests need npm and a network, `{VARIABLE}=skip` leaves them out")
    })?;
    fs::write(&note, package).map_err(failed)
}
