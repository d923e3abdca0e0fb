//! Nothing that is not proven gets through: files that decide, guards, counted tests, waivers.

use serde_json::Value;

use crate::harness::{Project, Sample, agent, part, sh, sign, until};

/// A project with one phase, a test that is red before the work, and what its executor and debugger do.
fn tested(executor: &str, debugger: &str, config: &str) -> Project {
    let script = agent("executor", 1, executor, "") + &agent("debugger", 1, debugger, "");
    let sample = Sample { phases: 1, script, config: config.to_owned() };
    let project = Project::new(&sample);
    project.sandbox.write("tests/all.sh", "grep -qx 'part 1' part-1.txt\n");
    let roadmap = "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: part-1.txt\n\n**Success Criteria**:\n\
        - its test passes -- verified by: `sh tests/all.sh`\n";
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.commit("a test");
    project
}

fn question(project: &Project) -> Value {
    let status = project.status();
    status["waiting_for_person"][0].clone()
}

fn at_head(project: &Project, path: &str) -> String {
    project.sandbox.git(["show", &format!("{}:{path}", project.head())])
}

#[test]
fn an_edit_of_a_test_has_no_effect_until_a_person_accepts_it() {
    let cheat = sh("echo 'exit 0' > tests/all.sh; echo 'part 1' > part-1.txt");
    let project = tested(&cheat, "", "");
    project.run(&["run"]).expect(0);
    assert_eq!(at_head(&project, "tests/all.sh"), "grep -qx 'part 1' part-1.txt");
    assert_eq!(at_head(&project, "part-1.txt"), "part 1", "the work itself is taken");
}

#[test]
fn a_guard_that_is_red_before_and_after_is_named() {
    let work = sh("echo 'part 1' > part-1.txt");
    let project = tested(&work, "", "[guards]\nnever = \"false\"\n");
    let output = project.run(&["run"]).expect(0);
    assert!(output.stderr.contains("red before and after: never"), "{}", output.shown());
    let status = project.run(&["status"]).expect(0);
    assert!(status.stdout.contains("red before and after: never"), "{}", status.shown());
}

#[test]
fn a_waiver_that_nothing_could_use_any_more_is_refused() {
    let lazy = sh("true");
    let project = tested(&lazy, &lazy, "[limits]\ntask_debugs = 0\nphase_debugs = 0\n");
    project.run(&["run"]).expect(3);
    project.run(&["resume", "--retry"]).expect(3);
    let refused = project.run(&["waive", "1/1", "--why", "it is known"]).expect(1);
    assert!(refused.stderr.contains("nothing in it is tried again"), "{}", refused.shown());
}

#[test]
fn a_waiver_for_a_failed_phase_that_can_be_tried_again_is_taken_and_used() {
    let lazy = sh("true");
    let project = tested(&lazy, &lazy, "[limits]\ntask_debugs = 0\nphase_debugs = 0\n");
    project.run(&["run"]).expect(3);
    let taken = project.run(&["waive", "1/1", "--why", "it is known"]).expect(0);
    assert!(taken.stderr.contains("--retry` tries its failed phases with it"), "{}", taken.shown());
    project.run(&["resume", "--retry"]);
    let facts = project.facts();
    let answered = facts.iter().filter(|fact| fact["answered"]["gate"].is_string());
    assert_eq!(answered.count(), 1, "{facts:?}");
}

#[test]
fn work_that_holds_only_with_its_edit_of_a_test_waits_for_a_person() {
    let cheat = sh("echo 'grep -q part part-1.txt' > tests/all.sh; echo 'part 1' > part-1.txt");
    for (word, code) in [("reject", 3), ("approve", 0)] {
        let project = tested(&cheat, &cheat, "[limits]\ntask_debugs = 1\nphase_debugs = 1\n");
        project.sandbox.write("tests/all.sh", "grep -qx 'part 2' part-1.txt\n");
        project.sandbox.commit("a test that the work does not pass");
        project.run(&["run"]).expect(4);
        let asked = question(&project);
        let text = asked["question"].as_str().expect("a text");
        assert!(text.contains("tests/all.sh (test): 0 assertions removed"), "{text}");
        assert!(
            text.contains("-grep -qx 'part 2' part-1.txt") && text.contains("+grep -q part"),
            "{text}"
        );
        for _ in 0..4 {
            let gate = question(&project)["gate"].as_str().map(str::to_owned);
            let Some(gate) = gate else { break };
            project.run(&[word, &gate, "-m", "because"]).expect(0);
            project.run(&["resume"]);
        }
        let expected = if code == 0 { "1 completed" } else { "1 failed" };
        assert_eq!(project.phase_states(), [expected], "{word}");
    }
}

