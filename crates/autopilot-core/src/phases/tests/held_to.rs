//! What returns are held to, and what follows when they do not hold to it.

use serde_json::{Value, json};

use super::{caught, play};
use crate::{
    effect::{Effect, Owed},
    fact::{Ending, Fact, Record},
    input::{Outcome, Sighting},
    phases::{Breached, Close, Commands, PhaseFact, Stage, Then},
    role::Role,
    story::{Story, checked, content, good, plan, report},
};

/// What was seen to be wrong, and what followed.
pub(super) fn breaches(story: &Story) -> Vec<(String, String, Then)> {
    let seen = |fact: &Fact| match fact {
        Fact::Phase { fact: PhaseFact::Breached(Breached { check, step, then, .. }), .. } => {
            Some((check.clone(), step.clone(), *then))
        }
        _ => None,
    };
    let all = story.facts.iter().filter_map(seen);
    // How fast a test is says nothing.
    all.filter(|(check, _, _)| check != "3").collect()
}

pub(super) fn breach(check: &str, step: &str, then: Then) -> (String, String, Then) {
    (check.to_owned(), step.to_owned(), then)
}

/// A return with something that was seen beside it.
fn seen(role: Role, owed: &Owed, word: Value, seen: Sighting) -> Outcome {
    let Outcome::Agent(mut report) = report(role, &owed.key, word) else { panic!("an agent's") };
    report.seen = seen;
    Outcome::Agent(report)
}

pub(super) fn refused(owed: &Owed) -> Vec<String> {
    let Effect::Agent(task) = &owed.effect else { panic!("an agent is owed") };
    task.brief.refused.clone()
}

pub(super) fn why(story: &Story) -> String {
    match story.close("1") {
        Some(Close::Failed { why, .. }) => why.clone(),
        other => panic!("it did not fail: {other:?}"),
    }
}

#[test]
fn c16_who_echoes_another_role_is_asked_once_more_and_then_told() {
    let rows = [
        (Role::Verifier, "verify", "scope_creep", "the executor said that it works"),
        (Role::Judge, "judge", "notes", "as the verifier found, it works"),
        (Role::Rater, "rate", "aggregate_justification", "the judge said that it works"),
    ];
    for (role, step, key, words) in rows {
        let mut story = Story::of(&[("1", &[])]);
        let ending = play_with(&mut story, |owed| {
            let name = format!("1/{step}");
            (owed.key.step.as_str() == name).then(|| {
                let mut word = content(role);
                word[key] = json!(words);
                report(role, &owed.key, word)
            })
        });
        assert_eq!(ending, Some(Ending::Done), "a warning stops nobody");
        let expected = [breach("11.5", step, Then::Again), breach("11.5", step, Then::Warned)];
        assert_eq!(breaches(&story), expected, "{role}");
    }
}

/// Goes on for as long as it goes; the outcome of a step comes from `act`, or is good.
fn play_with(story: &mut Story, mut act: impl FnMut(&Owed) -> Option<Outcome>) -> Option<Ending> {
    story.tell(crate::input::Event::Tick);
    for _ in 0..200 {
        if story.run.ending.is_some() {
            break;
        }
        if crate::run::owed(&story.run).is_empty() {
            if story.tell(crate::input::Event::Tick).is_empty() {
                break;
            }
            continue;
        }
        let owed = story.start();
        let outcome = act(&owed).unwrap_or_else(|| good(&owed));
        story.end(&owed.key, outcome);
    }
    story.run.ending.clone()
}

#[test]
fn e4_a_return_is_asked_for_again_once_for_each_check_and_twice_for_each_step() {
    let nothing = json!({"pass": true, "commands_run": []});
    let echo = json!({"pass": true, "commands_run": ["true"], "scope_creep": ["executor claimed"]});
    // The same check twice; two checks, and then the second one again; and one that is not meant again.
    let rows: [(&[&Value], u32, bool); 3] = [
        (&[&nothing, &nothing], 2, false),
        (&[&nothing, &echo, &nothing], 3, false),
        (&[&nothing, &echo, &echo], 2, true),
    ];
    for (words, retries, passes) in rows {
        let mut story = Story::of(&[("1", &[])]);
        let mut words = words.iter();
        play_with(&mut story, |owed| {
            let is_verify = owed.key.step.as_str() == "1/verify";
            let word = if is_verify { words.next() } else { None };
            word.map(|word| report(Role::Verifier, &owed.key, (*word).clone()))
        });
        assert_eq!(story.run.retries, retries, "each costs a retry");
        assert_eq!(
            story.close("1").is_some_and(|close| matches!(close, Close::Completed { .. })),
            passes
        );
    }
}

