//! A project is untrusted: what it brings along decides neither where the program writes nor what it believes.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use insta::{allow_duplicates, assert_snapshot};

use crate::harness::Project;

/// A directory of the person's that a hostile project points to.
fn private(project: &Project) -> PathBuf {
    let path = project.path("private");
    fs::create_dir_all(&path).expect("a directory can be made");
    path
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("it can be listed");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn exclude_of(project: &Project) -> String {
    fs::read_to_string(project.sandbox.project().join(".git/info/exclude")).unwrap_or_default()
}

#[test]
fn a_state_directory_that_is_a_link_is_not_followed() {
    let project = Project::honest(1);
    let private = private(&project);
    symlink(&private, project.sandbox.project().join(".autopilot")).expect("a link can be made");
    let exclude = exclude_of(&project);
    assert_snapshot!(project.run(&["run"]).shown(), @r"
    exit code 1
    --- stderr
    error: `ROOT/project/.autopilot` is a symbolic link to `ROOT/private`
      why it matters: what came with a project decides where the program would write, or what it would believe; nothing was written
      what to do: remove the link (`rm ROOT/project/.autopilot`) and try again; the state must be in the checkout itself
    ");
    project.run(&["init"]).expect(1);
    assert_eq!(names_in(&private), [""; 0], "nothing was written through the link");
    assert_eq!(exclude_of(&project), exclude, "nor anywhere else");
    assert_eq!(project.sandbox.git(["for-each-ref", "refs/heads/autopilot"]), "");
}

#[test]
fn a_link_that_leads_nowhere_is_refused_too() {
    let project = Project::honest(1);
    let target = project.path("not-there");
    symlink(&target, project.sandbox.project().join(".autopilot")).expect("a link can be made");
    project.run(&["run"]).expect(1);
    assert!(!target.exists());
}

#[test]
fn parts_of_the_state_that_are_links_are_not_followed() {
    for part in ["journal", "inbox", "claim", "certificates", "archive", "diagnostics"] {
        let project = Project::honest(1);
        let private = private(&project);
        let target = if part == "claim" { private.join("file") } else { private.clone() };
        fs::create_dir(project.sandbox.project().join(".autopilot")).expect("made");
        symlink(&target, project.sandbox.project().join(".autopilot").join(part)).expect("linked");
        let refused = project.run(&["run"]).expect(1);
        let told = format!(".autopilot/{part}` is a symbolic link");
        assert!(refused.stderr.contains(&told), "{part}: {}", refused.stderr);
        assert_eq!(names_in(&private), [""; 0], "{part}");
    }
}

#[test]
fn parts_of_a_runs_own_state_that_are_links_are_not_followed() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let run = project.run_id();
    let private = private(&project);
    let inbox = project.sandbox.project().join(".autopilot/inbox");
    fs::create_dir_all(&inbox).expect("made");
    // A run that is over leaves no inbox behind that is needed.
    drop(fs::remove_dir_all(inbox.join(&run)));
    symlink(&private, inbox.join(&run)).expect("linked");
    let refused = project.run(&["approve", "1/human/1-01"]).expect(1);
    assert!(refused.stderr.contains("is a symbolic link"), "{}", refused.stderr);
    assert_eq!(names_in(&private), [""; 0]);

    fs::remove_file(inbox.join(&run)).expect("removed");
    let journal = project.sandbox.project().join(".autopilot/journal").join(&run);
    symlink(private.join("lock"), journal.join("another")).expect("linked");
    let refused = project.run(&["approve", "1/human/1-01"]).expect(1);
    assert!(refused.stderr.contains("another` is a symbolic link"), "{}", refused.stderr);
}

#[test]
fn state_that_came_with_the_projects_history_is_refused() {
    let project = Project::honest(1);
    project.sandbox.write(".autopilot/journal/run-2020-01-01-000000/0001.log", "whatever\n");
    project.sandbox.git(["add", "--force", ".autopilot"]);
    project.sandbox.commit("state");
    assert_snapshot!(project.run(&["run"]).shown(), @r"
    exit code 1
    --- stderr
    error: `ROOT/project/.autopilot` is tracked by git
      why it matters: what came with a project decides where the program would write, or what it would believe; nothing was written
      what to do: look at it, take it out of git (`git rm -r ROOT/project/.autopilot`, or `git rm -r --cached ROOT/project/.autopilot` if it is your own) and commit; settings that a team shares belong in `autopilot.toml`
    ");
    assert_eq!(names_in(&project.sandbox.project().join(".autopilot")), ["journal"]);
    // What it says to do is enough.
    project.sandbox.git(["rm", "-r", "--quiet", ".autopilot"]);
    project.sandbox.commit("no state");
    project.run(&["run"]).expect(0);
}

#[test]
fn without_a_directory_of_the_persons_own_nothing_is_written() {
    let project = Project::honest(1);
    for home in [None, Some("relative/home")] {
        let mut run = project.command(["run"]);
        run.env_remove("XDG_STATE_HOME").env_remove("HOME").env("TMPDIR", project.path("state"));
        run.envs(home.map(|home| ("HOME", home)));
        let output = project.finish(run).shown();
        allow_duplicates!(assert_snapshot!(output, @r"
        exit code 1
        --- stderr
        error: neither `XDG_STATE_HOME` nor `HOME` names a directory by its full path
          why it matters: workspaces and transcripts must be where no other user can put or read anything; nothing was written
          what to do: set `HOME`, or `XDG_STATE_HOME` to a directory that only you can write to
        "));
    }
    assert_eq!(names_in(&project.path("state")), Vec::<String>::new());
    assert!(!project.sandbox.project().join(".autopilot").exists());
}

#[test]
fn a_file_in_the_place_of_the_state_directory_is_refused_by_all_who_would_write_there() {
    let project = Project::honest(1);
    project.sandbox.write(".autopilot", "in the way\n");
    for command in ["run", "init", "doctor"] {
        let output = project.run(&[command]).expect(1);
        let told = output.stdout.clone() + &output.stderr;
        assert!(told.contains(".autopilot` is no directory"), "{command}: {}", output.shown());
    }
}

#[test]
fn doctor_tells_what_a_run_would_be_refused_for() {
    let project = Project::honest(2);
    project.run(&["doctor"]).expect(0);
    let roadmap = fs::read_to_string(project.sandbox.project().join(".planning/ROADMAP.md"));
    let roadmap = roadmap.expect("readable");
    let circle = roadmap.replace("**Depends on**: Nothing", "**Depends on**: Phase 2");
    let lost = roadmap.replace("verified by: `grep -qx 'part 1' part-1.txt`", "verified by:");
    for (text, why) in [(circle, "in a circle"), (lost, "can never be passed")] {
        project.sandbox.write(".planning/ROADMAP.md", text);
        for command in [&["run"][..], &["doctor"]] {
            let output = project.run(command).expect(1);
            let told = output.stdout.clone() + &output.stderr;
            assert!(told.contains(why), "{command:?}: {}", output.shown());
        }
    }
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.write(".autopilot/x", "x\n");
    project.sandbox.git(["add", "-f", ".autopilot/x"]);
    for command in ["run", "doctor"] {
        let output = project.run(&[command]).expect(1);
        let told = output.stdout.clone() + &output.stderr;
        assert!(told.contains("tracked by git"), "{command}: {}", output.shown());
    }
}
