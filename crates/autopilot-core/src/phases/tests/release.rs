//! The version of the project after a run.

use super::steps;
use crate::{
    effect::{Effect, ReleaseTask},
    fact::{Ending, Fact},
    id::CommitId,
    input::{Event, FailureClass, Outcome},
    phases::ReleaseFact,
    policy::Bump,
    role::Role,
    run::{Run, owed},
    story::{Story, audit, failed, good, report},
};

fn released(phases: &[(&str, &[&str])], with_audit: bool) -> Story {
    let story = Story::of(phases);
    let mut given = story.run.given.clone();
    given.manner.bump = true;
    given.manner.audit = with_audit;
    Story { run: Run::begin(story.now, &given), ..story }
}

/// Plays to the end and gives what was asked of the version.
fn play(story: &mut Story, mut act: impl FnMut(&str) -> Option<Outcome>) -> Option<ReleaseTask> {
    let mut asked = None;
    for _ in 0..500 {
        if story.run.ending.is_some() {
            return asked;
        }
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        if let Effect::Release(task) = &owed.effect {
            asked = Some(task.clone());
        }
        let outcome = act(owed.key.step.as_str());
        story.end(&owed.key, outcome.unwrap_or_else(|| good(&owed)));
    }
    panic!("it does not end: {:?}", steps(story));
}

#[test]
fn e21_nobody_who_does_not_ask_for_it_gets_a_version() {
    let mut story = Story::of(&[("1", &[])]);
    assert_eq!(play(&mut story, |_| None), None);
    assert_eq!(story.run.ending, Some(Ending::Done));
}

#[test]
fn e21_the_version_goes_up_by_what_was_completed_and_is_looked_at_like_everything_else() {
    let mut story = released(&[("3.1", &[]), ("4", &["3.1"])], true);
    let task = play(&mut story, |_| None).expect("it is asked for");
    assert_eq!((task.bump, task.last.as_str()), (Bump::Minor, "4"));
    assert_eq!(task.completed, ["Phase 3.1: Phase 3.1", "Phase 4: Phase 4"]);
    assert_eq!(story.run_head(), &CommitId::new(format!("bump-of-{}", task.from)));
    let last: Vec<String> = steps(&story).into_iter().rev().take(4).collect();
    assert_eq!(last, ["recheck", "release-integrate", "release", "audit"], "promises hold with it");
    assert_eq!(story.run.ending, Some(Ending::Done));

    let mut story = released(&[("3.1", &[])], false);
    assert_eq!(play(&mut story, |_| None).map(|task| task.bump), Some(Bump::Patch));
}

#[test]
fn e21_what_lacks_something_is_no_version() {
    let mut story = released(&[("1", &[])], true);
    let key = crate::id::Key {
        step: crate::id::Step::new("run/audit"),
        attempt: crate::id::Attempt::after(0),
    };
    let asked = play(&mut story, |name| {
        (name == "run/audit").then(|| report(Role::Auditor, &key, audit(&["second"])))
    });
    assert_eq!((asked, story.run.ending.clone()), (None, Some(Ending::Incomplete)));

    let mut story = released(&[("1", &[])], false);
    let asked =
        play(&mut story, |name| (name == "1/research").then(|| failed(FailureClass::Crashed)));
    assert_eq!(
        (asked, story.run.ending.clone()),
        (None, Some(Ending::Incomplete)),
        "nothing is completed"
    );
}

#[test]
fn e21_a_version_that_cannot_go_up_is_told_and_spoils_nothing() {
    for broken in [Outcome::Released(Err("no version".to_owned())), failed(FailureClass::Engine)] {
        let mut story = released(&[("1", &[])], false);
        play(&mut story, |name| (name == "run/release").then(|| broken.clone()));
        assert_eq!(story.run.ending, Some(Ending::Done));
        let is_told = |fact: &Fact| matches!(fact, Fact::Release(ReleaseFact::Skipped { .. }));
        assert!(story.facts.iter().any(is_told));
    }
}