#[test]
fn c25_a_verifier_that_ran_nothing_fails_by_the_name_of_the_check() {
    let mut story = Story::of(&[("1", &[])]);
    let ending = play_with(&mut story, |owed| {
        (owed.key.step.as_str() == "1/verify")
            .then(|| report(Role::Verifier, &owed.key, json!({"pass": true, "commands_run": []})))
    });
    assert_eq!(ending, Some(Ending::Incomplete));
    assert!(why(&story).contains("check 10 `verifier-ran-something`"), "{}", why(&story));
    let expected = [breach("10", "verify", Then::Again), breach("10", "verify", Then::Failed)];
    assert_eq!(breaches(&story), expected);
}

#[test]
fn c27_who_objects_need_not_have_run_anything() {
    let mut story = Story::of(&[("1", &[])]);
    let verify = story.until("verify");
    let word = json!({"pass": false, "failures": ["a:1 is unreachable"]});
    story.end(&verify.key, report(Role::Verifier, &verify.key, word));
    assert_eq!(story.owed().key.step.as_str(), "1/repair");
    assert_eq!(breaches(&story), [breach("12", "verify", Then::Warned)], "it has no category");
}

#[test]
fn c25_a_failure_with_a_category_is_not_warned_of() {
    for failures in [
        json!({"pass": false, "failures": ["a"], "failure_categories": [{"failure": "a", "category": "lint_failure"}]}),
        json!({"pass": false, "failures": [{"failure": "a", "category": "lint_failure"}]}),
    ] {
        let mut story = Story::of(&[("1", &[])]);
        let verify = story.until("verify");
        story.end(&verify.key, report(Role::Verifier, &verify.key, failures));
        assert_eq!(breaches(&story), []);
    }
}

#[test]
fn c27_commands_are_seen_or_claimed_and_a_claim_that_was_not_seen_is_caught() {
    let claims = |commands: Value| json!({"pass": true, "commands_run": commands});
    let rows = [
        (
            None,
            claims(json!(["npm test -> ok"])),
            Some(Commands::Claimed(vec!["npm test -> ok".to_owned()])),
            0,
        ),
        (
            Some(vec!["npm test".to_owned()]),
            claims(json!(["npm test -> ok"])),
            Some(Commands::Seen(vec!["npm test".to_owned()])),
            0,
        ),
        (
            Some(vec!["ls".to_owned()]),
            claims(json!(["npm test -> ok"])),
            Some(Commands::Seen(vec!["ls".to_owned()])),
            1,
        ),
        // Whoever could be seen and was not seen to run anything has run nothing, whatever it says.
        (Some(vec![]), claims(json!(["npm test -> ok"])), None, 0),
    ];
    for (commands, word, expected, lies) in rows {
        let mut story = Story::of(&[("1", &[])]);
        let verify = story.until("verify");
        let sight = Sighting { commands, changed: vec!["a".to_owned()], ..Sighting::default() };
        let facts = story.end(&verify.key, seen(Role::Verifier, &verify, word, sight));
        let found = facts.iter().find_map(|fact| match fact {
            Fact::Phase { fact: PhaseFact::Verified { seen, .. }, .. } => {
                Some(seen.commands.clone())
            }
            _ => None,
        });
        assert_eq!(found, expected);
        assert_eq!(caught(&story), vec![Role::Verifier; lies]);
    }
}

#[test]
fn c27_a_person_may_ask_for_a_time_that_a_verification_must_take() {
    for (seconds, ms, step) in
        [(0, 10, "1/judge"), (120, 119_999, "1/verify"), (120, 120_000, "1/judge")]
    {
        let mut story = Story::of(&[("1", &[])]);
        story.run.given.limits.min_verify_seconds = seconds;
        let verify = story.until("verify");
        let sight = Sighting { ms, changed: vec!["a".to_owned()], ..Sighting::default() };
        story.end(&verify.key, seen(Role::Verifier, &verify, content(Role::Verifier), sight));
        assert_eq!(story.owed().key.step.as_str(), step, "{seconds} {ms}");
    }
}

