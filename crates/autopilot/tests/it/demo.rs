//! `autopilot demo`

use std::{fs, time::Duration};

use autopilot_testkit::processes::all_in;
use serde_json::Value;

use crate::harness::{PROGRAM, Project, agents_in, awaited, ended_as};

/// Longer than this nobody watches.
const TIME_MAX: Duration = Duration::from_secs(30);

#[test]
fn the_demo_shows_a_lie_a_limit_and_a_kill_and_ends_well() {
    let project = Project::honest(1);
    let directory = project.path("demo");
    let output = project.run(&["demo", "--dir", &directory.display().to_string()]).expect(0);
    check(&project, &facts(&project), &output.stdout);
}

#[test]
fn the_demo_obeys_no_settings_of_the_person_and_makes_the_directories_it_is_given() {
    let project = Project::honest(1);
    let repository = project.sandbox.project();
    let before =
        (project.sandbox.git(["rev-parse", "HEAD"]), fs::read(repository.join(".git/index")));
    let directory = project.path("not/yet/there").display().to_string();
    let mut demo = project.command(["demo", "--dir", &directory]);
    demo.env("GIT_DIR", repository.join(".git"));
    let settings = project.path("git-settings");
    fs::write(&settings, "[core]\n\tautocrlf = true\n\tsafecrlf = true\n").expect("writable");
    demo.env("GIT_CONFIG_GLOBAL", settings);
    demo.env("AUTOPILOT_CFG_ROLES__VERIFIER", "an-agent-that-costs-money");
    project.finish(demo).expect(0);
    let after =
        (project.sandbox.git(["rev-parse", "HEAD"]), fs::read(repository.join(".git/index")));
    assert_eq!(after.0, before.0);
    assert_eq!(after.1.expect("an index"), before.1.expect("an index"));
}

#[test]
fn the_demo_refuses_a_directory_that_is_there() {
    let project = Project::honest(1);
    let place = project.sandbox.project().display().to_string();
    let before = project.sandbox.git(["status", "--porcelain"]);
    let refused = project.run(&["demo", "--dir", &place]).expect(1);
    assert!(refused.stderr.contains("is there already"), "{}", refused.shown());
    assert_eq!(project.sandbox.git(["status", "--porcelain"]), before);
}

#[test]
fn a_killed_demo_leaves_nothing_running() {
    let project = Project::honest(1);
    let root = project.sandbox.root();
    let mut demo = project.start(&["demo", "--dir", &project.path("demo").display().to_string()]);
    awaited("an agent of the demo works", TIME_MAX, || !agents_in(&root).is_empty());
    demo.kill();
    awaited("everything is gone", Duration::from_secs(10), || all_in(&root).is_empty());
}

/// The commands that the demo prints at its end.
fn printed_commands(stdout: &str) -> Vec<&str> {
    let (_, after) = stdout.split_once("Look around.").expect("it says where to look");
    after.lines().filter_map(|line| line.strip_prefix("  ")).collect()
}

#[test]
fn the_commands_that_the_demo_prints_work_wherever_they_are_pasted() {
    let project = Project::honest(1);
    let directory = project.path("a demo").display().to_string();
    let output = project.run(&["demo", "--dir", &directory]).expect(0);
    let commands = printed_commands(&output.stdout);
    let words = ["log --oneline", "status", "log", "transcript", "audit", "land"];
    assert_eq!(commands.len(), words.len(), "{commands:#?}");
    for (command, word) in commands.iter().zip(words) {
        assert!(command.contains(word), "{command}");
        let mut shell = project.other("sh", ["-c", command]);
        let path = std::env::var_os("PATH").expect("there is one");
        shell.env_clear().env("PATH", path).env("HOME", project.path("home")).current_dir("/");
        let pasted = project.finish(shell).expect(0);
        assert!(pasted.stdout.len() + pasted.stderr.len() > 20, "{command}: {}", pasted.shown());
    }
    let transcript = project.finish(project.other("sh", ["-c", commands[3]])).expect(0);
    assert!(transcript.stdout.contains("2/verify/2"), "{}", transcript.shown());
}

#[test]
fn the_demo_names_the_program_as_a_person_would_start_it() {
    let project = Project::honest(1);
    let rows = [("demo-1", "autopilot status", true), ("demo-2", " status", false)];
    for (name, end, on_path) in rows {
        let place = project.path(name).display().to_string();
        let mut demo = project.command(["demo", "--dir", &place]);
        let own = PROGRAM.rsplit_once('/').expect("a full path").0;
        let path = std::env::var("PATH").expect("there is one");
        demo.env("PATH", if on_path { format!("{own}:{path}") } else { path });
        let output = project.finish(demo).expect(0);
        let status = printed_commands(&output.stdout)[1];
        assert!(status.ends_with(end), "{status}");
        assert_eq!(status.contains(PROGRAM), !on_path, "{status}");
    }
}

fn facts(project: &Project) -> Vec<Value> {
    let mut log = project.command(["log", "--json"]);
    log.current_dir(project.path("demo").join("project"));
    let log = project.finish(log).expect(0);
    let fact = |line| serde_json::from_str::<Value>(line).expect("JSON")["fact"].clone();
    log.stdout.lines().map(fact).collect()
}

fn check(project: &Project, facts: &[Value], table: &str) {
    let of_phase = |fact: &Value| fact["phase"]["fact"].clone();
    let completed = |phase: &str| {
        facts.iter().any(|fact| {
            fact["phase"]["phase"] == phase && !of_phase(fact)["closed"]["completed"].is_null()
        })
    };
    assert!(["1", "2", "3"].into_iter().all(completed), "{table}");
    let caught = facts.iter().find(|fact| !of_phase(fact)["caught"].is_null());
    assert_eq!(of_phase(caught.expect("the lie is caught"))["caught"]["who"], "executor");
    let held = facts.iter().position(|fact| !fact["held"].is_null()).expect("the limit is met");
    let released = facts.iter().position(|fact| !fact["released"].is_null());
    assert!(released.expect("and waited out") > held);
    assert_eq!(ended_as(facts, "2/verify"), ["lost", "done"], "killed once, then done");
    assert_eq!(ended_as(facts, "3/execute/3-01"), ["limited", "done"]);
    let resumed = facts.iter().filter(|fact| !fact["resumed"].is_null()).count();
    assert_eq!(resumed, 1);
    assert_eq!(facts.last().expect("there are facts")["finished"], "done");
    for row in ["caught it", "usage limit", "when the engine was killed", "is complete"] {
        assert!(table.contains(row), "{row} is not in:\n{table}");
    }
    project.await_no_agents(Duration::from_secs(1));
}
