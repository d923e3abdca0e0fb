//! Files of whole runs.

mod rows;

use serde_json::Value;

use super::*;
use crate::{
    effect::Effect,
    input::{FailureClass, Outcome},
    policy::FailureCategory,
    report::{Document, Named, PhaseStatus, RunStatus, StateFile, TIMELINE_MAX, fits},
    returns::Return,
    role::Role,
    story::{Story, checked, failed, good, plan, rating, report},
};

/// The chronicle of everything that happened in a story.
fn chronicle(story: &Story) -> Chronicle {
    let mut chronicle = Chronicle::default();
    let first = Fact::Submitted(Box::new(story.run.given.clone()));
    for (fact, at) in std::iter::once(&first).chain(&story.facts).zip(1_000_i64..) {
        chronicle.take(&story.run, &Record::new(Timestamp::from_ms(at * 1_000), fact.clone()));
    }
    chronicle
}

/// A story whose first phase fails, because its checks do or its agents.
fn first_fails(phases: &[(&str, &[&str])], agents: bool) -> Story {
    let mut story = Story::of(phases);
    while story.close("1").is_none() {
        let owed = story.start_next();
        let outcome = match &owed.effect {
            Effect::Agent(_) if agents => failed(FailureClass::Crashed),
            Effect::Check(_) if !agents => checked(false),
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    story
}

fn assert_fits(document: Document, value: &Value) {
    assert_eq!(fits(document, value), Ok(()), "{document:?}");
}

#[test]
fn c36_state_json_tells_every_phase_and_fits_its_schema() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let before = chronicle(&story).state(&story.run);
    assert_eq!(before.meta.status, RunStatus::Running);
    assert!(before.phases.values().all(|phase| phase.status == PhaseStatus::NotStarted));
    story.finish();
    let state = chronicle(&story).state(&story.run);
    assert_eq!((state.meta.status, state.meta.total_phases_processed), (RunStatus::Completed, 2));
    let first = &state.phases["1"];
    assert_eq!((first.status, first.alignment_score), (PhaseStatus::Completed, Some(9.4)));
    assert_eq!(first.steps["judge"].recommendation.as_deref(), Some("proceed"));
    let tasks = first.steps["execute"].tasks.as_ref().expect("they were done");
    assert_eq!(tasks.as_object().map(serde_json::Map::len), Some(2), "{tasks}");
    assert!(first.commit_shas.len() >= 3, "plan, two tasks: {:?}", first.commit_shas);
    assert_eq!(state.event_log[0].event, "run_started");
    let names: Vec<&str> = state.event_log.iter().map(|entry| entry.event.as_str()).collect();
    assert!(names.iter().all(|name| crate::report::level_of(name).is_some()), "{names:?}");
    assert_fits(Document::State, &serde_json::to_value(&state).expect("it can be written"));
}

#[test]
fn e16_the_record_of_a_phase_tells_what_was_taken_back_and_why_a_person_must_look() {
    let story = first_fails(&[("1", &[])], false);
    let state = chronicle(&story).state(&story.run);
    let record = &state.phases["1"];
    assert!(record.rollback_performed);
    assert_eq!(record.rollback_to.as_deref(), Some("base"));
    assert_eq!(record.rollback_from.as_ref(), record.commit_shas.last());
    assert_eq!(record.diagnostic_branch.as_deref(), Some("rejected/1"));

    let mut story = Story::of(&[("1", &[])]);
    while story.close("1").is_none() {
        let owed = story.start_next();
        let mut outcome = good(&owed);
        if let (Effect::Agent(task), Outcome::Agent(report)) = (&owed.effect, &mut outcome) {
            if task.role == Role::Planner {
                report.plan = Some(plan(&["auto", "checkpoint:human-verify"]));
            }
            if let Return::Verification(word) = &mut report.returned {
                word.autonomous_resolution_attempted = true;
                word.deferral_evidence = vec!["nothing renders here".to_owned()];
            }
        }
        story.end(&owed.key, outcome);
    }
    let state = chronicle(&story).state(&story.run);
    let record = &state.phases["1"];
    assert_eq!(record.status, PhaseStatus::NeedsHumanVerification);
    assert_eq!(record.deferral_evidence, ["nothing renders here"]);
    let why = record.human_verify_justification.as_ref().expect("a person must look");
    assert_eq!(why["checkpoint_task_id"], "2");
    assert_eq!((&why["auto_tasks_passed"], &why["auto_tasks_total"]), (&1.into(), &1.into()));
    assert!(!record.rollback_performed && record.diagnostic_branch.is_none());
    assert_fits(Document::State, &serde_json::to_value(&state).expect("it can be written"));
}

#[test]
fn c36_the_text_of_state_json_is_the_same_however_it_came_about() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"]), ("3", &[])]);
    let (mut live, mut text) = (Chronicle::default(), StateText::default());
    let mut told = 0;
    let mut last = String::new();
    while story.run.ending.is_none() {
        if crate::story::owed_nothing(&story.run) {
            story.tell(crate::input::Event::Tick);
        } else {
            let owed = story.start();
            story.end(&owed.key, good(&owed));
        }
        for fact in &story.facts[told..] {
            live.take(&story.run, &Record::new(story.now, fact.clone()));
        }
        told = story.facts.len();
        last = text.of(&mut live, &story.run).expect("it can be written");
        let read: StateFile = serde_json::from_str(&last).expect("it is JSON");
        assert_eq!(read, live.state(&story.run));
    }
    let whole = StateText::default().of(&mut live, &story.run).expect("it can be written");
    assert_eq!(whole, last);
}

