//! What files tell, row by row.

use serde_json::{Value, json};

use super::{assert_fits, chronicle, first_fails};
use crate::{
    budget::{Ceiling, Limits},
    effect::{Effect, Owed},
    fact::Ending,
    id::GateId,
    input::{Answer, Event, FailureClass, Outcome},
    phases::Start,
    policy::{BreakerState, Cycle},
    report::{Document, Named, PhaseRecord, PhaseStatus, RunStatus, StateFile},
    returns::Score,
    role::Role,
    run::{Run, Submission, WorkSpec, owed},
    story::{Story, checked, content, failed, good, plan, rating, report},
};

/// Plays until the run ends or waits; `act` is asked first for every step.
fn play(story: &mut Story, mut act: impl FnMut(&Owed) -> Option<Outcome>) {
    for _ in 0..500 {
        if story.run.ending.is_some() {
            return;
        }
        if owed(&story.run).is_empty() {
            if story.tell(Event::Tick).is_empty() {
                return;
            }
            continue;
        }
        let owed = story.owed();
        story.tell(Event::Starting(owed.key.clone()));
        if story.run.ending.is_none() {
            let outcome = act(&owed).unwrap_or_else(|| good(&owed));
            story.end(&owed.key, outcome);
        }
    }
    panic!("it does not end");
}

/// A story of one phase that is given something else.
fn given(change: impl FnOnce(&mut Submission)) -> Story {
    let mut story = Story::of(&[("1", &[])]);
    let mut given = story.run.given.clone();
    change(&mut given);
    story.run = Run::begin(story.now, &given);
    story
}

fn state_of(story: &Story) -> StateFile {
    let state = chronicle(story).state(&story.run);
    assert_fits(Document::State, &serde_json::to_value(&state).expect("it can be written"));
    state
}

/// What is told of the events of a name.
fn events(state: &StateFile, name: &str) -> Vec<Value> {
    let named = state.event_log.iter().filter(|entry| entry.event == name);
    named.map(|entry| entry.details.clone()).collect()
}

fn status(record: &PhaseRecord, step: &str) -> Option<String> {
    record.steps.get(step).and_then(|step| step.status.clone())
}

/// Plays one phase of which so many tasks are left to a person, who then says this of each.
fn deferred(word: &[(bool, &str)]) -> Story {
    let mut story = Story::of(&[("1", &[]), ("2", &[])]);
    let tasks: Vec<&str> =
        std::iter::once("auto").chain(word.iter().map(|_| "checkpoint:human-verify")).collect();
    play(&mut story, |owed| match owed.key.step.as_str() {
        "1/plan" => {
            let Outcome::Agent(mut report) = good(owed) else { panic!("an agent's") };
            report.plan = Some(plan(&tasks));
            Some(Outcome::Agent(report))
        }
        "1/verify" => {
            let mut word = content(Role::Verifier);
            word["autonomous_resolution_attempted"] = json!(true);
            word["autonomous_confidence"] = json!(3);
            word["deferral_evidence"] = json!(["nothing renders here"]);
            Some(report(Role::Verifier, &owed.key, word))
        }
        _ => None,
    });
    for (at, (approved, message)) in (2..).zip(word) {
        let (approved, message) = (*approved, (*message).to_owned());
        let answer = Answer { approved, message, by: "somebody".to_owned(), until: None };
        story.tell(Event::Answered { gate: GateId::new(format!("1/human/{at}")), answer });
    }
    play(&mut story, |_| None);
    story
}