#[test]
fn an_edit_that_a_person_accepts_counts_against_a_guard_that_held_before() {
    // The name of the thing changes, and with it the test that knew the old one.
    let renames = sh(
        "git mv old.txt new.txt; echo 'test -e new.txt' > tests/guard.sh; echo 'part 1' > part-1.txt",
    );
    let guard =
        "[guards]\nthere = \"sh tests/guard.sh\"\n[limits]\ntask_debugs = 1\nphase_debugs = 1\n";
    for (word, expected) in [("approve", "1 completed"), ("reject", "1 failed")] {
        // Nobody makes the edit a second time: it must not be lost where only the guard needs it.
        let project = tested(&renames, &sh("true"), guard);
        project.sandbox.write("old.txt", "a thing\n");
        project.sandbox.write("tests/guard.sh", "test -e old.txt\n");
        project.sandbox.commit("a guard");
        project.run(&["run"]).expect(4);
        for _ in 0..4 {
            let gate = question(&project)["gate"].as_str().map(str::to_owned);
            let Some(gate) = gate else { break };
            project.run(&[word, &gate, "-m", "because"]).expect(0);
            project.run(&["resume"]);
        }
        assert_eq!(project.phase_states(), [expected], "{word}");
    }
}

#[test]
fn criteria_that_held_before_anything_was_done_are_told_as_such() {
    let project = tested("", "", "");
    project.sandbox.write("part-1.txt", "part 1\n");
    project.sandbox.commit("it is there already");
    let output = project.run(&["run"]).expect(0);
    let told = "every criterion held before anything was done: nothing new is proven";
    assert!(output.stderr.contains(told), "{}", output.stderr);
    let detail = project.status()["phases"][0]["detail"].clone();
    assert_eq!(detail, told);
}

#[test]
fn work_that_reads_what_was_left_in_its_workspace_is_red_like_in_any_checkout() {
    let reads =
        sh("echo hidden > .gitignore; echo 'part 1' > hidden; echo \"cat $PWD/hidden\" > show.sh");
    let project = tested(&reads, &reads, "[limits]\ntask_debugs = 1\nphase_debugs = 1\n");
    project.sandbox.write("tests/all.sh", "sh show.sh | grep -qx 'part 1'\n");
    project.sandbox.commit("a test of a program");
    project.run(&["run"]).expect(3);
    assert_eq!(project.phase_states(), ["1 failed"]);
}

#[test]
fn what_held_before_must_hold_after_whatever_the_criteria_say() {
    let breaks = [part(1), sh("echo broken > README.md")].join(", ");
    let config = "[guards]\nreadme = \"grep -q hello README.md\"\n[limits]\nphase_debugs = 1\n";
    let project = tested(&breaks, "", config);
    let output = project.run(&["run"]).expect(3);
    assert!(
        output.stderr.contains("it held before this phase and is broken now"),
        "{}",
        output.shown()
    );
    let repairs = sh("echo hello > README.md; echo 'part 1' > part-1.txt");
    let project = tested(&breaks, &repairs, config);
    project.run(&["run"]).expect(0);
}

#[test]
fn a_test_command_that_runs_no_test_proves_nothing() {
    let config = "[checks]\ncounts = { \"tests/all.sh\" = \"^ran ([0-9]+)$\" }\n[limits]\ntask_debugs = 0\nphase_debugs = 0\n";
    let project = tested(&part(1), "", config);
    let output = project.run(&["run"]).expect(3);
    assert!(output.stderr.contains("how many tests it ran cannot be read"), "{}", output.shown());
    let project = tested(&part(1), "", config);
    project.sandbox.write("tests/all.sh", "grep -qx 'part 1' part-1.txt && echo ran 0\n");
    project.sandbox.commit("a test that counts");
    let output = project.run(&["run"]).expect(3);
    assert!(output.stderr.contains("no test was executed"), "{}", output.shown());
    project.sandbox.write("tests/all.sh", "grep -qx 'part 1' part-1.txt && echo ran 1\n");
    project.sandbox.commit("a test that runs");
    project.run(&["run"]).expect(0);
}

