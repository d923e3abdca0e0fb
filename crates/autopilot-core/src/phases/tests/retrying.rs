//! Failed phases that a person lets be tried once more, and runs that stood still.

use super::{play, steps};
use crate::{
    budget::{Ceiling, Limits},
    fact::{Ending, Fact},
    input::{Event, FailureClass, Outcome},
    phases::{Close, PhaseFact},
    policy::BreakerState,
    run::owed,
    story::{Story, checked, failed, good},
};

fn resume(story: &mut Story) {
    let limits = story.run.given.limits.clone();
    story.tell(Event::Resumed { observed: Vec::new(), limits });
}

/// Plays to the end with everything that is checked in phase 1 red.
fn play_red(story: &mut Story) -> Ending {
    for _ in 0..500 {
        if let Some(ending) = &story.run.ending {
            return ending.clone();
        }
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let step = owed.key.step.as_str();
        let is_red = ["1/replay", "1/repair-check"].contains(&step) || step.starts_with("1/check/");
        story.end(&owed.key, if is_red { checked(false) } else { good(&owed) });
    }
    panic!("it does not end: {:?}", steps(story));
}

fn failed_once() -> Story {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"]), ("3", &["2"]), ("4", &[])]);
    assert_eq!(play_red(&mut story), Ending::Incomplete);
    assert!(matches!(story.close("3"), Some(Close::Blocked { .. })));
    story
}

#[test]
fn d48_a_failed_phase_is_only_tried_again_when_a_person_asks() {
    let mut story = failed_once();
    resume(&mut story);
    assert_eq!(story.run.ending, Some(Ending::Incomplete));
    story.tell(Event::Retry);
    assert_eq!((&story.run.ending, story.close("1"), story.close("3")), (&None, None, None));
    assert!(matches!(story.close("4"), Some(Close::Completed { .. })));
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}

#[test]
fn d48_no_step_of_the_second_try_has_the_name_of_one_of_the_first() {
    let mut story = failed_once();
    resume(&mut story);
    story.tell(Event::Retry);
    play(&mut story, |_, _| None);
    let mut started: Vec<String> = story
        .facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Started { key } => Some(key.to_string()),
            _ => None,
        })
        .collect();
    let all = started.len();
    started.sort();
    started.dedup();
    assert_eq!(started.len(), all);
}

#[test]
fn d48_a_phase_that_fails_again_stays_failed() {
    let mut story = failed_once();
    resume(&mut story);
    story.tell(Event::Retry);
    assert_eq!(play_red(&mut story), Ending::Incomplete);
    let work = story.run.work.phases();
    assert_eq!((work.retriable(), story.run.ending.is_some()), (0, true));
    assert!(story.tell(Event::Retry).is_empty());
    assert!(matches!(story.close("2"), Some(Close::Blocked { .. })));
}

#[test]
fn d48_what_waits_for_another_failure_as_well_stays_blocked() {
    let mut story = Story::of(&[("1", &[]), ("2", &[]), ("3", &["1", "2"])]);
    let fail = |story: &mut Story, phases: &[&str]| {
        while story.run.ending.is_none() {
            if owed(&story.run).is_empty() {
                story.tell(Event::Tick);
                continue;
            }
            let owed = story.start();
            let (phase, name) = owed.key.step.as_str().split_once('/').expect("a phase");
            let fails = phases.contains(&phase) && name == "research";
            let outcome = if fails { failed(FailureClass::Crashed) } else { good(&owed) };
            story.end(&owed.key, outcome);
        }
    };
    fail(&mut story, &["1"]);
    story.tell(Event::Retry);
    fail(&mut story, &["1"]);
    assert!(matches!(story.close("3"), Some(Close::Blocked { .. })));
    let retried = story
        .facts
        .iter()
        .filter(|fact| matches!(fact, Fact::Phase { fact: PhaseFact::Retried, .. }));
    assert_eq!(retried.count(), 2, "the failed one, and what waited for it");
}

#[test]
fn e10_a_paused_run_goes_on_half_open_with_the_step_it_stood_at() {
    let limits = Limits { no_progress: 1, ..Limits::default() };
    let mut story = Story::with(&[("1", &[])], limits);
    let red = |name: &str| name.contains("check/1").then(|| checked(false));
    let ending = play(&mut story, |name, _| red(name));
    assert_eq!(ending, Ending::Ceiling(Ceiling::NoProgress));
    let before = owed_step(&story);
    resume(&mut story);
    assert_eq!(story.run.breaker.state, BreakerState::HalfOpen);
    assert_eq!(owed_step(&story), before, "the step that was due is due again");
    let owed = story.start();
    assert!(story.run.ending.is_none(), "one step may show whether it helps");
    story.end(&owed.key, good(&owed));
    let outcome: Ending = play(&mut story, |_, _| None::<Outcome>);
    assert_eq!(outcome, Ending::Done);
}

/// The step that the active phase stands at.
fn owed_step(story: &Story) -> String {
    let work = story.run.work.phases();
    let phase = &work.list[work.active[0]];
    let crate::phases::Status::Active(active) = &phase.status else { panic!("it goes on") };
    format!("{:?}", active.stage)
}
