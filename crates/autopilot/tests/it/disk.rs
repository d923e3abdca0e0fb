//! A disk that takes no more: the run stops loudly, loses nothing it had recorded, and can be resumed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::Value;

use crate::harness::{PROGRAM, Project, Sample, agent, part, sh};

/// What fits on the small disk: the beginning of a run, not the whole of it.
const SMALL: &str = "size=32k";

/// An agent that is still busy, with a daemon beside it, when the engine meets the end of the disk.
fn sample() -> Sample {
    let daemon = "{ daemon = { seconds = 600 } }".to_owned();
    let script = (1..=3)
        .map(|phase| {
            let busy = [daemon.clone(), part(phase), sh("sleep 600 & sleep 0.02")];
            agent("executor", phase, &busy.join(", "), "")
        })
        .collect();
    Sample { phases: 3, script, ..Sample::default() }
}

/// Panics unless the run stopped as it should for want of space.
fn check_stopped(project: &Project, output: &crate::harness::Output) -> Vec<Value> {
    assert_eq!(output.code, Some(74), "{}", output.shown());
    for part in ["error: ", "why it matters: ", "what to do: "] {
        assert!(output.stderr.contains(part), "{}", output.shown());
    }
    assert!(output.stderr.contains(".autopilot/journal"), "{}", output.shown());
    project.await_no_agents(Duration::from_secs(1));
    project.await_guardian(Duration::from_secs(5));
    project.facts()
}

/// Panics unless the resumed run went on from exactly what was recorded.
fn check_resumed(project: &Project, recorded: &[Value]) {
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed", "3 completed"]);
    assert_eq!(project.facts()[..recorded.len()], *recorded, "nothing acknowledged is lost");
    project.run(&["audit"]).expect(0);
}

/// A small disk, for as long as it lives.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, size: &str) -> Self {
        fs::create_dir_all(at).expect("a directory can be made");
        let words = ["-t", "tmpfs", "-o", size, "autopilot-test"];
        let mounted = Command::new("mount").args(words).arg(at).output().expect("mount is there");
        assert!(
            mounted.status.success(),
            "a small disk cannot be mounted: {}. `cargo xtask ci` runs this test where it can be",
            String::from_utf8_lossy(&mounted.stderr).trim()
        );
        Self(at.to_owned())
    }

    fn grow(&self) {
        let grown = Command::new("mount").args(["-o", "remount,size=8m"]).arg(&self.0).status();
        assert!(grown.expect("mount can be started").success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a process that is on its way out may still hold a file.
        drop(Command::new("umount").arg("--lazy").arg(&self.0).status());
    }
}

#[test]
#[ignore = "mounts a small disk; `cargo xtask ci` runs it in namespaces"]
fn a_full_disk_stops_the_run_and_room_lets_it_go_on() {
    let project = Project::new(&sample());
    let journal = project.sandbox.project().join(".autopilot/journal");
    let disk = SmallDisk::mount(&journal, SMALL);
    let output = project.run(&["run", "--complete"]);
    let recorded = check_stopped(&project, &output);
    assert!(output.stderr.contains("No space left on device"), "{}", output.shown());
    let again = project.run(&["resume"]);
    assert_eq!(again.code, Some(74), "still no room: {}", again.shown());
    disk.grow();
    check_resumed(&project, &recorded);
}

#[test]
#[ignore = "mounts a small disk; `cargo xtask ci` runs it in namespaces"]
fn a_full_disk_under_the_workspaces_stops_the_run_and_fails_no_phase() {
    let project = Project::new(&sample());
    let disk = SmallDisk::mount(&project.path("state"), "size=300k");
    let output = project.run(&["run", "--complete"]);
    assert_eq!(output.code, Some(74), "{}", output.shown());
    assert!(output.stderr.contains("what to do: "), "{}", output.shown());
    project.await_no_agents(Duration::from_secs(1));
    let states = project.phase_states();
    assert!(states.iter().all(|state| !state.contains("failed")), "{states:?}");
    let recorded = project.facts();
    disk.grow();
    check_resumed(&project, &recorded);
}

#[test]
fn a_journal_that_may_not_grow_stops_the_run_and_can_be_resumed() {
    let project = Project::new(&sample());
    let words = ["--fsize=20000", "sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh", PROGRAM];
    let limited = words.into_iter().chain(["run", "--complete"]);
    let output = project.finish(project.other("prlimit", limited));
    let recorded = check_stopped(&project, &output);
    check_resumed(&project, &recorded);
}

#[test]
fn a_state_directory_that_cannot_be_made_is_told() {
    let project = Project::honest(1);
    fs::write(project.path("state/autopilot"), "in the way").expect("writable");
    let output = project.run(&["run"]).expect(74);
    assert!(output.stderr.contains("what to do: check that the directory exists"), "{output:?}");
}

