//! What holds for a phase, told as stories.

mod broken;
mod debugging;
mod deferring;
mod finale;
mod held_to;
mod improving;
mod judging;
mod nowhere;
mod origin;
mod orphans;
mod papers;
mod pictures;
mod promises;
mod rating;
mod ready_plan;
mod release;
mod remarks;
mod retrying;
mod reviewers;
mod splitting;
mod talking;

use serde_json::json;

use crate::{
    budget::Limits,
    effect::Effect,
    fact::{Ending, Fact},
    id::{CommitId, GateId},
    input::{Answer, Event, Outcome},
    phases::{Close, PhaseFact, fact::SentBack},
    role::Role,
    run::owed,
    story::{Story, checked, good, plan, rating, report},
    time::Timestamp,
};

/// The step names that were gone through, in order, each once in a row.
fn steps(story: &Story) -> Vec<String> {
    let mut names: Vec<String> = story
        .facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Ended { key, .. } => {
                key.step.as_str().split_once('/').map(|(_, name)| name.to_owned())
            }
            _ => None,
        })
        .collect();
    names.dedup();
    names
}

fn sent_back(story: &Story, wanted: SentBack) -> usize {
    let is = |fact: &&Fact| matches!(fact, Fact::Phase { fact: PhaseFact::SentBack { to, .. }, .. } if *to == wanted);
    story.facts.iter().filter(is).count()
}

fn caught(story: &Story) -> Vec<Role> {
    let who = |fact: &Fact| match fact {
        Fact::Phase { fact: PhaseFact::Caught { who, .. }, .. } => Some(*who),
        _ => None,
    };
    story.facts.iter().filter_map(who).collect()
}

/// Goes on to the end; the outcome of a step comes from `act`, or is good.
fn play(story: &mut Story, mut act: impl FnMut(&str, u32) -> Option<Outcome>) -> Ending {
    story.tell(crate::input::Event::Tick);
    for _ in 0..500 {
        if let Some(ending) = &story.run.ending {
            return ending.clone();
        }
        if owed(&story.run).is_empty() {
            story.tell(crate::input::Event::Tick);
            continue;
        }
        let owed = story.start();
        let name = owed.key.step.as_str().split_once('/').map_or("", |(_, name)| name).to_owned();
        let outcome = act(&name, owed.key.attempt.number()).unwrap_or_else(|| good(&owed));
        story.end(&owed.key, outcome);
    }
    panic!("it does not end: {:?}", steps(story));
}

#[test]
fn the_steps_come_in_their_order() {
    let mut story = Story::of(&[("1", &[])]);
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
    let expected = [
        "preflight",
        "triage",
        "research",
        "plan",
        "plan-check",
        "plan-commit",
        "baseline",
        "execute/1",
        "check/1",
        "commit/1",
        "execute/2",
        "check/2",
        "commit/2",
        "replay",
        "verify",
        "judge",
        "compare",
        "rate",
        "integrate",
    ];
    assert_eq!(steps(&story), expected);
}

#[test]
fn a_waived_check_lets_a_phase_through_and_is_told_with_it() {
    for (until, expected) in
        [(None, Ending::Done), (Some(Timestamp::from_ms(0)), Ending::Incomplete)]
    {
        let mut story = Story::of(&[("1", &[])]);
        let answer = Answer {
            approved: true,
            message: "the service is down".to_owned(),
            by: "ann".to_owned(),
            until,
        };
        story.tell(Event::Answered { gate: GateId::waiver("1/1"), answer });
        let red =
            |name: &str| name.contains("check/") || name == "replay" || name == "repair-check";
        let ending = play(&mut story, |name, _| red(name).then(|| checked(false)));
        assert_eq!(ending, expected, "a waiver counts until it ends: {until:?}");
        if let Some(Close::Completed { waived, .. }) = story.close("1") {
            assert_eq!(waived[0].check, "1/1");
            assert_eq!(waived[0].waiver.why, "the service is down");
        } else {
            assert_eq!(ending, Ending::Incomplete);
        }
    }
}

#[test]
fn what_held_before_the_phase_must_hold_after_it() {
    let mut story = Story::of(&[("1", &[])]);
    let guard = |passed: bool| {
        let Outcome::Checked(mut results) = checked(true) else { panic!("results") };
        let Outcome::Checked(mut guards) = checked(passed) else { panic!("results") };
        guards[0].name = "test".to_owned();
        guards[0].kind = crate::evidence::CheckKind::Guard;
        results.append(&mut guards);
        Outcome::Checked(results)
    };
    let ending = play(&mut story, |name, _| match name {
        "triage" => {
            let Outcome::Checked(mut results) = guard(true) else { panic!("results") };
            results[0].verdict = crate::evidence::Verdict::Failed("not yet".to_owned());
            Some(Outcome::Checked(results))
        }
        "replay" | "repair-check" => Some(guard(false)),
        _ => None,
    });
    assert_eq!(ending, Ending::Incomplete);
    assert!(
        matches!(story.close("1"), Some(Close::Failed { why, .. }) if why.contains("it held before this phase")),
        "{:?}",
        story.close("1")
    );
}

