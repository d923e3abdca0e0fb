//! What those who judge are held to.

use crate::harness::{Project, Sample, agent, honest, sh};

/// One honest phase, with entries that come before the honest ones.
fn project(entries: &str) -> Project {
    let script = entries.to_owned() + &honest(1);
    Project::new(&Sample { phases: 1, script, ..Sample::default() })
}

fn facts(project: &Project, name: &str) -> Vec<serde_json::Value> {
    let facts = project.facts().into_iter();
    facts.filter_map(|fact| fact["phase"]["fact"].get(name).cloned()).collect()
}

#[test]
fn c27_a_verifier_that_tells_of_tools_is_held_to_what_was_seen() {
    let claim = "return = { pass = true, commands_run = [\"sh tests/all.sh -> ok\"] }";
    let ran = project(&agent("verifier", 1, &sh("grep -q part part-1.txt"), claim));
    ran.run(&["run"]).expect(0);
    let verified = &facts(&ran, "verified")[0];
    assert_eq!(verified["seen"]["commands"]["seen"][0], "grep -q part part-1.txt");
    let caught = &facts(&ran, "caught")[0];
    assert!(caught["claim"].to_string().contains("sh tests/all.sh"), "{caught}");

    // Who writes a note and runs nothing is seen to run nothing, whatever it claims.
    let note = "{ write = { path = \"note\", text = \"fine\" } }";
    let idle = project(&agent("verifier", 1, note, claim));
    let output = idle.run(&["run"]).expect(3);
    assert!(output.stderr.contains("check 10 `verifier-ran-something`"), "{}", output.shown());
    assert_eq!(idle.phase_states(), ["1 failed"]);
    let refused: Vec<String> =
        facts(&idle, "breached").iter().map(|one| one["then"].to_string()).collect();
    assert_eq!(refused, ["\"again\"", "\"failed\""]);

    // And of who tells of no tool, what is claimed is written down as claimed.
    let silent = project("");
    silent.run(&["run"]).expect(0);
    assert_eq!(facts(&silent, "verified")[0]["seen"]["commands"]["claimed"][0], "git status");
}

#[test]
fn c16_a_reviewer_who_reports_what_another_says_is_told_in_the_end() {
    let word = "return = { recommendation = \"proceed\", concerns = [\"As the verifier noted, it is short.\"], \
                independent_evidence = [\"part-1.txt:1 - it is there\"] }";
    let project = project(&agent("judge", 1, "", word));
    let output = project.run(&["run"]).expect(0);
    assert!(output.stderr.contains("check 11.5 `contamination`"), "{}", output.shown());
    let state = std::fs::read_to_string(project.sandbox.project().join(".autopilot/state.json"));
    assert!(state.expect("it is told").contains("\"cross_contamination_warning\""));
}

#[test]
fn e11_a_phase_that_holds_already_leaves_a_plan_of_its_criteria() {
    let project = project("");
    project.sandbox.write("part-1.txt", "part 1\n");
    project.sandbox.commit("it is there");
    project.run(&["run"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
    let path = format!("{}:.planning/phases/1-part-1/PLAN.md", project.head());
    let plan = project.sandbox.git(["show", &path]);
    let criterion = "- It is written -- verified by: `grep -qx 'part 1' part-1.txt`";
    assert!(plan.contains(criterion), "{plan}");
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
}
