//! A phase that is too much for one plan.

use serde_json::{Value, json};

use super::play;
use crate::{
    effect::{Effect, Owed},
    fact::{Ending, Fact},
    id::CommitId,
    input::{Event, Outcome},
    phases::{Close, PhaseFact, Status},
    returns::Score,
    roadmap::Plan,
    role::Role,
    run::owed,
    story::{Story, checked, good, rating, report},
};

/// A plan of so many complex tasks, each with a file of its own.
fn plan(tasks: usize, complexity: &str) -> Plan {
    let text: String = (1..=tasks)
        .map(|task| {
            format!(
                "<task id=\"t{task}\" type=\"auto\" complexity=\"{complexity}\">\n<name>Do it</name>\n<files>f{task}</files>\n\
                 <action>Do the thing that the name says, all of it.</action>\n<acceptance_criteria>\n\
                 - done -- verified by: `test -f f{task}`\n</acceptance_criteria>\n<verify>look</verify>\n\
                 <done>there</done>\n</task>\n"
            )
        })
        .collect();
    Plan::parse(&text)
}

fn wish(parts: &[&str]) -> Value {
    let part = |name: &&str| json!({"name": name, "scope": format!("the {name} of it")});
    let parts: Vec<Value> = parts.iter().map(part).collect();
    json!({"split_details": {"reason": "it is too much", "recommended_sub_phases": parts}})
}

/// A planner that asks for parts.
fn asks(owed: &Owed, word: Value, plan: Plan) -> Outcome {
    let Outcome::Agent(mut said) = report(Role::Planner, &owed.key, word) else {
        panic!("an agent's")
    };
    said.plan = Some(plan);
    Outcome::Agent(said)
}

/// Plays to the end. The planner of phase 1 wants it done in two parts; `act` is asked first for every step.
fn play_split(story: &mut Story, mut act: impl FnMut(&Owed) -> Option<Outcome>) -> Ending {
    for _ in 0..500 {
        if let Some(ending) = &story.run.ending {
            return ending.clone();
        }
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let outcome = act(&owed).unwrap_or_else(|| match owed.key.step.as_str() {
            "1/plan" => asks(&owed, wish(&["first half", "second half"]), plan(6, "complex")),
            _ => good(&owed),
        });
        story.end(&owed.key, outcome);
    }
    panic!("it does not end");
}

fn began(story: &Story) -> Vec<(String, CommitId)> {
    let began = |fact: &Fact| match fact {
        Fact::Phase { phase, fact: PhaseFact::Began { base } } => {
            Some((phase.to_string(), base.clone()))
        }
        _ => None,
    };
    story.facts.iter().filter_map(began).collect()
}

#[test]
fn c30_a_phase_is_done_in_parts_and_is_complete_when_all_of_them_are() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let rated = |owed: &Owed| match owed.key.step.as_str() {
        "1a/rate" => Some(report(Role::Rater, &owed.key, rating(9.1))),
        "1b/rate" => Some(report(Role::Rater, &owed.key, rating(9.6))),
        _ => None,
    };
    assert_eq!(play_split(&mut story, rated), Ending::Done);
    let order = began(&story);
    let ids: Vec<&str> = order.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["1", "1a", "1b", "2"], "parts come before whatever waits for the whole");
    assert_eq!(order[1].1, CommitId::new("base"));
    assert_eq!(
        order[2].1,
        CommitId::new("commit-of-work-of-1a/execute/2/1"),
        "on top of the first part"
    );
    let Some(Close::Completed { score, commit, .. }) = story.close("1") else { panic!("complete") };
    assert_eq!(*score, Score::from_tenths(93), "the mean of 9.1 and 9.6, rounded down");
    assert_eq!(commit, &CommitId::new("commit-of-work-of-1b/execute/2/1"));
    let integrated = story.facts.iter().filter(
        |fact| matches!(fact, Fact::Ended { key, .. } if key.step.as_str().ends_with("/integrate")),
    );
    assert_eq!(integrated.count(), 2, "parts are not put on the run branch by themselves");
}

