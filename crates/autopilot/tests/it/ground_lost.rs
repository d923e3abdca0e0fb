//! What every step stands on goes away while a run is under way: git, the repository, its filters, the journal, room
//! for files. The run stops, fails no phase, keeps the work, and goes on when a person has put it right.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use crate::harness::{Output, Project, agent, part, sh};

/// What steps need besides git.
const TOOLS: [&str; 13] = [
    "sh", "grep", "touch", "sleep", "rm", "mv", "cp", "chmod", "cat", "sed", "prlimit", "mkdir",
    "test",
];

/// What tells the process that works on the project.
const ENGINE: &str = "$(sed -n 's/^pid //p' ROOT/project/.autopilot/claim)";

/// A project whose executor does its work and then, the first time, something to what the run stands on.
fn breaking(what: &str) -> Project {
    Project::scripted(&breaking_script(what))
}

fn breaking_script(what: &str) -> String {
    let once = format!(
        "echo of-the-attempt > loose.txt; test -e ROOT/signs/once || {{ touch ROOT/signs/once; {what}; }}"
    );
    agent("executor", 1, &format!("{}, {}", part(1), sh(&once)), "")
}

/// Panics unless the run stopped as it should, with every phase still to be done and no try used up.
#[track_caller]
fn check_stopped(project: &Project, output: &Output, named: &str) {
    assert_eq!(output.code, Some(74), "{}", output.shown());
    for part in ["error: ", "why it matters: ", "what to do: ", named] {
        assert!(output.stderr.contains(part), "`{part}` is not in {}", output.shown());
    }
    let states = project.phase_states();
    assert!(states.iter().all(|state| !state.contains("failed")), "{states:?}");
    let failed =
        project.facts().iter().filter(|fact| !fact["ended"]["end"]["failed"].is_null()).count();
    assert_eq!(failed, 0, "no try was used up: {}", output.shown());
}

/// Panics unless the run goes on to its end.
#[track_caller]
fn check_goes_on(project: &Project) {
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
    assert!(project.is_reachable("of-the-attempt"));
    project.run(&["audit"]).expect(0);
}

fn find(tool: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("there is one");
    let found = std::env::split_paths(&path).map(|place| place.join(tool)).find(|at| at.exists());
    found.unwrap_or_else(|| panic!("`{tool}` is not installed"))
}

