//! What held before a phase began: told as such, and doubted where an earlier phase of the run made it hold.

use super::{caught, play, steps};
use crate::{
    effect::{Effect, Owed},
    evidence::{Bite, Canary, Check, CheckKind, CheckResult, Criterion, Verdict},
    fact::{Ending, Fact},
    id::{Attempt, Key, Step},
    input::{Event, Outcome},
    phases::{Close, PhaseFact},
    role::Role,
    run::{Work, owed},
    story::{Story, checked, good, plan, report},
};

fn result(check: &Check, holds: bool) -> CheckResult {
    CheckResult {
        name: check.name.clone(),
        kind: check.kind,
        criterion: check.criterion.text.clone(),
        command: check.criterion.command.clone(),
        verdict: if holds { Verdict::Passed } else { Verdict::Failed("exit code 1".to_owned()) },
        exit_code: Some(i32::from(!holds)),
        counts: None,
        ran: Vec::new(),
        output: String::new(),
        output_sha256: String::new(),
    }
}

/// Two phases whose criterion is a test; that of the second holds from the first phase on. Says which steps the second
/// phase went through.
fn second_phase(bite: &Bite) -> Vec<String> {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let Work::Phases(work) = &mut story.run.work else { panic!("it has phases") };
    for phase in &mut work.list {
        let text = format!("it works -- verified by: `pytest tests/test_{}.py`", phase.spec.id);
        phase.spec.criteria = vec![Criterion::parse(&text)];
    }
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let outcome = answer(&owed, bite);
        story.end(&owed.key, outcome);
    }
    let of_second = story.facts.iter().filter_map(|fact| match fact {
        Fact::Ended { key, .. } => key.step.as_str().strip_prefix("2/").map(str::to_owned),
        _ => None,
    });
    of_second.collect()
}

fn answer(owed: &Owed, bite: &Bite) -> Outcome {
    let step = owed.key.step.as_str();
    match &owed.effect {
        Effect::Check(task) => {
            let red = |check: &Check| {
                let is_own = check.kind == CheckKind::Criterion;
                step == "2/origin" || is_own && (step == "1/triage" || step.ends_with("/baseline"))
            };
            Outcome::Checked(task.checks.iter().map(|check| result(check, !red(check))).collect())
        }
        Effect::Canary(task) => {
            let bite = if step == "2/origin-canary" { bite.clone() } else { Bite::Base };
            let canary = |check: &Check| Canary {
                check: check.name.clone(),
                command: check.criterion.command.clone().unwrap_or_default(),
                bite: bite.clone(),
            };
            Outcome::Canaries(task.check.checks.iter().map(canary).collect())
        }
        _ => good(owed),
    }
}

#[test]
fn a_test_that_an_earlier_phase_planted_does_not_spare_the_later_one_its_work() {
    let steps = second_phase(&Bite::Green { tried: vec!["everything put back".to_owned()] });
    assert_eq!(steps[..4], ["preflight", "triage", "origin", "origin-canary"]);
    assert!(steps.iter().any(|step| step.starts_with("execute/")), "{steps:?}");
}

#[test]
fn what_an_earlier_phase_has_really_done_is_not_done_again() {
    let steps = second_phase(&Bite::Base);
    assert_eq!(steps[..5], ["preflight", "triage", "origin", "origin-canary", "outline"]);
    assert!(steps.iter().all(|step| !step.starts_with("execute/")), "{steps:?}");
}

#[test]
fn what_held_when_the_run_began_is_told_and_not_doubted() {
    let mut story = Story::of(&[("1", &[])]);
    let ending = play(&mut story, |step, _| (step == "triage").then(|| checked(true)));
    assert_eq!(ending, Ending::Done);
    assert!(!steps(&story).iter().any(|step| step.starts_with("origin")), "{:?}", steps(&story));
    let Some(Close::Completed { held, .. }) = story.close("1") else { panic!("it is complete") };
    assert_eq!((held.criteria.as_slice(), held.of), (["1/1".to_owned()].as_slice(), 1));
}

#[test]
fn a_plan_whose_criteria_all_hold_before_the_work_proves_nothing_and_goes_back() {
    let without_commands = || {
        let mut story = Story::of(&[("1", &[])]);
        let Work::Phases(work) = &mut story.run.work else { panic!("it has phases") };
        work.list[0].spec.criteria = Vec::new();
        story
    };
    let sent_back = |story: &Story| {
        let is =
            |fact: &&Fact| matches!(fact, Fact::Phase { fact: PhaseFact::PlanSentBack { .. }, .. });
        story.facts.iter().filter(is).count()
    };
    let on_base = |holds: bool| {
        let checks = plan(&["auto", "auto"]).tasks.into_iter().map(move |task| Check {
            name: format!("1/{}/1", task.id),
            kind: CheckKind::Criterion,
            criterion: task.criteria[0].clone(),
        });
        Outcome::Checked(checks.map(|check| result(&check, holds)).collect())
    };
    let mut story = without_commands();
    let ending = play(&mut story, |step, _| (step == "baseline").then(|| on_base(true)));
    assert_eq!(ending, Ending::Incomplete, "no plan that could prove anything ever came");
    assert_eq!(sent_back(&story), 3, "as often as a plan may be sent back");
    let mut story = without_commands();
    play(&mut story, |step, _| (step == "baseline").then(|| on_base(false)));
    assert_eq!(sent_back(&story), 0);
}

#[test]
fn who_admits_that_the_work_is_not_done_is_not_caught_at_a_claim() {
    for (completed, fixed, expected) in
        [("1/1", true, vec![Role::Executor, Role::Debugger]), ("0/1", false, vec![])]
    {
        let mut story = Story::of(&[("1", &[])]);
        play(&mut story, |step, attempt| {
            let attempt = Attempt::after(attempt - 1);
            let key = Key { step: Step::new(format!("1/{step}")), attempt };
            let executor = || serde_json::json!({"tasks_completed": completed});
            let debugger = || serde_json::json!({"fixed": fixed});
            match step {
                step if step.starts_with("execute/") => {
                    Some(report(Role::Executor, &key, executor()))
                }
                step if step.starts_with("fix/") => Some(report(Role::Debugger, &key, debugger())),
                step if step.starts_with("check/") => Some(checked(false)),
                _ => None,
            }
        });
        let mut who = caught(&story);
        who.dedup();
        who.truncate(2);
        assert_eq!(who, expected);
    }
}