#[test]
fn c29_e18_a_phase_that_a_person_refused_is_told_as_left_to_them_and_not_as_complete() {
    let mut story = deferred(&[(false, "the button is grey")]);
    story.run.given.complete_before = Some(Vec::new());
    let state = state_of(&story);
    let record = &state.phases["1"];
    assert_eq!(record.status, PhaseStatus::NeedsHumanVerification);
    let verdict = record.human_verdict.as_ref().expect("somebody looked");
    assert_eq!(verdict["verdict"], "issues_found");
    assert_eq!(verdict["issues"], json!(["the button is grey"]));
    assert!(verdict["timestamp"].is_string(), "{verdict}");
    assert_eq!((state.metrics.phases_completed, state.meta.human_deferred_count), (1, 1));
    let completion = chronicle(&story).completion(&story.run).expect("it was asked for");
    let counts = (completion.phases_succeeded, completion.phases_deferred);
    assert_eq!((counts, completion.completed_phases_total), ((1, 1), 1));
    let metrics = chronicle(&story).metrics(&story.run);
    assert_eq!((metrics.phases_succeeded, metrics.phases_human_deferred), (1, 1));
    assert!((metrics.success_rate - 0.5).abs() < 1e-9);
    let report = chronicle(&story).report(&story.run, &metrics, None);
    assert!(report.contains("- Deferred to human: 1\n"), "{report}");
    assert!(report.contains("| needs_human_verification | 9.4/10 |"), "{report}");

    let state = state_of(&deferred(&[(true, "")]));
    assert_eq!(state.phases["1"].status, PhaseStatus::Completed);
    assert_eq!(state.phases["1"].human_verdict.as_ref().expect("there")["verdict"], "pass");
    assert_eq!(state.phases["2"].human_verdict, None);
}

#[test]
fn c28_d50_what_people_say_is_told_with_what_follows_for_the_next_run() {
    let state = state_of(&deferred(&[(true, ""), (true, ""), (true, "")]));
    let meta = &state.meta;
    assert_eq!((meta.deferral_threshold, meta.deferral_confidence), (Some(0.05), Some(6.0)));
    assert_eq!(meta.autonomous_resolution_rate, Some(0.0));
    assert_eq!(meta.deferral_history.len(), 3);
    assert_eq!(meta.deferral_history[0]["verdict"], "pass");
    let adjusted = events(&state, "deferral_threshold_adjusted");
    assert_eq!(
        (&adjusted[0]["old_threshold"], &adjusted[0]["new_threshold"]),
        (&json!(6.0), &json!(5.5))
    );
    let state = state_of(&deferred(&[(true, "")]));
    assert!(events(&state, "deferral_threshold_adjusted").is_empty(), "one verdict says nothing");
}

/// A phase that is improved in this way, and each time rated like that.
fn improved(cycle: Cycle, pass: u16, score: f64) -> Story {
    let mut story = given(|given| {
        given.manner.cycle = cycle;
        given.pass_score = Score::from_tenths(pass);
    });
    play(&mut story, |owed| {
        (owed.key.step.as_str() == "1/rate").then(|| report(Role::Rater, &owed.key, rating(score)))
    });
    story
}

#[test]
fn c21_c22_each_way_of_improving_has_its_own_mark_and_events() {
    let rows = [
        (Cycle::Standard, "force_incomplete_marked", "remediation"),
        (Cycle::Quality, "quality_exhausted", "quality_remediation"),
        (Cycle::Gaps, "gaps_exhausted", "gaps_iteration"),
    ];
    for (cycle, mark, events_of) in rows {
        let story = improved(cycle, 95, 9.1);
        let state = state_of(&story);
        let record = &state.phases["1"];
        let marks = [record.force_incomplete, record.quality_exhausted, record.gaps_exhausted];
        assert_eq!(marks, rows.map(|(other, _, _)| other == cycle), "{cycle:?}");
        let told = events(&state, mark);
        assert_eq!((told.len(), &told[0]["phase_id"]), (1, &json!("1")), "{mark}");
        // The file that it names is there, although the score is above nine.
        let path = record.diagnostic_path.as_deref();
        assert_eq!(told[0]["diagnostic_path"].as_str(), path);
        let id = "1".parse().expect("an id");
        let diagnostic = chronicle(&story).diagnostic(&story.run, id).expect("it is written");
        assert_eq!(diagnostic.status, cycle.mark());
        let started = events(&state, &format!("{events_of}_started"));
        let completed = events(&state, &format!("{events_of}_completed"));
        assert!(!started.is_empty() && started.len() == completed.len(), "{cycle:?}");
        assert_eq!(
            (&started[0]["current_score"], &completed[0]["improved"]),
            (&json!(9.1), &json!(false))
        );
    }
}

