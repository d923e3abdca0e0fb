//! Files of whole runs.

use super::*;
use crate::{
    report::{Document, Named, PhaseStatus, RunStatus, schema},
    role::Role,
    story::{Story, checked, failed, rating, report},
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

const NOW: Timestamp = Timestamp::from_ms(5_000_000);

#[test]
fn c36_state_json_tells_every_phase_and_fits_its_schema() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let before = chronicle(&story).state(&story.run, NOW);
    assert_eq!(before.meta.status, RunStatus::Running);
    assert!(before.phases.values().all(|phase| phase.status == PhaseStatus::NotStarted));
    story.finish();
    let state = chronicle(&story).state(&story.run, NOW);
    assert_eq!((state.meta.status, state.meta.total_phases_processed), (RunStatus::Completed, 2));
    let first = &state.phases["1"];
    assert_eq!((first.status, first.alignment_score), (PhaseStatus::Completed, Some(9.4)));
    assert_eq!(first.steps["judge"].recommendation.as_deref(), Some("proceed"));
    assert!(first.commit_shas.len() >= 3, "plan, two tasks: {:?}", first.commit_shas);
    assert_eq!(state.event_log[0].event, "run_started");
    let names: Vec<&str> = state.event_log.iter().map(|entry| entry.event.as_str()).collect();
    assert!(names.iter().all(|name| crate::report::level_of(name).is_some()), "{names:?}");
    let text = serde_json::to_value(&state).expect("it can be written");
    let read: crate::report::StateFile = serde_json::from_value(text).expect("and read");
    assert_eq!(read, state);
    assert!(schema(Document::State)["properties"]["_meta"].is_object());
}

#[test]
fn c36_state_json_does_not_grow_with_the_length_of_the_run() {
    let mut story = Story::of(&[("1", &[])]);
    story.until("research");
    let mut chronicle = chronicle(&story);
    let key = story.owed().key;
    for at in 0..10_000_i64 {
        let record = Record::new(Timestamp::from_ms(at), Fact::Started { key: key.clone() });
        chronicle.take(&story.run, &record);
    }
    assert_eq!(chronicle.state(&story.run, NOW).event_log.len(), EVENTS_MAX);
    let told = &chronicle.phases.values().next().expect("a phase");
    assert!(told.timeline.len() <= TIMELINE_MAX);
}

#[test]
fn c33_a_failed_phase_leaves_a_post_mortem_and_a_rule_and_others_do_not() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"]), ("3", &[])]);
    while story.close("1").is_none() {
        let owed = story.start_next();
        let outcome = match &owed.effect {
            crate::effect::Effect::Check(_) => checked(false),
            _ => crate::story::good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    story.finish();
    let chronicle = chronicle(&story);
    let id = "1".parse().expect("an id");
    let why = chronicle.post_mortem(&story.run, id, NOW).expect("it failed");
    assert_eq!(why.root_cause.category, FailureCategory::AcceptanceCriteriaUnmet);
    assert!(!why.timeline.is_empty() && why.timeline.len() <= TIMELINE_MAX);
    assert!(!why.attempted_fixes.is_empty() && !why.evidence.commands_run.is_empty());
    let learned = chronicle.learning(&story.run, id, NOW).expect("it teaches");
    assert!(learned.contains("### Phase 1 failure -- acceptance_criteria_unmet"));
    assert!(learned.contains(&why.prevention_rule));
    let third = "3".parse().expect("an id");
    assert_eq!(chronicle.post_mortem(&story.run, third, NOW), None);
    assert_eq!(chronicle.learning(&story.run, third, NOW), None);
}

#[test]
fn c40_metrics_count_by_the_score_that_phases_must_reach() {
    let mut story = Story::of(&[("1", &[])]);
    for _ in 0..3 {
        let owed = story.until("rate");
        story.end(&owed.key, report(Role::Rater, &owed.key, rating(8.5)));
    }
    story.finish();
    let metrics = chronicle(&story).metrics(&story.run, NOW);
    assert_eq!((metrics.phases_attempted, metrics.phases_succeeded), (1, 0));
    assert_eq!(metrics.avg_alignment_score, Some(8.5));
    assert_eq!(metrics.per_phase_summary[0].status, "completed");
    let state = chronicle(&story).state(&story.run, NOW);
    let phase = &state.phases["1"];
    assert_eq!((phase.force_incomplete, phase.remediation_cycles), (true, 2));
    assert_eq!(phase.score_history.len(), 3);
}

#[test]
fn c6_the_completion_report_names_what_is_blocked_and_by_what() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"]), ("3", &["2"]), ("4", &[])]);
    while story.close("1").is_none() {
        let owed = story.start_next();
        let outcome = match &owed.effect {
            crate::effect::Effect::Agent(_) => failed(crate::input::FailureClass::Crashed),
            _ => crate::story::good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    story.finish();
    let done = [Named { phase_id: "0".to_owned(), phase_name: "Start".to_owned() }];
    let completion = chronicle(&story).completion(&story.run, &done, NOW);
    assert_eq!((completion.total_phases_in_roadmap, completion.completed_phases_total), (5, 2));
    let skipped: Vec<&str> =
        completion.phases_skipped.iter().map(|skip| skip.reason.as_str()).collect();
    assert_eq!(skipped, ["already_completed", "blocked_by_phase_1", "blocked_by_phase_1"]);
    assert_eq!(completion.dependency_gaps[0].blocked_phases.len(), 2);
    let histogram = chronicle(&story).metrics(&story.run, NOW).failure_taxonomy_histogram;
    assert_eq!(histogram.get("tool_failure"), Some(&1));
    assert!(completion.to_markdown().contains("40.0% (2/5 phases)"));
}
