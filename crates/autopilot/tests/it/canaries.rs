//! What is newly green must go red when the work is broken.

use crate::harness::{Project, Sample, agent, plan};

/// Runs every test and counts.
const RUNNER: &str = "passed=0; failed=0\n\
    for test in tests/*_test.sh; do\n  if [ -f \"$test\" ]; then\n    \
    if sh \"$test\"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi\n  fi\ndone\n\
    echo \"passed $passed, failed $failed\"\n[ $failed -eq 0 ] && [ $passed -gt 0 ]\n";
const COUNTS: &str = "[checks]\ncounts = { \"tests/run.sh\" = \
    '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$' }\n";
/// Work that is right.
const ADD: &str = "add() {\n  echo $(($1 + $2))\n}\n";
const LOOKS: &str = ". ./calc.sh\n[ \"$(add 2 3)\" = 5 ]\n";
/// It needs the work to be there, and does not look at it.
const LOOKS_AWAY: &str = ". ./calc.sh\nadd 2 3 > /dev/null\n";
/// It needs nothing at all.
const BLIND: &str = "true\n";

/// What an agent leaves.
fn writes(files: &[(&str, &str)]) -> String {
    let one = |(path, text): &(&str, &str)| {
        format!("{{ write = {{ path = \"{path}\", text = '''\n{text}''' }} }}")
    };
    let written: Vec<String> = files.iter().map(one).collect();
    written.join(", ")
}

/// A project whose phase asks for tests that pass.
fn project(before: &[(&str, &str)], executor: &str, debugger: &str) -> Project {
    let script = plan(1, "", "").replace("grep -qx 'part 1' part-1.txt", "sh tests/run.sh")
        + &agent("executor", 1, executor, "")
        + &agent("debugger", 1, debugger, "");
    let config = format!("{COUNTS}[limits]\ntask_debugs = 0\nphase_debugs = 1\n");
    let project = Project::new(&Sample { phases: 1, script, config });
    let roadmap = "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: a calculator\n\n**Success Criteria**:\n\
        - its tests pass -- verified by: `sh tests/run.sh`\n";
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.write("tests/run.sh", RUNNER);
    for (path, text) in before {
        project.sandbox.write(path, text);
    }
    project.sandbox.commit("a runner of tests");
    project
}

/// How the check of the phase went red, by the last time that it was tried.
fn bite(project: &Project) -> serde_json::Value {
    let facts = project.facts();
    let mut canaries = facts.iter().rev();
    let canaries = canaries.find_map(|fact| fact["phase"]["fact"].get("canaries"));
    canaries.expect("the work was broken")["canaries"][0]["bite"].clone()
}

#[test]
fn tests_that_look_at_the_work_are_believed() {
    let honest = writes(&[("calc.sh", ADD), ("tests/add_test.sh", LOOKS)]);
    let project = project(&[], &honest, "");
    let output = project.run(&["run"]).expect(0);
    assert!(
        output.stderr.contains("2 of 2 new checks go red when the work is broken"),
        "{}",
        output.shown()
    );
    let what = bite(&project)["mutant"]["what"].as_str().map(str::to_owned);
    assert!(what.is_some_and(|what| what.starts_with("calc.sh:2: ")), "{}", bite(&project));
}

#[test]
fn tests_that_stay_green_without_the_work_prove_nothing() {
    for test in [BLIND, LOOKS_AWAY] {
        let lazy = writes(&[("calc.sh", ADD), ("tests/add_test.sh", test)]);
        let project = project(&[], &lazy, "");
        let output = project.run(&["run"]).expect(3);
        assert!(
            output.stderr.contains(
                "CAUGHT: executor: handed in as tested, but `sh tests/run.sh` does not bite"
            ),
            "{}",
            output.shown()
        );
        assert!(!output.stderr.contains("Step: JUDGE"), "nobody is paid to look at it");
        assert!(!bite(&project)["green"].is_null(), "{}", bite(&project));
    }
}

#[test]
fn tests_that_do_not_bite_can_be_made_to() {
    let lazy = writes(&[("calc.sh", ADD), ("tests/add_test.sh", LOOKS_AWAY)]);
    let repair = writes(&[("tests/sum_test.sh", LOOKS)]);
    let project = project(&[], &lazy, &repair);
    project.run(&["run"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn tests_of_what_was_there_must_look_at_it() {
    for (test, code) in [(LOOKS, 0), (LOOKS_AWAY, 3), (BLIND, 3)] {
        let only_tests = writes(&[("tests/add_test.sh", test)]);
        let project = project(&[("calc.sh", ADD)], &only_tests, "");
        let output = project.run(&["run"]);
        assert_eq!(output.code, Some(code), "{test}: {}", output.shown());
    }
}

#[test]
fn a_test_that_was_there_is_believed_without_mutations() {
    let project = project(&[("tests/add_test.sh", LOOKS)], &writes(&[("calc.sh", ADD)]), "");
    project.run(&["run"]).expect(0);
    assert!(!bite(&project)["reverted"].is_null(), "{}", bite(&project));
}

#[test]
fn a_script_that_came_with_the_work_must_look_at_it() {
    for (check, code) in [("exit 0\n", 3), (LOOKS, 0)] {
        let work = writes(&[("calc.sh", ADD), ("tests/check.sh", check)]);
        let project = project(&[], &work, "");
        let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
        let text = std::fs::read_to_string(&roadmap).expect("readable");
        let own = text.replace("sh tests/run.sh", "sh tests/check.sh");
        project.sandbox.write(".planning/ROADMAP.md", own);
        project.sandbox.commit("a check that is to be written");
        let script = plan(1, "", "").replace("grep -qx 'part 1' part-1.txt", "test -f calc.sh")
            + &agent("executor", 1, &work, "");
        project.script(&script);
        let output = project.run(&["run"]);
        assert_eq!(output.code, Some(code), "{check}: {}", output.shown());
    }
}
