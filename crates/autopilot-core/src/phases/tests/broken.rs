//! What is newly green must go red when the work is broken.

use super::{caught, play, sent_back, steps};
use crate::{
    evidence::{Bite, Criterion},
    fact::{Ending, Fact},
    id::GateId,
    input::{Answer, Event, Outcome},
    phases::{Close, PhaseFact, fact::SentBack},
    role::Role,
    run::Work,
    story::{Story, broken},
};

/// A phase whose criterion runs tests.
fn tested() -> Story {
    let mut story = Story::of(&[("1", &[])]);
    let Work::Phases(phases) = &mut story.run.work else { panic!("it has phases") };
    phases.list[0].spec.criteria = vec![Criterion::parse("it works -- verified by: `pytest -q`")];
    story
}

fn green() -> Outcome {
    broken(Bite::Green { tried: vec!["calc.py:3: + became -".to_owned()] })
}

#[test]
fn what_is_newly_green_must_go_red_before_anybody_is_paid_to_look() {
    let mut story = tested();
    let mut tries = 0;
    let ending = play(&mut story, |name, _| {
        tries += u32::from(name == "canary");
        (name == "canary" && tries == 1).then(green)
    });
    assert_eq!(ending, Ending::Done);
    let steps = steps(&story);
    let at = steps.iter().position(|step| step == "canary").expect("it is broken");
    assert_eq!(
        steps[at - 1..at + 6],
        ["replay", "canary", "repair", "repair-check", "repair-commit", "canary", "verify"]
    );
    assert_eq!(caught(&story), [Role::Executor]);
    let findings = story.facts.iter().find_map(|fact| match fact {
        Fact::Phase { fact: PhaseFact::SentBack { findings, .. }, .. } => Some(findings),
        _ => None,
    });
    let finding = &findings.expect("it was sent back")[0];
    assert!(finding.contains("stays green with calc.py:3: + became -"), "{finding}");
}

#[test]
fn a_check_that_never_bites_proves_no_phase() {
    let mut story = tested();
    let ending = play(&mut story, |name, _| (name == "canary").then(green));
    assert_eq!(ending, Ending::Incomplete);
    assert!(!steps(&story).contains(&"verify".to_owned()));
    assert_eq!(sent_back(&story, SentBack::Repair), 3);
}

#[test]
fn a_person_can_let_a_check_count_that_does_not_bite() {
    let mut story = tested();
    let answer = Answer {
        approved: true,
        message: "it is a smoke test".to_owned(),
        by: "ann".to_owned(),
        until: None,
    };
    story.tell(Event::Answered { gate: GateId::waiver("1/1"), answer });
    assert_eq!(play(&mut story, |name, _| (name == "canary").then(green)), Ending::Done);
    let Some(Close::Completed { waived, .. }) = story.close("1") else { panic!("it is complete") };
    assert_eq!(waived[0].waiver.why, "it is a smoke test");
}

#[test]
fn a_project_can_do_without_canaries() {
    let mut story = tested();
    story.run.given.limits.canary_breaks = 0;
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
    assert!(!steps(&story).contains(&"canary".to_owned()));
}
