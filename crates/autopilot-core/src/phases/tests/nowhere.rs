//! Steps that come to nothing.

use crate::{
    budget::{Ceiling, Limits},
    effect::Effect,
    fact::{Ending, Fact},
    input::{Event, FailureClass, Outcome},
    phases::{PhaseFact, turn::GREW},
    policy::BreakerState,
    role::Role,
    run::owed,
    story::{Story, checked, failed, good},
};

fn with_work(outcome: Outcome, change: impl Fn(&mut crate::input::Work)) -> Outcome {
    let Outcome::Agent(mut report) = outcome else { panic!("an agent returns") };
    change(report.work.as_mut().expect("whoever writes leaves work"));
    Outcome::Agent(report)
}

/// Plays to the end with outcomes of one's own where there are any.
fn play(story: &mut Story, outcome: impl Fn(&crate::effect::Owed) -> Option<Outcome>) -> Ending {
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let Some(next) = owed(&story.run).into_iter().next() else { continue };
        story.tell(Event::Starting(next.key.clone()));
        if story.run.ending.is_some() {
            break;
        }
        let outcome = outcome(&next).unwrap_or_else(|| good(&next));
        story.end(&next.key, outcome);
    }
    story.run.ending.clone().expect("it has ended")
}

fn role_of(owed: &crate::effect::Owed) -> Option<Role> {
    match &owed.effect {
        Effect::Agent(task) => Some(task.role),
        _ => None,
    }
}

#[test]
fn c12_a_repair_that_only_makes_the_change_larger_is_the_last_one() {
    let fixes = |grew: bool| {
        let mut story = Story::of(&[("1", &[])]);
        play(&mut story, |owed| {
            let step = owed.key.step.as_str();
            if step.contains("/check/") {
                return Some(checked(false));
            }
            (role_of(owed) == Some(Role::Debugger))
                .then(|| with_work(good(owed), |work| work.grew = grew))
        });
        let given_up = story.facts.iter().find_map(|fact| match fact {
            Fact::Phase { fact: PhaseFact::TaskGivenUp { task: 0, why, .. }, .. } => {
                Some(why.clone())
            }
            _ => None,
        });
        let started = story
            .facts
            .iter()
            .filter(|fact| matches!(fact, Fact::Started { key } if key.step.as_str() == "1/fix/1"));
        (started.count(), given_up.expect("the task is given up").starts_with(GREW))
    };
    assert_eq!(fixes(false), (2, false));
    assert_eq!(fixes(true), (1, true));
}

#[test]
fn c13_the_task_after_one_that_is_given_up_begins_where_nothing_of_it_is() {
    let mut story = Story::of(&[("1", &[])]);
    let red = |owed: &crate::effect::Owed| {
        owed.key.step.as_str().ends_with("/check/1").then(|| checked(false))
    };
    let mut bases = Vec::new();
    story.tell(Event::Tick);
    while bases.len() < 2 {
        let next = story.start();
        if let Effect::Agent(task) = &next.effect
            && task.role == Role::Executor
        {
            bases.push(task.base.clone());
        }
        let outcome = red(&next).unwrap_or_else(|| good(&next));
        story.end(&next.key, outcome);
    }
    assert_eq!(bases[0], bases[1], "what the first task left is not there");
}

#[test]
fn c38_steps_that_change_nothing_stop_the_run_and_one_step_shows_whether_it_helps() {
    let mut story = Story::of(&[("1", &[]), ("2", &[])]);
    let idle = |owed: &crate::effect::Owed| {
        let step = owed.key.step.as_str();
        if step.contains("/check/") || step.ends_with("replay") || step.ends_with("repair-check") {
            return Some(checked(false));
        }
        let works = matches!(role_of(owed), Some(Role::Executor | Role::Debugger));
        works.then(|| with_work(good(owed), |work| work.changed = false))
    };
    // Both tasks of the first phase, and the phase itself.
    assert_eq!(play(&mut story, idle), Ending::Ceiling(Ceiling::NoProgress));
    assert_eq!(story.run.breaker.state, BreakerState::Open);
    assert_eq!(story.run.breaker.consecutive_no_progress, 3);
    let limits = story.run.given.limits.clone();
    story.tell(Event::Resumed { observed: Vec::new(), limits });
    assert_eq!(story.run.breaker.state, BreakerState::HalfOpen);
    play(&mut story, |_| None);
    assert_eq!(story.run.breaker.state, BreakerState::Closed);
}

#[test]
fn c38_the_same_failure_again_and_again_stops_the_run() {
    let limits = Limits { step_tries: 9, ..Limits::default() };
    let mut story = Story::with(&[("1", &[])], limits);
    let crash = |owed: &crate::effect::Owed| role_of(owed).map(|_| failed(FailureClass::Crashed));
    assert_eq!(play(&mut story, crash), Ending::Ceiling(Ceiling::SameError));
    assert_eq!(story.run.breaker.consecutive_same_error, 5);
    assert_eq!(story.run.retries, 5);
}
