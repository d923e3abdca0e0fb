//! What holds for every run.

use serde_json::json;

use super::*;
use crate::{
    budget::{Ceiling, Limits, Spend},
    fact::{End, Ending, Fact, Record},
    id::{CommitId, GateId, Key},
    input::{Answer, Event, FailureClass, Fate, LeftOut, Observed, Outcome},
    phases::{Close, PhaseFact},
    role::Role,
    story::{Story, failed, good, plan, report},
    time::Timestamp,
};

#[test]
fn a_run_in_which_everyone_does_what_they_should_is_done() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    assert_eq!(story.finish(), Ending::Done);
    assert!(matches!(story.close("2"), Some(Close::Completed { below_pass: false, .. })));
    let phases = story.run.work.phases();
    assert_eq!(phases.head, CommitId::new("commit-of-work-of-2/execute/2/1"));
}

#[test]
fn stale_and_double_outcomes_have_no_consequence() {
    let mut story = Story::of(&[("1", &[])]);
    let research = story.until("research");
    let outcome = good(&research);
    assert!(!story.end(&research.key, outcome.clone()).is_empty());
    assert_eq!(story.end(&research.key, outcome.clone()), [], "the same outcome again");
    let mut other = research.key.clone();
    other.attempt = crate::id::Attempt::after(7);
    assert_eq!(story.end(&other, outcome.clone()), [], "an attempt that was never started");
    let elsewhere = Key { step: crate::id::Step::new("1/judge"), attempt: research.key.attempt };
    assert_eq!(story.end(&elsewhere, outcome), [], "a step that is not waited for");
}

#[test]
fn a_paid_step_has_an_intent_and_a_repeatable_one_has_none() {
    let mut story = Story::of(&[("1", &[])]);
    let preflight = story.begin();
    assert!(!story.facts.iter().any(|fact| matches!(fact, Fact::Started { .. })));
    assert_eq!(story.owed().key, preflight.key, "it is owed until it has ended");
    let research = story.until("research");
    assert!(story.facts.contains(&Fact::Started { key: research.key.clone() }));
    assert_eq!(owed(&story.run), [], "what has an intent is not owed again");
    assert_eq!(story.tell(Event::Starting(research.key)), [], "nor may it start again");
}

#[test]
fn what_stays_on_disk_is_remembered_and_recorded_once() {
    let mut story = Story::of(&[("1", &[])]);
    let key = story.until("research").key;
    let left_out =
        |fate| LeftOut { key: key.clone(), fate, files: 2, bytes: 9, first: "a".to_owned() };
    let stays = left_out(Fate::OnDisk { place: "/somewhere".to_owned() });
    let goes = left_out(Fate::Rebuildable);
    for told in [&stays, &goes] {
        let facts = story.tell(Event::LeftOut(told.clone()));
        assert_eq!(facts, [Fact::LeftOut(told.clone())]);
    }
    assert_eq!(
        story.run.left_out,
        std::slice::from_ref(&stays),
        "what goes need not be looked for"
    );
    assert_eq!(story.tell(Event::LeftOut(stays)), [], "every start finds it again");
}

#[test]
fn a_usage_limit_holds_the_agent_and_is_not_a_failure() {
    let mut story = Story::of(&[("1", &[])]);
    let research = story.until("research");
    let until = story.now.plus_ms(60_000);
    story.end(&research.key, failed(FailureClass::Limit { until: Some(until) }));
    assert_eq!(owed(&story.run), []);
    assert_eq!(story.run.standing(), Standing::Holding(until));
    assert_eq!(story.tell(Event::Tick), [], "too early");
    story.now = until;
    story.tell(Event::Tick);
    assert_eq!(story.owed().key.attempt.number(), 2);
    assert_eq!((story.run.retries, story.run.ledger.failures(&research.key.step)), (0, 0));
}

