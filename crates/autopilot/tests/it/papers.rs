//! What the engine writes into the directory of a phase, and what an exhausted agent leaves.

use autopilot_core::report::{Routing, Triage};

use crate::harness::{Project, Sample, agent, part, sh};

const DIRECTORY: &str = ".planning/phases/1-part-1";

fn at(project: &Project, commit: &str, name: &str) -> String {
    project.sandbox.git(["show", &format!("{commit}:{DIRECTORY}/{name}")])
}

#[test]
fn c37_what_an_exhausted_agent_left_is_gone_on_with_and_told() {
    let half = "{ write = { path = \"half.txt\", text = \"half\\n\" } }";
    let word = "attempt = 1\nreturn = { tasks_completed = \"0/1\", issues = [\"context_exhaustion: half of it\"] }";
    let goes_on = format!(
        "{{ run = {{ command = \"cp half.txt {DIRECTORY}/HANDOFF.md ROOT/signs/\" }} }}, {}",
        part(1)
    );
    let script = agent("executor", 1, half, word) + &agent("executor", 1, &goes_on, "");
    let project = Project::new(&Sample { phases: 1, script, ..Sample::default() });
    let output = project.run(&["run"]).expect(0);
    assert!(output.stderr.contains("goes on from what was left"), "{}", output.shown());
    let seen = std::fs::read_to_string(project.path("signs/HANDOFF.md")).expect("it was there");
    assert!(
        seen.contains("## Tasks Remaining\n") && seen.contains("| 1-01 | Write part 1 |"),
        "{seen}"
    );
    assert_eq!(std::fs::read_to_string(project.path("signs/half.txt")).expect("there"), "half\n");
    let head = project.head();
    assert!(project.files_at(&head).contains(&"half.txt".to_owned()));
    let left = at(&project, &head, "HANDOFF.md");
    assert!(left.contains("context_exhaustion: half of it"), "{left}");
    assert!(left.contains("| 1-01 | Write part 1 |"), "it stays as it was: {left}");
    let own = project.sandbox.project().join(".autopilot");
    let names = std::fs::read_dir(&own).expect("listable").map(|entry| entry.expect("readable"));
    let is_handoff =
        |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("handoff-2");
    let files: Vec<_> = names.filter(is_handoff).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let text = std::fs::read_to_string(files[0].path()).expect("readable");
    assert!(text.contains("**Step:** execute\n"), "{text}");
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
}

#[test]
fn c35_e15_a_completed_phase_has_its_log_and_its_traces_on_the_run_branch() {
    let project = Project::honest(2);
    project.run(&["run", "--complete"]).expect(0);
    let head = project.head();
    let log = at(&project, &head, "EXECUTION-LOG.md");
    assert!(log.contains("## Task 1-01: Write part 1\n- **Status:** COMPLETED\n"), "{log}");
    assert!(log.contains("- `echo part 1 | cmp -s - part-1.txt`: passed"), "{log}");
    let listed = project.files_at(&head);
    let prefix = format!("{DIRECTORY}/");
    let traces: Vec<&str> = listed
        .iter()
        .filter_map(|path| path.strip_prefix(&prefix))
        .filter(|name| name.ends_with("-trace.jsonl"))
        .collect();
    assert_eq!(traces.len(), 9, "{listed:?}");
    let lines = |name: &str| -> Vec<String> {
        at(&project, &head, name).lines().map(str::to_owned).collect()
    };
    let mut all = lines("TRACE.jsonl");
    let mut parts: Vec<String> = traces.iter().flat_map(|name| lines(name)).collect();
    assert!(all.iter().all(|line| line.starts_with("{\"timestamp\":\"20")), "{all:?}");
    all.sort();
    parts.sort();
    assert_eq!(all, parts);
    project.run(&["verify"]).expect(0);
}

