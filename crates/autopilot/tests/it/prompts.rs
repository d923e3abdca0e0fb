//! Prompts that a person puts in the place of the program's own.

use std::fs;

use crate::harness::Project;

#[test]
fn a_template_of_a_persons_own_is_what_agents_are_told_and_its_hash_is_recorded() {
    let project = Project::honest(1);
    let printed = project.run(&["prompts", "rater"]).expect(0);
    let directory = project.sandbox.project().join(".autopilot/prompts");
    fs::create_dir_all(&directory).expect("a directory");
    let own = printed.stdout.replace("## What to do", "## What this team wants");
    assert_ne!(own, printed.stdout);
    fs::write(directory.join("rater.md"), &own).expect("it is written");
    let listed = project.run(&["prompts"]).expect(0).stdout;
    let mine: Vec<&str> = listed.lines().filter(|line| line.contains("yours")).collect();
    assert_eq!(mine.len(), 1, "{listed}");
    assert!(mine[0].starts_with("rater "), "{listed}");
    assert_eq!(project.run(&["prompts", "rater", "--built-in"]).expect(0).stdout, printed.stdout);

    project.run(&["run"]).expect(0);
    let told = project.run(&["transcript", "1/rate"]).expect(0).stdout;
    assert!(told.contains("## What this team wants"), "{told}");
    let told = project.run(&["transcript", "1/verify"]).expect(0).stdout;
    assert!(told.contains("## What to do"), "{told}");
    let log = project.run(&["log"]).expect(0).stdout;
    assert!(log.contains("\"prompts\":{\"rater\":\""), "{log}");
}

#[test]
fn a_template_that_names_what_there_is_not_stops_a_run_before_it_begins() {
    let project = Project::honest(1);
    let directory = project.sandbox.project().join(".autopilot/prompts");
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("judge.md"), "Judge\n{{ phase_nam }}").expect("it is written");
    let refused = project.run(&["run"]).expect(1).stderr;
    for told in ["judge.md", "line 2", "nothing was started", "autopilot prompts NAME"] {
        assert!(refused.contains(told), "{told}: {refused}");
    }
    assert!(!project.sandbox.project().join(".autopilot/journal").exists(), "no run was begun");
    fs::remove_file(directory.join("judge.md")).expect("it is there");
    project.run(&["run"]).expect(0);
}
