//! Files for the next workspace are written while an agent works, in projects that are large enough for it to be worth it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use autopilot_testkit::{
    processes::guardian_in,
    program::{Project as Sampled, check_books},
    repository::Sandbox,
    sim::Chance,
};
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{Engine, PROGRAM, Project, Sample, agent, honest, part, sh, sign, until};

/// So many files are enough.
const FILES: usize = 700;
/// How often the engine is killed at random.
const KILLS: usize = 16;
/// The longest that an engine is let live.
const LIFE_MS_MAX: u64 = 900;
/// How long a guardian may take to keep everything.
const KEEPING_MAX: Duration = Duration::from_secs(30);
/// Where the spare of a run is.
const SPARES: &str = "ROOT/state/autopilot/*/*/spare";
/// An agent's wait for a whole spare.
const AWAIT_SPARE: &str = "until ls ROOT/state/autopilot/*/*/spare/*/index; do sleep 0.01; done";

/// A project with many files.
fn large(sample: &Sample) -> Sampled {
    let sandbox = Sandbox::new();
    for number in 0..FILES {
        sandbox.write(&format!("src/{}/f{number}.txt", number % 20), format!("file {number}\n"));
    }
    sandbox.commit("many files");
    Sampled::within(sandbox, PROGRAM, sample)
}

/// An agent whose first attempt fails after these actions, so that the second gets what was prepared meanwhile.
fn twice(first: &[String], second: &[String]) -> Sample {
    let fail = "{ exit = { code = 1 } }".to_owned();
    let first = [first, &[fail]].concat().join(", ");
    let second = [second, &[part(1)]].concat().join(", ");
    let script =
        agent("executor", 1, &first, "attempt = 1") + &agent("executor", 1, &second, "attempt = 2");
    Sample { phases: 1, script, ..Sample::default() }
}

/// The directory of the run outside of the project.
fn state(project: &Sampled) -> PathBuf {
    let state = fs::read_dir(project.path("state/autopilot")).expect("it is there");
    state.flatten().next().expect("one project").path().join(project.run_id())
}

fn count(directory: &Path) -> usize {
    fs::read_dir(directory).map_or(0, Iterator::count)
}

#[track_caller]
fn check_tidy(project: &Sampled) {
    let state = state(project);
    for name in ["spare", "retired", "work", "records"] {
        assert_eq!(count(&state.join(name)), 0, "{name}");
    }
}

#[test]
fn the_next_workspace_has_files_that_were_written_while_an_agent_worked() {
    let project = large(&twice(
        &[sh(AWAIT_SPARE), sign("late")],
        &[sh(
            "test src/3/f3.txt -ot ROOT/signs/late && test -z \"$(git status --porcelain)\" && touch ROOT/signs/older",
        )],
    ));
    project.run(&["run"]).expect(0);
    assert!(project.path("signs/older").exists(), "they are as old as the first attempt");
    check_tidy(&project);
}

#[test]
fn nothing_is_prepared_in_a_small_project() {
    let look = sh(&format!("sleep 0.1; ls -d {SPARES} || touch ROOT/signs/none"));
    let project = Project::scripted(&agent("executor", 1, &format!("{look}, {}", part(1)), ""));
    project.run(&["run"]).expect(0);
    assert!(project.path("signs/none").exists());
}

#[test]
fn what_an_agent_does_to_files_that_wait_is_not_in_the_next_workspace() {
    let spoil = format!(
        "for files in {SPARES}/*/files; do echo evil > $files/src/3/f3.txt; echo evil > $files/planted.txt; done"
    );
    let look = "grep -qx 'file 3' src/3/f3.txt && test ! -e planted.txt && touch ROOT/signs/clean";
    let project = large(&twice(&[sh(AWAIT_SPARE), sh(&spoil)], &[sh(look)]));
    project.run(&["run"]).expect(0);
    assert!(project.path("signs/clean").exists());
    check_tidy(&project);
}

