//! A disk that takes no more: the run stops loudly, loses nothing it had recorded, and can be resumed.

use std::{fs, path::PathBuf};

use crate::{
    full_disk::{check_resumed, check_stopped, sample},
    harness::{PROGRAM, Project, Sample, agent},
};

#[test]
fn a_journal_that_may_not_grow_stops_the_run_and_can_be_resumed() {
    // Settings stand in the journal and in no prompt: the transcript stays far behind it.
    let config = format!("[checks.counts]\n{} = \"ran (\\\\d+)\"\n", "x".repeat(9_000));
    let project = Project::new(&Sample { config, ..sample() });
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

/// A run that can be resumed, and where its journal is.
fn stopped_at_a_limit() -> (Project, PathBuf) {
    let project = Project::honest(1);
    let fails = agent("executor", 1, "{ exit = { code = 1 } }", "");
    project.script(&(fails + &crate::harness::honest(1)));
    let mut limit = project.command(["run"]);
    limit.env("AUTOPILOT_CFG_LIMITS__RUN_RETRIES", "0");
    project.finish(limit).expect(5);
    let journal = project.sandbox.project().join(".autopilot/journal").join(project.run_id());
    (project, journal)
}

#[test]
fn a_damaged_journal_is_not_gone_on_from() {
    let (project, journal) = stopped_at_a_limit();
    let segment = journal.join("000000000001.log");
    let mut bytes = fs::read(&segment).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&segment, &bytes).expect("writable");
    // With a snapshot nothing before it is read to go on, so it is looked at for its own sake.
    let output = project.run(&["resume"]).expect(74);
    assert!(output.stderr.contains("sound records: record"), "{}", output.shown());
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
    let (project, journal) = stopped_at_a_limit();
    let segment = journal.join("000000000001.log");
    let bytes = fs::read(&segment).expect("readable");
    fs::write(&segment, &bytes[..bytes.len() - 5]).expect("writable");
    fs::write(journal.join("snapshot"), "no snapshot").expect("writable");
    project.script(&crate::harness::honest(1));
    let resumed = project.run(&["resume"]).expect(0);
    let facts = project.facts();
    let repairs: Vec<&serde_json::Value> =
        facts.iter().filter_map(|fact| fact.get("repaired")).collect();
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

#[test]
fn a_snapshot_that_cannot_be_written_is_told_and_the_run_is_done_all_the_same() {
    // Where a snapshot is written first there is a directory.
    let block =
        crate::harness::sh("mkdir ROOT/project/.autopilot/journal/$AUTOPILOT_RUN_ID/snapshot.tmp");
    let script = agent("executor", 1, &format!("{block}, {}", crate::harness::part(1)), "");
    let project = Project::scripted(&script);
    let output = project.run(&["run"]).expect(0);
    assert!(output.stderr.contains("the snapshot only saves time"), "{}", output.shown());
    assert_eq!(project.phase_states(), ["1 completed"]);
    project.run(&["land"]).expect(0);
}
