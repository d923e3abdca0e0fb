//! One issue, from its requirements to the merge gate, with the embedded agent in a real repository.

use std::{fs, time::Duration};

use serde_json::Value;

use crate::harness::{Output, Project, Sample, Terminal, awaited, sh};

/// Where the documents of the issue are.
const DOCUMENTS: &str = "docs/issues/42-greet";
/// Runs every acceptance test; where there is none, nothing is shown.
const RUNNER: &str = "#!/bin/sh\ncode=1\nfor one in tests/at/*.sh; do\n  [ -e \"$one\" ] || exit 1\n  if sh \"$one\"; then \
    [ $code = 2 ] || code=0; else echo \"FAIL: $one\"; code=2; fi\ndone\nexit $code\n";
/// What the tests are that the issue asks for.
const TESTS: [(&str, &str); 2] = [
    ("tests/at/ac-1.sh", "# AC-1 ISSUE-42\ntest \"$(sh greet.sh)\" = hello\n"),
    ("tests/at/ac-2.sh", "# AC-2\ntest \"$(sh greet.sh bob)\" = 'hello bob'\n"),
];

fn write(path: &str, text: &str) -> String {
    format!("{{ write = {{ path = \"{path}\", text = '''\n{text}''' }} }}")
}

fn role(role: &str, rest: &str, actions: &[String]) -> String {
    format!("[[on]]\nrole = \"{role}\"\n{rest}\ndo = [{}]\n\n", actions.join(", "))
}

/// Writes both tests.
fn tests() -> Vec<String> {
    TESTS.map(|(path, text)| write(path, text)).to_vec()
}

/// The work, with whatever else is done.
fn work(more: &[String]) -> Vec<String> {
    let greet = write("greet.sh", "echo hello $1\n");
    tests().into_iter().chain([greet]).chain(more.iter().cloned()).collect()
}

fn planners() -> String {
    let stories =
        write(&format!("{DOCUMENTS}/user-stories.md"), "## Greet\nAs a user I want a greeting.\n");
    let plan = write(&format!("{DOCUMENTS}/plan.md"), "## One script\n1. write greet.sh\n");
    let criteria = write(
        &format!("{DOCUMENTS}/acceptance-tests.md"),
        "- AC-1: Given nobody, when it runs, then it says hello\n- AC-2: Given a name, when it runs, then it says it\n",
    );
    role("story-writer", "", &[stories]) + &role("issue-planner", "", &[plan, criteria])
}

/// A project with an issue; these entries are tried before those of planners that do what they should.
fn project(script: &str) -> Project {
    let config = "[issue]\ntest = \"sh tests/run.sh\"\n[guards]\nlint = \"! grep -rq BAD greet.sh README.md\"\n".to_owned();
    let project =
        Project::new(&Sample { phases: 1, script: script.to_owned() + &planners(), config });
    project.sandbox.write("tests/run.sh", RUNNER);
    project.sandbox.write("README.md", "Greets.\n");
    project
        .sandbox
        .write(&format!("{DOCUMENTS}/prd.md"), "# Greet\n\nIt greets whoever is named.\n");
    project.sandbox.commit("an issue");
    project
}

/// Goes on, is asked at this gate, and approves.
fn approve(project: &Project, gate: &str) {
    let output = project.run(&["issue", "42"]).expect(4);
    assert_eq!(
        project.status()["waiting_for_person"][0]["gate"],
        format!("issue/{gate}"),
        "{}",
        output.shown()
    );
    project.run(&["issue", "42", "approve"]).expect(0);
}

/// Approves requirements and design, and goes on.
fn to_the_work(project: &Project) -> Output {
    approve(project, "requirements");
    approve(project, "design");
    project.run(&["issue", "42"])
}