#[test]
fn c36_state_json_does_not_grow_with_the_length_of_the_run() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("research");
    let mut chronicle = chronicle(&story);
    for at in 0..10_000_i64 {
        let record = Record::new(Timestamp::from_ms(at), Fact::Started { key: owed.key.clone() });
        chronicle.take(&story.run, &record);
    }
    assert_eq!(chronicle.state(&story.run).event_log.len(), EVENTS_MAX);
}

#[test]
fn c36_a_phase_takes_little_room_in_state_json() {
    const BYTES_PER_PHASE_MAX: usize = 2_500;
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let text = |story: &Story| {
        StateText::default().of(&mut chronicle(story), &story.run).expect("it can be written").len()
    };
    story.finish();
    let frame = serde_json::to_string(&chronicle(&story).frame(&story.run)).expect("written").len();
    assert!(text(&story) - frame < 2 * BYTES_PER_PHASE_MAX, "{} bytes", text(&story) - frame);
}

#[test]
fn c33_a_failed_phase_leaves_a_post_mortem_and_a_rule_and_others_do_not() {
    let mut story = first_fails(&[("1", &[]), ("2", &["1"]), ("3", &[])], false);
    story.finish();
    let chronicle = chronicle(&story);
    let id = "1".parse().expect("an id");
    let why = chronicle.post_mortem(&story.run, id).expect("it failed");
    assert_eq!(why.root_cause.category, FailureCategory::AcceptanceCriteriaUnmet);
    assert!(!why.timeline.is_empty() && why.timeline.len() <= TIMELINE_MAX);
    assert!(!why.attempted_fixes.is_empty() && !why.evidence.commands_run.is_empty());
    assert_fits(Document::PostMortem, &serde_json::to_value(&why).expect("it can be written"));
    let learned = chronicle.learnings(&story.run);
    assert_eq!(learned.len(), 1);
    assert!(learned[0].contains("### Phase 1 failure -- acceptance_criteria_unmet"));
    assert!(learned[0].contains(&why.prevention_rule));
    assert_eq!(chronicle.post_mortem(&story.run, "3".parse().expect("an id")), None);
}

#[test]
fn c34_the_rule_of_a_failed_phase_reaches_those_who_plan_and_work_and_nobody_who_judges() {
    let mut story = first_fails(&[("1", &[]), ("3", &[])], false);
    let rule = FailureCategory::AcceptanceCriteriaUnmet.prevention();
    let mut told = BTreeMap::new();
    while story.run.ending.is_none() {
        let owed = story.start_next();
        if let Effect::Agent(task) = &owed.effect {
            assert_eq!(task.phase.expect("a phase").as_str(), "3");
            told.insert(task.role, task.brief.lessons.iter().any(|lesson| lesson.rule == rule));
        }
        story.end(&owed.key, good(&owed));
        if crate::story::owed_nothing(&story.run) {
            story.tell(crate::input::Event::Tick);
        }
    }
    for (role, is_told) in &told {
        assert_eq!(*is_told, matches!(role, Role::Planner | Role::Executor), "{role}");
    }
    assert!(told.len() >= 6, "{told:?}");
    assert!(told.contains_key(&Role::Verifier) && told.contains_key(&Role::Executor));
}