#[test]
fn c23_the_score_of_earlier_runs_is_kept_and_doing_it_again_is_told() {
    let again = |start| {
        let mut story = given(|given| {
            let WorkSpec::Phases(specs) = &mut given.work else { panic!("phases") };
            specs[0].start = start;
            specs[0].earlier_scores = vec![Score::from_tenths(91)];
        });
        play(&mut story, |_| None);
        let state = state_of(&story);
        let told = events(&state, "force_reexecution_started");
        (state.phases["1"].score_history.clone(), told)
    };
    let (history, told) = again(Start::Again);
    assert_eq!(history, [json!(9.1), json!(9.4)]);
    assert_eq!(told, [json!({ "phase_id": "1", "previous_score": 9.1 })]);
    assert!(again(Start::Improve).1.is_empty());
}

#[test]
fn c39_c40_what_a_phase_is_likely_to_cost_is_told_with_the_sum() {
    let mut story = Story::of(&[("1", &[]), ("2", &[])]);
    let mut given = story.run.given.clone();
    let WorkSpec::Phases(specs) = &mut given.work else { panic!("phases") };
    specs[0].estimated_tokens = Some(110_000);
    specs[1].estimated_tokens = Some(240_000);
    story.run = Run::begin(story.now, &given);
    story.finish();
    assert_eq!(state_of(&story).phases["1"].estimated_tokens, Some(110_000));
    let metrics = chronicle(&story).metrics(&story.run);
    assert_eq!(metrics.total_estimated_tokens, 350_000);
    assert_eq!(metrics.per_phase_summary[1].estimated_tokens, Some(240_000));
}

#[test]
fn e8_a_step_is_told_as_ended_only_if_it_was_done() {
    let mut story = Story::of(&[("1", &[])]);
    let verify = story.until("1/verify");
    let record = state_of(&story).phases["1"].clone();
    assert_eq!(status(&record, "preflight").as_deref(), Some("pass"));
    assert_eq!(status(&record, "triage").as_deref(), Some("full_pipeline"));
    assert!(!record.steps.contains_key("verify"), "the replay is no verification");
    let check = &record.steps["plan_check"];
    assert_eq!((check.status.as_deref(), check.confidence), (Some("pass"), Some(9.0)));
    assert_eq!(record.steps["plan"].validation_rounds, Some(1));
    let output = record.steps["research"].output.as_deref();
    assert_eq!(output, Some(".planning/phases/1-x/RESEARCH.md"));
    story.end(&verify.key, good(&verify));
    story.finish();
    let record = state_of(&story).phases["1"].clone();
    let verify = &record.steps["verify"];
    assert_eq!(verify.status.as_deref(), Some("pass"));
    let automated = verify.automated.as_ref().expect("it is told");
    assert_eq!(automated, &json!({ "compile": "n/a", "tests": "n/a", "lint": "n/a" }));
    assert_eq!(status(&record, "rate").as_deref(), Some("pass"));

    // A phase that is red at the end was never verified, judged or rated.
    let record = state_of(&first_fails(&[("1", &[])], false)).phases["1"].clone();
    for step in ["verify", "judge", "rate"] {
        assert!(!record.steps.contains_key(step), "{step}: {:?}", record.steps);
    }
    assert_eq!(status(&record, "execute").as_deref(), Some("partial"));

    // Nobody planned or worked on what was there already.
    let mut story = Story::of(&[("1", &[])]);
    play(&mut story, |owed| (owed.key.step.as_str() == "1/triage").then(|| checked(true)));
    let record = state_of(&story).phases["1"].clone();
    assert_eq!(status(&record, "triage").as_deref(), Some("verify_only"));
    for step in ["research", "plan", "plan_check", "execute"] {
        assert_eq!(status(&record, step).as_deref(), Some("skipped"), "{step}");
        assert_eq!(record.steps[step].output, None);
    }
}

