//! Agents that damage more than their files: what they did is kept, and no run is wedged.

use std::{fs, time::Duration};

use rustix::process::Signal;

use crate::harness::{Project, Sample, agent, ended_as, honest, part, sh, sign};

/// Ways to damage a workspace, from inside of its files. `$OWN` is where the engine's records about it are.
const DAMAGES: [(&str, &str); 10] = [
    ("what is beside the files", "rm -f ../workspace ../index; echo junk > ../index"),
    ("its repository", "rm -rf .git"),
    ("a part of its repository", "rm -rf .git/refs .git/HEAD; echo junk > .git/index"),
    ("the record that it is whole", "rm $OWN/workspace"),
    ("an empty record, as after a power cut", ": > $OWN/workspace"),
    (
        "a record of another make",
        "printf 'autopilot-workspace 1\nwriter\nx\ny\nz\n' > $OWN/workspace",
    ),
    ("the engine's index", "echo junk > $OWN/index"),
    ("an empty index", ": > $OWN/index"),
    ("every record of the run", "rm -rf ../../../records"),
    ("the place of its files", "mv ../files ../elsewhere"),
];

/// What an agent does: writes something, then damages its workspace.
fn damaging(marker: &str, damage: &str) -> String {
    let own = "OWN=$(dirname $(dirname $(dirname $PWD)))/records/$(basename $(dirname $PWD))";
    sh(&format!("echo {marker} > precious.txt; {own}; {damage}"))
}

#[test]
fn an_agent_that_damages_its_workspace_and_fails_loses_nothing() {
    for (at, (what, damage)) in DAMAGES.iter().enumerate() {
        let marker = format!("precious-{at}");
        let actions = format!("{}, {{ exit = {{ code = 1 }} }}", damaging(&marker, damage));
        let project = Project::scripted(&agent("executor", 1, &actions, "attempt = 1"));
        let output = project.run(&["run"]);
        assert_eq!(output.code, Some(0), "{what}: {}", output.shown());
        assert!(project.is_reachable(&marker), "{what}: {}", output.shown());
        assert_eq!(ended_as(&project.facts(), "1/execute/1-01").len(), 2, "{what}");
    }
}

#[test]
fn what_an_agent_leaves_beside_its_files_is_kept() {
    let beside =
        sh("echo beside-them > ../notes.txt; mkdir ../more; echo further-down > ../more/x");
    let project = Project::scripted(&agent("executor", 1, &format!("{}, {beside}", part(1)), ""));
    project.run(&["run"]).expect(0);
    for marker in ["beside-them", "further-down"] {
        assert!(project.is_reachable(marker), "{marker}");
    }
    let files = project.files_at(&project.head());
    assert!(!files.iter().any(|file| file.contains("notes.txt")), "{files:?}");
}

#[test]
fn an_agent_that_damages_its_workspace_does_not_wedge_a_run_that_is_stopped() {
    for (at, (what, damage)) in DAMAGES.iter().enumerate() {
        let marker = format!("stopped-{at}");
        let actions = [damaging(&marker, damage), sign("damaged"), "\"stall\"".to_owned()];
        let project = Project::scripted(&agent("executor", 1, &actions.join(", "), ""));
        let engine = project.start(&["run"]);
        project.await_sign("damaged");
        engine.signal(Signal::INT);
        let output = engine.wait();
        assert_eq!(output.code, Some(130), "{what}: {}", output.shown());
        assert!(project.is_reachable(&marker), "{what}: {}", output.shown());
        project.script(&honest(1));
        project.run(&["resume"]).expect(0);
    }
}

#[test]
fn a_damaged_workspace_of_a_killed_engine_is_kept_file_by_file() {
    for (at, (what, damage)) in DAMAGES.iter().enumerate() {
        let marker = format!("killed-{at}");
        let actions = [damaging(&marker, damage), sign("damaged"), "\"stall\"".to_owned()];
        let script = agent("executor", 1, &actions.join(", "), "");
        let project = Project::new(&Sample { phases: 1, script, ..Sample::default() });
        let mut engine = project.start(&["run"]);
        project.await_sign("damaged");
        engine.kill();
        project.await_guardian(Duration::from_secs(20));
        assert!(project.is_reachable(&marker), "{what}: the guardian keeps it");
        project.script(&honest(1));
        let output = project.run(&["resume"]);
        assert_eq!(output.code, Some(0), "{what}: {}", output.shown());
        let state = fs::read_dir(project.path("state/autopilot")).expect("it is there");
        let run = state.flatten().next().expect("one project").path().join(project.run_id());
        let left = fs::read_dir(run.join("work")).map_or(0, Iterator::count);
        let told = project.status()["left_on_disk"].as_array().map_or(0, Vec::len);
        assert_eq!(left, told, "{what}: what is kept is removed, and what is not is told");
    }
}
