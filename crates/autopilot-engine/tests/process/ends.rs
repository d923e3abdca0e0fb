//! Every way a run can end, and that nothing outlives it.

use std::{
    fs,
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use autopilot_engine::process::{Guardian, ProcessErrorKind, find_orphans, wait_until_gone};
use autopilot_testkit::processes::Mark;
use rustix::process::{Pid, Signal, kill_process};

use crate::world::{GONE_WITHIN, SOON, World, probe, spec};

/// An agent with all the ways of surviving: a grandchild, one that ignores every polite signal, a
/// daemon (two forks, own session, no outputs), and one that has also dropped its environment.
fn stubborn_agent(mark: &Mark) -> String {
    let mark = mark.as_str();
    format!(
        "trap '' TERM INT HUP
         sleep {mark} &
         sh -c 'trap \"\" TERM INT HUP QUIT; sleep {mark}; sleep {mark}' &
         (setsid sh -c 'sleep {mark} & wait' >/dev/null 2>&1 </dev/null &)
         (setsid env -i /bin/sleep {mark} >/dev/null 2>&1 </dev/null &)
         sleep {mark}; sleep {mark}"
    )
}

/// The sleeps and the shells that hold the mark in their arguments.
const STUBBORN_PROCESSES: usize = 8;

struct Engine {
    process: Child,
    directory: tempfile::TempDir,
}

impl Engine {
    fn start(script: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let process = Command::new(probe())
            .arg("engine")
            .arg(directory.path())
            .arg(script)
            .process_group(0)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { process, directory }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    fn end_with(&mut self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
        let status = self.process.wait().unwrap();
        assert_eq!(status.signal(), Some(signal.as_raw()));
    }
}

#[test]
fn nothing_survives_the_engine_whatever_kills_it() {
    for signal in [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP] {
        let mark = Mark::new();
        let mut engine = Engine::start(&stubborn_agent(&mark));
        // The engine has the mark in its arguments too.
        mark.await_bearers(STUBBORN_PROCESSES + 1, SOON);
        engine.end_with(signal);
        mark.await_bearers(0, GONE_WITHIN);
        assert!(wait_until_gone(&engine.directory.path().join("lock"), SOON).unwrap());
        let after = fs::read_to_string(engine.directory.path().join("after"));
        assert_eq!(after.unwrap(), "saved\n", "{signal:?}");
    }
}

#[test]
fn a_fork_storm_does_not_survive_either() {
    let mark = Mark::new();
    // Each process starts two more and ends: the tree has no stable root.
    let storm = format!(
        "cat > storm <<'END'\n(exec sleep 0.02); sh ./storm {mark} & sh ./storm {mark} & exit\nEND\n\
         ulimit -u 4000; sh ./storm {mark} & sleep {mark}",
        mark = mark.as_str()
    );
    let mut engine = Engine::start(&storm);
    let deadline = Instant::now() + SOON;
    while mark.bearers().len() < 50 {
        assert!(Instant::now() < deadline, "the storm did not start");
    }
    engine.end_with(Signal::KILL);
    mark.await_bearers(0, SOON);
}

#[test]
fn a_run_that_ends_in_order_leaves_nothing_and_saves_nothing() {
    let mark = Mark::new();
    let daemon = format!("setsid sleep {} >/dev/null 2>&1 & exit 0", mark.as_str());
    let mut engine = Engine::start(&daemon);
    assert!(engine.process.wait().unwrap().success());
    mark.await_bearers(0, GONE_WITHIN);
    assert!(!engine.directory.path().join("after").exists());
}

#[test]
fn the_guardian_is_out_of_reach_of_the_terminal_and_of_its_own_name() {
    let world = World::new();
    let guardian = Path::new("/proc").join(world.guardian.pid().to_string());
    let stat = fs::read_to_string(guardian.join("stat")).unwrap();
    let fields: Vec<&str> = stat.split(' ').collect();
    let pid = world.guardian.pid().to_string();
    assert_eq!(fields[1], "(ap-guardian)");
    assert_eq!((fields[4], fields[5]), (pid.as_str(), pid.as_str()), "group and session");
    let line = fs::read_to_string(guardian.join("cmdline")).unwrap();
    assert_eq!(line, "ap-guardian\0__guardian\0");

    let guardian_pid = Pid::from_raw(world.guardian.pid().cast_signed()).unwrap();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        kill_process(guardian_pid, signal).unwrap();
    }
    assert_eq!(world.sh("echo alive").stdout.to_text(), "alive\n");
}

#[test]
fn the_death_of_the_guardian_is_an_error_and_its_children_die() {
    let world = World::new();
    let mark = Mark::new();
    let launch = world.launch(&format!("setsid sleep {0} & sleep {0}; sleep {0}", mark.as_str()));
    let guardian = Pid::from_raw(world.guardian.pid().cast_signed()).unwrap();
    let error = thread::scope(|scope| {
        let running = scope.spawn(|| world.run(&launch).unwrap_err());
        mark.await_bearers(3, SOON);
        kill_process(guardian, Signal::KILL).unwrap();
        running.join().unwrap()
    });
    assert!(matches!(error.kind(), ProcessErrorKind::GuardianGone));
    mark.await_bearers(0, GONE_WITHIN);
    let error = world.run(&launch).unwrap_err();
    assert!(matches!(error.kind(), ProcessErrorKind::GuardianGone));
}

#[test]
fn agents_left_by_a_double_kill_are_found_by_their_guardians_lock() {
    let mark = Mark::new();
    let mut engine = Engine::start(&format!("sleep {0} & sleep {0}; true", mark.as_str()));
    mark.await_bearers(4, SOON);
    let lock = engine.directory.path().join("lock");
    let guardian = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .find(|pid| is_guardian_of(*pid, engine.process.id()))
        .and_then(Pid::from_raw)
        .unwrap();
    kill_process(engine.pid(), Signal::STOP).unwrap();
    kill_process(guardian, Signal::KILL).unwrap();
    engine.end_with(Signal::KILL);

    let orphans = find_orphans(&lock);
    assert_eq!(orphans.len(), 3, "{orphans:?}");
    orphans.iter().for_each(|orphan| orphan.kill());
    mark.await_bearers(0, GONE_WITHIN);
    assert!(find_orphans(&lock).is_empty());
}

#[test]
fn a_second_guardian_is_refused_while_the_first_lives() {
    let world = World::new();
    let refused = Guardian::start(&spec(world.directory.path())).unwrap_err();
    assert!(matches!(refused.kind(), ProcessErrorKind::GuardianRefused(_)));
    let lock = world.path("lock");
    assert!(!wait_until_gone(&lock, Duration::from_millis(20)).unwrap());
    world.guardian.dismiss().unwrap();
    assert!(wait_until_gone(&lock, Duration::ZERO).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_guardian_waits_for_one_that_is_about_to_end() {
    use std::os::unix::fs::MetadataExt as _;

    let directory = tempfile::tempdir().unwrap();
    let spec = spec(directory.path());
    let held = fs::File::create(&spec.lock).unwrap();
    held.lock().unwrap();
    let inode = held.metadata().unwrap().ino();
    let starting = thread::spawn(move || Guardian::start(&spec));
    // A line of a lock that is waited for has an arrow.
    let is_waited_for = || {
        let locks = fs::read_to_string("/proc/locks").unwrap();
        locks.lines().any(|line| line.contains("->") && line.contains(&format!(":{inode} ")))
    };
    while !is_waited_for() {
        assert!(!starting.is_finished(), "it did not wait");
        thread::yield_now();
    }
    drop(held);
    starting.join().unwrap().unwrap().dismiss().unwrap();
}

fn is_guardian_of(pid: i32, engine: u32) -> bool {
    // Between name and parent stands what it is doing, which may be anything at the moment.
    let parent = |stat: String| {
        let (_, rest) = stat.split_once("(ap-guardian) ")?;
        rest.split(' ').nth(1)?.parse::<u32>().ok()
    };
    fs::read_to_string(format!("/proc/{pid}/stat")).ok().and_then(parent) == Some(engine)
}