#[test]
fn e15_whoever_judges_never_sees_the_papers() {
    let look = "{ run = { command = \"find . -name EXECUTION-LOG.md -o -name '*trace.jsonl' -o -name TRACE.jsonl \
                -o -name TRIAGE.json -o -name RESEARCH.md > ROOT/signs/$AUTOPILOT_ROLE\" } }";
    let roles = ["verifier", "judge", "rater", "plan-checker", "auditor"];
    let script: String = roles
        .iter()
        .filter(|role| **role != "auditor")
        .map(|role| agent(role, 2, look, ""))
        .chain([format!("[[on]]\nrole = \"auditor\"\ndo = [{look}]\n\n")])
        .collect();
    let project = Project::new(&Sample { phases: 2, script, ..Sample::default() });
    project.run(&["run", "--complete"]).expect(0);
    for role in roles {
        let seen = std::fs::read_to_string(project.path("signs").join(role)).expect("it looked");
        assert_eq!(seen, "", "{role}");
    }
}

#[test]
fn e18_a_completed_phase_tells_what_was_found_before_and_after_the_work() {
    let project = Project::honest(2);
    project.run(&["run", "--complete"]).expect(0);
    let head = project.head();
    let triage: Triage =
        serde_json::from_str(&at(&project, &head, "TRIAGE.json")).expect("it has its schema");
    assert_eq!((triage.total_criteria, triage.passed_criteria), (1, 0));
    assert_eq!(triage.routing_decision, Routing::FullPipeline);
    assert!(at(&project, &head, "RESEARCH.md").contains("\n## Key Findings\n\n- "));
    let verification = at(&project, &head, "VERIFICATION.md");
    let mut lines = verification.lines();
    assert_eq!((lines.next(), lines.next()), (Some("---"), Some("phase: 1")));
    assert!(lines.next().is_some_and(|line| line.starts_with("verified: 20")), "{verification}");
    assert!(
        verification
            .contains("| It is written | `grep -qx 'part 1' part-1.txt` | 0 |  | VERIFIED |"),
        "{verification}"
    );
    let report = at(&project, &head, "JUDGE-REPORT.md");
    assert!(report.contains("**Recommendation:** proceed\n\n## Concerns\n\n- "), "{report}");
    assert!(report.contains("\n## Divergence Analysis\n"), "{report}");
    let scorecard = at(&project, &head, "SCORECARD.md");
    assert!(scorecard.contains("**Aggregate score:** 9.4/10"), "{scorecard}");
    assert!(scorecard.contains("**Band:** good"), "{scorecard}");
}

#[test]
fn e18_what_was_there_already_has_a_triage_that_says_so() {
    let project = Project::honest(1);
    project.sandbox.write("part-1.txt", "part 1\n");
    project.sandbox.commit("somebody was faster");
    project.run(&["run"]).expect(0);
    let triage: Triage =
        serde_json::from_str(&at(&project, &project.head(), "TRIAGE.json")).expect("its schema");
    assert_eq!(triage.routing_decision, Routing::VerifyOnly);
    assert_eq!(triage.skipped_steps, ["research", "plan", "plan_check", "execute"]);
}

/// What nobody but the engine writes into the directory of a phase.
const PAPERS: &str = "EXECUTION-LOG.md SCORECARD.md VERIFICATION.md JUDGE-REPORT.md TRIAGE.json RESEARCH.md HANDOFF.md \
                      TRACE.jsonl execute-trace.jsonl";

/// The action of someone who looks for what was forged.
fn look() -> String {
    sh("grep -rl FORGED . >> ROOT/signs/$AUTOPILOT_PHASE-$AUTOPILOT_ROLE; true")
}

/// A run of two phases in which the executor of the first one does something besides, and others look around.
fn with_a_forger(forge: &str, looking: &[(&str, usize)]) -> Project {
    let script: String = looking
        .iter()
        .map(|(role, phase)| agent(role, *phase, &look(), ""))
        .chain([agent("executor", 1, &format!("{}, {}", part(1), sh(forge)), "")])
        .collect();
    Project::new(&Sample { phases: 2, script, ..Sample::default() })
}