#[test]
fn what_a_killed_engine_has_left_of_a_spare_goes_and_nothing_else() {
    // Once by the guardian, once without one by the next start.
    for (name, with_guardian) in [("guardian", true), ("start", false)] {
        let left = sh(&format!("echo left-for-{name} > left.txt"));
        let actions = [left, sh(AWAIT_SPARE), sign("working"), until("go"), part(1)];
        let script = agent("executor", 1, &actions.join(", "), "");
        let project = large(&Sample { phases: 1, script, ..Sample::default() });
        let mut engine = project.start(&["run"]);
        project.await_sign("working");
        let spares = state(&project).join("spare");
        assert_eq!(count(&spares), 1);
        if !with_guardian {
            let guardian =
                Pid::from_raw(guardian_in(&project.sandbox.root())).expect("it is above zero");
            kill_process(guardian, Signal::KILL).expect("it is ours");
        }
        engine.kill();
        if with_guardian {
            project.await_guardian(KEEPING_MAX);
            assert!(!spares.exists(), "the guardian removes it");
        }
        // A spare that was only half made: without an index, and with a part of its files.
        let half = spares.join("half/files");
        fs::create_dir_all(&half).expect("it can be made");
        fs::write(half.join("README.md"), "hel").expect("it can be written");
        fs::write(project.path("signs/go"), "").expect("it can be written");
        project.run(&["resume"]).expect(0);
        assert!(project.is_reachable(&format!("left-for-{name}")));
        check_books(&project);
        check_tidy(&project);
    }
}

#[test]
fn a_workspace_that_was_killed_while_it_took_a_spare_does_not_wedge_the_run() {
    // In the order in which they are made: the directories, the files, the repository, the index, the record.
    let cuts = [
        "rm -rf files; rm -rf $RECORDS/*",
        "rm -rf files/.git; rm -rf $RECORDS; mkdir $RECORDS",
        "rm -rf files/.git; rm -rf $RECORDS",
        "rm -f $RECORDS/index $RECORDS/workspace",
        "rm -f $RECORDS/workspace",
    ];
    for cut in cuts {
        let actions = [sign("working"), "\"stall\"".to_owned()].join(", ");
        let script = agent("executor", 1, &actions, "");
        let project = large(&Sample { phases: 1, script, ..Sample::default() });
        let mut engine = project.start(&["run"]);
        project.await_sign("working");
        let guardian =
            Pid::from_raw(guardian_in(&project.sandbox.root())).expect("it is above zero");
        kill_process(guardian, Signal::KILL).expect("it is ours");
        engine.kill();
        // The agent does nothing any more; the next start ends it.
        let state = state(&project);
        let work = fs::read_dir(state.join("work")).expect("it is there").flatten();
        for attempt in work {
            let records = state.join("records").join(attempt.file_name());
            let mut shell = Command::new("sh");
            shell.args(["-c", cut]).current_dir(attempt.path()).env("RECORDS", records);
            assert!(shell.status().expect("sh is there").success());
        }
        project.script(&honest(1));
        let output = project.run(&["resume"]);
        assert_eq!(output.code, Some(0), "{cut}: {}", output.shown());
        check_books(&project);
        check_tidy(&project);
    }
}

#[test]
fn killed_at_random_moments_a_run_with_spares_ends_as_if_it_never_was() {
    let own = sh("git add -A; git commit -qm own; echo loose > loose.txt; sleep 0.05");
    let script: String = (1..=2)
        .map(|phase| agent("executor", phase, &[part(phase), own.clone()].join(", "), ""))
        .collect();
    let sample = Sample { phases: 2, script, ..Sample::default() };
    let whole = large(&sample);
    whole.run(&["run", "--complete"]).expect(0);
    let expected = whole.end();
    check_tidy(&whole);
    let mut chance = Chance::of(u64::from(std::process::id()), "spares");
    println!("seed {}", std::process::id());
    let mut kills = 0;
    while kills < KILLS {
        let project = large(&sample);
        let mut engine = project.start(&["run", "--complete"]);
        while kills < KILLS && !ends_within(&mut engine, chance.below(LIFE_MS_MAX)) {
            engine.kill();
            kills += 1;
            engine = project.go_on();
        }
        engine.wait().expect(0);
        project.expect_end(&expected);
        check_books(&project);
        check_tidy(&project);
    }
}

fn ends_within(engine: &mut Engine, ms: u64) -> bool {
    std::thread::sleep(Duration::from_millis(ms));
    !engine.is_running()
}
