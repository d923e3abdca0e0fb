//! Questions to people and their answers.

use std::time::Duration;

use insta::assert_snapshot;

use crate::harness::{Project, agent, awaited, plan, sign, until};

/// A task for a person, before the agent's own.
const LOOK: &str = "<task id=\"1-00\" type=\"checkpoint:decision\">\n<name>Look at it</name>\n\
    <action>Does the page look right?</action>\n<done>someone looked</done>\n</task>\n\n";
const GATE: &str = "1/human/1-00";

fn asking(more: &str) -> Project {
    Project::scripted(&(more.to_owned() + &plan(1, LOOK, "")))
}

#[test]
fn a_question_ends_the_run_with_4_and_stands_in_status() {
    let project = asking("");
    let output = project.run(&["run"]).expect(4);
    assert!(output.stderr.contains("[ ?? ] 1/human/1-00 waits for a person"), "{output:?}");
    assert_snapshot!(project.run(&["status"]).shown(), @r"
        exit code 0
        --- stdout
        RUN is waiting: only a person can help
        spent: TIME of work, 0 tokens, $0.00
        branch: autopilot/RUN/head

        PHASE  NAME    STATUS  SCORE  TOKENS  DETAIL
        1      Part 1  active  -      0       EXECUTE 1-00

        question 1/human/1-00: Look at it: Does the page look right?
            done when: someone looked
          `autopilot approve 1/human/1-00` or `autopilot reject 1/human/1-00 -m WHY`, then `autopilot resume`
        ");
    let status = project.status();
    assert_eq!(status["status"], "waiting");
    assert_eq!(status["waiting_for_person"][0]["gate"], GATE);
    project.run(&["resume"]).expect(4);
    let asked = project.facts().iter().filter(|fact| !fact["asked"].is_null()).count();
    assert_eq!(asked, 1, "it is not asked again");
}

#[test]
fn a_phase_that_a_run_has_begun_is_not_begun_again_unless_asked() {
    let project = asking("");
    project.run(&["run"]).expect(4);
    assert_snapshot!(project.run(&["run"]).shown(), @r"
        exit code 1
        --- stderr
        error: RUN has begun phase 1 and not ended it
          why it matters: the same work would be done and paid for again
          what to do: `autopilot resume RUN` goes on with it; `--again` begins it anew all the same
        ");
    let again = project.run(&["run", "--again"]).expect(4);
    assert!(again.stderr.contains("would go on with it"), "{}", again.shown());
}

#[test]
fn an_answer_to_what_was_not_asked_is_kept_with_a_warning() {
    let project = asking("");
    project.run(&["run"]).expect(4);
    assert_snapshot!(project.run(&["approve", "1/human/1-99"]).shown(), @r"
        exit code 0
        --- stderr
        warning: RUN has not asked `1/human/1-99`; the answer counts if it ever does. Its open questions: 1/human/1-00
        kept; `autopilot resume RUN` goes on if nothing is working on it
        ");
}

#[test]
fn an_answer_to_what_can_never_be_asked_is_refused() {
    let project = asking("");
    project.run(&["run"]).expect(4);
    assert_snapshot!(project.run(&["approve", "no-such-thing"]).shown(), @r"
        exit code 1
        --- stderr
        error: RUN never asks `no-such-thing`
          why it matters: an answer under the wrong name would leave the question open
          what to do: its open questions: 1/human/1-00
        ");
    project.run(&["approve", "7/human/1-00"]).expect(1);
}

#[test]
fn a_yes_lets_the_run_go_on_and_a_second_answer_is_refused() {
    let project = asking("");
    project.run(&["run"]).expect(4);
    assert_snapshot!(project.run(&["approve", GATE, "-m", "fine"]).shown(), @r"
        exit code 0
        --- stderr
        kept; `autopilot resume RUN` goes on if nothing is working on it
        ");
    assert_snapshot!(project.run(&["reject", GATE]).shown(), @r"
        exit code 1
        --- stderr
        error: `1/human/1-00` has been answered already
          why it matters: the first answer counts
          what to do: `autopilot log RUN` shows it
        ");
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
    let facts = project.facts();
    let answered = facts.iter().find(|fact| !fact["answered"].is_null()).expect("it is recorded");
    let answer = &answered["answered"]["answer"];
    assert_eq!(answer["approved"], true);
    assert_eq!((&answer["message"], &answer["by"]), (&"fine".into(), &"person".into()));
    project.run(&["approve", GATE]).expect(1);
}

#[test]
fn a_no_fails_the_phase() {
    let project = asking("");
    project.run(&["run"]).expect(4);
    project.run(&["reject", GATE, "-m", "the logo is upside down"]).expect(0);
    let output = project.run(&["resume"]).expect(3);
    assert!(output.stderr.contains("the logo is upside down"), "{output:?}");
    assert_eq!(project.phase_states(), ["1 failed"]);
    assert_eq!(project.head(), project.sandbox.git(["rev-parse", "main"]));
}

#[test]
fn an_answer_before_the_question_counts() {
    let script = agent("researcher", 1, &[sign("research"), until("go")].join(", "), "");
    let project = asking(&script);
    let engine = project.start(&["run"]);
    project.await_sign("research");
    project.run(&["approve", GATE]).expect(0);
    project.run(&["reject", GATE]).expect(1);
    std::fs::write(project.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    let facts = project.facts();
    assert!(facts.iter().all(|fact| fact["asked"].is_null()), "nobody had to be asked");
}

#[test]
fn an_answer_reaches_an_engine_that_waits_for_something_else() {
    let limit = agent("researcher", 1, "{ limit = { seconds = 3 } }", "attempt = 1");
    let project = asking(&limit);
    let engine = project.start(&["run"]);
    awaited("it waits", Duration::from_secs(20), || engine.said().contains("has to wait"));
    project.run(&["approve", GATE]).expect(0);
    awaited("the answer is taken in", Duration::from_secs(2), || {
        engine.said().contains("1/human/1-00 approved by person")
    });
    engine.wait().expect(0);
}

#[test]
fn an_answer_survives_the_engine_that_was_told() {
    let script = agent("researcher", 1, &[sign("research"), until("go")].join(", "), "");
    let project = asking(&script);
    let mut engine = project.start(&["run"]);
    project.await_sign("research");
    project.run(&["approve", GATE]).expect(0);
    engine.kill();
    std::fs::write(project.path("signs/go"), "").expect("writable");
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn a_question_shows_everything_that_its_task_tells() {
    let look = "<task id=\"1-00\" type=\"checkpoint:decision\">\n<name>Look at the light</name>\n\
        <how-to-verify>Is it bright enough?</how-to-verify>\n</task>\n\n";
    let project = Project::scripted(&plan(1, look, ""));
    project.run(&["run"]).expect(4);
    let output = project.run(&["status"]).expect(0);
    let told =
        "question 1/human/1-00: Look at the light\n    how to verify: Is it bright enough?\n";
    assert!(output.stdout.contains(told), "{output:?}");
}