#[test]
fn c24_a_phase_below_nine_leaves_what_would_raise_it_and_a_better_one_does_not() {
    let mut story = Story::of(&[("1", &[]), ("2", &[])]);
    for why in ["src/a.rs:4 ignores the error", "the loop is slow", "no reason given"] {
        let owed = story.until("rate");
        let row = serde_json::json!({
            "criterion": "it works", "score": 8.5, "evidence": "a:1", "justification": why,
        });
        let word = serde_json::json!({"alignment_score": 8.5, "scorecard": [row]});
        story.end(&owed.key, report(Role::Rater, &owed.key, word));
    }
    story.finish();
    let chronicle = chronicle(&story);
    let diagnostic = chronicle.diagnostic(&story.run, "1".parse().expect("an id")).expect("below");
    assert_eq!((diagnostic.score.as_str(), diagnostic.threshold.as_str()), ("8.5", "9.0"));
    assert_eq!(diagnostic.status, "force_incomplete");
    assert_eq!((diagnostic.concerns.len(), diagnostic.criteria.len()), (1, 1));
    assert_eq!((diagnostic.path.len(), diagnostic.history.len()), (1, 3));
    let text = diagnostic.to_markdown();
    assert!(text.contains(
        "1. **a**: it works: 8.5 of 10: the criterion is not fully met -- resolves 1 of 1"
    ));
    assert!(text.contains("| 0 (initial) | 8.5 | - | it works: 8.5 of 10, src/a.rs:4"), "{text}");
    assert_eq!(chronicle.diagnostic(&story.run, "2".parse().expect("an id")), None);
    let state = chronicle.state(&story.run);
    let path = state.phases["1"].diagnostic_path.as_deref();
    assert_eq!(path, Some(".autopilot/diagnostics/phase-1-confidence.md"));
    assert_eq!(state.phases["2"].diagnostic_path, None);
    let names: Vec<&str> = state.event_log.iter().map(|entry| entry.event.as_str()).collect();
    for wanted in
        ["remediation_completed", "confidence_diagnostic_written", "force_incomplete_marked"]
    {
        assert!(names.contains(&wanted), "{wanted}: {names:?}");
    }
}

#[test]
fn c40_metrics_count_by_the_score_that_phases_must_reach() {
    let mut story = Story::of(&[("1", &[])]);
    for _ in 0..3 {
        let owed = story.until("rate");
        story.end(&owed.key, report(Role::Rater, &owed.key, rating(8.5)));
    }
    story.finish();
    let metrics = chronicle(&story).metrics(&story.run);
    assert_eq!((metrics.phases_attempted, metrics.phases_succeeded), (1, 0));
    assert_eq!(metrics.avg_alignment_score, Some(8.5));
    assert_eq!(metrics.per_phase_summary[0].status, "completed");
    assert_fits(Document::Metrics, &serde_json::json!([metrics]));
    let state = chronicle(&story).state(&story.run);
    let phase = &state.phases["1"];
    assert_eq!((phase.force_incomplete, phase.remediation_cycles), (true, 2));
    assert_eq!(phase.score_history.len(), 3);
}

#[test]
fn c6_the_completion_report_names_what_is_blocked_and_by_what() {
    let mut story = first_fails(&[("1", &[]), ("2", &["1"]), ("3", &["2"]), ("4", &[])], true);
    assert_eq!(chronicle(&story).completion(&story.run), None, "it was not asked for");
    let done = Named { phase_id: "0".to_owned(), phase_name: "Start".to_owned() };
    story.run.given.complete_before = Some(vec![done]);
    story.finish();
    let completion = chronicle(&story).completion(&story.run).expect("it was asked for");
    assert_eq!((completion.total_phases_in_roadmap, completion.completed_phases_total), (5, 2));
    let skipped: Vec<&str> =
        completion.phases_skipped.iter().map(|skip| skip.reason.as_str()).collect();
    assert_eq!(skipped, ["already_completed", "blocked_by_phase_1", "blocked_by_phase_1"]);
    assert_eq!(completion.dependency_gaps[0].blocked_phases.len(), 2);
    assert_fits(Document::Completion, &serde_json::to_value(&completion).expect("written"));
    let metrics = chronicle(&story).metrics(&story.run);
    assert_eq!(metrics.failure_taxonomy_histogram.get("tool_failure"), Some(&1));
    assert!(completion.to_markdown().contains("40.0% (2/5 phases)"));
    let text = chronicle(&story).report(&story.run, &metrics, None);
    assert!(text.contains("| 2 Phase 2 | skipped | - | 0m | blocked_by_phase_1 |"), "{text}");
}
