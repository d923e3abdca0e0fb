//! The tortures by name, and all of them one after the other.

use std::time::Instant;

use super::{fuzz, journal, kills, long, power_cuts, signals, starts};
use crate::shell::{Outcome, say};

/// Every torture, the quickest to fail first.
const ALL: [&str; 7] = ["journal", "starts", "signals", "power-cuts", "kills", "long", "fuzz"];

/// Runs one torture, or all with their usual sizes; a release build gives the figures that count.
pub(crate) fn run(words: &[&str]) -> Outcome {
    match words {
        ["journal", rest @ ..] => journal::run(rest),
        ["kills", rest @ ..] => kills::run(rest),
        ["power-cuts", rest @ ..] => power_cuts::run(rest),
        ["signals", rest @ ..] => signals::run(rest),
        ["starts", rest @ ..] => starts::run(rest),
        ["long", rest @ ..] => long::run(rest),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["all"] => all(),
        other => {
            Err(format!("no torture `{}`; there are: {}, all", other.join(" "), ALL.join(", ")))
        }
    }
}

/// Goes on after a failure, so that one night tells everything.
fn all() -> Outcome {
    let began = Instant::now();
    let mut failures = Vec::new();
    for name in ALL {
        say(&format!("== {name}\n"))?;
        let row = Instant::now();
        if let Err(why) = run(&[name]) {
            failures.push(format!("{name}: {why}"));
        }
        say(&format!("== {name}: {} s\n", row.elapsed().as_secs()))?;
    }
    let passed = ALL.len() - failures.len();
    let seconds = began.elapsed().as_secs();
    say(&format!("{passed} of {} tortures survived, {seconds} s in all\n", ALL.len()))?;
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}
