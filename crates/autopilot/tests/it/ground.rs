//! The ground that a run stands on gives way: it stops, fails no phase, and goes on when a person has put it right.

use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::harness::{Output, PROGRAM, Project, agent, part, sh};

/// The program without the power to pass by permissions, which root has.
fn bound_by_permissions(project: &Project, arguments: &[&str]) -> Command {
    if !rustix::process::geteuid().is_root() {
        return project.command(arguments);
    }
    let powers = "-dac_override,-dac_read_search";
    let words = ["--bounding-set", powers, "--inh-caps", powers, PROGRAM];
    project.other("setpriv", words.iter().chain(arguments).map(OsStr::new))
}

/// Takes the right to write away from directories, or gives it back.
fn set_writable(directories: &[PathBuf], writable: bool) {
    for directory in directories {
        let mode = if writable { 0o755 } else { 0o555 };
        fs::set_permissions(directory, fs::Permissions::from_mode(mode)).expect("it is ours");
    }
}

fn directories_below(top: &Path) -> Vec<PathBuf> {
    let mut found = vec![top.to_owned()];
    for entry in fs::read_dir(top).expect("it is there").flatten() {
        if entry.file_type().expect("it has a kind").is_dir() {
            found.extend(directories_below(&entry.path()));
        }
    }
    found
}

/// Panics unless the run stopped as it should, with every phase still to be done.
#[track_caller]
fn check_stopped(project: &Project, output: &Output) {
    assert_eq!(output.code, Some(74), "{}", output.shown());
    for part in ["error: ", "why it matters: ", "what to do: "] {
        assert!(output.stderr.contains(part), "{}", output.shown());
    }
    let states = project.phase_states();
    assert!(states.iter().all(|state| !state.contains("failed")), "{states:?}");
    let failed =
        project.facts().iter().filter(|fact| !fact["ended"]["end"]["failed"].is_null()).count();
    assert_eq!(failed, 0, "no try was used up: {}", output.shown());
}

fn crash_reports(project: &Project) -> Vec<String> {
    let listed = fs::read_dir(project.sandbox.project().join(".git")).expect("it is there");
    let names = listed.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("fast_import_crash")).collect()
}

#[test]
fn an_object_store_that_takes_nothing_stops_the_run_and_fails_no_phase() {
    let project = Project::honest(1);
    let store = directories_below(&project.sandbox.project().join(".git/objects"));
    set_writable(&store, false);
    let output = project.finish(bound_by_permissions(&project, &["run"]));
    let again = project.finish(bound_by_permissions(&project, &["resume"]));
    set_writable(&store, true);
    check_stopped(&project, &output);
    assert_eq!(again.code, Some(74), "it is still so: {}", again.shown());
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn a_store_without_room_for_packs_stops_the_run_and_git_leaves_no_report() {
    let ignored = sh("echo kept.bin > .gitignore; echo ignored-marker > kept.bin");
    let project = Project::scripted(&agent("executor", 1, &format!("{}, {ignored}", part(1)), ""));
    let packs = [project.sandbox.project().join(".git/objects/pack")];
    // One of the person's own stays.
    let theirs = project.sandbox.project().join(".git/fast_import_crash_1");
    fs::write(&theirs, "of theirs").expect("writable");
    set_writable(&packs, false);
    let output = project.finish(bound_by_permissions(&project, &["run"]));
    set_writable(&packs, true);
    check_stopped(&project, &output);
    assert_eq!(crash_reports(&project), ["fast_import_crash_1"], "{}", output.shown());
    project.run(&["resume"]).expect(0);
    assert!(project.is_reachable("ignored-marker"));
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn refs_that_cannot_be_written_stop_the_run_and_fail_no_phase() {
    let blocked = sh("chmod -R a-w ROOT/project/.git/refs/autopilot");
    let project = Project::scripted(&agent("executor", 1, &format!("{}, {blocked}", part(1)), ""));
    let output = project.finish(bound_by_permissions(&project, &["run"]));
    set_writable(&directories_below(&project.sandbox.project().join(".git/refs/autopilot")), true);
    check_stopped(&project, &output);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn a_place_for_scratch_files_that_is_not_there_is_seen_before_anything_is_paid() {
    let project = Project::honest(1);
    let mut run = project.command(["run"]);
    run.env("TMPDIR", project.path("nowhere"));
    let output = project.finish(run).expect(74);
    assert!(output.stderr.contains("set `TMPDIR` to one"), "{}", output.shown());
    assert_eq!(project.sandbox.git(["for-each-ref", "refs/heads/autopilot"]), "", "nothing began");
}

#[test]
fn a_place_for_scratch_files_that_goes_away_stops_the_run_and_fails_no_phase() {
    // Something is to be taken out of the work, for which a place is needed.
    let forge = sh("rm -rf ROOT/scratch; echo x > .planning/phases/1-part-1/SCORECARD.md");
    let script = agent("executor", 1, &format!("{forge}, {}", part(1)), "");
    let project = Project::scripted(&script);
    let place = project.path("scratch");
    fs::create_dir(&place).expect("a directory can be made");
    let mut run = project.command(["run"]);
    run.env("TMPDIR", &place);
    let output = project.finish(run);
    check_stopped(&project, &output);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}
