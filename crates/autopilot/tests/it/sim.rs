//! `autopilot sim`: misbehaviour played against a project's own gates.

use std::{fs, path::PathBuf, thread, time::Duration};

use serde_json::Value;

use crate::harness::{Before, Project, Sample};

/// Runs every test and counts.
const RUNNER: &str = "passed=0; failed=0\n\
    for test in tests/*_test.sh; do\n  \
    if sh \"$test\"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi\ndone\n\
    echo \"passed $passed, failed $failed\"\n[ $failed -eq 0 ]\n";
const COUNTS: &str = "[checks]\ncounts = { \"run.sh\" = \
    '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$' }\n";
const GUARD: &str = "[guards]\ntest = \"sh tests/run.sh\"\n";
const CALC: &str = "add() {\n  echo $(($1 + $2))\n}\nsub() {\n  echo $(($1 - $2))\n}\n";
const ADDS: &str = ". ./calc.sh\n[ \"$(add 2 3)\" = 5 ]\n";
const SUBTRACTS: &str = ". ./calc.sh\n[ \"$(sub 5 3)\" = 2 ]\n";
/// It needs the code to be there, and does not look at it.
const LOOKS_AWAY: &str = ". ./calc.sh\nadd 2 3 > /dev/null\nsub 5 3 > /dev/null\n";
const NO_ROADMAP: &str = "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: a calculator\n";
/// How long the guardian may take to clear up after a kill.
const TIDY_TRIES_MAX: u32 = 200;

/// A project with these files and settings, without a criterion.
fn project(config: &str, files: &[(&str, &str)]) -> Project {
    let sample = Sample { phases: 1, config: config.to_owned(), ..Sample::default() };
    let project = Project::new(&sample);
    project.sandbox.write(".planning/ROADMAP.md", NO_ROADMAP);
    for (path, text) in files {
        project.sandbox.write(path, text);
    }
    project.sandbox.commit("a calculator");
    project
}

/// A calculator whose tests look at all of it.
fn tested() -> Project {
    let files = [
        ("calc.sh", CALC),
        ("tests/run.sh", RUNNER),
        ("tests/add_test.sh", ADDS),
        ("tests/sub_test.sh", SUBTRACTS),
    ];
    project(&format!("{COUNTS}{GUARD}"), &files)
}

/// What is left in the state directory.
fn left(project: &Project) -> Vec<PathBuf> {
    let Ok(places) = fs::read_dir(project.path("state/autopilot")) else { return Vec::new() };
    let places = places.map(|place| place.expect("listed").path());
    places
        .flat_map(|place| fs::read_dir(place).expect("it can be listed"))
        .map(|entry| entry.expect("listed").path())
        .collect()
}

fn json(project: &Project, arguments: &[&str], code: i32) -> Value {
    let words: Vec<&str> = ["sim", "--json"].iter().chain(arguments).copied().collect();
    let output = project.run(&words).expect(code);
    serde_json::from_str(&output.stdout).expect("it is JSON")
}

/// The plays of a kind.
fn of_kind<'a>(report: &'a Value, lie: &str) -> Vec<&'a Value> {
    let played = report["played"].as_array().expect("a list");
    played.iter().filter(|play| play["lie"] == lie).collect()
}

#[test]
fn nothing_gets_through_gates_that_look_at_everything() {
    let project = tested();
    let before = Before::of(&project);
    let objects = project.sandbox.git(["count-objects", "-v"]);
    let output = project.run(&["sim", "--max", "100"]).expect(0);
    for told in [
        "green  test  `sh tests/run.sh`",
        "(seed 0)",
        "mutates-code",
        "deletes-code",
        "reverts-code",
        "test: tests/run.sh put back",
        "not played: an agent that does nothing and says done",
        " 0 got through, 0 left out\n",
    ] {
        assert!(output.stdout.contains(told), "{told}: {}", output.shown());
    }
    before.check_files_and_refs(&project);
    assert_eq!(project.sandbox.git(["for-each-ref", "refs/autopilot", "refs/heads/autopilot"]), "");
    assert_eq!(project.sandbox.git(["count-objects", "-v"]), objects, "nor is anything stored");
    assert!(!project.sandbox.project().join(".autopilot").exists());
    assert_eq!(left(&project), Vec::<PathBuf>::new());
}

