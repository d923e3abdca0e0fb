//! What becomes of a plan: it is sent back, or it stands together with its test specs.

use crate::harness::{Project, Sample, agent, part, plan, sh};

const DIRECTORY: &str = ".planning/phases/1-part-1";

/// A test spec with two assertions about the work.
const SPEC: &str = r#"passed=0
failed=0
check() { if "$@"; then echo "PASS: $*"; passed=$((passed + 1)); else echo "FAIL: $*"; failed=$((failed + 1)); fi; }
check test -s part-1.txt
check grep -qx "part 1" part-1.txt
echo "RESULTS: $passed passed, $failed failed"
[ "$failed" = 0 ]
"#;

/// A planner whose plan only looks at files, and what it does besides writing it.
fn only_looking(besides: &str) -> String {
    plan(1, "", besides).replace("echo part 1 | cmp -s - part-1.txt", "test -f part-1.txt")
}

/// The action that writes the test spec of the task.
fn spec() -> String {
    format!(
        "{{ write = {{ path = \"{DIRECTORY}/tests/task-1-01.sh\", text = '''\n{SPEC}''' }} }}, "
    )
}

fn project(script: String) -> Project {
    let config = "[limits]\ntask_debugs = 0\nphase_debugs = 0\n".to_owned();
    Project::new(&Sample { phases: 1, script, config })
}

#[test]
fn c8_a_plan_that_proves_too_little_is_sent_back_and_nobody_is_asked_to_check_it() {
    let project = project(only_looking(""));
    let output = project.run(&["run"]).expect(3);
    let told = "blocker grep-only (task 1-01, line 3): its criteria only look at files";
    assert!(output.stderr.contains(told), "{}", output.shown());
    let log = project.run(&["log"]).expect(0).stdout;
    assert!(!log.contains("1/plan-check/1"), "{log}");
}

#[test]
fn e5_the_test_spec_of_a_plan_is_run_and_counted() {
    let script = only_looking(&spec()) + &agent("executor", 1, &part(1), "");
    let project = project(script);
    project.run(&["run"]).expect(0);
    let run = format!("bash {DIRECTORY}/tests/task-1-01.sh");
    let facts = project.facts();
    let results =
        facts.iter().filter_map(|fact| fact["phase"]["fact"]["checked"]["results"].as_array());
    let ran = results.flatten().find(|result| result["command"] == run.as_str());
    let ran = ran.unwrap_or_else(|| panic!("nobody ran {run}"));
    assert_eq!(ran["counts"]["passed"], 2, "{ran}");
    let lazy = sh("echo 'part 2' > part-1.txt");
    let script = only_looking(&spec()) + &agent("executor", 1, &lazy, "");
    let output = self::project(script).run(&["run"]).expect(3);
    assert!(output.stderr.contains("FAIL: grep"), "{}", output.shown());
}

#[test]
fn e5_an_edit_of_a_test_spec_is_a_request_and_has_no_effect() {
    let weak = "echo \"PASS: it\"; echo \"RESULTS: 1 passed, 0 failed\"";
    let path = format!("{DIRECTORY}/tests/task-1-01.sh");
    let lie = sh(&format!("echo '{weak}' > {path}; echo 'part 2' > part-1.txt"));
    let liar = project(only_looking(&spec()) + &agent("executor", 1, &lie, ""));
    let output = liar.run(&["run"]).expect(4);
    let asked = format!("{path} (test): 1 assertions removed");
    assert!(output.stderr.contains(&asked), "a person is asked: {}", output.shown());
    let honest = sh(&format!("echo '{weak}' > {path}; echo 'part 1' > part-1.txt"));
    let honest = project(only_looking(&spec()) + &agent("executor", 1, &honest, ""));
    honest.run(&["run"]).expect(0);
    let kept = honest.sandbox.git(["show", &format!("{}:{path}", honest.head())]);
    assert_eq!(kept.trim_end(), SPEC.trim_end(), "what the planner wrote stands");
}