fn assert_nothing_forged_was_seen(project: &Project, looking: &[(&str, usize)]) {
    for (role, phase) in looking {
        let seen = std::fs::read_to_string(project.path(&format!("signs/{phase}-{role}")));
        assert_eq!(seen.expect("it looked"), "", "{role} of phase {phase}");
    }
}

#[test]
fn papers_that_an_agent_writes_are_dropped_and_told_and_nobody_is_shown_them() {
    let forge = format!(
        "for d in 1-part-1 1-part-1/1a 2-part-2; do mkdir -p .planning/phases/$d/tests; for f in {PAPERS}; do \
         echo FORGED > .planning/phases/$d/$f; done; done; echo FORGED > .planning/phases/2-part-2/PLAN.md; \
         echo FORGED > .planning/phases/2-part-2/tests/task-2-01.sh"
    );
    let looking = [("verifier", 1), ("judge", 1), ("rater", 1), ("researcher", 2), ("verifier", 2)];
    let project = with_a_forger(&forge, &looking);
    let output = project.run(&["run", "--complete"]).expect(0);
    assert_nothing_forged_was_seen(&project, &looking);
    let told = "1/execute/1-01: its edits of 29 files from `.planning/phases/1-part-1/1a/EXECUTION-LOG.md` on have no effect";
    assert!(output.stderr.contains(told), "{}", output.shown());
    let head = project.head();
    for path in project.files_at(&head) {
        let text = project.sandbox.git(["show", &format!("{head}:{path}")]);
        assert!(!text.lines().any(|line| line == "FORGED"), "{path}: {text}");
    }
    let dropped = project.facts().into_iter().filter(|fact| fact["left-out"].is_object());
    let dropped: Vec<_> = dropped.map(|fact| fact["left-out"]["fate"].clone()).collect();
    assert_eq!(dropped, ["not-theirs"]);
    assert!(project.is_reachable("FORGED"), "what an agent left is kept all the same");
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
}

#[test]
fn a_link_in_the_place_of_a_phases_directory_is_dropped() {
    let forge = "mkdir -p decoy && echo FORGED > decoy/PLAN.md && ln -s ../../decoy .planning/phases/2-part-2";
    let project = with_a_forger(forge, &[]);
    let output = project.run(&["run", "--complete"]).expect(0);
    let told = "1/execute/1-01: its edits of `.planning/phases/2-part-2` have no effect";
    assert!(output.stderr.contains(told), "{}", output.shown());
    let plan = project
        .sandbox
        .git(["show", &format!("{}:.planning/phases/2-part-2/PLAN.md", project.head())]);
    assert!(plan.contains("Write part 2"), "{plan}");
}

#[test]
fn a_plan_that_stands_is_not_changed_by_whoever_works_by_it() {
    let path = format!("{DIRECTORY}/PLAN.md");
    for forge in [
        format!("echo FORGED >> {path}"),
        format!("rm {path}"),
        format!("rm {path}; mkdir {path}; echo FORGED > {path}/x"),
    ] {
        let looking = [("verifier", 1), ("rater", 1)];
        let project = with_a_forger(&forge, &looking);
        let output = project.run(&["run", "1"]).expect(0);
        assert_nothing_forged_was_seen(&project, &looking);
        assert!(output.stderr.contains("have no effect"), "{forge}: {}", output.shown());
        let plan = at(&project, &project.head(), "PLAN.md");
        assert!(plan.contains("Write part 1") && !plan.contains("FORGED"), "{forge}: {plan}");
    }
}

#[test]
fn an_edit_of_the_roadmap_that_counts_for_nothing_is_told_while_the_run_goes_on() {
    let forge = "echo 'Everything is done.' >> .planning/ROADMAP.md";
    let project = with_a_forger(forge, &[]);
    let output = project.run(&["run", "1"]).expect(0);
    let told = "[Phase 1] edits of `.planning/ROADMAP.md` have no effect";
    assert!(output.stderr.contains(told), "{}", output.shown());
}
