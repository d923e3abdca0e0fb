//! A plan that was there before the run.

use super::steps;
use crate::{
    budget::Limits,
    effect::Effect,
    input::Outcome,
    phases::Start,
    report::{CriteriaSource, Triage},
    roadmap::Plan,
    story::{Story, checked, plan, spec},
};

/// The steps of a phase of which this plan was there, and what its triage tells.
fn with(ready: Plan, holds: bool) -> (Vec<String>, Triage) {
    let mut story = Story::of(&[("1", &[])]);
    let preflight = story.begin();
    let found = Outcome::Preflight { issues: Vec::new(), plan: Some(Box::new(ready)) };
    story.end(&preflight.key, found);
    let triage = story.start();
    story.end(&triage.key, checked(holds));
    let owed = story.until("integrate");
    let Effect::Integrate(task) = owed.effect else { panic!("{owed:?}") };
    let paper = task.papers.iter().find(|paper| paper.path.ends_with("/TRIAGE.json"));
    let triage = serde_json::from_str(&paper.expect("a triage").text).expect("JSON");
    (steps(&story), triage)
}

#[test]
fn c7_a_plan_that_a_person_wrote_is_checked_and_worked_by_without_research() {
    let (steps, triage) = with(plan(&["auto"]), false);
    assert_eq!(steps[..4], ["preflight", "triage", "plan-check", "plan-commit"]);
    assert!(!steps.iter().any(|step| step == "research" || step == "plan"), "{steps:?}");
    assert_eq!(triage.criteria_source, CriteriaSource::Plan);
}

#[test]
fn c7_a_plan_that_breaks_a_rule_is_left_to_the_planner() {
    let mut weak = plan(&["auto"]);
    weak.tasks[0].criteria.clear();
    let (steps, triage) = with(weak, false);
    assert_eq!(steps[..4], ["preflight", "triage", "research", "plan"]);
    assert_eq!(triage.criteria_source, CriteriaSource::Roadmap);
}

#[test]
fn c7_what_holds_already_is_only_looked_at_whatever_is_planned() {
    let (steps, _) = with(plan(&["auto"]), true);
    assert_eq!(steps[..4], ["preflight", "triage", "outline", "replay"]);
}

#[test]
fn c23_what_is_done_again_is_planned_again() {
    for (start, counts) in [(Start::New, true), (Start::Improve, true), (Start::Again, false)] {
        let specs = vec![crate::phases::PhaseSpec { start, ..spec("1", &[]) }];
        let mut story = Story::given(specs, Limits::default());
        let preflight = story.begin();
        let Effect::Preflight(task) = preflight.effect else { panic!("{preflight:?}") };
        assert_eq!(task.plan.is_some(), counts, "{start:?}");
    }
}
