//! The judge is asked twice.

use serde_json::json;

use super::{
    held_to::{breach, breaches, refused, why},
    play,
};
use crate::{
    effect::Effect,
    fact::{Ending, Fact},
    phases::{PhaseFact, Then},
    role::Role,
    story::{Story, comparison, content, good, report},
};

#[test]
fn c17_the_judge_reports_before_it_sees_what_the_verifier_found() {
    let mut story = Story::of(&[("1", &[])]);
    let judge = story.until("judge");
    let Effect::Agent(task) = &judge.effect else { panic!("an agent is owed") };
    assert_eq!((&task.brief.verification, &task.brief.own_report), (&None, &None));
    story.end(&judge.key, good(&judge));
    let Some(Fact::Phase { fact: PhaseFact::Opined { report, sha256 }, .. }) = story
        .facts
        .iter()
        .find(|fact| matches!(fact, Fact::Phase { fact: PhaseFact::Opined { .. }, .. }))
    else {
        panic!("the report is in the books")
    };
    assert_eq!(*sha256, crate::phases::judge::fingerprint(report));
    let other = crate::returns::Judgement { concerns: vec!["other".to_owned()], ..report.clone() };
    assert_ne!(*sha256, crate::phases::judge::fingerprint(&other));
    let compare = story.start();
    assert_eq!(compare.key.step.as_str(), "1/compare");
    let Effect::Agent(task) = &compare.effect else { panic!("an agent is owed") };
    assert_eq!(task.role, Role::Judge);
    assert!(task.brief.verification.as_ref().is_some_and(|verified| verified.pass));
    assert!(task.brief.own_report.is_some());
    story.end(&compare.key, good(&compare));
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}

#[test]
fn c17_a_missing_divergence_section_is_refused_and_then_fails_by_its_name() {
    let mut story = Story::of(&[("1", &[])]);
    let word = json!({"verifier_agreement": true, "verifier_missed": []});
    let compare = story.until("compare");
    story.end(&compare.key, report(Role::Judge, &compare.key, word.clone()));
    let again = story.start();
    assert_eq!(again.key.to_string(), "1/compare/2");
    assert!(refused(&again)[0].contains("where it differs"), "{:?}", refused(&again));
    story.end(&again.key, report(Role::Judge, &again.key, word));
    assert_eq!(play(&mut story, |_, _| None), Ending::Incomplete);
    assert!(why(&story).contains("check 9 `judge-report`"), "{}", why(&story));
    let expected = [breach("9", "compare", Then::Again), breach("9", "compare", Then::Failed)];
    assert_eq!(breaches(&story), expected);
}

#[test]
fn c17_a_judge_becomes_graver_by_what_the_verifier_found_and_never_milder() {
    for (first, second, expected) in [
        ("proceed", None, "1/rate"),
        ("proceed", Some("proceed"), "1/rate"),
        ("proceed", Some("debug"), "1/repair"),
        ("proceed", Some("rollback"), "1/reject"),
        ("debug", None, "1/repair"),
        ("halt", None, "1/reject"),
    ] {
        let mut story = Story::of(&[("1", &[])]);
        let judge = story.until("judge");
        let mut word = content(Role::Judge);
        word["recommendation"] = json!(first);
        story.end(&judge.key, report(Role::Judge, &judge.key, word));
        if first == "proceed" {
            let compare = story.start();
            let mut word = comparison();
            word["recommendation"] = json!(second);
            word["concerns"] = json!(["the verifier is right"]);
            story.end(&compare.key, report(Role::Judge, &compare.key, word));
        }
        assert_eq!(story.owed().key.step.as_str(), expected, "{first} then {second:?}");
    }
}

#[test]
fn c17_a_judge_names_at_least_one_concern() {
    for concerns in [json!([]), json!([" "])] {
        let mut story = Story::of(&[("1", &[])]);
        let judge = story.until("judge");
        let mut word = content(Role::Judge);
        word["concerns"] = concerns;
        story.end(&judge.key, report(Role::Judge, &judge.key, word));
        assert_eq!(story.owed().key.to_string(), "1/judge/2");
    }
}

#[test]
fn c25_a_judge_who_found_nothing_alone_and_agrees_writes_its_report_anew() {
    let mut story = Story::of(&[("1", &[])]);
    let judge = story.until("judge");
    let word = json!({"recommendation": "proceed", "concerns": ["one"]});
    story.end(&judge.key, report(Role::Judge, &judge.key, word));
    let compare = story.start();
    let mut word = comparison();
    word["divergence_analysis"] = json!("The verifier worded it differently.");
    story.end(&compare.key, report(Role::Judge, &compare.key, word));
    let again = story.start();
    assert_eq!(again.key.to_string(), "1/judge/2", "the report is what lacks something");
    let Effect::Agent(task) = &again.effect else { panic!("an agent is owed") };
    assert_eq!(task.brief.verification, None, "and it is blind again");
    assert!(refused(&again)[0].contains("found nothing alone"), "{:?}", refused(&again));
    story.end(&again.key, good(&again));
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
    assert_eq!(breaches(&story), [breach("11", "judge", Then::Again)]);
}

#[test]
fn e19_a_section_without_a_difference_counts_only_with_evidence_of_the_judges_own() {
    for (evidence, counts) in [(json!([]), false), (json!(["a:1 - there"]), true)] {
        let mut story = Story::of(&[("1", &[])]);
        let judge = story.until("judge");
        let word = json!({"recommendation": "proceed", "concerns": ["one"], "independent_evidence": evidence});
        story.end(&judge.key, report(Role::Judge, &judge.key, word));
        let compare = story.start();
        let mut word = comparison();
        // It does not agree on the whole, so that only the section is asked about.
        word["verifier_agreement"] = json!(false);
        story.end(&compare.key, report(Role::Judge, &compare.key, word));
        let expected: &[_] = if counts { &[] } else { &[breach("9", "judge", Then::Again)] };
        assert_eq!(breaches(&story), expected);
    }
}