/// A place with the tools that steps need, and a git of its own that can be taken away.
fn own_tools(project: &Project) -> PathBuf {
    let bin = project.path("bin");
    fs::create_dir(&bin).expect("made");
    for tool in TOOLS {
        symlink(find(tool), bin.join(tool)).expect("linked");
    }
    let git = format!("#!/bin/sh\nexec {} \"$@\"\n", find("git").display());
    fs::write(bin.join("git"), git).expect("written");
    set_mode(&bin.join("git"), 0o755);
    bin
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

#[test]
fn a_git_that_cannot_be_started_any_more_stops_the_run() {
    for what in ["mv ROOT/bin/git ROOT/bin/hidden", "chmod a-x ROOT/bin/git"] {
        let project = breaking(what);
        let bin = own_tools(&project);
        let with_tools = |word: &str| {
            let mut command = project.command([word]);
            command.env("PATH", &bin);
            project.finish(command)
        };
        let output = with_tools("run");
        check_stopped(&project, &output, "git --version");
        assert_eq!(with_tools("resume").code, Some(74), "it is still so");
        check_goes_on(&project);
    }
}

#[test]
fn a_repository_that_is_taken_away_stops_the_run() {
    let project = breaking("mv ROOT/project/.git ROOT/hidden");
    let output = project.run(&["run"]);
    fs::rename(project.path("hidden"), project.sandbox.project().join(".git")).expect("moved");
    check_stopped(&project, &output, "repository");
    check_goes_on(&project);
}

#[test]
fn a_repository_that_is_none_any_more_stops_the_run() {
    let project = breaking("mv ROOT/project/.git/HEAD ROOT/hidden");
    let output = project.run(&["run"]);
    fs::rename(project.path("hidden"), project.sandbox.project().join(".git/HEAD")).expect("moved");
    check_stopped(&project, &output, "repository");
    check_goes_on(&project);
}

#[test]
fn a_store_that_is_taken_away_stops_the_run() {
    let project = breaking("mv ROOT/project/.git/objects ROOT/hidden");
    let output = project.run(&["run"]);
    let store = project.sandbox.project().join(".git/objects");
    if store.exists() {
        fs::remove_dir_all(&store).expect("removable");
    }
    fs::rename(project.path("hidden"), store).expect("moved");
    check_stopped(&project, &output, "repository");
    check_goes_on(&project);
}

#[test]
fn a_system_that_gives_no_more_files_stops_the_run() {
    let project = breaking(&format!("prlimit --pid {ENGINE} --nofile=10:"));
    let output = project.run(&["run"]);
    check_stopped(&project, &output, "ulimit -n");
    check_goes_on(&project);
}

#[test]
fn a_limit_on_the_size_of_files_stops_the_run_with_a_word() {
    let limit = format!("prlimit --pid {ENGINE} --fsize=100:");
    // Where nothing was written, the engine's own record is the first to meet the limit.
    let once = sh(&format!("test -e ROOT/signs/once || {{ touch ROOT/signs/once; {limit}; }}"));
    let executor = format!("{}, {}", part(1), sh("echo of-the-attempt > loose.txt"));
    let of_the_engine = agent("executor", 1, &executor, "") + &agent("verifier", 1, &once, "");
    for script in [breaking_script(&limit), of_the_engine] {
        let project = Project::scripted(&script);
        let output = project.run(&["run"]);
        check_stopped(&project, &output, "ulimit -f");
        check_goes_on(&project);
    }
}

/// Gives the project a filter that all files of a pattern must pass.
fn set_filter(project: &Project, pattern: &str, direction: &str, script: &str) {
    let path = project.path("filter.sh");
    fs::write(&path, script.replace("ROOT", &project.sandbox.root().display().to_string()))
        .expect("written");
    let other = if direction == "clean" { "smudge" } else { "clean" };
    let command = format!("sh {}", path.display());
    let settings = [(direction, command.as_str()), (other, "cat"), ("required", "true")];
    for (key, value) in settings {
        project.sandbox.git(["config", &format!("filter.odd.{key}"), value]);
    }
    project.sandbox.write(".gitattributes", format!("{pattern} filter=odd\n"));
    project.sandbox.commit("a filter");
}

#[test]
fn a_filter_that_does_not_work_any_more_stops_the_run() {
    let rows = [("clean", "*"), ("clean", "*.txt"), ("smudge", "*")];
    for (direction, pattern) in rows {
        let project = breaking("touch ROOT/signs/broken");
        set_filter(&project, pattern, direction, "test -e ROOT/signs/broken && exit 1\nexec cat\n");
        let output = project.run(&["run"]);
        // Whoever looks is not hindered by it.
        check_stopped(&project, &output, "filter");
        assert_eq!(project.run(&["resume"]).code, Some(74), "{direction} {pattern}");
        fs::remove_file(project.path("signs/broken")).expect("removable");
        check_goes_on(&project);
    }
}

#[test]
fn what_a_filter_does_not_take_is_not_the_ground() {
    let project = breaking("echo bad > bad.txt");
    let script =
        "cat > ROOT/passing-$$; grep -q bad ROOT/passing-$$ && exit 1\nexec cat ROOT/passing-$$\n";
    set_filter(&project, "*.txt", "clean", script);
    project.run(&["run"]).expect(0);
    assert!(project.is_reachable("bad"), "it is kept as it is");
    assert!(!project.files_at(&project.head()).contains(&"bad.txt".to_owned()));
}

#[test]
fn a_journal_that_is_taken_away_stops_the_run_and_comes_back() {
    for what in [
        "mv ROOT/project/.autopilot/journal ROOT/away",
        "mv ROOT/project/.autopilot/journal ROOT/away; mkdir ROOT/project/.autopilot/journal",
        "cp -a ROOT/project/.autopilot/journal ROOT/project/.autopilot/copy; \
         mv ROOT/project/.autopilot/journal ROOT/away; \
         mv ROOT/project/.autopilot/copy ROOT/project/.autopilot/journal",
    ] {
        let project = breaking(what);
        let output = project.run(&["run"]);
        let journal = project.sandbox.project().join(".autopilot/journal");
        if journal.exists() {
            fs::remove_dir_all(&journal).expect("removable");
        }
        fs::rename(project.path("away"), journal).expect("moved");
        check_stopped(&project, &output, "removed or replaced");
        check_goes_on(&project);
    }
}

#[test]
fn a_run_whose_journal_is_removed_is_not_called_done_and_its_work_is_kept() {
    for what in ["rm -rf ROOT/project/.autopilot/journal", "rm -rf ROOT/project/.autopilot"] {
        let project = breaking(what);
        let output = project.run(&["run"]);
        assert_eq!(output.code, Some(74), "{}", output.shown());
        assert!(output.stderr.contains("removed or replaced"), "{}", output.shown());
        assert!(project.is_reachable("of-the-attempt"), "{}", output.shown());
    }
}

#[test]
fn a_journal_that_lost_its_beginning_is_named_and_not_begun_anew() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let run = project.run_id();
    let journal = project.sandbox.project().join(".autopilot/journal").join(&run);
    fs::remove_file(journal.join("000000000001.log")).expect("removable");
    let audit = project.run(&["audit"]).expect(3);
    assert!(audit.stdout.contains("000000000001.log"), "{}", audit.shown());
    assert!(audit.stdout.contains("missing"), "{}", audit.shown());
    for word in ["status", "log", "resume"] {
        let refused = project.run(&[word]);
        assert_eq!(refused.code, Some(74), "{word}: {}", refused.shown());
        assert!(refused.stderr.contains("000000000001.log"), "{word}: {}", refused.shown());
    }
    project.run(&["land"]).expect(3);
    assert!(!journal.join("000000000001.log").exists());
}