#[test]
fn checks_see_nothing_that_is_not_part_of_the_work() {
    let ignored = sh("echo '*.txt' > .gitignore; echo 'part 1' > part-1.txt");
    let project = tested(&ignored, &ignored, "[limits]\ntask_debugs = 0\nphase_debugs = 0\n");
    project.run(&["run"]).expect(3);
}

#[test]
fn a_checkout_is_made_ready_before_it_is_checked() {
    let config = "[checks]\nprepare = \"cp source part-1.txt\"\n";
    let project = tested(&sh("echo 'part 1' > source"), "", config);
    project.run(&["run"]).expect(0);
    let project = tested(
        &part(1),
        "",
        "[checks]\nprepare = \"exit 7\"\n[limits]\ntask_debugs = 0\nphase_debugs = 0\n",
    );
    let output = project.run(&["run"]).expect(3);
    assert!(output.stderr.contains("could not be made ready with `exit 7`"), "{}", output.shown());
}

#[test]
fn tests_that_nobody_can_count_are_judged_by_their_exit_code_and_told_so() {
    let config = "[limits]\ntask_debugs = 0\nphase_debugs = 0\n";
    let roadmap = "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: part-1.txt\n\n**Success Criteria**:\n\
        - its test passes -- verified by: `make test`\n";
    for (makefile, code, told) in [
        ("test:\n\t@sh tests/all.sh\n", 0, "tests not counted, judged by the exit code: 1/1"),
        ("test:\n\t@sh tests/all.sh && echo '0 passed in 0.01s'\n", 3, "no test was executed"),
    ] {
        let project = tested(&part(1), "", config);
        project.sandbox.write("Makefile", makefile);
        project.sandbox.write(".planning/ROADMAP.md", roadmap);
        project.sandbox.commit("a Makefile");
        let output = project.run(&["run"]).expect(code);
        assert!(output.stderr.contains(told), "{}", output.shown());
    }
}

#[test]
fn a_waiver_is_refused_where_it_would_be_of_no_use() {
    let project = tested(&part(1), "", "");
    project.run(&["run"]).expect(0);
    let late = project.run(&["waive", "1/1", "--why", "known"]).expect(1);
    assert!(late.stderr.contains("is over, and everything in it is done"), "{}", late.shown());
    let past = project.run(&["waive", "1/1", "--why", "known", "--until", "2001-01-01"]).expect(2);
    assert!(past.stderr.contains("`2001-01-01` is over since"), "{}", past.shown());
}

#[test]
fn a_waiver_can_be_renewed_and_what_was_said_last_counts() {
    let config = "[limits]\ntask_debugs = 0\nphase_debugs = 0\n";
    let project = tested(&[sign("working"), until("go")].join(", "), "", config);
    let engine = project.start(&["run"]);
    project.await_sign("working");
    for (why, until) in [("for today", "2998-12-31"), ("for longer", "2999-12-31")] {
        for check in ["1/1", "1/1-01/1"] {
            project.run(&["waive", check, "--why", why, "--until", until]).expect(0);
        }
    }
    std::fs::write(project.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    let status = project.run(&["status"]).expect(0);
    assert!(status.stdout.contains("WAIVED 1/1 by person: for longer"), "{}", status.shown());
}

#[test]
fn a_waived_check_is_let_through_and_told_as_waived() {
    let red = [sign("working"), until("go")].join(", ");
    let project = tested(&red, "", "");
    let engine = project.start(&["run"]);
    project.await_sign("working");
    let unknown = project.run(&["waive", "1/7", "--why", "x"]).expect(1);
    assert!(
        unknown.stderr.contains("1/1") && unknown.stderr.contains("1/1-01/1"),
        "{}",
        unknown.shown()
    );
    project.run(&["waive", "1/1", "--why", " "]).expect(1);
    project.run(&["waive", "1/1", "--why", "x", "--until", "soon"]).expect(2);
    for check in ["1/1", "1/1-01/1"] {
        project
            .run(&["waive", check, "--why", "the service is down", "--until", "2999-12-31"])
            .expect(0);
    }
    std::fs::write(project.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    let status = project.run(&["status"]).expect(0);
    assert!(
        status.stdout.contains("WAIVED 1/1 by person: the service is down"),
        "{}",
        status.shown()
    );
}