#[test]
fn c25_a_phase_of_data_is_read_by_somebody() {
    for (command, step) in [("true", "1/verify"), ("python3 -m json.tool data/a.json", "1/judge")] {
        let mut story = Story::of(&[("1", &[])]);
        let verify = story.until("verify");
        let word = json!({"pass": true, "commands_run": [command]});
        let changed = vec!["data/a.json".to_owned(), ".planning/phases/1-x/PLAN.md".to_owned()];
        let sight = Sighting { changed, ..Sighting::default() };
        story.end(&verify.key, seen(Role::Verifier, &verify, word, sight));
        assert_eq!(story.owed().key.step.as_str(), step, "{command}");
        let expected: &[_] =
            if step == "1/verify" { &[breach("7", "verify", Then::Again)] } else { &[] };
        assert_eq!(breaches(&story), expected);
    }
}

#[test]
fn c25_work_that_changes_nothing_and_does_not_say_so_is_no_evidence() {
    let mut story = Story::of(&[("1", &[])]);
    let verify = story.until("verify");
    let changed = vec![".planning/phases/1-x/PLAN.md".to_owned()];
    let sight = Sighting { changed, ..Sighting::default() };
    story.end(&verify.key, seen(Role::Verifier, &verify, content(Role::Verifier), sight));
    assert_eq!(breaches(&story), [breach("7", "verify", Then::Again)]);
}

/// A phase of which one criterion is prose, and which holds already.
fn there_already() -> Story {
    let mut story = Story::of(&[("1", &[])]);
    let crate::run::Work::Phases(work) = &mut story.run.work else { panic!("it has phases") };
    let prose = crate::evidence::Criterion::parse("The page reads well");
    work.list[0].spec.criteria.push(prose);
    story
}

#[test]
fn c25_what_was_there_already_is_shown_by_a_command_or_a_place_that_is_there() {
    let told = |place: &str| {
        let result =
            json!({"criterion": "The page reads well", "status": "verified", "evidence": place});
        json!({"pass": true, "commands_run": ["true"], "criteria_results": [result]})
    };
    let rows = [
        (content(Role::Verifier), vec![], false),
        (told("page.md:3 -- the first line"), vec![], false),
        (told("page.md:3 -- the first line"), crate::evidence::places("page.md:3"), true),
    ];
    for (word, places, counts) in rows {
        let mut story = there_already();
        let triage = story.until("triage");
        story.end(&triage.key, checked(true));
        let verify = story.until("verify");
        let sight = Sighting { places, ..Sighting::default() };
        story.end(&verify.key, seen(Role::Verifier, &verify, word, sight));
        let step = if counts { "1/judge" } else { "1/verify" };
        assert_eq!(story.owed().key.step.as_str(), step);
        assert_eq!(breaches(&story).len(), usize::from(!counts), "{:?}", breaches(&story));
    }
}

#[test]
fn c25_a_deferral_that_names_nothing_to_do_is_asked_for_again_once_and_then_told() {
    for (name, needless) in
        [("Visual check of the page", true), ("Look whether the payment flow works", false)]
    {
        let mut story = Story::of(&[("1", &[])]);
        play_with(&mut story, |owed| {
            let Effect::Agent(task) = &owed.effect else { return None };
            #[expect(clippy::wildcard_enum_match_arm, reason = "the others do well")]
            match task.role {
                Role::Planner => {
                    let Outcome::Agent(mut report) = good(owed) else { panic!("an agent's") };
                    let mut odd = plan(&["auto", "checkpoint:human-verify"]);
                    odd.tasks[1].name = name.to_owned();
                    odd.tasks[1].verify = String::new();
                    report.plan = Some(odd);
                    Some(Outcome::Agent(report))
                }
                Role::Verifier => {
                    let mut word = content(Role::Verifier);
                    word["autonomous_resolution_attempted"] = json!(true);
                    word["autonomous_confidence"] = json!(3.0);
                    word["deferral_evidence"] = json!(["nothing renders here"]);
                    Some(report(Role::Verifier, &owed.key, word))
                }
                _ => None,
            }
        });
        let expected: &[_] = if needless {
            &[breach("14", "verify", Then::Again), breach("14", "verify", Then::Warned)]
        } else {
            &[]
        };
        assert_eq!(breaches(&story), expected, "{name}");
        assert!(
            matches!(story.close("1"), Some(Close::Completed { awaits, .. }) if awaits.len() == 1)
        );
    }
}

