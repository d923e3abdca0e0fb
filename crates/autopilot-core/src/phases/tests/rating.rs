//! What ratings and traced criteria are held to.

use serde_json::{Value, json};

use super::play;
use crate::{
    budget::Limits,
    evidence::{Criterion, Place},
    fact::{End, Ending, Fact},
    input::{FailureClass, Outcome},
    phases::{PhaseFact, PhaseSpec, Then},
    returns::Score,
    role::Role,
    story::{Story, checked, report, spec},
};

const TRACED: &str =
    "A click saves -- verified by: read ui/Save.tsx:handleSave and trace to store.save";
const BOTH: &str =
    "A key saves -- verified by: `true` and `read ui/Save.tsx:onKey and trace to store.save`";

/// A run of one phase with these criteria besides its own.
fn story(criteria: &[&str]) -> Story {
    let mut spec: PhaseSpec = spec("1", &[]);
    spec.criteria.extend(criteria.iter().map(|line| Criterion::parse(line)));
    Story::given(vec![spec], Limits::default())
}

fn row(criterion: &str, score: f64) -> Value {
    json!({"criterion": criterion, "score": score, "evidence": ["a:1"], "justification": "it holds"})
}

fn card(score: f64, rows: &[Value]) -> Value {
    json!({"alignment_score": score, "scorecard": rows})
}

/// Why a word at a step is refused; none where it counts.
fn refused(story: &mut Story, step: &str, role: Role, word: &Value) -> Option<String> {
    let owed = story.until(step);
    let facts = story.end(&owed.key, report(role, &owed.key, word.clone()));
    facts.into_iter().find_map(|fact| match fact {
        Fact::Ended { end: End::Failed(failure), .. } => {
            assert_eq!(failure.class, FailureClass::Malformed);
            Some(failure.detail)
        }
        _ => None,
    })
}

#[track_caller]
fn rated(criteria: &[&str], word: &Value) -> Option<String> {
    refused(&mut story(criteria), "/rate", Role::Rater, word)
}

#[test]
fn c25_a_score_without_a_decimal_point_is_told_and_counts() {
    for (score, is_told) in [(json!(9), true), (json!(9.0), false), (json!(9.1), false)] {
        let mut story = Story::of(&[("1", &[])]);
        let owed = story.until("/rate");
        let row = json!({"criterion": "c", "score": score, "evidence": "a:1", "justification": "it holds"});
        let word = json!({"alignment_score": score, "scorecard": [row]});
        let facts = story.end(&owed.key, report(Role::Rater, &owed.key, word));
        let warned = facts.iter().any(|fact| {
            matches!(fact, Fact::Phase { fact: PhaseFact::Breached(breached), .. }
                if breached.check == "5" && breached.then == Then::Warned)
        });
        assert_eq!(warned, is_told, "{score}");
        assert!(
            facts
                .iter()
                .any(|fact| { matches!(fact, Fact::Phase { fact: PhaseFact::Rated { .. }, .. }) })
        );
    }
}

#[test]
fn e7_a_row_of_seven_or_more_names_a_line_that_is_there() {
    let bare = |score: f64| json!({"criterion": "it works", "score": score, "justification": "so"});
    let why = rated(&[], &card(7.0, &[bare(7.0)])).expect("it is refused");
    assert!(why.contains("names no line of a file that is there"), "{why}");
    assert_eq!(rated(&[], &card(6.9, &[bare(6.9)])), None, "less than that needs none");
    let told = json!({"criterion": "it works", "score": 9.0, "justification": "a:1 says so"});
    assert_eq!(rated(&[], &card(9.0, &[told])), None, "it may stand in the reason");
}

#[test]
fn e7_a_line_that_is_named_and_is_not_there_shows_nothing() {
    let mut story = story(&[]);
    let owed = story.until("/rate");
    let outcome = report(Role::Rater, &owed.key, card(9.0, &[row("it works", 9.0)]));
    let Outcome::Agent(mut said) = outcome else { panic!("no report") };
    said.seen.places = vec![Place { path: "b".to_owned(), line: 1 }];
    let facts = story.end(&owed.key, Outcome::Agent(said));
    let is_failed = |fact: &Fact| matches!(fact, Fact::Ended { end: End::Failed(_), .. });
    assert!(facts.iter().any(is_failed), "{facts:?}");
}

#[test]
fn e7_a_row_above_seven_has_a_reason() {
    let silent = |score: f64| json!({"criterion": "it works", "score": score, "evidence": "a:1"});
    let why = rated(&[], &card(7.1, &[silent(7.1)])).expect("it is refused");
    assert!(why.contains("has no `justification`"), "{why}");
    assert_eq!(rated(&[], &card(7.0, &[silent(7.0)])), None);
}

