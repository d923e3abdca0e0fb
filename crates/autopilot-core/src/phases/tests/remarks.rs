//! What the rules for plans find, and who is told.

use serde_json::json;

use super::play;
use crate::{
    effect::{Effect, Owed},
    fact::{Ending, Fact},
    input::Outcome,
    phases::{Brief, PhaseFact},
    roadmap::{Plan, Task},
    role::Role,
    story::{Story, good, plan, rating, report},
};

/// A plan of two tasks, with something changed in the second one.
fn planned(owed: &Owed, change: impl Fn(&mut Task)) -> Outcome {
    let mut outcome = report(Role::Planner, &owed.key, json!({}));
    if let Outcome::Agent(report) = &mut outcome {
        let mut changed: Plan = plan(&["auto", "auto"]);
        change(&mut changed.tasks[1]);
        report.plan = Some(changed);
    }
    outcome
}

fn brief(owed: &Owed) -> &Brief {
    let Effect::Agent(task) = &owed.effect else { panic!("no agent: {owed:?}") };
    &task.brief
}

#[test]
fn c8_a_remark_about_a_plan_is_told_to_who_works_by_it() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("/plan");
    let outcome = planned(&owed, |task| task.complexity = None);
    story.end(&owed.key, outcome);
    let told = ["warning no-complexity (task 2, line 11): \
        it does not say how complex it is: simple, medium or complex"];
    let owed = story.until("/plan-check");
    let (checker, nothing) = (&brief(&owed).remarks, Vec::<&str>::new());
    assert_eq!(checker[0], told[0]);
    assert!(checker[1].starts_with("info no-spec (task 1, line 1)"), "{checker:?}");
    story.end(&owed.key, good(&owed));
    for (step, expected) in [
        ("/execute/1", &nothing[..]),
        ("/execute/2", &told),
        // Nobody tells a judge what to think.
        ("/verify", &nothing),
        ("/judge", &nothing),
        ("/rate", &nothing),
    ] {
        let owed = story.until(step);
        assert_eq!(brief(&owed).remarks, expected, "{step}");
        story.end(&owed.key, good(&owed));
    }
}

#[test]
fn e5_the_test_specs_of_a_plan_that_stands_decide_for_who_works_by_it() {
    let planned = |owed: &Owed| {
        let Effect::Agent(task) = &owed.effect else { panic!("no agent: {owed:?}") };
        task.planned.is_some()
    };
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("/plan");
    assert!(!planned(&owed), "a planner writes them anew");
    story.end(&owed.key, good(&owed));
    assert!(planned(&story.until("/execute/1")));
}

#[test]
fn e5_a_plan_that_is_made_anew_brings_test_specs_of_its_own() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("/rate");
    story.end(&owed.key, report(Role::Rater, &owed.key, rating(5.0)));
    let owed = story.until("/plan");
    let Effect::Agent(task) = &owed.effect else { panic!("no agent: {owed:?}") };
    assert_eq!(task.planned, None, "the specs of the plan that fell decide nothing any more");
}

#[test]
fn c53_tasks_are_done_in_the_order_of_what_they_wait_for() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("/plan");
    let outcome = planned(&owed, |task| task.depends_on = Some(Vec::new()));
    let Outcome::Agent(mut report) = outcome else { panic!("no report") };
    let plan = report.plan.as_mut().expect("a plan");
    plan.tasks[0].depends_on = Some(vec!["2".to_owned()]);
    let facts = story.end(&owed.key, Outcome::Agent(report));
    let order = facts.iter().find_map(|fact| match fact {
        Fact::Phase { fact: PhaseFact::Planned { tasks, .. }, .. } => {
            Some(tasks.iter().map(|task| task.id.to_string()).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(order, Some(vec!["2".to_owned(), "1".to_owned()]));
    assert!(story.until("/execute/").key.step.as_str().ends_with("/2"));
}

#[test]
fn c8_a_blocker_sends_the_plan_back_with_its_rule_task_and_line() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("/plan");
    let outcome = planned(&owed, |task| task.done = String::new());
    let facts = story.end(&owed.key, outcome);
    let issues = facts.iter().find_map(|fact| match fact {
        Fact::Phase { fact: PhaseFact::PlanSentBack { issues }, .. } => Some(issues.clone()),
        _ => None,
    });
    let told = "blocker missing-field (task 2, line 11): it does not tell: done".to_owned();
    assert_eq!(issues, Some(vec![told.clone()]));
    assert_eq!(brief(&story.owed()).findings, [told]);
    assert_eq!(play(&mut story, |_, _| None), Ending::Done, "the next plan stands");
}