#[test]
fn the_end_of_a_usage_limit_is_believed_within_reason() {
    let mut story = Story::of(&[("1", &[])]);
    story.until("research");
    let mut waits = Vec::new();
    for until in [i64::MIN, i64::MIN, 0, i64::MAX] {
        let key = story.run.ledger.open().next().expect("research is open");
        let told = story.now.plus_ms(1_000);
        let until = Some(Timestamp::from_ms(until));
        story.end(&key, failed(FailureClass::Limit { until }));
        let until = story.run.wakes_at().expect("it waits");
        waits.push(until.ms_since(told));
        story.now = until;
        story.tell(Event::Tick);
        story.start();
    }
    assert_eq!(waits, [0, 5_000, 10_000, 8 * 24 * 3_600_000]);
}

#[test]
fn overload_waits_longer_each_time() {
    let mut story = Story::of(&[("1", &[])]);
    let mut waits = Vec::new();
    story.until("research");
    for _ in 0..3 {
        let key = story.run.ledger.open().next().expect("research is open");
        let told = story.now.plus_ms(1_000);
        story.end(&key, failed(FailureClass::Overloaded));
        let until = story.run.wakes_at().expect("it waits");
        waits.push(until.ms_since(told));
        story.now = until;
        story.tell(Event::Tick);
        story.start();
    }
    assert_eq!(waits, [5_000, 10_000, 20_000]);
}

#[test]
fn a_step_is_tried_as_often_as_it_may_and_then_the_phase_is_rejected() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"]), ("3", &[])]);
    story.until("research");
    for number in 1..=3 {
        let key = story.run.ledger.open().next().expect("research is open");
        assert_eq!(key.attempt.number(), number);
        story.end(&key, failed(FailureClass::Crashed));
        story.start();
    }
    assert_eq!(story.owed().key.step.as_str(), "1/reject");
    assert_eq!(story.finish(), Ending::Incomplete);
    assert!(matches!(story.close("1"), Some(Close::Failed { branch: Some(_), .. })));
    assert_eq!(story.close("2"), Some(&Close::Blocked { by: "1".parse().expect("an id") }));
    assert!(matches!(story.close("3"), Some(Close::Completed { .. })), "it does not depend on 1");
}

#[test]
fn no_agent_ends_the_run_and_resuming_takes_it_up() {
    let mut story = Story::of(&[("1", &[])]);
    let research = story.until("research");
    story.end(&research.key, failed(FailureClass::Auth));
    assert!(matches!(story.run.ending, Some(Ending::NoAgent { .. })));
    assert_eq!(owed(&story.run), []);
    story.tell(Event::Resumed { observed: Vec::new(), limits: Limits::default() });
    assert_eq!(story.run.ending, None);
    assert_eq!(story.owed().key.step, research.key.step);
}

#[test]
fn a_reached_ceiling_lets_no_further_paid_step_begin() {
    let mut story = Story::with(&[("1", &[])], Limits { run_tokens: 250, ..Limits::default() });
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        let owed = story.start();
        if story.run.ending.is_none() {
            let outcome = good(&owed);
            story.end(&owed.key, outcome);
        }
    }
    assert_eq!(story.run.ending, Some(Ending::Ceiling(Ceiling::RunTokens)));
    // Each step costs 100: the ceiling is passed by no more than the step that was under way.
    assert_eq!(story.run.spent.tokens, 300);
    let limits = Limits { run_tokens: 1_000_000, ..Limits::default() };
    story.tell(Event::Resumed { observed: Vec::new(), limits });
    assert_eq!(story.finish(), Ending::Done);
}

#[test]
fn what_was_cut_off_is_lost_with_its_cost_and_tried_again_under_a_new_key() {
    let mut story = Story::of(&[("1", &[])]);
    let research = story.until("research");
    let before = story.run.spent.tokens;
    let spent = Spend { tokens: 40, ..Spend::default() };
    let observed = vec![Observed { key: research.key.clone(), spent, outcome: None }];
    let facts = story.tell(Event::Resumed { observed, limits: Limits::default() });
    assert!(facts.contains(&Fact::Ended {
        key: research.key.clone(),
        end: End::Lost,
        spent,
        model: None
    }));
    assert_eq!(story.run.spent.tokens, before + 40);
    assert_eq!(story.owed().key.attempt.number(), 2);
    assert_eq!(story.end(&research.key, good(&research)), [], "its late outcome is stale");
}