#[test]
fn c25_a_phase_that_skipped_a_review_is_sent_to_it_and_is_not_complete_without() {
    let mut story = Story::of(&[("1", &[])]);
    let replay = story.until("replay");
    story.end(&replay.key, good(&replay));
    // As a machine with a fault would go on.
    let fact =
        Fact::Phase { phase: "1".parse().expect("an id"), fact: PhaseFact::Entered(Stage::Judge) };
    story.run.apply(&Record::new(story.now, fact));
    for step in ["1/judge", "1/compare", "1/rate"] {
        let owed = story.start();
        assert_eq!(owed.key.step.as_str(), step);
        story.end(&owed.key, good(&owed));
    }
    assert_eq!(story.owed().key.step.as_str(), "1/verify", "nobody has verified it");
    assert_eq!(breaches(&story), [breach("1", "verify", Then::Again)]);
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}

#[test]
fn e11_whoever_verifies_what_was_there_already_is_told_what_the_engine_saw() {
    let mut story = there_already();
    let triage = story.until("triage");
    story.end(&triage.key, checked(true));
    let outline = story.start();
    let Effect::Commit(task) = &outline.effect else { panic!("a commit is owed") };
    assert_eq!(task.new[0].path, ".planning/phases/1-x/PLAN.md");
    let text = &task.new[0].text;
    assert!(text.contains("- it works -- verified by: `true`\n- The page reads well\n"), "{text}");
    story.end(&outline.key, good(&outline));
    let verify = story.until("verify");
    let Effect::Agent(task) = &verify.effect else { panic!("an agent is owed") };
    let tried = &task.brief.triage;
    assert_eq!((tried.len(), tried[0].command.as_str(), tried[0].holds), (1, "true", true));
    // Who judges or rates is not told, and neither is who verifies what somebody worked on.
    let word = json!({"pass": true, "commands_run": ["true"], "criteria_results":
        [{"criterion": "The page reads well", "evidence": "page.md:1"}]});
    let sight = Sighting { places: crate::evidence::places("page.md:1"), ..Sighting::default() };
    story.end(&verify.key, seen(Role::Verifier, &verify, word, sight));
    for name in ["judge", "rate"] {
        let owed = story.until(name);
        let Effect::Agent(task) = &owed.effect else { panic!("an agent is owed") };
        assert!(task.brief.triage.is_empty(), "{name}");
        story.end(&owed.key, good(&owed));
    }
    let mut story = Story::of(&[("1", &[])]);
    let verify = story.until("verify");
    let Effect::Agent(task) = &verify.effect else { panic!("an agent is owed") };
    assert!(task.brief.triage.is_empty());
}

#[test]
fn e11_a_plan_that_is_there_is_left_as_it_is() {
    let mut story = Story::of(&[("1", &[])]);
    let triage = story.until("triage");
    story.end(&triage.key, checked(true));
    let outline = story.start();
    let head = story.run_head().clone();
    let facts = story.end(&outline.key, Outcome::Committed(head));
    assert!(
        !facts
            .iter()
            .any(|fact| { matches!(fact, Fact::Phase { fact: PhaseFact::PlanStands { .. }, .. }) })
    );
    assert_eq!(story.owed().key.step.as_str(), "1/replay");
}

#[test]
fn e17_each_repair_gets_only_what_remains_and_is_verified_again() {
    let mut story = Story::of(&[("1", &[])]);
    let verify = story.until("verify");
    let word = json!({"pass": false, "failures": ["a:1 is wrong", "b:2 is wrong"]});
    story.end(&verify.key, report(Role::Verifier, &verify.key, word));
    let findings = |owed: &Owed| {
        let Effect::Agent(task) = &owed.effect else { panic!("an agent is owed") };
        (task.base.to_string(), task.brief.findings.clone())
    };
    let first = story.start();
    assert_eq!(findings(&first).1, ["a:1 is wrong", "b:2 is wrong"]);
    story.end(&first.key, good(&first));
    let check = story.start();
    story.end(&check.key, checked(false));
    // A check is red now, and nobody has looked again at what the verifier said.
    let second = story.start();
    let (base, said) = findings(&second);
    assert_eq!(base, "work-of-1/repair/1", "it goes on from where the first repair ended");
    assert!(said[0].contains("exit code 1"), "{said:?}");
    assert_eq!(said[1..], ["a:1 is wrong", "b:2 is wrong"]);
    story.end(&second.key, good(&second));
    let again = story.until("verify");
    assert_eq!(again.key.to_string(), "1/verify/2", "after a repair it is verified again");
    let word = json!({"pass": false, "failures": ["b:2 is wrong"]});
    story.end(&again.key, report(Role::Verifier, &again.key, word));
    let third = story.start();
    assert_eq!(
        findings(&third),
        ("commit-of-work-of-1/repair/2".to_owned(), vec!["b:2 is wrong".to_owned()])
    );
    story.end(&third.key, good(&third));
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}