#[test]
fn e7_what_is_run_and_traced_is_above_seven_only_where_both_hold() {
    let stuck = |score: f64| {
        json!({"criterion": "A key saves", "score": score, "evidence": "a:1 BEHAVIORAL_UNVERIFIABLE",
            "justification": "the library is closed"})
    };
    let why = rated(&[BOTH], &card(9.0, &[stuck(9.0)])).expect("it is refused");
    assert!(why.contains("could not be followed"), "{why}");
    assert_eq!(rated(&[BOTH], &card(7.0, &[stuck(7.0)])), None);
    // Its command was never seen to go well: the story checks the first criterion alone.
    let why = rated(&[BOTH], &card(9.0, &[row("A key saves", 9.0)])).expect("it is refused");
    assert!(why.contains("does not go well"), "{why}");
    assert_eq!(rated(&[BOTH], &card(9.0, &[row("it works", 9.0)])), None);
}

#[test]
fn e7_the_score_is_the_mean_by_the_weights_of_the_criteria() {
    let heavy = "It is fast (weight: 3) -- verified by: `true`";
    let rows = [row("it works", 9.0), row("It is fast", 8.0)];
    let why = rated(&[heavy], &card(8.5, &rows)).expect("it is refused");
    assert_eq!(why, "the stated score 8.5 is not the mean 8.2 of its scorecard");
    let mut story = story(&[heavy]);
    let owed = story.until("/rate");
    let facts = story.end(&owed.key, report(Role::Rater, &owed.key, card(8.2, &rows)));
    let score = facts.iter().find_map(|fact| match fact {
        Fact::Phase { fact: PhaseFact::Rated { score, .. }, .. } => Some(*score),
        _ => None,
    });
    assert_eq!(score, Some(Score::from_tenths(82)));
    let other = [row("works", 9.0), row("`It is fast` (checked by `true`)", 8.0)];
    assert_eq!(rated(&[heavy], &card(8.2, &other)), None, "a row is known by the words in it");
}

#[test]
fn e2_whoever_approves_of_what_is_traced_names_a_line_for_each() {
    let verifier = json!({"pass": true, "commands_run": ["true"]});
    let judge = json!({"recommendation": "proceed", "concerns": ["one"]});
    for (step, role, word, field) in [
        ("/verify", Role::Verifier, &verifier, "criteria_results"),
        ("/judge", Role::Judge, &judge, "independent_evidence"),
    ] {
        assert_eq!(refused(&mut story(&[]), step, role, word), None, "{role}");
        let why = refused(&mut story(&[TRACED]), step, role, word).expect("it is refused");
        assert!(why.contains("name one for each"), "{role}: {why}");
        let mut told = word.clone();
        told[field] = json!(["ui/Save.tsx:12 calls store.save"]);
        assert_eq!(refused(&mut story(&[TRACED]), step, role, &told), None, "{role}");
    }
    let objects = json!({"pass": false, "failures": ["it saves nothing"]});
    assert_eq!(refused(&mut story(&[TRACED]), "/verify", Role::Verifier, &objects), None);
}

#[test]
fn e2_what_reading_does_not_tell_is_unproven_and_no_failure() {
    let told = "A click saves: BEHAVIORAL_UNVERIFIABLE, the library is closed";
    for word in [
        json!({"pass": true, "commands_run": ["true"], "failures": [told]}),
        json!({"pass": false, "commands_run": ["true"], "failures": [told]}),
        json!({"pass": true, "commands_run": ["true"], "criteria_results": [told]}),
    ] {
        let mut story = story(&[TRACED]);
        let owed = story.until("/verify");
        let facts = story.end(&owed.key, report(Role::Verifier, &owed.key, word.clone()));
        let verified = facts.iter().find_map(|fact| match fact {
            Fact::Phase { fact: PhaseFact::Verified { pass, failures, unproven, .. }, .. } => {
                Some((*pass, failures.len(), unproven.clone()))
            }
            _ => None,
        });
        assert_eq!(verified, Some((true, 0, vec![told.to_owned()])), "{word}");
    }
}

#[test]
fn e2_a_traced_criterion_fails_a_phase_by_the_word_of_a_reviewer_alone() {
    let mut story = story(&[TRACED]);
    let key = story.until("/triage").key;
    let word = json!({"pass": false, "failures": ["ui/Save.tsx:12 saves nothing"]});
    story.end(&key, checked(false));
    let objects = || report(Role::Verifier, &key, word.clone());
    let ending = play(&mut story, |name, _| (name == "verify").then(objects));
    assert_eq!(ending, Ending::Incomplete);
}
