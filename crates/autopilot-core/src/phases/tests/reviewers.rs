//! Those who judge are measured with work that is known to be broken.

use serde_json::json;

use super::{play, sent_back, steps};
use crate::{
    effect::{Effect, Owed},
    fact::{Ending, Fact},
    id::CommitId,
    input::{Answer, Event, Outcome},
    measure::Tally,
    phases::{PhaseFact, fact::SentBack, reviewers},
    role::Role,
    story::{Story, failed, good, rating, report},
};

/// A run in which every review comes after a seeded defect.
fn measured() -> Story {
    let mut story = Story::of(&[("1", &[])]);
    story.run.given.measure.every = 1;
    story
}

fn calibrated(story: &Story) -> Vec<(Role, bool)> {
    let seen = |fact: &Fact| match fact {
        Fact::Phase { fact: PhaseFact::Calibrated { role, caught, .. }, .. } => {
            Some((*role, *caught))
        }
        _ => None,
    };
    story.facts.iter().filter_map(seen).collect()
}

fn is_broken(owed: &Owed) -> bool {
    matches!(&owed.effect, Effect::Agent(task) if task.base == CommitId::new("broken"))
}

/// Goes to the end with reviewers who object to broken work, or to none.
fn finish(story: &mut Story, sharp: bool) -> Ending {
    story.tell(Event::Tick);
    for _ in 0..200 {
        if let Some(ending) = &story.run.ending {
            return ending.clone();
        }
        if crate::run::owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let objects = sharp && is_broken(&owed);
        let Effect::Agent(task) = &owed.effect else {
            let outcome = good(&owed);
            story.end(&owed.key, outcome);
            continue;
        };
        let no = match task.role {
            Role::Verifier => json!({"pass": false, "failures": ["it subtracts"]}),
            Role::Judge => json!({"recommendation": "debug", "concerns": ["it subtracts"]}),
            _ => rating(4.0),
        };
        let outcome = if objects { report(task.role, &owed.key, no) } else { good(&owed) };
        story.end(&owed.key, outcome);
    }
    panic!("it does not end: {:?}", steps(story));
}

#[test]
fn each_reviewer_is_given_broken_work_first_and_it_looks_like_any_other() {
    let mut story = measured();
    assert_eq!(finish(&mut story, true), Ending::Done);
    let expected = [(Role::Verifier, true), (Role::Judge, true), (Role::Rater, true)];
    assert_eq!(calibrated(&story), expected);
    let judging: Vec<String> = story
        .facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Started { key } if key.step.as_str().contains("judge") => Some(key.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(judging, ["1/judge/1", "1/judge/2"], "the broken work under the same name");
    assert_eq!(
        sent_back(&story, SentBack::Repair),
        0,
        "what was said of it is not held against the phase"
    );
}

#[test]
fn who_misses_too_much_has_no_vote_and_a_person_decides_where_nobody_has_one() {
    let mut story = measured();
    for role in [Role::Verifier, Role::Judge, Role::Rater] {
        let blind = Tally { reviews: 9, seeded: 4, caught: 1 };
        story.run.given.measure.before.insert(role, blind);
    }
    story.run.given.measure.every = 0;
    let rate = story.until("rate");
    story.end(&rate.key, good(&rate));
    let gate = story.run.asked.keys().next().expect("a person is asked").clone();
    assert_eq!(gate.as_str(), "1/approve");
    let work = story.run.work.phases();
    assert!(reviewers(&story.run, work).iter().all(|(_, _, has_vote)| !has_vote));
    let answer =
        Answer { approved: true, message: "looked".to_owned(), by: "ann".to_owned(), until: None };
    story.tell(Event::Answered { gate, answer });
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}

#[test]
fn one_vote_that_is_left_is_enough_and_objections_always_count() {
    let mut story = measured();
    story.run.given.measure.every = 0;
    for role in [Role::Verifier, Role::Judge] {
        let blind = Tally { reviews: 9, seeded: 4, caught: 0 };
        story.run.given.measure.before.insert(role, blind);
    }
    let verify = story.until("verify");
    let no = json!({"pass": false, "failures": ["it does not work"]});
    story.end(&verify.key, report(Role::Verifier, &verify.key, no));
    let ending = play(&mut story, |_, _| None);
    assert_eq!(ending, Ending::Done);
    assert_eq!(
        sent_back(&story, SentBack::Repair),
        1,
        "the word of someone without a vote still counts"
    );
}

#[test]
fn a_reviewer_that_fails_on_broken_work_costs_the_phase_nothing() {
    let mut story = measured();
    story.run.given.limits.run_retries = 100;
    let ending = play(&mut story, |name, attempt| {
        (name == "verify" && attempt <= 3).then(|| failed(crate::input::FailureClass::Crashed))
    });
    assert_eq!(ending, Ending::Done);
    assert!(calibrated(&story).iter().all(|(role, _)| *role != Role::Verifier));
}

#[test]
fn where_nothing_can_be_broken_nobody_is_measured() {
    let mut story = measured();
    let ending = play(&mut story, |name, _| (name == "seed").then_some(Outcome::Seeded(None)));
    assert_eq!(ending, Ending::Done);
    assert_eq!(calibrated(&story), []);
}
