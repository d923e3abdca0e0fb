//! The files that tell of a run: written while it goes on, made again after a crash, and nowhere but in `.autopilot/`.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use autopilot_core::report::{Document, PhaseStatus, RunStatus, StateFile, fits};
use autopilot_testkit::sim::Chance;
use serde_json::Value;

use crate::harness::{Before, Project, Sample, agent, part, sign, until};

/// A phase that is not done is given up at once.
const NO_REPAIRS: &str = "[limits]\ntask_debugs = 0\nphase_debugs = 0\n";

/// A score below what phases must reach.
const RATING: &str = "alignment_score = 8.5, scorecard = [{ criterion = \"it is written\", score = 8.5, \
                      justification = \"part-1.txt:1 has no heading\" }]";

fn path(project: &Project, name: &str) -> PathBuf {
    project.sandbox.project().join(".autopilot").join(name)
}

fn read(project: &Project, name: &str) -> String {
    let path = path(project, name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A document that fits its schema.
fn document(project: &Project, name: &str, kind: Document) -> Value {
    let value: Value = serde_json::from_str(&read(project, name)).expect("it is JSON");
    assert_eq!(fits(kind, &value), Ok(()), "{name}");
    value
}

fn state(project: &Project) -> StateFile {
    let value = document(project, "state.json", Document::State);
    serde_json::from_value(value).expect("it is a state")
}

/// The report of the day.
fn completion(project: &Project) -> String {
    let names = fs::read_dir(path(project, "")).expect("it can be listed");
    let names = names.map(|entry| entry.expect("readable").file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let dated = |name: &&String| name.starts_with("completion-2") && name.ends_with(".md");
    let found: Vec<&String> = names.iter().filter(dated).collect();
    assert_eq!(found.len(), 1, "{names:?}");
    read(project, found[0])
}

/// Four phases: the second is never done, the third waits for it, the fourth for nothing.
fn with_a_failing_phase() -> Project {
    let script = agent("executor", 2, "", "return = { tasks_completed = \"1/1\" }");
    let project = Project::new(&Sample { phases: 4, script, config: NO_REPAIRS.to_owned() });
    let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
    let text = fs::read_to_string(&roadmap).expect("readable");
    let text = text.replace("**Depends on**: Phase 3", "**Depends on**: Nothing");
    project.sandbox.write(".planning/ROADMAP.md", text);
    project.sandbox.commit("the last phase waits for nothing");
    project
}

#[test]
fn c6_c33_c34_a_failed_phase_blocks_what_waits_for_it_leaves_its_reasons_and_teaches_the_rest() {
    let project = with_a_failing_phase();
    let before = Before::of(&project);
    project.run(&["run", "--complete"]).expect(3);
    before.check(&project);
    assert_eq!(project.phase_states(), ["1 completed", "2 failed", "3 blocked", "4 completed"]);

    let state = state(&project);
    let of = |id: &str| state.phases[id].status;
    assert_eq!((of("1"), of("2")), (PhaseStatus::Completed, PhaseStatus::Failed));
    assert_eq!((of("3"), of("4")), (PhaseStatus::Skipped, PhaseStatus::Completed));
    let skipped = state.event_log.iter().find(|entry| entry.event == "phase_skipped");
    assert_eq!(skipped.expect("it is told").details["reason"], "blocked_by_phase_2");
    let report = read(&project, "completion-report.md");
    assert!(report.contains("**Project completion:** 50.0% (2/4 phases)"), "{report}");
    assert!(report.contains("| 3 | blocked_by_phase_2 |\n"), "{report}");
    assert!(report.contains("- **Phase 2 failed** -> Blocked: Phase 3 (Part 3)\n"), "{report}");

    let why = document(&project, "diagnostics/phase-2-postmortem.json", Document::PostMortem);
    assert_eq!(why["root_cause"]["category"], "acceptance_criteria_unmet");
    let rule = why["prevention_rule"].as_str().expect("a rule");
    let learned = read(&project, "learnings.md");
    assert!(learned.contains("### Phase 2 failure -- acceptance_criteria_unmet\n"), "{learned}");
    assert!(learned.contains(rule), "{learned}");
    assert!(!path(&project, "diagnostics/phase-1-postmortem.json").exists());

    for (step, is_told) in
        [("4/plan", true), ("4/execute/4-01", true), ("4/verify", false), ("1/plan", false)]
    {
        let told = project.run(&["transcript", step]).expect(0).stdout;
        assert_eq!(told.contains(rule), is_told, "{step}: {told}");
    }

    // Another run has learned nothing yet.
    project.run(&["land", "--incomplete", "--yes"]).expect(0);
    let first = project.run_id();
    project.script(&crate::harness::honest(4));
    project.run(&["run", "--complete"]).expect(0);
    assert!(!path(&project, "learnings.md").exists());
    assert_eq!(read(&project, &format!("archive/learnings-{first}.md")), learned);
    let report = read(&project, "completion-report.md");
    assert!(report.contains("100.0% (4/4 phases)") && report.contains("| 1 | already_completed |"));
}

#[test]
fn c24_a_score_below_nine_leaves_what_would_raise_it() {
    let script = agent("rater", 1, "", &format!("return = {{ {RATING} }}"));
    let config = "[limits]\nremediations = 0\n".to_owned();
    let project = Project::new(&Sample { phases: 2, script, config });
    project.run(&["run", "--complete"]).expect(0);
    let text = read(&project, "diagnostics/phase-1-confidence.md");
    assert!(text.contains("| compile | n/a | no command |\n"), "{text}");
    assert!(text.contains("**Score:** 8.5/10\n**Threshold:** 9.0/10\n"), "{text}");
    assert!(text.contains("**Status:** force_incomplete\n"), "{text}");
    assert!(text.contains("\n1. **part-1.txt:1**: it is written: 8.5 of 10, "), "{text}");
    assert!(text.contains(" -- resolves 1 of 1 deductions"), "{text}");
    assert!(
        text.contains("| verified | `grep -qx 'part 1' part-1.txt`, exit code 0 | - |"),
        "{text}"
    );
    assert!(!path(&project, "diagnostics/phase-2-confidence.md").exists());
    let state = state(&project);
    let first = &state.phases["1"];
    assert_eq!((first.alignment_score, first.force_incomplete), (Some(8.5), true));
    assert_eq!(
        first.diagnostic_path.as_deref(),
        Some(".autopilot/diagnostics/phase-1-confidence.md")
    );
}

#[test]
fn c36_after_a_kill_state_json_is_whole_and_the_next_start_makes_it_again() {
    let actions = [sign("working"), until("go"), part(1)].join(", ");
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    let mut engine = project.start(&["run"]);
    project.await_sign("working");
    engine.kill();
    let killed = state(&project);
    assert_eq!(killed.meta.status, RunStatus::Running, "nobody could say otherwise");
    assert_eq!(killed.meta.run_id, project.run_id());
    for name in ["state.json", "state.json.backup"] {
        drop(fs::remove_file(path(&project, name)));
    }
    fs::write(path(&project, "state.json.tmp"), "{\"_meta\":").expect("writable");
    fs::write(project.path("signs/go"), "").expect("writable");
    project.run(&["resume"]).expect(0);
    let resumed = state(&project);
    assert_eq!(resumed.meta.status, RunStatus::Completed);
    let events: Vec<&str> = resumed.event_log.iter().map(|entry| entry.event.as_str()).collect();
    assert_eq!(events.iter().filter(|event| **event == "run_started").count(), 1, "{events:?}");
    assert!(events.contains(&"run_resumed") && events.contains(&"run_completed"), "{events:?}");
    let before: Value = document(&project, "state.json.backup", Document::State);
    assert_eq!(before["_meta"]["run_id"], resumed.meta.run_id.as_str());
    let archived =
        document(&project, &format!("archive/{}.json", project.run_id()), Document::State);
    assert_eq!(archived["_meta"]["status"], "completed");
}

#[test]
fn c36_killed_at_many_moments_there_is_always_a_whole_state_and_nothing_is_lost() {
    const KILLS: usize = 15;
    let mut chance = Chance::of(7, "telling");
    let project = Project::honest(2);
    let mut engine = project.start(&["run", "--complete"]);
    for _ in 0..KILLS {
        let until = Instant::now() + Duration::from_millis(chance.below(400));
        while engine.is_running() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        if !engine.is_running() {
            break;
        }
        engine.kill();
        if path(&project, "state.json").exists() {
            assert_eq!(state(&project).meta.total_phases, 2);
        }
        engine = project.go_on();
    }
    engine.wait().expect(0);
    let state = state(&project);
    assert_eq!((state.meta.status, state.meta.total_phases_processed), (RunStatus::Completed, 2));
    assert_eq!(state.meta.run_id, project.run_id());
    for phase in state.phases.values() {
        let tasks = phase.steps["execute"].tasks.as_ref().and_then(Value::as_object);
        assert_eq!(tasks.map(serde_json::Map::len), Some(1), "{phase:?}");
        assert!(phase.steps.contains_key("plan") && phase.steps.contains_key("judge"));
    }
}

#[test]
fn c36_a_run_that_was_killed_right_after_its_end_is_told_by_resume() {
    let project = Project::honest(1);
    project.run(&["run", "--complete"]).expect(0);
    let archive = format!("archive/{}.json", project.run_id());
    let names = ["state.json", "completion-report.md", "archive/metrics.json", &archive];
    let before: Vec<String> = names.iter().map(|name| read(&project, name)).collect();
    for name in names {
        fs::remove_file(path(&project, name)).expect("it is there");
    }
    project.run(&["resume"]).expect(0);
    let after: Vec<String> = names.iter().map(|name| read(&project, name)).collect();
    assert_eq!(after, before);
}

#[test]
fn e9_whoever_resumes_at_once_is_told_that_the_run_was_to_cool_down() {
    let script = agent("executor", 1, "", "return = { tasks_completed = \"1/1\" }");
    let config = format!("{NO_REPAIRS}no_progress = 1\n");
    let project = Project::new(&Sample { phases: 2, script, config });
    project.run(&["run", "--complete"]).expect(5);
    let state = state(&project);
    assert_eq!(state.meta.status, RunStatus::Paused);
    let resumed = project.run(&["resume"]);
    assert!(resumed.stderr.contains("was to cool down until 20"), "{}", resumed.shown());
}

#[test]
fn c40_a_second_run_is_set_beside_the_first() {
    let script = agent("executor", 1, "", "return = { tasks_completed = \"1/1\" }");
    let project = Project::new(&Sample { phases: 1, script, config: NO_REPAIRS.to_owned() });
    project.run(&["run"]).expect(3);
    let first = completion(&project);
    assert!(!first.contains("## Trend Analysis"), "there is nothing to compare with: {first}");
    assert!(!path(&project, "completion-report.md").exists(), "it was not to complete the project");
    project.script(&crate::harness::honest(1));
    project.run(&["run", "--again"]).expect(0);
    let metrics = document(&project, "archive/metrics.json", Document::Metrics);
    let metrics = metrics.as_array().expect("a list");
    assert_eq!(metrics.len(), 2);
    assert_eq!(
        (&metrics[0]["success_rate"], &metrics[1]["success_rate"]),
        (&0.0.into(), &1.0.into())
    );
    assert_eq!(metrics[0]["failure_taxonomy_histogram"]["acceptance_criteria_unmet"], 1);
    let second = completion(&project);
    assert!(second.contains("## Trend Analysis\n\n- Success rate: +100 points\n"), "{second}");
    for run in metrics {
        let name = format!("archive/{}.json", run["run_id"].as_str().expect("a name"));
        document(&project, &name, Document::State);
    }
}

#[test]
fn what_cannot_be_told_is_said_once_and_the_run_goes_on() {
    let project = Project::honest(2);
    fs::create_dir_all(path(&project, "state.json.tmp/in-the-way")).expect("writable");
    let output = project.run(&["run", "--complete"]).expect(0);
    let told = output.stderr.matches("files below `.autopilot/` that tell of the run").count();
    assert_eq!(told, 1, "{}", output.shown());
    assert!(output.stderr.contains("warning: cannot write `"), "{}", output.shown());
    fs::remove_dir_all(path(&project, "state.json.tmp")).expect("removed");
    assert!(!project.run(&["resume"]).expect(0).stderr.contains("warning"));
    assert_eq!(state(&project).meta.status, RunStatus::Completed);
}
