//! Whole runs in a simulated world. A failure prints the seed and how to play it again.

use autopilot_core::{fact::Ending, phases::Close};
use autopilot_testkit::sim::{
    every_crash, play, play_carelessly, play_story, random_crashes, story_with_every_crash,
};

/// The halves run side by side.
fn sweep(seeds: std::ops::Range<u64>) {
    let swept = random_crashes(seeds).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(swept.runs, swept.crashes * 2);
}

#[test]
fn five_thousand_runs_survive_a_random_crash() {
    sweep(0..5_000);
}

#[test]
fn five_thousand_other_runs_survive_a_random_crash() {
    sweep(5_000..10_000);
}

#[test]
fn a_hundred_runs_survive_a_crash_at_every_append_and_every_effect() {
    let swept = every_crash(0..100).unwrap_or_else(|why| panic!("{why}"));
    assert!(swept.crashes > 5_000, "only {} places were found", swept.crashes);
}

#[test]
fn the_same_seed_plays_the_same_run() {
    for seed in 0..20 {
        let one = play(seed, Some(7)).expect("it survives");
        let other = play(seed, Some(7)).expect("it survives");
        assert_eq!((one.end, one.points, one.facts), (other.end, other.points, other.facts));
    }
}

#[test]
fn a_journal_that_acknowledges_before_it_keeps_is_noticed() {
    let noticed = (0..20).filter(|&seed| play_carelessly(seed, None).is_err()).count();
    assert_eq!(noticed, 20);
}

#[test]
fn a_run_in_which_everything_happens_ends_the_same_wherever_it_is_interrupted() {
    let whole = play_story(None).expect("it ends").end;
    assert_eq!(whole.ending, Ending::Incomplete);
    let completed = |close: &Option<Close>| matches!(close, Some(Close::Completed { .. }));
    let kinds: Vec<char> = whole
        .closes
        .iter()
        .map(|close| match close {
            _ if completed(close) => 'c',
            Some(Close::Failed { .. }) => 'f',
            _ => 'b',
        })
        .collect();
    assert_eq!(kinds.into_iter().collect::<String>(), "cccfffffffbbcccf", "{whole:?}");
    for category in [
        "ExecutorWrongApproach",
        "CompilationFailure",
        "LintFailure",
        "BuildFailure",
        "AcceptanceCriteriaUnmet",
        "ScopeCreep",
        "ExecutorIncomplete",
    ] {
        assert!(
            whole.told.iter().any(|line| line.contains(category)),
            "{category}: {:?}",
            whole.told
        );
    }
    let swept = story_with_every_crash().unwrap_or_else(|why| panic!("{why}"));
    assert!(swept.crashes > 300, "only {} places were found", swept.crashes);
}
