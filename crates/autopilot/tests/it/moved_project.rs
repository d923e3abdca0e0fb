//! A project is moved while nobody works on it: what was under way goes on where it is now.

use std::{fs, path::Path};

use crate::harness::{Output, Project, agent, part, sh};

/// An executor that commits, leaves files, and then takes the project away and kills the engine.
fn moving() -> Project {
    let leave = "echo committed-marker > own.txt; git add -A; git commit -qm own; echo loose-marker > loose.txt";
    let kill = "kill -9 $(sed -n 's/^pid //p' ROOT/moved/.autopilot/claim); sleep 600";
    let away = format!(
        "test -e ROOT/signs/once || {{ touch ROOT/signs/once; mv ROOT/project ROOT/moved; {kill}; }}"
    );
    let actions = format!("{}, {}, {}", part(1), sh(leave), sh(&away));
    Project::scripted(&agent("executor", 1, &actions, ""))
}

fn run_in(project: &Project, place: &Path, arguments: &[&str]) -> Output {
    let mut command = project.command(arguments);
    command.current_dir(place);
    project.finish(command)
}

#[test]
fn a_run_whose_engine_was_killed_goes_on_where_the_project_was_moved_to() {
    let project = moving();
    let killed = project.run(&["run"]);
    assert_eq!(killed.code, None, "{}", killed.shown());
    let moved = project.path("moved");
    let resumed = run_in(&project, &moved, &["resume"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.shown());
    let transcript = run_in(&project, &moved, &["transcript"]);
    assert!(transcript.stdout.contains("1/execute/1-01"), "{}", transcript.shown());
    // Moved once more, back to where everybody looks for it here.
    fs::rename(&moved, project.sandbox.project()).expect("moved");
    assert_eq!(project.phase_states(), ["1 completed"]);
    for marker in ["committed-marker", "loose-marker"] {
        assert!(project.is_reachable(marker), "{marker}");
    }
    let kept = format!("refs/autopilot/{}/kept/1/execute/1-01/1", project.run_id());
    let history = project.sandbox.git(["log", "--format=%s", &kept]);
    assert!(history.lines().any(|subject| subject == "own"), "its commits are commits: {history}");
    let listed = fs::read_dir(project.path("state/autopilot")).expect("listable").count();
    assert_eq!(listed, 1, "the state stayed where it was");
    project.run(&["land", "--yes"]).expect(0);
}