#[test]
fn a_guard_that_looks_at_nothing_lets_everything_through() {
    let files = [("calc.sh", CALC), ("tests/add_test.sh", ADDS)];
    let project = project("[guards]\nfine = \"true\"\n", &files);
    let output = project.run(&["sim", "--max", "4"]).expect(3);
    for told in [
        "GOT THROUGH calc.sh:2: no gate notices that ",
        "add a test or a guard that fails by it",
        "not played: ways to hide broken code",
        "sim: 4 played, 0 caught, 4 got through, ",
    ] {
        assert!(output.stdout.contains(told), "{told}: {}", output.shown());
    }
}

#[test]
fn tests_that_assert_nothing_are_found_by_file_and_line() {
    let files = [("calc.sh", CALC), ("tests/run.sh", RUNNER), ("tests/all_test.sh", LOOKS_AWAY)];
    let project = project(&format!("{COUNTS}{GUARD}"), &files);
    let report = json(&project, &[], 3);
    let mutations = of_kind(&report, "mutates-code");
    assert!(mutations.iter().any(|play| play["caught"] == false && play["line"] == 2), "{report}");
    let deleted = of_kind(&report, "deletes-code");
    assert!(deleted.iter().all(|play| play["caught"] == true), "the file is needed: {report}");
}

#[test]
fn a_script_that_decides_and_is_not_protected_is_found() {
    let files = [
        ("calc.sh", CALC),
        ("all.sh", RUNNER),
        ("tests/add_test.sh", ADDS),
        ("tests/sub_test.sh", SUBTRACTS),
    ];
    let settings =
        format!("{}[guards]\ntest = \"sh all.sh\"\n", COUNTS.replace("run.sh", "all.sh"));
    let project = project(&settings, &files);
    let report = json(&project, &["--max", "60"], 3);
    let script = of_kind(&report, "passes-script");
    assert_eq!(
        (&script[0]["hides_in"][0], &script[0]["caught"]),
        (&"all.sh".into(), &false.into())
    );
    let advice = script[0]["advice"].as_str().expect("it got through");
    assert!(advice.contains("[protect] add = [\"all.sh\"]"), "{advice}");
    project
        .sandbox
        .write("autopilot.toml", "[guards]\ntest = \"sh all.sh\"\n[protect]\nadd = [\"all.sh\"]\n");
    let report = json(&project, &["--max", "60"], 0);
    assert_eq!(of_kind(&report, "passes-script")[0]["by"], "protected-file");
}

#[test]
fn a_new_file_that_has_tests_pass_is_caught_by_the_rules_that_were_there() {
    let makefile = "test:\n\t@sh tests/run.sh\n";
    let files = [
        ("calc.sh", CALC),
        ("Makefile", makefile),
        ("tests/run.sh", RUNNER),
        ("tests/add_test.sh", ADDS),
        ("tests/sub_test.sh", SUBTRACTS),
    ];
    let counts = COUNTS.replace("run.sh", "make test");
    let project = project(&format!("{counts}[guards]\ntest = \"make test\"\n"), &files);
    let report = json(&project, &["--max", "60"], 0);
    let rules = of_kind(&report, "adds-rules");
    assert_eq!(
        (&rules[0]["hides_in"][0], &rules[0]["by"]),
        (&"GNUmakefile".into(), &"new-rules".into())
    );
    let command = of_kind(&report, "changes-command");
    assert_eq!(command[0]["by"], "protected-file", "{report}");
}

