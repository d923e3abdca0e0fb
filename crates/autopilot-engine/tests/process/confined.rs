//! What a confined child can and cannot do. Where there is no Landlock the guardian must say so.

use std::{fs, path::Path};

use autopilot_engine::process::{Bounds, Confinement, Ending, Exceeded, Finished, Launch, Network};
use autopilot_testkit::processes::{anonymous_bytes, awaited, open_files};

use crate::world::{SOON, World};

const BOUNDS: Bounds =
    Bounds { processes_max: 50, memory_bytes_max: 4 << 30, file_bytes_max: 1 << 20 };

/// How often a short child is run where nothing may be left of any.
const STEPS: u64 = 1000;
/// What memory may differ by for other reasons.
const MEMORY_SLACK: u64 = 1 << 20;

fn within(world: &World, hidden: &[&str], writable: &[&str]) -> Confinement {
    let paths = |names: &[&str]| -> Vec<_> {
        names.iter().map(|name| world.path(name).canonicalize().unwrap()).collect()
    };
    Confinement {
        hidden: paths(hidden),
        readable: Vec::new(),
        writable: paths(writable),
        network: Network::Open,
        bounds: BOUNDS,
    }
}

fn confined(world: &World, confinement: Confinement, script: &str) -> Finished {
    let mut launch: Launch = world.launch(script);
    launch.confinement = Some(confinement);
    world.run(&launch).unwrap()
}

fn has_landlock(world: &World) -> bool {
    let has = world.guardian.abilities().landlock.is_some();
    if !has {
        println!("there is no Landlock here, and the guardian says so");
    }
    has
}

fn world() -> World {
    let world = World::new();
    for name in ["own", "own/below", "hidden", "open"] {
        fs::create_dir_all(world.path(name)).unwrap();
        fs::write(world.path(name).join("file"), "text").unwrap();
    }
    world
}

fn text(finished: &Finished) -> String {
    finished.stdout.to_text()
}

#[test]
fn a_child_writes_only_where_it_may_and_reads_all_that_is_not_hidden() {
    let world = world();
    if !has_landlock(&world) {
        return;
    }
    let script = "echo a > own/new && echo wrote; echo b > open/new && echo wrote too; cat open/file; \
         cat hidden/file && echo read; ls hidden && echo listed; echo c > hidden/new && echo wrote there; \
         truncate -s 0 open/file && echo emptied; rm open/file && echo removed; true";
    let finished = confined(&world, within(&world, &["hidden"], &["own"]), script);
    assert_eq!((finished.ending, text(&finished).as_str()), (Ending::Exited(0), "wrote\ntext"));
    let after = world.sh("echo b > open/new && cat hidden/file");
    assert_eq!(text(&after), "text", "the guardian and its other children are not restricted");
}

#[test]
fn what_is_hidden_stays_hidden_below_what_may_be_written_and_what_is_named_does_not() {
    let world = world();
    if !has_landlock(&world) {
        return;
    }
    let mut confinement = within(&world, &["own", "own/below"], &["own"]);
    confinement.readable = Vec::new();
    let script = "cat own/file && echo x >> own/file; cat own/below/file && echo read; true";
    let finished = confined(&world, confinement, script);
    assert_eq!(text(&finished), "text", "{}", finished.stderr.to_text());
}

#[test]
fn a_child_cannot_signal_what_is_outside_of_it() {
    let world = world();
    if world.guardian.abilities().landlock.is_none_or(|version| version < 6) {
        return;
    }
    let guardian = world.guardian.pid();
    let script =
        format!("kill -0 {guardian} && echo reached; sleep 60 & kill $! && echo own; true");
    let finished = confined(&world, within(&world, &[], &["own"]), &script);
    assert_eq!(text(&finished), "own\n");
}

#[test]
fn a_network_of_its_own_has_a_loopback_device_and_nothing_else() {
    let mut world = world();
    world.guardian.prepare_own_network();
    if let Some(why) = world.guardian.abilities().no_own_network {
        println!("no network of its own here, and the guardian says why: {why}");
        assert!(!why.is_empty());
        return;
    }
    let devices = |network| {
        let mut confinement = within(&world, &[], &["own"]);
        confinement.network = network;
        text(&confined(&world, confinement, "tail -n +3 /proc/net/dev | cut -d: -f1; true"))
    };
    assert_eq!(devices(Network::Own).trim(), "lo");
    let of_the_machine = text(&world.sh("tail -n +3 /proc/net/dev | cut -d: -f1"));
    assert_eq!(devices(Network::Open), of_the_machine);
}

#[test]
fn what_a_child_leaves_in_its_own_network_is_ended_with_it() {
    let mut world = world();
    world.guardian.prepare_own_network();
    let mut confinement = within(&world, &[], &["own"]);
    confinement.network = Network::Own;
    let finished = confined(&world, confinement, "setsid sleep 61 > /dev/null 2>&1 & sleep 0.1");
    assert_eq!(finished.strays.count, 1, "{:?}", finished.strays);
    assert_eq!(finished.strays.names, ["sleep"]);
    let finished = world.sh("setsid env -i /bin/sleep 61 > /dev/null 2>&1 & sleep 0.1");
    assert_eq!(finished.strays.count, 1, "the other guardian is no child of a step");
}

#[test]
fn too_many_processes_and_too_large_files_have_an_end() {
    let world = world();
    let flood = "i=0; while [ $i -lt 120 ]; do sleep 62 & i=$((i+1)); done; wait";
    let finished = confined(&world, within(&world, &[], &["own"]), flood);
    assert_eq!(finished.exceeded, Some(Exceeded::Processes));
    let write = "head -c 3000000 /dev/zero > own/big; ulimit -f unlimited 2> /dev/null && echo lifted; true";
    let finished = confined(&world, within(&world, &[], &["own"]), write);
    assert_eq!(fs::metadata(world.path("own/big")).unwrap().len(), BOUNDS.file_bytes_max);
    assert_eq!((finished.exceeded, text(&finished).as_str()), (None, ""));
}

/// The children of a process that have ended and that nobody has collected.
fn zombies(of: u32) -> usize {
    let stats = fs::read_dir("/proc").unwrap().flatten();
    let stats = stats.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter(|stat| stat.contains(&format!(") Z {of} "))).count()
}

#[test]
fn a_thousand_steps_of_no_time_leave_no_zombie_no_open_file_and_no_memory() {
    let world = world();
    let guardian = world.guardian.pid();
    let step = |number: u64| {
        let mut launch = world.launch("exit 0");
        launch.confinement = (number % 2 == 0).then(|| within(&world, &["hidden"], &["own"]));
        assert_eq!(world.run(&launch).unwrap().ending, Ending::Exited(0));
    };
    let seen = || {
        let files = open_files(guardian).unwrap();
        (files, anonymous_bytes(guardian).unwrap())
    };
    (0..STEPS / 5).for_each(step);
    let (files, memory) = seen();
    (0..STEPS).for_each(step);
    awaited("nothing is left", SOON, || zombies(guardian) == 0);
    let (files_after, memory_after) = seen();
    assert_eq!(files_after, files, "open files of the guardian");
    assert!(memory_after <= memory + MEMORY_SLACK, "{memory} bytes, then {memory_after}");
    let threads = fs::read_dir(Path::new("/proc").join(guardian.to_string()).join("task")).unwrap();
    assert_eq!(threads.count(), 1, "the threads that start children are gone");
}
