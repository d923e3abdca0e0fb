//! Tests that were there are not overruled: by new files, by work that rewrites them, by links, by answers in a
//! person's name.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::harness::{PROGRAM, Project, Sample, agent, plan, sh};

/// Runs every test and counts, after a helper if there is one.
const RUNNER: &str = "passed=0; failed=0\n\
    if [ -e tests/test_helper.bash ]; then . ./tests/test_helper.bash; fi\n\
    for test in tests/*_test.sh; do\n  \
    if sh \"$test\"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi\ndone\n\
    echo \"passed $passed, failed $failed\"\n[ $failed -eq 0 ]\n";
const CONFIG: &str = "[checks]\ncounts = { \"tests/run.sh\" = \
    '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$' }\n[limits]\ntask_debugs = 0\nphase_debugs = 0\n";

/// A project with a test that is green and one that is red.
fn project(executor: &str) -> Project {
    let script = plan(1, "", "").replace("echo part 1 | cmp -s - part-1.txt", "sh tests/run.sh")
        + &agent("executor", 1, &sh(executor), "");
    let project = Project::new(&Sample { phases: 1, script, config: CONFIG.to_owned() });
    let roadmap = "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: a calculator\n\n**Success Criteria**:\n\
        - its tests pass -- verified by: `sh tests/run.sh`\n";
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.write("calc.sh", "add() { echo $(($1 + $2)); }\nsub() { echo 0; }\n");
    project.sandbox.write("tests/run.sh", RUNNER);
    project.sandbox.write("tests/add_test.sh", ". ./calc.sh\n[ \"$(add 2 3)\" = 5 ]\n");
    project.sandbox.write("tests/sub_test.sh", ". ./calc.sh\n[ \"$(sub 5 3)\" = 2 ]\n");
    project.sandbox.commit("a calculator");
    project
}

const DONE: &str =
    "printf 'add() { echo $(($1 + $2)); }\\nsub() { echo $(($1 - $2)); }\\n' > calc.sh";

#[test]
fn a_new_file_does_not_overrule_tests_that_were_there() {
    let project = project("echo 'echo passed 2, failed 0; exit 0' > tests/test_helper.bash");
    let output = project.run(&["run"]).expect(3);
    assert!(
        output
            .stderr
            .contains("1 of the tests that were there fail without tests/test_helper.bash"),
        "{}",
        output.shown()
    );
}

/// The same project, whose tests are run behind a script of another name and not counted.
fn behind_a_script(executor: &str) -> Project {
    let project = project(executor);
    let config = fs::read_to_string(project.path("project/autopilot.toml")).expect("readable");
    project.sandbox.write("autopilot.toml", config.replace("\"tests/run.sh\"", "\"nothing\""));
    for file in [".planning/ROADMAP.md", "../script.toml"] {
        let text = fs::read_to_string(project.path("project").join(file)).expect("readable");
        fs::write(project.path("project").join(file), text.replace("sh tests/run.sh", "sh all.sh"))
            .expect("writable");
    }
    project.sandbox.write("all.sh", "exec sh tests/run.sh\n");
    project.sandbox.commit("behind a script");
    project
}

#[test]
fn a_new_file_behind_a_script_does_not_overrule_tests_either() {
    let lie = "echo 'echo passed 2, failed 0; exit 0' > tests/test_helper.bash";
    let output = behind_a_script(lie).run(&["run"]).expect(3);
    assert!(output.stderr.contains("without tests/test_helper.bash"), "{}", output.shown());
    let helper = "echo 'export EIGHT=8' > tests/test_helper.bash";
    let test = "printf '. ./calc.sh\\n[ \"$(sub $EIGHT 1)\" = 7 ]\\n' > tests/more_test.sh";
    behind_a_script(&format!("{DONE}; {helper}; {test}")).run(&["run"]).expect(0);
}

