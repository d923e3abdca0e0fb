//! Limits, leftovers and several children at once.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use autopilot_engine::process::{Cancel, Ending, run};
use autopilot_testkit::processes::Mark;

use crate::world::{GONE_WITHIN, SOON, World};

/// Ends a child of another thread also when the test fails, which otherwise would wait for it.
struct EndAtLast<'a>(&'a Cancel);

impl Drop for EndAtLast<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[test]
fn leftovers_of_a_child_are_killed_named_and_do_not_hold_it_up() {
    let world = World::new();
    let mark = Mark::new();
    let started = Instant::now();
    let finished = world
        .sh(&format!("sleep {0} & (setsid sleep {0} &) ; sleep 0.2; echo done", mark.as_str()));
    assert!(started.elapsed() < SOON);
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_eq!(finished.stdout.to_text(), "done\n");
    assert_eq!(finished.strays.count, 2);
    assert_eq!(finished.strays.names, ["sleep", "sleep"]);
    // They were waited for: nothing writes any more when the run call returns.
    assert_eq!(mark.bearers(), [0_u32; 0]);
}

#[test]
fn the_leftovers_of_one_child_do_not_cost_another_its_processes() {
    let world = World::new();
    let (staying, leaving) = (Mark::new(), Mark::new());
    let cancel = Cancel::new().unwrap();
    thread::scope(|scope| {
        let launch =
            world.launch(&format!("(setsid sleep {0} &); sleep {0}; true", staying.as_str()));
        let (world, cancel) = (&world, &cancel);
        let _end = EndAtLast(cancel);
        let other = scope.spawn(move || run(&world.guardian, &launch, cancel, &mut |_, _| {}));
        staying.await_bearers(3, SOON);
        let finished =
            world.sh(&format!("(setsid sleep {0} &); sleep {0} & true", leaving.as_str()));
        assert!(finished.strays.count >= 2);
        assert_eq!(leaving.bearers(), [0_u32; 0]);
        assert_eq!(staying.bearers().len(), 3);
        cancel.cancel();
        assert_eq!(other.join().unwrap().unwrap().ending, Ending::Cancelled);
    });
    staying.await_bearers(0, GONE_WITHIN);
}

#[test]
fn an_output_held_open_by_an_unknown_process_is_given_up_as_leaky() {
    let world = World::new();
    let (busy, holder) = (Mark::new(), Mark::new());
    let cancel = Cancel::new().unwrap();
    thread::scope(|scope| {
        let launch = world.launch(&format!("sleep {}; true", busy.as_str()));
        let (world, cancel) = (&world, &cancel);
        let _end = EndAtLast(cancel);
        let other = scope.spawn(move || run(&world.guardian, &launch, cancel, &mut |_, _| {}));
        busy.await_bearers(2, SOON);
        // Without session, group or environment in common nobody can say whose it is.
        let finished = world
            .sh(&format!("(setsid env -i /bin/sleep {} &); sleep 0.3; echo done", holder.as_str()));
        assert!(finished.leaky);
        assert_eq!(finished.ending, Ending::Exited(0));
        assert_eq!(finished.stdout.to_text(), "done\n");
        assert_eq!(holder.bearers().len(), 1);
        cancel.cancel();
        // The last child takes everything with it.
        assert!(other.join().unwrap().unwrap().strays.count >= 1);
    });
    assert_eq!(holder.bearers(), [0_u32; 0]);
}

#[test]
fn wall_time_ends_a_busy_child() {
    let world = World::new();
    let mut launch = world.launch("while :; do echo x; sleep 0.01; done");
    launch.limits.wall = Duration::from_millis(150);
    let finished = world.run(&launch).unwrap();
    assert_eq!(finished.ending, Ending::TimedOut);
    assert!(finished.stdout.bytes() > 0);
}

#[test]
fn idle_time_ends_a_silent_child_and_spares_a_talking_one() {
    let world = World::new();
    let mut launch = world.launch("echo first; sleep 60");
    launch.limits.idle = Duration::from_millis(300);
    let finished = world.run(&launch).unwrap();
    assert_eq!(finished.ending, Ending::Stalled);
    assert_eq!(finished.stdout.to_text(), "first\n");

    let mut launch = world.launch("for n in 1 2 3 4 5 6 7 8; do echo $n >&2; sleep 0.1; done");
    launch.limits.idle = Duration::from_millis(600);
    assert_eq!(world.run(&launch).unwrap().ending, Ending::Exited(0));
}

#[test]
fn the_grace_lets_a_child_tidy_up_and_then_is_over() {
    let world = World::new();
    let polite =
        "trap 'echo tidied > tidied; exit 0' TERM; echo ready; while :; do sleep 0.01; done";
    let mut launch = world.launch(polite);
    launch.limits.grace = SOON;
    let cancel = Cancel::new().unwrap();
    let ended = run(&world.guardian, &launch, &cancel, &mut |_, _| {
        cancel.cancel();
    })
    .unwrap();
    assert_eq!(ended.ending, Ending::Cancelled);
    assert_eq!(fs::read_to_string(world.path("tidied")).unwrap(), "tidied\n");

    let mark = Mark::new();
    let rude = format!("trap '' TERM; echo ready; sleep {0}; sleep {0}", mark.as_str());
    let cancel = Cancel::new().unwrap();
    let launch = world.launch(&rude);
    let ended = run(&world.guardian, &launch, &cancel, &mut |_, _| {
        cancel.cancel();
    })
    .unwrap();
    assert_eq!(ended.ending, Ending::Cancelled);
    mark.await_bearers(0, GONE_WITHIN);
}

#[test]
fn a_handle_that_has_fired_also_ends_what_starts_later() {
    let world = World::new();
    let cancel = Cancel::new().unwrap();
    cancel.cancel();
    let ended = run(&world.guardian, &world.launch("sleep 60"), &cancel, &mut |_, _| {}).unwrap();
    assert_eq!(ended.ending, Ending::Cancelled);
}

#[test]
fn many_children_at_once_are_not_mixed_up() {
    let world = World::new();
    thread::scope(|scope| {
        for thread in 0..8 {
            let world = &world;
            scope.spawn(move || {
                for round in 0..20 {
                    let code = (thread * 20 + round) % 200;
                    let finished = world.sh(&format!("echo {code}; exit {code}"));
                    assert_eq!(finished.ending, Ending::Exited(code));
                    assert_eq!(finished.stdout.to_text(), format!("{code}\n"));
                }
            });
        }
    });
}
