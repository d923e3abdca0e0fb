//! The result of a run is looked at as a whole before the run ends.

use crate::harness::{Project, Sample};

/// An auditor who finds `USAGE.md` missing in the first so many looks.
fn auditor(looks: u32) -> String {
    let row = |status: &str| {
        format!(
            "return = {{ audit_results = [{{ phase_id = \"2\", requirements_checked = [{{ requirement_id = \"DOC-1\", \
             status = \"{status}\", file_line_evidence = \"USAGE.md:1\", gap_description = \"nothing tells how to use it\", \
             fix_complexity = \"small\" }}] }}] }}\n"
        )
    };
    let missing = (1..=looks)
        .map(|look| format!("[[on]]\nrole = \"auditor\"\nattempt = {look}\n{}\n", row("gap")));
    let missing: String = missing.collect();
    missing + "[[on]]\nrole = \"auditor\"\n" + &row("pass") + "\n"
}

/// Whoever closes the gap: works for no task of a plan.
fn closer(actions: &str) -> String {
    format!("[[on]]\nrole = \"executor\"\nphase = \"2\"\ntask = \"\"\ndo = [{actions}]\n\n")
}

const USAGE: &str = "{ write = { path = \"USAGE.md\", text = \"# How to use it\\n\" } }";

fn project(looks: u32, actions: &str) -> Project {
    let script = auditor(looks) + &closer(actions);
    Project::new(&Sample { phases: 2, script, ..Sample::default() })
}

fn report(project: &Project) -> String {
    let directory = project.sandbox.project().join(".autopilot");
    let entries = std::fs::read_dir(&directory).expect("it can be listed");
    let names = entries.map(|entry| entry.expect("readable").file_name().into_string());
    let name = names.flatten().find(|name| name.starts_with("completion-2")).expect("a report");
    std::fs::read_to_string(directory.join(name)).expect("readable")
}

#[test]
fn c41_what_an_auditor_finds_missing_is_repaired_checked_and_looked_at_again() {
    let project = project(1, USAGE);
    let output = project.run(&["run", "--complete"]).expect(0);
    assert!(output.stderr.contains("missing: DOC-1: nothing tells"), "{}", output.shown());
    assert!(output.stderr.contains("1 of 1 gaps are closed"), "{}", output.shown());
    assert!(project.files_at(&project.head()).contains(&"USAGE.md".to_owned()));
    let subject = project.sandbox.git(["log", "-1", "--format=%s", &project.head()]);
    assert_eq!(subject, "fix(audit): close DOC-1 gap - nothing tells how to use it");
    let report = report(&project);
    assert!(report.contains("- Gaps found: 1\n- Gaps fixed: 1\n- Gaps remaining: 0\n"), "{report}");
    let state = project.sandbox.project().join(".autopilot/state.json");
    let state = std::fs::read_to_string(state).expect("it is told");
    for event in ["started", "gap_found", "gap_fixed", "completed"] {
        assert!(state.contains(&format!("\"self_audit_{event}\"")), "{event}");
    }
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
    project.run(&["land"]).expect(0);
    assert!(project.sandbox.project().join("USAGE.md").exists());
}

#[test]
fn c41_what_cannot_be_repaired_is_told_and_the_run_is_not_done() {
    let breaks = format!("{USAGE}, {{ remove = {{ path = \"part-1.txt\" }} }}");
    let project = project(9, &breaks);
    let output = project.run(&["run", "--complete"]).expect(3);
    assert!(output.stderr.contains("still missing: DOC-1"), "{}", output.shown());
    assert!(
        output.stderr.contains("1/1 held before it and does not with it"),
        "{}",
        output.shown()
    );
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
    assert!(!project.files_at(&project.head()).contains(&"USAGE.md".to_owned()));
    let status = project.run(&["status"]).expect(0);
    assert!(status.stdout.contains("the result lacks something"), "{}", status.shown());
    assert!(status.stdout.contains("missing: DOC-1: nothing tells"), "{}", status.shown());
    assert!(report(&project).contains("- remaining: DOC-1: nothing tells how to use it\n"));
    let land = project.run(&["land"]).expect(1);
    assert!(land.stderr.contains("lacks something that was asked for"), "{}", land.shown());
    project.run(&["land", "--incomplete"]).expect(0);
}

#[test]
fn c41_whoever_wants_no_look_at_the_whole_says_so() {
    let script = auditor(9);
    let config = "[run]\naudit = false\n".to_owned();
    let project = Project::new(&Sample { phases: 2, script, config });
    project.run(&["run", "--complete"]).expect(0);
    assert!(report(&project).contains("## Self-Audit Results\nNot run.\n"));
}