#[test]
fn the_same_seed_plays_the_same_and_json_tells_everything() {
    let project = tested();
    let report = json(&project, &["--max", "6", "--seed", "3"], 0);
    assert_eq!(report, json(&project, &["--max", "6", "--seed", "3"], 0));
    assert_eq!((&report["seed"], &report["gates"][0]["shows"]), (&3.into(), &"green".into()));
    let played = report["played"].as_array().expect("a list");
    assert_eq!((played.len(), &report["caught"]), (6, &6.into()));
    assert!(report["left_out"].as_u64().expect("a number") > 0, "{report}");
    assert_eq!(report["commit"], Value::from(project.sandbox.git(["rev-parse", "HEAD"]).trim()));
    for play in played {
        for key in ["lie", "path", "line", "what", "hides_in", "gate", "by", "seen", "advice"] {
            assert!(play.get(key).is_some(), "{key}: {play}");
        }
    }
}

#[test]
fn criteria_that_hold_are_gates_and_what_does_not_is_told_first() {
    let project = tested();
    let roadmap = "# Roadmap\n\n## Phase 1: Part 1\n\n**Success Criteria**:\n\
        - it adds -- verified by: `sh tests/run.sh`\n- it multiplies -- verified by: `grep -q mul calc.sh`\n\n\
        ## Phase 2: Part 2\n\n**Success Criteria**:\n- it is there -- verified by: `test -f calc.sh`\n";
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    let output = project.run(&["sim", "1", "--max", "3"]).expect(0);
    assert!(output.stderr.contains("1/2 is not green on the last commit"), "{}", output.shown());
    assert!(output.stderr.contains("your checkout has uncommitted changes"), "{}", output.shown());
    assert!(output.stdout.contains("green  1/1"), "{}", output.shown());
    assert!(!output.stdout.contains("2/1"), "{}", output.shown());
    let weak = project.run(&["sim", "--check", "2/1", "--max", "3"]).expect(3);
    assert!(!weak.stdout.contains("1/1"), "{}", weak.shown());
    let unknown = project.run(&["sim", "--check", "9/9"]).expect(1);
    assert!(unknown.stderr.contains("the gates are: test, 1/1, 1/2, 2/1"), "{}", unknown.shown());
}

#[test]
fn without_a_gate_that_is_green_there_is_nothing_to_play_against() {
    let none = project("", &[("calc.sh", CALC)]).run(&["sim"]).expect(1);
    assert!(none.stderr.contains("there is no gate to play against"), "{}", none.shown());
    assert!(none.stderr.contains("what to do: write a guard"), "{}", none.shown());
    let red = project("[guards]\ntest = \"false\"\n", &[("calc.sh", CALC)]).run(&["sim"]).expect(1);
    assert!(red.stderr.contains("no gate is green on the last commit"), "{}", red.shown());
    let unproven = project(
        &format!("{COUNTS}[guards]\ntest = \"sh run.sh\"\n"),
        &[("calc.sh", CALC), ("run.sh", "echo passed 0, failed 0\n")],
    );
    let unproven = unproven.run(&["sim"]).expect(1);
    assert!(unproven.stdout.contains("no test was executed"), "{}", unproven.shown());
}

#[test]
fn gates_that_rewrite_what_decides_are_not_green() {
    let rewrites = RUNNER.to_owned() + "echo true > tests/add_test.sh\n";
    let files =
        [("calc.sh", CALC), ("tests/run.sh", rewrites.as_str()), ("tests/add_test.sh", ADDS)];
    let output = project(&format!("{COUNTS}{GUARD}"), &files).run(&["sim"]).expect(1);
    assert!(
        output.stdout.contains("tests/add_test.sh changed while the commands ran"),
        "{}",
        output.shown()
    );
}

#[test]
fn a_kill_leaves_nothing_behind() {
    let project = project("", &[("calc.sh", CALC)]);
    let slow = format!("touch {}; sleep 600", project.path("signs/gate").display());
    let settings = format!("[guards]\nslow = \"{slow}\"\n");
    project.sandbox.write("autopilot.toml", settings);
    project.sandbox.commit("a slow guard");
    let before = Before::of(&project);
    let mut engine = project.start(&["sim"]);
    project.await_sign("gate");
    assert!(!left(&project).is_empty());
    engine.kill();
    for _ in 0..TIDY_TRIES_MAX {
        if left(&project).is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(left(&project), Vec::<PathBuf>::new());
    before.check_files_and_refs(&project);
}