/// The modes of what the program has made: every directory of the run's state.
fn open_directories(top: &Path, found: &mut Vec<String>) {
    let mode = fs::metadata(top).expect("it is there").permissions().mode() & 0o777;
    if mode != 0o700 {
        found.push(format!("{} {mode:o}", top.display()));
    }
    for entry in fs::read_dir(top).expect("listable").flatten() {
        // What an agent sees has the modes that a checkout gives.
        if entry.file_type().expect("a kind").is_dir() && entry.file_name() != "files" {
            open_directories(&entry.path(), found);
        }
    }
}

#[test]
fn state_is_for_its_owner_alone_whatever_the_mask() {
    for mask in ["000", "027"] {
        let project = Project::scripted(&agent("executor", 1, &sh("sleep 600"), ""));
        let mut command = project.other("sh", ["-c", &format!("umask {mask}; exec \"$0\" run")]);
        command.arg(project.program());
        let mut engine = Started(command.spawn().expect("started"));
        let state = project.path("state/autopilot");
        let workspace = |state: &Path| {
            let found = Command::new("find").arg(state).args(["-name", "1+execute*@1"]).output();
            !found.expect("find").stdout.is_empty()
        };
        autopilot_testkit::processes::awaited(
            "the executor begins",
            std::time::Duration::from_secs(60),
            || state.exists() && workspace(&state),
        );
        let mut open = Vec::new();
        open_directories(&state, &mut open);
        open_directories(&project.sandbox.project().join(".autopilot"), &mut open);
        assert_eq!(open, Vec::<String>::new(), "umask {mask}");
        engine.end();
    }
}

/// An engine that does not outlive its test.
struct Started(std::process::Child);

impl Started {
    fn end(&mut self) {
        self.0.kill().and_then(|()| self.0.wait().map(drop)).expect("it can be ended");
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
