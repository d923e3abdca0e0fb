//! What a plan leaves to a person's eyes waits for the end of the run.

use crate::harness::{Project, Sample, agent, plan};

/// A task for a person's eyes, before the agent's own.
const LOOK: &str = "<task id=\"1-00\" type=\"checkpoint:human-verify\">\n<name>Look at it</name>\n\
    <action>Does the page look right?</action>\n<done>someone looked</done>\n</task>\n\n";

/// Two phases, the first with a task for a person's eyes, of which the verifier is this sure.
fn project(confidence: &str) -> Project {
    let word = format!(
        "return = {{ pass = true, commands_run = [\"true\"], autonomous_resolution_attempted = true, \
         autonomous_confidence = {confidence}, deferral_evidence = [\"no screen here\"] }}"
    );
    let script = agent("verifier", 1, "", &word) + &plan(1, LOOK, "");
    Project::new(&Sample { phases: 2, script, ..Sample::default() })
}

#[test]
fn c28_other_phases_go_on_and_a_person_is_asked_at_the_end() {
    let project = project("5.9");
    let output = project.run(&["run", "--complete"]).expect(4);
    assert!(output.stderr.contains("a person must look: no screen here"), "{}", output.shown());
    assert_eq!(project.phase_states(), ["1 needs a person", "2 completed"]);
    let state = std::fs::read_to_string(project.sandbox.project().join(".autopilot/state.json"));
    assert!(state.expect("it is told").contains("\"needs_human_verification\""));
    let land = project.run(&["land"]).expect(1);
    assert!(land.stderr.contains("is not finished"), "{}", land.shown());
    project.run(&["approve", "1/human/1-00"]).expect(0);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
    assert!(roadmap(&project).contains("- [x] **Phase 1"), "the mark comes with their word");
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
}

#[test]
fn c28_a_verifier_who_is_sure_enough_needs_nobody() {
    let project = project("6.0");
    project.run(&["run", "--complete"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
}

#[test]
fn c29_a_no_at_the_end_is_told_and_reaches_what_is_learned() {
    let project = project("3");
    project.run(&["run", "--complete"]).expect(4);
    project.run(&["reject", "1/human/1-00", "-m", "the button is grey"]).expect(0);
    project.run(&["resume"]).expect(3);
    assert_eq!(project.phase_states(), ["1 refused", "2 completed"]);
    let learned = project.sandbox.project().join(".autopilot/learnings.md");
    let learned = std::fs::read_to_string(learned).expect("it is told");
    assert!(learned.contains("the button is grey"), "{learned}");
    let status = project.run(&["status"]).expect(0);
    assert!(status.stdout.contains("refused by person: the button is grey"), "{}", status.shown());
}

/// The roadmap on the run branch.
fn roadmap(project: &Project) -> String {
    project.sandbox.git(["show", &format!("{}:.planning/ROADMAP.md", project.head())])
}

#[test]
fn c29_a_refused_phase_is_not_told_as_complete_anywhere_and_is_tried_again_on_request() {
    let project = project("3");
    let file = |name: &str| {
        let path = project.sandbox.project().join(".autopilot").join(name);
        std::fs::read_to_string(path).expect("it is told")
    };
    project.run(&["run", "--complete"]).expect(4);
    assert!(roadmap(&project).contains("- [ ] **Phase 1"), "it waits for a person");
    assert!(roadmap(&project).contains("- [x] **Phase 2"));
    project.run(&["reject", "1/human/1-00", "-m", "the button is grey"]).expect(0);
    project.run(&["resume"]).expect(3);
    assert!(roadmap(&project).contains("- [ ] **Phase 1"), "{}", roadmap(&project));
    let state: serde_json::Value = serde_json::from_str(&file("state.json")).expect("JSON");
    let verdict = &state["phases"]["1"]["human_verdict"];
    assert_eq!(verdict["verdict"], "issues_found", "{verdict}");
    assert_eq!(verdict["issues"], serde_json::json!(["the button is grey"]));
    assert!(verdict["timestamp"].as_str().is_some_and(|time| time.starts_with("20")), "{verdict}");
    assert_eq!(state["phases"]["1"]["status"], "needs_human_verification");
    let report = file("completion-report.md");
    assert!(report.contains("- Succeeded: 1\n") && report.contains("- Deferred to human: 1\n"));
    assert!(report.contains("50.0% (1/2 phases)"), "{report}");
    let metrics: serde_json::Value =
        serde_json::from_str(&file("archive/metrics.json")).expect("JSON");
    let numbers = (&metrics[0]["phases_succeeded"], &metrics[0]["success_rate"]);
    assert_eq!(numbers, (&1.into(), &0.5.into()));
    let list = project.run(&["phase", "list"]).expect(0);
    assert!(list.stdout.contains("1 of 2 phases complete"), "{}", list.shown());
    assert!(list.stdout.contains("--retry"), "{}", list.shown());

    project.run(&["resume", "--retry"]).expect(4);
    project.run(&["approve", "1/human/1-00"]).expect(0);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
    assert!(roadmap(&project).contains("- [x] **Phase 1"), "{}", roadmap(&project));
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
}

#[test]
fn c29_a_refused_phase_that_was_landed_is_found_by_the_next_run() {
    let project = project("3");
    project.run(&["run", "--complete"]).expect(4);
    project.run(&["reject", "1/human/1-00", "-m", "the button is grey"]).expect(0);
    project.run(&["resume"]).expect(3);
    project.run(&["land", "--incomplete", "-y"]).expect(0);
    let list = project.run(&["phase", "list"]).expect(0);
    assert!(list.stdout.contains("1 of 2 phases complete (50 %)"), "{}", list.shown());
    project.run(&["run", "next"]).expect(4);
    let given = &project.facts()[0]["submitted"]["work"]["phases"][0];
    assert_eq!(given["id"], "1");
    assert_eq!(given["refused"][0], "a person refused task 1-00: the button is grey");
}

#[test]
fn c28_people_who_always_agree_are_asked_less_in_the_next_run() {
    let looks: String = (0..3).map(|at| LOOK.replace("1-00", &format!("1-0{}", at + 5))).collect();
    let word = "return = { pass = true, commands_run = [\"true\"], autonomous_resolution_attempted = true, \
                autonomous_confidence = 5.5, deferral_evidence = [\"no screen here\"] }";
    let script = agent("verifier", 1, "", word) + &plan(1, &looks, "");
    let project = Project::new(&Sample { phases: 1, script, ..Sample::default() });
    project.run(&["run"]).expect(4);
    for at in 5..8 {
        project.run(&["approve", &format!("1/human/1-0{at}")]).expect(0);
    }
    project.run(&["resume"]).expect(0);
    project.run(&["run", "--again"]).expect(0);
    assert_eq!(project.facts()[0]["submitted"]["manner"]["deferral"], 55);
}
