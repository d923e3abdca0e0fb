//! Whole runs over the real journal, on a disk that fails at every call in turn.

use autopilot_journal::faulty::Fault;
use autopilot_testkit::sim::{Scenario, Survived, Temper, play, play_on_failing_disk};

/// The first seeds whose agents are honest and whose limits are wide, so that every end must be the same.
fn plain_seeds(count: usize) -> Vec<u64> {
    let plain = |seed: &u64| {
        let scenario = Scenario::of(*seed);
        scenario.temper == Temper::Honest && !scenario.tight
    };
    (0..).filter(plain).take(count).collect()
}

/// Fails the first call, the second, and so on, until a run passes clean: that is the proof that none was left out.
fn fail_every_call(seed: u64, fault: Fault) -> u64 {
    let whole = play(seed, None).expect("it ends").end;
    for call in 1.. {
        match play_on_failing_disk(seed, call, fault) {
            Ok(Survived::Stopped(end)) => {
                assert_eq!(end, whole, "seed {seed}, {fault:?} at call {call}");
            }
            Ok(Survived::Whole(end)) => {
                assert_eq!(end, whole, "seed {seed}, {fault:?} at call {call}");
                return call;
            }
            Err(why) => panic!("seed {seed}, {fault:?} at call {call}: {why}"),
        }
    }
    unreachable!("the loop only ends by returning")
}

#[test]
fn a_full_disk_at_any_call_stops_the_run_and_loses_no_acknowledged_fact() {
    for seed in plain_seeds(3) {
        assert!(fail_every_call(seed, Fault::NoSpace) > 50);
    }
}

#[test]
fn a_broken_disk_at_any_call_stops_the_run_and_loses_no_acknowledged_fact() {
    for seed in plain_seeds(3) {
        assert!(fail_every_call(seed, Fault::Broken) > 50);
    }
}