#[test]
fn a_phase_that_already_holds_goes_straight_to_verification() {
    let mut story = Story::of(&[("1", &[])]);
    play(&mut story, |name, _| (name == "triage").then(|| checked(true)));
    assert_eq!(
        steps(&story),
        [
            "preflight",
            "triage",
            "outline",
            "replay",
            "verify",
            "judge",
            "compare",
            "rate",
            "integrate"
        ]
    );
}

#[test]
fn something_that_moved_under_the_run_halts_it_and_costs_no_phase() {
    let mut story = Story::of(&[("1", &[]), ("2", &[])]);
    let preflight = story.begin();
    story.end(
        &preflight.key,
        Outcome::Preflight { issues: vec!["the roadmap changed".to_owned()], plan: None },
    );
    assert!(matches!(&story.run.ending, Some(Ending::Halted { why }) if why.contains("roadmap")));
    let limits = story.run.given.limits.clone();
    story.tell(crate::input::Event::Resumed { observed: Vec::new(), limits });
    assert_eq!(story.owed().key.to_string(), "1/preflight/2", "it looks again");
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}

#[test]
fn c11_a_lie_is_caught_and_repaired_from_where_the_liar_left_it() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("check/1");
    story.end(&owed.key, checked(false));
    assert_eq!(caught(&story), [Role::Executor]);
    let fix = story.start();
    let Effect::Agent(task) = &fix.effect else { panic!("an agent is owed") };
    assert_eq!((task.role, &task.base), (Role::Debugger, &CommitId::new("work-of-1/execute/1/1")));
    assert!(task.brief.findings[0].contains("exit code 1"), "{:?}", task.brief.findings);
    story.end(&fix.key, good(&fix));
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}

#[test]
fn c31_a_task_is_given_up_after_two_repairs_and_the_phase_after_three_more() {
    let mut story = Story::of(&[("1", &[])]);
    let red = |name: &str| name.contains("check/1") || name == "replay" || name == "repair-check";
    assert_eq!(play(&mut story, |name, _| red(name).then(|| checked(false))), Ending::Incomplete);
    assert_eq!((sent_back(&story, SentBack::TaskFix), sent_back(&story, SentBack::Repair)), (2, 3));
    assert!(steps(&story).contains(&"execute/2".to_owned()), "the next task is still tried");
    assert!(!steps(&story).contains(&"verify".to_owned()), "nobody is paid to look at red work");
    assert!(matches!(story.close("1"), Some(Close::Failed { branch: Some(_), .. })));
    assert_eq!(story.run_head(), &CommitId::new("base"), "the run branch never held it");
}

#[test]
fn c9_a_plan_is_sent_back_at_most_three_times() {
    let mut story = Story::of(&[("1", &[])]);
    let no =
        |role, key: &crate::id::Key| report(role, key, json!({"pass": false, "confidence": 3}));
    story.tell(crate::input::Event::Tick);
    let mut rounds = 0;
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(crate::input::Event::Tick);
            continue;
        }
        let owed = story.start();
        let outcome = if owed.key.step.as_str() == "1/plan-check" {
            rounds += 1;
            no(Role::PlanChecker, &owed.key)
        } else {
            good(&owed)
        };
        story.end(&owed.key, outcome);
    }
    assert_eq!(rounds, 3);
    assert!(
        matches!(story.close("1"), Some(Close::Failed { why, .. }) if why.contains("3 rounds"))
    );
}

#[test]
fn a_plan_that_could_never_be_proven_is_refused_before_anyone_is_paid_to_read_it() {
    let mut story = Story::of(&[("1", &[])]);
    let planner = story.until("plan");
    let Outcome::Agent(mut report) = report(Role::Planner, &planner.key, json!({})) else {
        panic!("a report is an agent's")
    };
    let mut bad = plan(&["auto"]);
    bad.tasks[0].criteria.clear();
    report.plan = Some(bad);
    story.end(&planner.key, Outcome::Agent(report));
    assert_eq!(story.owed().key.step.as_str(), "1/plan");
    let Effect::Agent(task) = story.owed().effect else { panic!("the planner is asked again") };
    assert!(task.brief.findings[0].contains("could never be proven"), "{:?}", task.brief.findings);
}

#[test]
fn an_opinion_can_lower_a_verdict_and_never_raise_one() {
    let mut story = Story::of(&[("1", &[])]);
    let verify = story.until("verify");
    let word = json!({"pass": false, "failures": ["a.rs:3 is unreachable"]});
    story.end(&verify.key, report(Role::Verifier, &verify.key, word));
    let repair = story.owed();
    assert_eq!(repair.key.step.as_str(), "1/repair");
    let Effect::Agent(task) = repair.effect else { panic!("a debugger is owed") };
    assert_eq!(task.brief.findings, ["a.rs:3 is unreachable"]);
}