#[test]
fn d54_phases_stand_by_their_ids_and_earlier_keys_are_read() {
    let mut story = Story::of(&[("1", &[]), ("3.1", &[])]);
    story.finish();
    let state = state_of(&story);
    assert_eq!(state.phases.keys().collect::<Vec<_>>(), ["1", "3.1"]);
    let mut value = serde_json::to_value(&state).expect("it can be written");
    let phase = value["phases"]["3.1"].take();
    value["phases"] = json!({ "phase_3.1": phase });
    let read: StateFile = serde_json::from_value(value).expect("it is read");
    assert_eq!(read.phases["3.1"], state.phases["3.1"]);
}

#[test]
fn e18_the_events_of_a_run_have_what_the_seeds_say() {
    let mut story = first_fails(&[("1", &[]), ("2", &["1"]), ("3", &[])], false);
    let done = Named { phase_id: "0".to_owned(), phase_name: "Start".to_owned() };
    story.run.given.complete_before = Some(vec![done]);
    story.finish();
    let state = state_of(&story);
    let skipped = events(&state, "phase_skipped");
    assert_eq!(skipped[0], json!({ "phase_id": "0", "reason": "already_completed" }));
    let blocked = json!({ "phase_id": "2", "reason": "blocked_by_phase_1", "blocking_phase": "1" });
    assert_eq!(skipped[1], blocked);
    let report = &events(&state, "batch_completion_report")[0];
    let counts = ["phases_attempted", "phases_succeeded", "phases_failed", "phases_skipped"];
    assert_eq!(counts.map(|name| report[name].as_u64()), [Some(2), Some(1), Some(1), Some(2)]);
    assert_eq!(report["completion_percentage"], 50.0);
    assert!(events(&state, "run_completed").is_empty(), "not everything is done");
    assert_eq!(events(&state, "run_halted"), [json!({ "reason": "incomplete" })]);
    let back = events(&state, "rollback_completed");
    assert_eq!((&back[0]["phase_id"], &back[0]["to"]), (&json!("1"), &json!("base")));
    assert_eq!(events(&state, "rollback_initiated").len(), 1);
    let tasks = events(&state, "task_completed");
    assert_eq!(tasks.last().map(|task| &task["task"]), Some(&json!("2")), "by its id");
    assert_eq!(events(&state, "task_retried")[0]["task"], "1");
    let checkpoint = &events(&state, "checkpoint_written")[0];
    assert_eq!(checkpoint["phase_id"], "3");

    let mut story = Story::of(&[("1", &[])]);
    story.finish();
    assert_eq!(events(&state_of(&story), "run_completed").len(), 1);
}

#[test]
fn e18_an_improvement_is_told_with_what_it_is_to_reach() {
    let state = state_of(&improved(Cycle::Standard, 90, 8.5));
    let started = json!({
        "phase_id": "1", "cycle": 1, "current_score": 8.5, "pass_threshold": 9.0, "feedback_items": 1,
    });
    let told = events(&state, "remediation_started");
    assert_eq!((told.len(), &told[0]), (2, &started));
    let written = &events(&state, "confidence_diagnostic_written")[0];
    assert_eq!((&written["phase_id"], &written["path_to_9_items"]), (&json!("1"), &json!(1)));
}

#[test]
fn c31_repairs_of_tasks_are_not_counted_as_repairs_of_the_phase() {
    let story = first_fails(&[("1", &[])], false);
    let state = state_of(&story);
    assert_eq!(state.phases["1"].debug_attempts, story.run.given.limits.phase_debugs);
    assert_eq!(events(&state, "task_retried").len(), 4);
    let tasks = state.phases["1"].steps["execute"].tasks.as_ref().expect("they were tried");
    assert_eq!(tasks["1"]["retries"], 2);
}

#[test]
fn d41_success_is_the_same_number_everywhere() {
    let mut story = improved(Cycle::Standard, 90, 8.5);
    story.run.given.complete_before = Some(Vec::new());
    let completion = chronicle(&story).completion(&story.run).expect("it was asked for");
    let metrics = chronicle(&story).metrics(&story.run);
    assert_eq!((completion.phases_succeeded, metrics.phases_succeeded), (0, 0));
    assert_eq!(completion.completed_phases_total, 1, "it is complete all the same");
    assert_eq!(story.run.ending, Some(Ending::Done));
}