#[test]
fn a_test_that_cannot_be_started_any_more_is_an_edit_that_has_no_effect() {
    let project = project("chmod -x tests/sub_test.sh");
    let passes_over = RUNNER.replace("  if sh", "  [ -x \"$test\" ] || continue\n  if sh");
    assert_ne!(passes_over, RUNNER);
    project.sandbox.write("tests/run.sh", passes_over);
    for test in ["add_test.sh", "sub_test.sh"] {
        let path = project.path("project/tests").join(test);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    project.sandbox.commit("tests that are started by themselves");
    project.run(&["run"]).expect(4);
    let asked = project.status()["waiting_for_person"][0]["question"].to_string();
    assert!(asked.contains("its mode was 100755 and is 100644"), "{asked}");
}

#[test]
fn settings_that_the_next_run_would_be_judged_by_are_not_part_of_the_work() {
    let settings =
        "echo '{\"autopilot\":{\"protect\":{\"allow\":[\"**\"]}}}' > .planning/config.json";
    let project = project(&format!("{DONE}; {settings}"));
    project.run(&["run"]).expect(0);
    let files = project.files_at(&project.head());
    assert!(!files.contains(&".planning/config.json".to_owned()), "{files:?}");
}

#[test]
fn a_new_file_that_new_tests_need_is_taken_with_them() {
    let helper = "echo 'export EIGHT=8' > tests/test_helper.bash";
    let test = "printf '. ./calc.sh\\n[ \"$(sub $EIGHT 1)\" = 7 ]\\n' > tests/more_test.sh";
    project(&format!("{DONE}; {helper}; {test}")).run(&["run"]).expect(0);
}

#[test]
fn work_that_rewrites_its_tests_while_they_run_proves_nothing() {
    let project = project("echo 'echo true > tests/sub_test.sh' >> calc.sh");
    let output = project.run(&["run"]).expect(3);
    let words = "tests/sub_test.sh changed while the commands ran";
    assert!(output.stderr.contains(words), "{}", output.shown());
}

#[test]
fn a_link_out_of_the_project_waits_for_a_person_and_one_within_it_does_not() {
    let there = format!("mkdir -p ROOT/outside && cd ROOT/outside && {DONE}");
    let project = project(&format!("({there}); ln -sf ROOT/outside/calc.sh calc.sh"));
    project.run(&["run"]).expect(4);
    let asked = project.status()["waiting_for_person"][0]["question"].to_string();
    assert!(asked.contains("calc.sh (link that leads out of the project)"), "{asked}");
    let inside =
        format!("{DONE}; mkdir lib; git mv calc.sh lib/calc.sh; ln -s lib/calc.sh calc.sh");
    self::project(&inside).run(&["run"]).expect(0);
}

#[test]
fn a_step_cannot_answer_in_a_persons_name() {
    let plainly = format!("{PROGRAM} waive 1/1 --why known");
    let hidden = format!(
        "env -i PATH=\"$PATH\" HOME=\"$HOME\" XDG_STATE_HOME=\"$XDG_STATE_HOME\" setsid -w {plainly}"
    );
    let left = format!("(setsid {hidden} > ROOT/left 2>&1 &) ; sleep 0.5");
    let project = project(&format!(
        "cd ROOT/project; {plainly} > ROOT/plain 2>&1; {hidden} > ROOT/hidden 2>&1; {left}"
    ));
    project.run(&["run"]).expect(3);
    for said in ["plain", "hidden", "left"] {
        let said = fs::read_to_string(project.path(said)).expect("it said something");
        assert!(said.contains("is for a person to answer, and this is a step of run-"), "{said}");
    }
    let status = project.run(&["status"]).expect(0);
    assert!(!status.stdout.contains("WAIVED"), "{}", status.shown());
}

#[test]
fn a_run_whose_journal_was_damaged_meanwhile_is_not_called_done() {
    let damage = "for f in ROOT/project/.autopilot/journal/*/*.log; do \
        printf x | dd of=\"$f\" bs=1 seek=100 conv=notrunc 2> /dev/null; done";
    let project = project(&format!("{DONE}; {damage}"));
    let output = project.run(&["run"]).expect(74);
    assert!(output.stderr.contains("fails its checksum"), "{}", output.shown());
    project.run(&["land"]).expect(3);
}