#[test]
fn c15_whoever_judges_is_not_told_what_others_think() {
    let mut story = Story::of(&[("1", &[])]);
    for name in ["verify", "judge", "rate"] {
        let owed = story.until(name);
        let Effect::Agent(task) = &owed.effect else { panic!("an agent is owed") };
        assert_eq!(task.brief.findings, [""; 0]);
        assert_eq!((&task.brief.approach, &task.brief.task), (&None, &None));
        assert_eq!(task.brief.since, Some(CommitId::new("base")));
        story.end(&owed.key, good(&owed));
    }
}

#[test]
fn c18_a_stated_score_that_is_not_the_mean_is_no_return() {
    let mut story = Story::of(&[("1", &[])]);
    let rate = story.until("rate");
    let mut word = rating(8.0);
    word["alignment_score"] = json!(9.9);
    story.end(&rate.key, report(Role::Rater, &rate.key, word));
    assert_eq!(story.owed().key.to_string(), "1/rate/2");
    assert_eq!(story.run.retries, 1);
}

#[test]
fn c27_a_verification_that_ran_nothing_is_asked_for_again() {
    for commands in [json!([]), json!([" "])] {
        let mut story = Story::of(&[("1", &[])]);
        let verify = story.until("verify");
        let word = json!({"pass": true, "commands_run": commands});
        story.end(&verify.key, report(Role::Verifier, &verify.key, word));
        assert_eq!(story.owed().key.to_string(), "1/verify/2");
    }
}

#[test]
fn a_good_but_not_good_enough_phase_is_improved_twice_and_then_taken_as_it_is() {
    let mut story = Story::of(&[("1", &[])]);
    let ending = play_rated(&mut story, 8.5);
    assert_eq!((ending, sent_back(&story, SentBack::Remedy)), (Ending::Done, 2));
    assert!(matches!(story.close("1"), Some(Close::Completed { below_pass: true, .. })));
}

#[test]
fn c31_a_phase_below_the_usable_score_is_planned_anew_once() {
    let mut story = Story::of(&[("1", &[])]);
    let ending = play_rated(&mut story, 6.0);
    assert_eq!((ending, sent_back(&story, SentBack::Replan)), (Ending::Incomplete, 1));
    assert!(matches!(story.close("1"), Some(Close::Failed { why, .. }) if why.contains("6.0")));
}

fn play_rated(story: &mut Story, score: f64) -> Ending {
    story.tell(crate::input::Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(crate::input::Event::Tick);
            continue;
        }
        let owed = story.start();
        let outcome = match &owed.effect {
            Effect::Agent(task) if task.role == Role::Rater => {
                report(Role::Rater, &owed.key, rating(score))
            }
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    story.run.ending.clone().expect("it has ended")
}

#[test]
fn a_judge_can_throw_a_phase_away_and_can_stop_the_run() {
    for (word, stops) in [("rollback", false), ("halt", true)] {
        let mut story = Story::of(&[("1", &[]), ("2", &[])]);
        let judge = story.until("judge");
        let said = json!({"recommendation": word, "concerns": ["no"]});
        story.end(&judge.key, report(Role::Judge, &judge.key, said));
        let reject = story.start();
        story.end(&reject.key, good(&reject));
        assert!(matches!(story.close("1"), Some(Close::Failed { .. })), "{word}");
        assert_eq!(matches!(story.run.ending, Some(Ending::Halted { .. })), stops, "{word}");
    }
}

#[test]
fn limits_are_counted_as_they_are_given() {
    let limits = Limits { task_debugs: 0, phase_debugs: 0, ..Limits::default() };
    let mut story = Story::with(&[("1", &[])], limits);
    let red = |name: &str| name.contains("check/") || name == "replay";
    assert_eq!(play(&mut story, |name, _| red(name).then(|| checked(false))), Ending::Incomplete);
    assert_eq!((sent_back(&story, SentBack::TaskFix), sent_back(&story, SentBack::Repair)), (0, 0));
}

#[test]
fn commit_subjects_hold_one_line_whatever_a_plan_says() {
    let mut story = Story::of(&[("1", &[])]);
    let planner = story.until("plan");
    let Outcome::Agent(mut report) = report(Role::Planner, &planner.key, json!({})) else {
        panic!("a report is an agent's")
    };
    let mut odd = plan(&["auto"]);
    odd.tasks[0].name = format!("first\nsecond \u{1b}[31m{}", "x".repeat(300));
    report.plan = Some(odd);
    story.end(&planner.key, Outcome::Agent(report));
    let Effect::Commit(task) = story.until("commit/1").effect else { panic!("a commit is owed") };
    assert!(task.message.starts_with("feat(1): 1 - first second"), "{}", task.message);
    assert!(!task.message.contains(char::is_control) && task.message.chars().count() <= 100);
}