#[test]
fn an_outcome_that_the_world_shows_is_taken_on_resume() {
    let mut story = Story::of(&[("1", &[])]);
    let integrate = story.until("integrate");
    let outcome = Some(good(&integrate));
    let observed = vec![Observed { key: integrate.key, spent: Spend::default(), outcome }];
    story.tell(Event::Resumed { observed, limits: Limits::default() });
    assert!(matches!(story.close("1"), Some(Close::Completed { .. })));
}

#[test]
fn a_stopped_run_begins_nothing_until_it_is_resumed() {
    let mut story = Story::of(&[("1", &[])]);
    let research = story.until("research");
    story.tell(Event::Stop);
    assert_eq!(story.tell(Event::Stop), [], "once is enough");
    story.end(&research.key, Outcome::Interrupted);
    assert_eq!((owed(&story.run), story.run.standing()), (Vec::new(), Standing::Stopped));
    assert_eq!(story.tell(Event::Tick), []);
    story.tell(Event::Resumed { observed: Vec::new(), limits: Limits::default() });
    assert_eq!(story.finish(), Ending::Done);
    assert_eq!(story.run.retries, 0, "being stopped is nobody's failure");
}

fn yes(approved: bool) -> Answer {
    Answer { approved, message: "because".to_owned(), by: "a person".to_owned(), until: None }
}

/// A story that has come to a task which only a person can do.
fn at_a_question() -> (Story, GateId) {
    let mut story = Story::of(&[("1", &[])]);
    let planner = story.until("plan");
    let Outcome::Agent(mut report) = report(Role::Planner, &planner.key, json!({})) else {
        unreachable!("a report is an agent's")
    };
    report.plan = Some(plan(&["auto", "checkpoint:decision"]));
    story.end(&planner.key, Outcome::Agent(report));
    (story, GateId::new("1/human/2"))
}

#[test]
fn a_question_waits_for_a_person_and_the_first_answer_counts() {
    let (mut story, gate) = at_a_question();
    while !owed(&story.run).is_empty() {
        let owed = story.start();
        story.end(&owed.key, good(&owed));
    }
    assert_eq!(story.run.standing(), Standing::Asking(vec![gate.clone()]));
    story.tell(Event::Answered { gate: gate.clone(), answer: yes(true) });
    assert_eq!(story.tell(Event::Answered { gate, answer: yes(false) }), []);
    assert_eq!(story.finish(), Ending::Done);
}

#[test]
fn an_answer_may_come_before_its_question() {
    let (mut story, gate) = at_a_question();
    story.tell(Event::Answered { gate: gate.clone(), answer: yes(true) });
    assert_eq!(story.finish(), Ending::Done);
    assert!(!story.facts.iter().any(|fact| matches!(fact, Fact::Asked { .. })));
    assert!(story.run.answers.contains_key(&gate));
}

#[test]
fn a_person_who_says_no_fails_the_phase() {
    let (mut story, gate) = at_a_question();
    story.tell(Event::Answered { gate, answer: yes(false) });
    assert_eq!(story.finish(), Ending::Incomplete);
    assert!(matches!(story.close("1"), Some(Close::Failed { why, .. }) if why.contains("because")));
    let given_up = |fact: &Fact| {
        matches!(fact, Fact::Phase { fact: PhaseFact::TaskGivenUp { task: 1, .. }, .. })
    };
    assert!(story.facts.iter().any(given_up));
}

#[test]
fn a_record_of_a_newer_program_is_refused() {
    let mut record = Record::new(Timestamp::from_ms(0), Fact::StopAsked);
    assert_eq!(fold(&mut None, &record), Err(NotARun::NoBeginning));
    record.v = 99;
    assert_eq!(fold(&mut None, &record), Err(NotARun::TooNew { version: 99 }));
}
