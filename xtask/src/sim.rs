//! `cargo xtask sim`: whole runs in a simulated world, with crashes.

use autopilot_testkit::sim::{every_crash, play, random_crashes};

use crate::shell::{Outcome, number, say};

/// What `cargo test` covers too; more is a matter of patience.
const RANDOM_SEEDS: u64 = 10_000;
const EVERY_SEEDS: u64 = 100;

/// Plays the usual sweep, more seeds, or one seed again.
pub(crate) fn run(words: &[&str]) -> Outcome {
    match words {
        [] => sweep(RANDOM_SEEDS, EVERY_SEEDS),
        ["--seeds", seeds] => {
            let seeds: u64 = number(seeds)?;
            sweep(seeds, seeds / 100)
        }
        ["--seed", seed] => replay(number(seed)?, None),
        ["--seed", seed, "--crash-at", point] => replay(number(seed)?, Some(number(point)?)),
        _ => Err("usage: cargo xtask sim [--seeds N | --seed N [--crash-at POINT]]".to_owned()),
    }
}

fn sweep(random: u64, every: u64) -> Outcome {
    let swept = random_crashes(0..random)?;
    say(&format!(
        "{random} seeds, one random crash each: {} runs, {} crashes, {} facts, every resumed end equal\n",
        swept.runs, swept.crashes, swept.facts
    ))?;
    let swept = every_crash(0..every)?;
    say(&format!(
        "{every} seeds, a crash at every place: {} runs, {} crashes, {} facts, every resumed end equal\n",
        swept.runs, swept.crashes, swept.facts
    ))
}

fn replay(seed: u64, crash_at: Option<u64>) -> Outcome {
    let played = play(seed, crash_at)?;
    say(&format!("{played:#?}\n"))
}