#[test]
fn c30_what_was_asked_of_the_parts_is_asked_of_the_whole_once_more() {
    let mut story = Story::of(&[("1", &[])]);
    let mut asked = Vec::new();
    play_split(&mut story, |owed| {
        if let ("1/replay", Effect::Check(task)) = (owed.key.step.as_str(), &owed.effect) {
            asked = task.checks.iter().map(|check| check.name.clone()).collect();
        }
        None
    });
    assert_eq!(asked, ["1/1", "1/1a-1/1", "1/1a-2/1", "1/1b-1/1", "1/1b-2/1"]);

    let mut story = Story::of(&[("1", &[])]);
    let ending = play_split(&mut story, |owed| {
        let red = ["1/replay", "1/repair-check"].contains(&owed.key.step.as_str());
        red.then(|| checked(false))
    });
    assert_eq!(ending, Ending::Incomplete);
    assert!(matches!(story.close("1"), Some(Close::Failed { .. })));
    assert_eq!(story.run_head(), &CommitId::new("base"), "the run branch never held the parts");
}

#[test]
fn c30_a_phase_fails_with_any_of_its_parts() {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let ending = play_split(&mut story, |owed| {
        let step = owed.key.step.as_str();
        let red = step.starts_with("1a/check/") || ["1a/replay", "1a/repair-check"].contains(&step);
        red.then(|| checked(false))
    });
    assert_eq!(ending, Ending::Incomplete);
    assert!(matches!(story.close("1a"), Some(Close::Failed { .. })));
    assert!(matches!(story.close("1b"), Some(Close::Blocked { by }) if by.as_str() == "1a"));
    assert!(
        matches!(story.close("1"), Some(Close::Failed { why, .. }) if why.contains("its part 1a failed"))
    );
    assert!(matches!(story.close("2"), Some(Close::Blocked { .. })));
    assert_eq!(story.run_head(), &CommitId::new("base"));
}

#[test]
fn c30_a_phase_that_is_not_too_much_is_not_done_in_parts() {
    let rows = [
        (plan(5, "complex"), wish(&["a", "b"]), false),
        (plan(6, "complex"), wish(&["a", "b"]), true),
        (plan(10, "simple"), wish(&["a", "b"]), false),
        (plan(11, "simple"), wish(&["a", "b"]), true),
        (plan(6, "complex"), wish(&["a"]), false),
        (plan(6, "complex"), wish(&[" ", "b"]), false),
    ];
    for (plan, word, is_split) in rows {
        let mut story = Story::of(&[("1", &[])]);
        let planner = story.until("plan");
        story.end(&planner.key, asks(&planner, word.clone(), plan));
        let has = story
            .facts
            .iter()
            .any(|fact| matches!(fact, Fact::Phase { fact: PhaseFact::Split { .. }, .. }));
        assert_eq!(has, is_split, "{word}");
        if !is_split {
            assert_eq!(story.owed().key.to_string(), "1/plan/2", "the planner is told why not");
        }
    }
}

#[test]
fn c30_a_part_is_not_done_in_parts() {
    let mut story = Story::of(&[("1", &[])]);
    let ending = play_split(&mut story, |owed| {
        (owed.key.to_string() == "1a/plan/1")
            .then(|| asks(owed, wish(&["a", "b"]), plan(6, "complex")))
    });
    assert_eq!(ending, Ending::Done);
    let work = story.run.work.phases();
    assert_eq!(work.list.len(), 3);
}

#[test]
fn c30_the_papers_of_parts_are_left_with_the_whole() {
    let mut story = Story::of(&[("1", &[])]);
    let mut paths = Vec::new();
    play_split(&mut story, |owed| {
        if let Effect::Integrate(task) = &owed.effect {
            paths = task.papers.iter().map(|paper| paper.path.clone()).collect();
        }
        None
    });
    for path in ["1a/EXECUTION-LOG.md", "1b/EXECUTION-LOG.md", "1a/TRACE.jsonl", "TRACE.jsonl"] {
        assert!(paths.contains(&format!(".planning/phases/1-x/{path}")), "{path}: {paths:?}");
    }
}

#[test]
fn c30_a_failed_phase_that_is_tried_again_gets_parts_with_new_names() {
    let mut story = Story::of(&[("1", &[])]);
    play_split(&mut story, |owed| {
        let step = owed.key.step.as_str();
        let red = step.starts_with("1a/check/") || ["1a/replay", "1a/repair-check"].contains(&step);
        red.then(|| checked(false))
    });
    story.tell(Event::Retry);
    assert_eq!(play_split(&mut story, |_| None), Ending::Done);
    let work = story.run.work.phases();
    let ids: Vec<&str> = work.list.iter().map(|phase| phase.spec.id.as_str()).collect();
    assert_eq!(ids, ["1", "1a", "1b", "1c", "1d"]);
    assert!(work.list.iter().all(|phase| matches!(phase.status, Status::Closed(_))));
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}
