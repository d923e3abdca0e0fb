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
    story::{Story, plan, report},
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
    assert_eq!(brief(&story.until("/plan-check")).remarks, told);
    let nothing: [&str; 0] = [];
    assert_eq!(brief(&story.until("/execute/1")).remarks, nothing);
    assert_eq!(brief(&story.until("/execute/2")).remarks, told);
    assert_eq!(
        brief(&story.until("/verify")).remarks,
        nothing,
        "nobody tells a judge what to think"
    );
}

#[test]
fn e5_the_test_specs_of_a_plan_that_stands_decide_for_who_works_by_it() {
    let planned = |owed: &Owed| {
        let Effect::Agent(task) = &owed.effect else { panic!("no agent: {owed:?}") };
        task.planned.is_some()
    };
    let mut story = Story::of(&[("1", &[])]);
    assert!(!planned(&story.until("/plan")), "a planner writes them anew");
    assert!(planned(&story.until("/execute/1")));
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
