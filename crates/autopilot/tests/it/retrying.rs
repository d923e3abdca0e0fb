//! Failed phases are tried once more when a person asks for it, and errors say what to do.

use crate::harness::{Project, Sample, agent};

/// Three phases, of which the second fails until a sign is there.
fn failing() -> Project {
    let works = "{ run = { command = \"test -e ROOT/signs/fixed && echo 'part 2' > part-2.txt || echo no > part-2.txt\" } }";
    let script = agent("executor", 2, works, "") + &agent("debugger", 2, works, "");
    let config = "[limits]\nphase_debugs = 1\ntask_debugs = 1\n".to_owned();
    Project::new(&Sample { phases: 3, script, config })
}

#[test]
fn d48_a_failed_phase_is_tried_once_more_on_request_and_what_waited_for_it_too() {
    let project = failing();
    project.run(&["run", "--complete"]).expect(3);
    assert_eq!(project.phase_states(), ["1 completed", "2 failed", "3 blocked"]);
    let told = project.run(&["resume"]).expect(3);
    assert!(
        told.stderr.contains("`autopilot resume --retry` tries 1 failed phase once more"),
        "{}",
        told.shown()
    );
    assert_eq!(project.phase_states()[1], "2 failed", "nothing is tried again by itself");

    std::fs::write(project.path("signs/fixed"), "").expect("written");
    let output = project.run(&["resume", "--retry"]).expect(0);
    assert!(output.stderr.contains("[Phase 2] is tried again"), "{}", output.shown());
    assert_eq!(project.phase_states(), ["1 completed", "2 completed", "3 completed"]);
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
    project.run(&["land"]).expect(0);
}

#[test]
fn d48_a_phase_that_fails_twice_is_not_tried_a_third_time() {
    let project = failing();
    project.run(&["run", "--complete"]).expect(3);
    project.run(&["resume", "--retry"]).expect(3);
    assert_eq!(project.phase_states(), ["1 completed", "2 failed", "3 blocked"]);
    let refused = project.run(&["resume", "--retry"]).expect(1);
    assert!(refused.stderr.contains("has no failed phase"), "{}", refused.shown());
}

#[test]
fn e10_a_completed_run_is_in_the_archive_and_the_next_one_starts_fresh() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let first = project.run_id();
    project.run(&["resume"]).expect(0);
    let archived = project.sandbox.project().join(format!(".autopilot/archive/{first}.json"));
    assert!(archived.exists());
    project.run(&["land"]).expect(0);
    project.run(&["run", "1", "--force"]).expect(0);
    assert_ne!(project.run_id(), first);
    let state = project.sandbox.project().join(".autopilot/state.json");
    let state = std::fs::read_to_string(state).expect("it is told");
    assert!(state.contains(&project.run_id()) && !state.contains(&first));
}

#[test]
fn c50_every_refusal_says_what_happened_why_it_matters_and_what_to_do() {
    let project = failing();
    project.run(&["run", "--complete"]).expect(3);
    let wrong: [&[&str]; 19] = [
        &["run", "--bogus"],
        &["run", "--checkpoint-every", "x"],
        &["run", "1", "2"],
        &["frobnicate"],
        &["waive", "check"],
        &["run", "99"],
        &["run", "x"],
        &["run", "3"],
        &["run", "--agent", "nobody"],
        &["run", "--force", "--complete"],
        &["run", "--roadmap", "NO-SUCH.md"],
        &["resume", "no-such-run"],
        &["status", "no-such-run"],
        &["log", "no-such-run"],
        &["land"],
        &["approve", "no-such-question"],
        &["waive", "no-such-check", "--why", "because"],
        &["verify", "no-such-certificate"],
        &["phase", "remove", "99", "--yes"],
    ];
    for words in wrong {
        let output = project.run(words);
        assert_ne!(output.code, Some(0), "{words:?}: {}", output.shown());
        let lines: Vec<&str> = output.stderr.lines().collect();
        let parts = ["error: ", "  why it matters: ", "  what to do: "].map(|part| {
            let told = lines.iter().find_map(|line| line.strip_prefix(part));
            told.map(str::trim).unwrap_or_default()
        });
        assert!(parts.iter().all(|part| part.len() > 9), "{words:?}: {}", output.shown());
    }
}