#[test]
fn a_damaged_journal_is_not_gone_on_from() {
    let project = Project::honest(1);
    let stall = agent("executor", 1, "{ exit = { code = 1 } }", "");
    project.script(&(stall + &crate::harness::honest(1)));
    let mut limit = project.command(["run"]);
    limit.env("AUTOPILOT_CFG_LIMITS__RUN_RETRIES", "0");
    project.finish(limit).expect(5);
    let journal = project.sandbox.project().join(".autopilot/journal").join(project.run_id());
    let segment = journal.join("000000000001.log");
    let mut bytes = fs::read(&segment).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&segment, &bytes).expect("writable");
    // With a snapshot nothing before it is read to go on, so it is looked at for its own sake.
    let output = project.run(&["resume"]).expect(74);
    assert!(output.stderr.contains("good records, then: record"), "{}", output.shown());
    assert!(output.stderr.contains("000000000001.log"), "{}", output.shown());
    assert!(output.stderr.contains("what to do:"), "{}", output.shown());
    fs::remove_file(journal.join("snapshot")).expect("removable");
    for command in ["resume", "status", "log"] {
        let output = project.run(&[command]).expect(74);
        assert!(output.stderr.contains("000000000001.log"), "{}", output.shown());
        assert!(output.stderr.contains("what to do:"), "{}", output.shown());
    }
    assert_eq!(fs::read(&segment).expect("readable"), bytes, "it was left as it is");
}

#[test]
fn nothing_lands_from_a_damaged_journal() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let before = project.sandbox.git(["rev-parse", "HEAD"]);
    let journal = project.sandbox.project().join(".autopilot/journal").join(project.run_id());
    let segment = journal.join("000000000001.log");
    let whole = fs::read(&segment).expect("readable");
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&segment, &bytes).expect("writable");
    for with_snapshot in [true, false] {
        if !with_snapshot {
            fs::remove_file(journal.join("snapshot")).expect("removable");
        }
        let audited = project.run(&["audit"]).expect(3);
        let (_, words) = audited.stdout.split_once(": ").expect("the run, then the words");
        let refused = project.run(&["land", "--yes"]).expect(3);
        assert!(refused.stderr.contains(words.trim_end()), "{}", refused.shown());
        assert!(refused.stderr.contains("what to do:"), "{}", refused.shown());
        assert_eq!(project.sandbox.git(["rev-parse", "HEAD"]), before, "nothing was moved");
        project.run(&["resume"]).expect(74);
    }
    fs::write(&segment, &whole).expect("writable");
    project.run(&["land", "--yes"]).expect(0);
}

#[test]
fn what_is_cut_off_a_journal_is_told_and_recorded() {
    let project = Project::honest(1);
    let stall = agent("executor", 1, "{ exit = { code = 1 } }", "");
    project.script(&(stall + &crate::harness::honest(1)));
    let mut limit = project.command(["run"]);
    limit.env("AUTOPILOT_CFG_LIMITS__RUN_RETRIES", "0");
    project.finish(limit).expect(5);
    let journal = project.sandbox.project().join(".autopilot/journal").join(project.run_id());
    let segment = journal.join("000000000001.log");
    let bytes = fs::read(&segment).expect("readable");
    fs::write(&segment, &bytes[..bytes.len() - 5]).expect("writable");
    fs::write(journal.join("snapshot"), "no snapshot").expect("writable");
    project.script(&crate::harness::honest(1));
    let resumed = project.run(&["resume"]).expect(0);
    let facts = project.facts();
    let repairs: Vec<&Value> = facts.iter().filter_map(|fact| fact.get("repaired")).collect();
    assert_eq!(repairs.len(), 2, "{repairs:?}");
    let kept = repairs[0]["torn-tail"]["kept"].as_str().expect("a path");
    let cut = fs::read(kept).expect("what was cut off is there");
    assert!(bytes[..bytes.len() - 5].ends_with(&cut), "it is the end of the journal");
    assert_eq!(repairs[0]["torn-tail"]["bytes"], cut.len());
    assert!(!repairs[1]["snapshot-ignored"]["why"].is_null(), "{repairs:?}");
    for words in ["they were cut off and are kept in ", kept, "snapshot is damaged"] {
        assert!(resumed.stderr.contains(words), "{words}: {}", resumed.shown());
    }
}

#[test]
fn a_journal_whose_making_was_cut_off_is_no_run() {
    let project = Project::honest(1);
    let journals = project.sandbox.project().join(".autopilot/journal");
    let never = journals.join("run-2999-01-01-000000");
    fs::create_dir_all(&never).expect("makeable");
    let none = project.run(&["status"]).expect(1);
    assert!(none.stderr.contains("there is no run in this project yet"), "{}", none.shown());
    project.run(&["run"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"], "the newest real run is meant");
    let segment = "000000000001.log";
    let whole = fs::read(journals.join(project.run_id()).join(segment)).expect("readable");
    let head = whole.split_inclusive(|byte| *byte == b'\n').next().expect("a first line");
    fs::write(never.join(segment), head).expect("writable");
    assert_eq!(project.phase_states(), ["1 completed"], "nothing was recorded there yet");
}