/// A file of the issue on the branch of the run.
fn file(project: &Project, name: &str) -> String {
    project.sandbox.git(["show", &format!("{}:{DOCUMENTS}/{name}", project.head())])
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Why the run has halted, by the last line of the log.
fn halted(project: &Project, output: Output) -> String {
    output.expect(5);
    let log = lines(&file(project, "autopilot-log.jsonl"));
    let last = log.last().expect("a line");
    assert_eq!(last["outcome"], "HALT", "{last}");
    last["reason"].as_str().expect("a reason").to_owned()
}

#[test]
fn a12_a_full_issue_converges_and_passes_three_gates() {
    let project = project(&role("implementer", "", &work(&[])));
    to_the_work(&project).expect(4);
    let status = project.status();
    assert_eq!(status["waiting_for_person"][0]["gate"], "issue/merge");
    let question = status["waiting_for_person"][0]["question"].as_str().expect("a text").to_owned();
    assert!(question.contains("+echo hello $1"), "e22: the change is shown: {question}");
    assert!(!project.sandbox.project().join("greet.sh").exists(), "nothing is merged by itself");
    project.run(&["issue", "42", "approve"]).expect(0);
    project.run(&["issue", "42"]).expect(0);
    let log = lines(&file(&project, "autopilot-log.jsonl"));
    let steps: Vec<_> = log.iter().map(|line| line["step"].as_str().expect("a step")).collect();
    assert_eq!(steps, ["extracting-user-stories", "writing-plan-and-tests", "running-atdd-cycle"]);
    project.run(&["land", "--yes"]).expect(0);
    assert!(project.sandbox.project().join("greet.sh").exists());
    let approvals = project.status()["issue"]["approvals"].as_array().expect("a list").len();
    assert_eq!(approvals, 3);
}

#[test]
fn a9_the_evidence_of_red_tests_is_the_engines_and_the_library_finds_it() {
    let project = project(&role("implementer", "", &work(&[])));
    to_the_work(&project).expect(4);
    project.run(&["issue", "42", "approve"]).expect(0);
    project.run(&["issue", "42"]).expect(0);
    project.run(&["land", "--yes"]).expect(0);
    let path = format!("{DOCUMENTS}/red.jsonl");
    let text = fs::read_to_string(project.sandbox.project().join(&path)).expect("it is there");
    let red = &lines(&text)[0];
    let (tests, work) =
        (red["commit"].as_str().expect("a commit"), red["impl_sha"].as_str().expect("another"));
    project.run(&["rails", "check_red_evidence", tests, work, &path]).expect(0);
    assert_eq!(
        (red["exit_code"].as_i64(), red["command"].as_str()),
        (Some(2), Some("sh tests/run.sh"))
    );
    let files = project.files_at(tests);
    assert!(
        files.contains(&"tests/at/ac-1.sh".to_owned()) && !files.contains(&"greet.sh".to_owned()),
        "{files:?}"
    );
}

#[test]
fn a19_each_record_is_committed_alone() {
    let project = project(&role("implementer", "", &work(&[])));
    to_the_work(&project).expect(4);
    let run = project.run_id();
    let format = "--format=>%s";
    let log = project.sandbox.git([
        "log",
        "--first-parent",
        "--name-only",
        format,
        &format!("autopilot/{run}/head"),
    ]);
    let audits: Vec<&str> =
        log.split('>').filter(|entry| entry.starts_with("chore(autopilot): audit")).collect();
    assert_eq!(audits.len(), 3, "{log}");
    for audit in audits {
        let files: Vec<&str> = audit.lines().skip(1).filter(|line| !line.is_empty()).collect();
        assert_eq!(files, [format!("{DOCUMENTS}/autopilot-log.jsonl")]);
    }
}

#[test]
fn a20_whoever_touches_what_they_are_judged_by_is_halted_and_nothing_of_it_is_kept() {
    let cases = [
        (format!("echo more >> {DOCUMENTS}/prd.md"), "ac-drift"),
        (format!("echo {:064} > {DOCUMENTS}/autopilot-design.pin", 0), "ac-drift"),
        (format!("rm {DOCUMENTS}/autopilot-log.jsonl"), "log-integrity"),
        (format!("echo '{{}}' >> {DOCUMENTS}/autopilot-log.jsonl"), "log-integrity"),
        (
            format!(
                "echo '{{\"step\":\"red\",\"commit\":\"04bae920\",\"impl_sha\":\"x\"}}' > {DOCUMENTS}/red.jsonl"
            ),
            "gate-unverifiable",
        ),
    ];
    for (command, reason) in cases {
        let project = project(&role("implementer", "", &work(&[sh(&command)])));
        let output = to_the_work(&project);
        assert_eq!(halted(&project, output), reason, "{command}");
        let files = project.files_at(&project.head());
        assert!(!files.contains(&"greet.sh".to_owned()), "{command}: {files:?}");
        assert!(!file(&project, "prd.md").contains("more"));
        assert_eq!(lines(&file(&project, "autopilot-log.jsonl")).len(), 4, "{command}");
    }
}

#[test]
fn a9_a_test_that_is_weakened_after_it_was_seen_red_halts() {
    let first: Vec<String> = tests();
    let weaker = write("tests/at/ac-2.sh", "# AC-2\ntrue\n");
    let greet = write("greet.sh", "echo hello\n");
    let script = role("implementer", "attempt = 1", &first)
        + &role("implementer", "attempt = 2", &[weaker, greet]);
    let project = project(&script);
    let output = to_the_work(&project);
    assert_eq!(halted(&project, output), "gate-unverifiable");
    let kept = project.sandbox.git(["show", &format!("{}:tests/at/ac-2.sh", project.head())]);
    assert!(kept.contains("hello bob"), "the test stands as it was: {kept}");
}

#[test]
fn a10_who_says_that_all_is_green_is_not_believed() {
    let broken = write("greet.sh", "echo goodbye\n");
    let script: Vec<String> = tests().into_iter().chain([broken]).collect();
    let project = project(&role("implementer", "", &script));
    let output = to_the_work(&project);
    assert_eq!(halted(&project, output), "sameness-detector");
    let refused = project.run(&["land", "--yes"]).expect(1);
    assert!(refused.stderr.contains("merge gate"), "{}", refused.shown());
    let log = lines(&file(&project, "autopilot-log.jsonl"));
    let open: Vec<_> = log.last().expect("a line")["findings_digest"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| finding["evidence_ref"].as_str().expect("a text").to_owned())
        .collect();
    assert_eq!(
        open,
        ["tests/at/ac-1.sh", "tests/at/ac-2.sh"],
        "the failing tests are told by name"
    );
}

#[test]
fn a4_progress_among_failing_tests_goes_on() {
    let half: Vec<String> =
        tests().into_iter().chain([write("greet.sh", "echo hello\n")]).collect();
    let none: Vec<String> = tests();
    let script = role("implementer", "attempt = 1", &none)
        + &role("implementer", "attempt = 2", &half)
        + &role("implementer", "", &work(&[]));
    let project = project(&script);
    to_the_work(&project).expect(4);
    let log = lines(&file(&project, "autopilot-log.jsonl"));
    let verdicts: Vec<_> =
        log.iter().map(|line| line["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(verdicts, ["PASS", "PASS", "FAIL", "FAIL", "PASS"]);
}

#[test]
fn a9_tests_that_pass_without_the_work_prove_nothing() {
    let empty =
        [write("tests/at/ac-1.sh", "# AC-1 AC-2\ntrue\n"), write("greet.sh", "echo hello $1\n")];
    let project = project(&role("implementer", "", &empty));
    let output = to_the_work(&project);
    assert_eq!(halted(&project, output), "gate-unverifiable");
}

#[test]
fn a23_a_refused_design_is_done_again_and_shown_with_its_changes() {
    let again = write(&format!("{DOCUMENTS}/plan.md"), "## Two scripts\n1. write greet.sh\n");
    let project = project(&role("issue-planner", "attempt = 2", &[again]));
    approve(&project, "requirements");
    project.run(&["issue", "42"]).expect(4);
    let first =
        project.status()["waiting_for_person"][0]["question"].as_str().expect("a text").to_owned();
    assert!(first.contains(&format!("{DOCUMENTS}/plan.md:1 ## One script")), "a24: {first}");
    project
        .run(&["issue", "42", "reject", "-m", "Plan: two scripts\nUser Stories: fine"])
        .expect(0);
    project.run(&["issue", "42"]).expect(4);
    let question =
        project.status()["waiting_for_person"][0]["question"].as_str().expect("a text").to_owned();
    assert_eq!(project.status()["waiting_for_person"][0]["gate"], "issue/design-2");
    for told in ["Plan: two scripts", "-## One script", "+## Two scripts"] {
        assert!(question.contains(told), "a24: {told}: {question}");
    }
    // The word of a person goes to whoever does it again as it was said.
    let told = project.run(&["transcript", "issue/plan/2"]).expect(0).stdout;
    assert!(told.contains("[P0] Plan: two scripts"), "{told}");
}

#[test]
fn a27_a_bug_is_repaired_with_a_test_that_was_red() {
    let cause = "[[on]]\nrole = \"cause-analyst\"\ndo = []\nreturn = { cause = \"nobody wrote it\", evidence = [\"README.md:1\"] }\n\n";
    let script = cause.to_owned() + &role("implementer", "", &work(&[]));
    let project = project(&script);
    project.run(&["issue", "42", "start", "--route", "bugfix"]).expect(4);
    project.run(&["issue", "42", "approve"]).expect(0);
    project.run(&["issue", "42"]).expect(4);
    let question =
        project.status()["waiting_for_person"][0]["question"].as_str().expect("a text").to_owned();
    assert!(question.starts_with("Approve cause?") && question.contains("cause.md"), "{question}");
    assert!(file(&project, "cause.md").contains("nobody wrote it"));
    project.run(&["issue", "42", "approve"]).expect(0);
    project.run(&["issue", "42"]).expect(4);
    assert_eq!(project.status()["waiting_for_person"][0]["gate"], "issue/merge");
    assert!(file(&project, "red.jsonl").contains("\"exit_code\":2"));
}

/// A test that fails each fifth time as long as the work does nothing about it.
const FLAKY: &str = "# ISSUE-42\nn=$(cat .count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > .count\n\
    test -e steady || test $((n % 5)) != 0\n";

#[test]
fn a28_a_flaky_test_must_pass_every_time_in_a_row() {
    let cause = "[[on]]\nrole = \"cause-analyst\"\ndo = []\nreturn = { cause = \"it counts\", evidence = [] }\n\n";
    let own = write("tests/at/steady.sh", FLAKY);
    for (repair, code) in [("touch steady", 4), ("true", 5)] {
        let script = cause.to_owned() + &role("implementer", "", &[own.clone(), sh(repair)]);
        let project = project(&script);
        project.sandbox.write("tests/at/old.sh", FLAKY.replace(".count", ".old"));
        project.sandbox.commit("a flaky test");
        project.run(&["issue", "42", "start", "--route", "flaky"]).expect(4);
        project.run(&["issue", "42", "approve"]).expect(0);
        project.run(&["issue", "42"]).expect(4);
        assert!(
            file(&project, "cause.md").contains("4 of 20 runs"),
            "{}",
            file(&project, "cause.md")
        );
        project.run(&["issue", "42", "approve"]).expect(0);
        project.run(&["issue", "42"]).expect(code);
    }
}

#[test]
fn a30_the_short_way_is_for_documents_alone() {
    let readme = write("README.md", "Greets everybody.\n");
    let project = project(&role("implementer", "", std::slice::from_ref(&readme)));
    project.run(&["issue", "42", "start", "--route", "express"]).expect(4);
    assert_eq!(project.status()["waiting_for_person"][0]["gate"], "issue/merge");
    let files = project.files_at(&project.head());
    assert!(
        !files.iter().any(|path| path.ends_with(".pin") || path.ends_with(".jsonl")),
        "{files:?}"
    );
    project.run(&["issue", "42", "approve"]).expect(0);
    project.run(&["issue", "42"]).expect(0);

    let more =
        self::project(&role("implementer", "", &[readme, write("greet.sh", "echo hello\n")]));
    let output = more.run(&["issue", "42", "start", "--route", "express"]).expect(5);
    assert!(output.stderr.contains("`greet.sh` is no document"), "{}", output.shown());
}

#[test]
fn a40_the_wish_for_a_hand_off_alone_changes_nothing() {
    let project = project(&role("implementer", "", &work(&[])));
    let output = project.run(&["issue", "42", "start", "--hand-off"]).expect(4);
    assert!(output.stderr.contains("FA_HANDOFF=1"), "{}", output.shown());
    let other = self::project(&role("implementer", "", &work(&[])));
    let hand_off = || {
        let mut command = other.command(["issue", "42", "start", "--hand-off"]);
        command.env("FA_HANDOFF", "1");
        other.finish(command)
    };
    let refused = hand_off().expect(1);
    assert!(refused.stderr.contains("R1") && refused.stderr.contains("R3"), "{}", refused.shown());
    let ready = "# Greet\n\nImpact: https://example.org/welcome\n\nAs a user I want a greeting so that I feel welcome.\n\n\
        - Given a name, when it runs, then it says it\n- Given none, when it runs, then it says hello\n\
        - Given two, when it runs, then it says the first\n";
    other.sandbox.write(&format!("{DOCUMENTS}/prd.md"), ready);
    other.sandbox.commit("it is ready");
    hand_off().expect(0);
}

#[test]
fn a5_a6_failures_that_come_back_and_too_many_of_them_halt_for_real() {
    let only = |text: &str| {
        let greet = write("greet.sh", text);
        tests().into_iter().chain([greet]).collect::<Vec<String>>()
    };
    let script = role("implementer", "attempt = 1", &only("echo hello\n"))
        + &role("implementer", "attempt = 2", &only("echo hello bob\n"))
        + &role("implementer", "attempt = 3", &only("echo hello\n"));
    let project = self::project(&script);
    let output = to_the_work(&project);
    assert_eq!(halted(&project, output), "stuck");

    let project = self::project(&script);
    let settings = project.sandbox.project().join("autopilot.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    fs::write(&settings, text.replace("[issue]\n", "[issue]\nwork_tries = 2\n")).expect("written");
    let output = to_the_work(&project);
    assert_eq!(halted(&project, output), "MAX_ITERATIONS");
}

#[test]
fn a26_a_way_is_recommended_and_never_taken_by_itself() {
    let project = project("");
    let output = project.run(&["issue", "42", "start", "--label", "type:bug"]).expect(4);
    assert!(output.stderr.contains("--route bugfix"), "{}", output.shown());
    assert_eq!(project.status()["issue"]["route"], "full");
}

#[test]
fn an_issue_without_a_directory_is_drafted_from_a_file_and_a_person_is_asked() {
    let project = project(&role("implementer", "", &work(&[])));
    project.sandbox.write("wish.md", "# Wave\n\nIt waves.\n");
    project.run(&["issue", "7"]).expect(1);
    project.run(&["issue", "7", "start", "--from", "wish.md"]).expect(4);
    let question =
        project.status()["waiting_for_person"][0]["question"].as_str().expect("a text").to_owned();
    assert!(question.contains("It waves."), "{question}");
    assert_eq!(project.status()["issue"]["directory"], "docs/issues/7-wave");
    project.run(&["issue", "7", "reject", "-m", "no"]).expect(0);
    project.run(&["issue", "7"]).expect(3);
}

#[test]
fn an_issue_whose_engine_is_killed_goes_on_and_ends_the_same() {
    let slow =
        role("implementer", "attempt = 1", &work(&[sh("touch ROOT/signs/there; sleep 600")]));
    let project = project(&(slow + &role("implementer", "", &work(&[]))));
    approve(&project, "requirements");
    approve(&project, "design");
    let mut engine = project.start(&["issue", "42"]);
    project.await_sign("there");
    engine.kill();
    project.await_no_agents(Duration::from_secs(5));
    project.run(&["issue", "42"]).expect(4);
    let log = lines(&file(&project, "autopilot-log.jsonl"));
    assert_eq!(log.len(), 3, "what was cut off is no try: {log:?}");
    assert_eq!(project.status()["waiting_for_person"][0]["gate"], "issue/merge");
}

#[test]
fn what_cannot_be_worked_on_is_refused_with_what_to_do() {
    let project = project("");
    let output = project.run(&["issue", "9"]).expect(1);
    assert!(output.stderr.contains("--from FILE"), "{}", output.shown());
    let output = project.run(&["issue", "42", "approve"]).expect(1);
    assert!(output.stderr.contains("no run is about issue 42"), "{}", output.shown());
    project.run(&["issue", "42", "start", "--route", "shortcut"]).expect(2);
    project.run(&["issue", "42"]).expect(4);
    project.run(&["issue", "42", "start"]).expect(1);
}

#[test]
fn a22_at_a_terminal_a_person_is_asked_there_and_then() {
    let project = project(&role("implementer", "", &work(&[])));
    let (terminal, engine) = Terminal::start(&project, &["issue", "42"]);
    for asked in 1..=4 {
        awaited("the question", Duration::from_secs(30), || {
            terminal.shown().matches("an empty line leaves it open").count() == asked
        });
        // The second gate is refused once.
        terminal.press(if asked == 2 { "Plan: another one\n" } else { "ok\n" });
    }
    engine.wait().expect(0);
    let approvals = project.status()["issue"]["approvals"].as_array().expect("a list").len();
    assert_eq!(approvals, 3);
    assert!(terminal.shown().contains("issue/design-2"));
}