#[test]
fn e9_a_run_that_reached_its_own_limit_has_failed_and_tells_the_last_error() {
    let ended = |limits: Limits, act: fn(&Owed) -> Option<Outcome>| {
        let mut story = Story::with(&[("1", &[])], limits);
        play(&mut story, act);
        story
    };
    let own = Limits { run_tokens: 300, ..Limits::default() };
    let crash = |owed: &Owed| {
        (owed.key.to_string() == "1/research/1").then(|| failed(FailureClass::Crashed))
    };
    let story = ended(own, crash);
    assert_eq!(story.run.ending, Some(Ending::Ceiling(Ceiling::RunTokens)));
    let state = state_of(&story);
    assert_eq!(state.meta.status, RunStatus::Failed);
    assert_eq!(state.circuit_breaker.state, BreakerState::Closed);
    assert_eq!(state.circuit_breaker.last_error.as_deref(), Some("crashed: why"));
    assert_eq!(events(&state, "run_halted"), [json!({ "reason": "run_tokens" })]);
    assert!(events(&state, "circuit_breaker_opened").is_empty());

    let phase = Limits { phase_tokens: 100, ..Limits::default() };
    let state = state_of(&ended(phase, |_| None));
    assert_eq!(
        (state.meta.status, state.circuit_breaker.state),
        (RunStatus::Paused, BreakerState::Open)
    );

    let halts = |owed: &Owed| {
        let word = json!({
            "recommendation": "halt", "concerns": ["all wrong"], "independent_evidence": ["a:1"],
        });
        (owed.key.step.as_str() == "1/judge").then(|| report(Role::Judge, &owed.key, word))
    };
    let story = ended(Limits::default(), halts);
    assert!(matches!(story.run.ending, Some(Ending::Halted { .. })), "{:?}", story.run.ending);
    assert_eq!(state_of(&story).meta.status, RunStatus::Failed);
}

#[test]
fn c38_a_breaker_that_closes_again_is_told() {
    let limits = Limits { no_progress: 1, ..Limits::default() };
    let mut story = Story::with(&[("1", &[])], limits.clone());
    play(&mut story, |owed| owed.key.step.as_str().contains("check/1").then(|| checked(false)));
    let state = state_of(&story);
    assert_eq!(events(&state, "circuit_breaker_opened").len(), 1);
    assert!(events(&state, "circuit_breaker_closed").is_empty());
    story.tell(Event::Resumed { observed: Vec::new(), limits });
    play(&mut story, |_| None);
    assert_eq!(story.run.ending, Some(Ending::Done));
    assert_eq!(events(&state_of(&story), "circuit_breaker_closed").len(), 1);
}

#[test]
fn c36_phases_that_were_worked_on_are_counted_and_blocked_ones_are_not() {
    let mut story = first_fails(&[("1", &[]), ("2", &["1"]), ("3", &[])], true);
    story.finish();
    assert_eq!(state_of(&story).meta.total_phases_processed, 2);
    assert_eq!(state_of(&deferred(&[(false, "")])).meta.total_phases_processed, 2);
}

#[test]
fn c33_a_post_mortem_tells_what_came_of_each_step_and_each_repair() {
    let story = first_fails(&[("1", &[])], false);
    let id = "1".parse().expect("an id");
    let why = chronicle(&story).post_mortem(&story.run, id).expect("it failed");
    let words = ["success", "failure", "partial"];
    assert!(why.timeline.iter().all(|moment| words.contains(&moment.status.as_str())));
    let check = why.timeline.iter().find(|moment| moment.event.contains("do not hold"));
    let check = check.unwrap_or_else(|| panic!("a red check: {:?}", why.timeline));
    assert_eq!((check.status.as_str(), check.step.as_str()), ("failure", "execute"));
    let repair = why.attempted_fixes.last().expect("it was repaired");
    assert!(repair.commit_sha.as_deref().is_some_and(|sha| sha.contains("repair")), "{repair:?}");
    assert!(!repair.remaining.is_empty() && repair.description.starts_with("repair: "));
    assert_eq!(why.evidence.files_checked, ["a"], "what the plan names");
    let all: Vec<&str> = why.timeline.iter().map(|moment| moment.step.as_str()).collect();
    assert!(all.contains(&"debug"), "{all:?}");
}

