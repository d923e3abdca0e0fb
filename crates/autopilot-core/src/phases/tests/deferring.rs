//! What a plan leaves to a person's eyes.

use serde_json::{Value, json};

use crate::{
    effect::Effect,
    fact::{Ending, Fact},
    id::GateId,
    input::{Answer, Event, Outcome},
    phases::{Close, PhaseFact},
    policy::HumanVerdict,
    role::Role,
    run::{Standing, owed},
    story::{Story, content, good, plan, report},
};

/// A verifier's word on what was left to a person.
fn sure(confidence: f64, evidence: Value) -> Value {
    let mut word = content(Role::Verifier);
    word["autonomous_resolution_attempted"] = json!(true);
    word["autonomous_confidence"] = json!(confidence);
    word["deferral_evidence"] = evidence;
    word
}

/// Plays two phases until nothing is owed; the plan of the first leaves its second task to a person, and its verifier
/// says this.
fn played(word: &Value) -> Story {
    played_on(Story::of(&[("1", &[]), ("2", &["1"])]), word)
}

fn played_on(mut story: Story, word: &Value) -> Story {
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            if story.tell(Event::Tick).is_empty() {
                break;
            }
            continue;
        }
        let owed = story.start();
        let role = match &owed.effect {
            Effect::Agent(task) if owed.key.step.as_str().starts_with("1/") => Some(task.role),
            _ => None,
        };
        let outcome = match role {
            Some(Role::Planner) => {
                let Outcome::Agent(mut report) = good(&owed) else { unreachable!("an agent's") };
                report.plan = Some(plan(&["auto", "checkpoint:human-verify"]));
                Outcome::Agent(report)
            }
            Some(Role::Verifier) => report(Role::Verifier, &owed.key, word.clone()),
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    story
}

fn gate() -> GateId {
    GateId::new("1/human/2")
}

fn answer(story: &mut Story, approved: bool, message: &str) {
    let message = message.to_owned();
    let answer = Answer { approved, message, by: "a person".to_owned(), until: None };
    story.tell(Event::Answered { gate: gate(), answer });
    story.tell(Event::Tick);
}

#[test]
fn c28_a_verifier_who_is_sure_needs_no_person_and_one_who_is_not_says_why() {
    let story = played(&sure(6.0, json!([])));
    assert_eq!(story.run.ending, Some(Ending::Done));
    assert!(!story.facts.iter().any(|fact| matches!(fact, Fact::Asked { .. })));

    let story = played(&sure(5.9, json!(["it has colours"])));
    assert_eq!(story.run.standing(), Standing::Asking(vec![gate()]));
    let asked = |fact: &&Fact| matches!(fact, Fact::Asked { question, .. } if question.contains("it has colours"));
    assert_eq!(story.facts.iter().filter(asked).count(), 1);

    let story = played(&sure(5.9, json!([])));
    assert!(
        matches!(story.close("1"), Some(Close::Failed { why, .. }) if why.contains("leaves something to a person")),
        "{:?}",
        story.close("1")
    );
}

#[test]
fn c28_a_phase_that_waits_for_a_person_holds_up_nobody() {
    let story = played(&sure(3.0, json!("look at it")));
    assert!(matches!(story.close("2"), Some(Close::Completed { .. })), "{:?}", story.close("2"));
    let place = |wanted: fn(&Fact) -> bool| story.facts.iter().position(wanted);
    let asked = place(|fact| matches!(fact, Fact::Asked { .. }));
    let closed = place(
        |fact| matches!(fact, Fact::Phase { phase, fact: PhaseFact::Closed(_) } if phase.as_str() == "2"),
    );
    assert!(asked > closed, "a person is asked when nothing else is left");
}

#[test]
fn c29_a_persons_word_at_the_end_of_the_run_is_kept_and_teaches() {
    let mut story = played(&sure(3.0, json!("look at it")));
    answer(&mut story, true, "");
    assert_eq!(story.run.ending, Some(Ending::Done));

    let mut story = played(&sure(3.0, json!("look at it")));
    answer(&mut story, false, "the button is grey");
    assert_eq!(story.run.ending, Some(Ending::Incomplete));
    let Some(Close::Completed { awaits, .. }) = story.close("1") else { panic!("it is complete") };
    let said = awaits[0].verdict.as_ref().expect("somebody looked");
    assert_eq!(said.verdict, HumanVerdict::IssuesFound);
    let work = story.run.work.phases();
    assert!(work.lessons.iter().any(|lesson| lesson.rule.contains("the button is grey")));
}

#[test]
fn c29_an_answer_that_is_there_before_the_question_counts() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    answer(&mut story, true, "");
    let story = played_on(story, &sure(3.0, json!("look at it")));
    assert_eq!(story.run.ending, Some(Ending::Done));
    assert!(!story.facts.iter().any(|fact| matches!(fact, Fact::Asked { .. })));
}
