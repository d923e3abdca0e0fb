//! Crashes the journal many times on all cores; the short form is one of its tests.

use std::{
    thread,
    time::{Duration, Instant},
};

use autopilot_journal::faulty::crashes::{Figures, Syncs, torture};

use crate::shell::{Outcome, number, say};

const COUNT: u64 = 10_000_000;
const SEED: u64 = 1;
/// The mutant needs no large number to be caught.
const MUTANT_SHARE: u64 = 100;

/// What the torture of the journal and of its mutant without syncs came to.
pub(crate) struct Report {
    pub(crate) journal: Figures,
    pub(crate) mutant: Figures,
    pub(crate) elapsed: Duration,
}

/// Tortures with the given words: how often to crash, and the seed.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let (count, seed) = match words {
        [] => (COUNT, SEED),
        [count] => (number(count)?, SEED),
        [count, seed] => (number(count)?, number(seed)?),
        _ => return Err("torture journal takes a count and a seed".to_owned()),
    };
    let report = torture_journal(count, seed);
    say(&table(&report, seed))?;
    if !report.journal.is_clean() {
        return Err(format!("the journal broke a promise with seed {seed}"));
    }
    if report.mutant.is_clean() {
        return Err(
            "a journal without syncs was not caught, so this torture proves nothing".to_owned()
        );
    }
    Ok(())
}

/// Crashes the journal `count` times, and its mutant a hundredth of that.
pub(crate) fn torture_journal(count: u64, seed: u64) -> Report {
    let started = Instant::now();
    let journal = on_all_cores(count, seed, Syncs::Kept);
    let elapsed = started.elapsed();
    let mutant = on_all_cores(count.div_ceil(MUTANT_SHARE), seed, Syncs::Ignored);
    Report { journal, mutant, elapsed }
}

fn on_all_cores(count: u64, seed: u64, syncs: Syncs) -> Figures {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    thread::scope(|scope| {
        let parts: Vec<_> = (0..cores)
            .map(|core| {
                // Seeds far apart, so that no two cores live through the same worlds.
                let seed = seed.wrapping_add(core << 48);
                scope.spawn(move || torture(count.div_ceil(cores), seed, syncs))
            })
            .collect();
        parts.into_iter().fold(Figures::default(), |sum, part| {
            sum + part.join().expect("the torture counts failures and does not panic")
        })
    })
}

fn table(report: &Report, seed: u64) -> String {
    let Figures {
        crashes,
        kills,
        acknowledged,
        torn,
        snapshots,
        lost,
        invented,
        refused,
        unstable,
        ..
    } = report.journal;
    let rate = crashes as f64 / report.elapsed.as_secs_f64();
    let mutant = &report.mutant;
    let catch_percent = 100.0 * mutant.caught as f64 / mutant.crashes as f64;
    format!(
        "journal torture, seed {seed}\n\
         crashes          {crashes:>12}   ({rate:.0} per second; {kills} of them kills)\n\
         acknowledged     {acknowledged:>12}   records\n\
         torn tails cut   {torn:>12}\n\
         from a snapshot  {snapshots:>12}   openings\n\
         lost             {lost:>12}   acknowledged records\n\
         invented         {invented:>12}\n\
         refused          {refused:>12}\n\
         not repeatable   {unstable:>12}\n\
         mutant caught    {:>12}   of {} crashes ({catch_percent:.1} %)\n",
        mutant.caught, mutant.crashes,
    )
}
