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
    run::{Standing, Work, owed},
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
    while !owed(&story.run).is_empty() {
        let owed = story.start();
        story.end(&owed.key, good(&owed));
    }
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
    let Work::Phases(work) = &story.run.work;
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

#[test]
fn c29_the_mark_of_a_phase_that_waits_for_a_person_comes_with_their_word() {
    let mut story = played(&sure(3.0, json!("look at it")));
    let marks = |story: &Story| -> Vec<String> {
        let marked = story.facts.iter().filter_map(|fact| match fact {
            Fact::Phase { phase, fact: PhaseFact::Marked { .. } } => Some(phase.to_string()),
            _ => None,
        });
        marked.collect()
    };
    assert!(marks(&story).is_empty());
    let message = String::new();
    let yes = Answer { approved: true, message, by: "a person".to_owned(), until: None };
    story.tell(Event::Answered { gate: gate(), answer: yes });
    let owed = story.owed();
    let Effect::Integrate(task) = &owed.effect else { panic!("a mark is owed: {owed:?}") };
    assert_eq!((task.mark, &task.from, &task.commit), (true, &task.commit, &task.from));
    assert!(story.tell(Event::Tick).is_empty(), "the run does not end before it");
    let again = story.owed();
    assert_eq!(again, owed, "it is the same commit whenever it is made");
    let owed = story.start();
    story.end(&owed.key, Outcome::Integrated(crate::id::CommitId::new("with the mark")));
    assert_eq!(marks(&story), ["1"]);
    assert_eq!(story.run_head().as_str(), "with the mark");
    story.tell(Event::Tick);
    assert_eq!(story.run.ending, Some(Ending::Done));
}

#[test]
fn c29_a_phase_that_a_person_refused_is_not_marked_and_is_done_again_with_what_they_said() {
    let integrated = |story: &Story| -> Vec<bool> {
        let Work::Phases(work) = &story.run.work;
        let unmarked = |phase: &crate::phases::Phase| {
            matches!(
                &phase.status,
                crate::phases::Status::Closed(Close::Completed { unmarked: true, .. })
            )
        };
        work.list.iter().map(unmarked).collect()
    };
    let mut story = played(&sure(3.0, json!("look at it")));
    answer(&mut story, false, "the button is grey");
    assert_eq!(integrated(&story), [true, false]);
    let Work::Phases(work) = &story.run.work;
    assert_eq!(work.retriable(), 1);
    story.tell(Event::Retry);
    assert!(story.run.ending.is_none() && story.close("1").is_none());
    let mut told = Vec::new();
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            assert!(!story.tell(Event::Tick).is_empty(), "{:?}", story.run.standing());
            continue;
        }
        let owed = story.start();
        if let Effect::Agent(task) = &owed.effect
            && task.role == Role::Planner
        {
            assert_eq!(task.phase.expect("a phase").as_str(), "1", "what was built on it stays");
            told.clone_from(&task.brief.findings);
        }
        // Its criteria hold by now, and it is worked on all the same.
        let holds = owed.key.step.as_str() == "1/triage";
        story.end(&owed.key, if holds { crate::story::checked(true) } else { good(&owed) });
    }
    assert_eq!(told, ["a person refused task 2: the button is grey"]);
    assert_eq!(story.run.ending, Some(Ending::Done));
    assert!(!story.run.answers.contains_key(&gate()), "what they said was about other work");
}