#[test]
fn e8_commits_are_told_once_and_without_the_one_that_a_phase_began_at() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    story.finish();
    for record in state_of(&story).phases.values() {
        let mut commits = record.commit_shas.clone();
        commits.dedup();
        assert_eq!(commits, record.commit_shas);
        assert!(!record.commit_shas.contains(record.checkpoint_sha.as_ref().expect("it began")));
    }
}

#[test]
fn c24_compile_lint_and_build_have_a_row_each() {
    let story = improved(Cycle::Standard, 90, 8.5);
    let id = "1".parse().expect("an id");
    let diagnostic = chronicle(&story).diagnostic(&story.run, id).expect("it is below nine");
    let rows: Vec<(&str, &str)> =
        diagnostic.checks.iter().map(|row| (row.name.as_str(), row.result.as_str())).collect();
    assert_eq!(rows, [("compile", "n/a"), ("lint", "n/a"), ("build", "n/a")]);
}

#[test]
fn c40_the_score_of_a_failed_phase_is_the_same_in_metrics_and_state() {
    let story = improved(Cycle::Standard, 90, 6.0);
    let record = state_of(&story).phases["1"].clone();
    assert_eq!((record.status, record.alignment_score), (PhaseStatus::Failed, Some(6.0)));
    let metrics = chronicle(&story).metrics(&story.run);
    assert_eq!(metrics.per_phase_summary[0].alignment_score, Some(6.0));
}

#[test]
fn c30_e16_parts_are_no_phases_of_their_own_and_the_whole_tells_them() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let mut wish = json!({"split_details": {"reason": "it is too much"}});
    wish["split_details"]["recommended_sub_phases"] =
        json!([{"name": "half", "scope": "one half"}, {"name": "rest", "scope": "the rest"}]);
    play(&mut story, |owed| {
        let Effect::Agent(_) = &owed.effect else { return None };
        (owed.key.step.as_str() == "1/plan").then(|| {
            let Outcome::Agent(mut said) = report(Role::Planner, &owed.key, wish.clone()) else {
                panic!("an agent's")
            };
            let mut plan = plan(&["auto"; 6]);
            for task in &mut plan.tasks {
                task.complexity = Some(crate::roadmap::Complexity::Complex);
            }
            said.plan = Some(plan);
            Outcome::Agent(said)
        })
    });
    let state = state_of(&story);
    assert_eq!((state.meta.total_phases, state.metrics.phases_completed), (2, 2));
    let split = state.phases["1"].split_details.as_ref().expect("it is told");
    assert_eq!(
        (&split["reason"], &split["total_sub_phases"]),
        (&json!("it is too much"), &json!(2))
    );
    assert_eq!(split["recommended_sub_phases"][0]["sub_phase_id"], "1a");
    assert_eq!(chronicle(&story).metrics(&story.run).phases_attempted, 2);
}

#[test]
fn c37_a_handoff_leaves_a_file_with_what_was_complete() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"]), ("3", &[])]);
    let owed = story.until("2/research");
    let outcome = Outcome::Exhausted { work: None, why: "context_exhaustion: half".to_owned() };
    story.end(&owed.key, outcome);
    let chronicle = chronicle(&story);
    let files: Vec<(&str, &str)> = chronicle.handoffs().collect();
    let [(name, text)] = files[..] else { panic!("one file: {files:?}") };
    assert!(name.starts_with("handoff-1970-01-01T") && name.ends_with(".md"), "{name}");
    assert!(
        text.contains("| 1 Phase 1 | 9.4/10 |") && text.contains("- Next phase: 3 Phase 3"),
        "{text}"
    );
}
