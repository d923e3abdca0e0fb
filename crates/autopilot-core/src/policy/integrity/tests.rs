//! One breach at a time; `product` has every combination.

mod product;

use super::*;
use crate::{
    policy::PhaseType,
    returns::{Recommendation, Score},
};

/// A phase with which nothing is wrong.
fn sound() -> PhaseRecordSeen {
    let step = StepSeen { skipped: false, by_agent: true };
    PhaseRecordSeen {
        claim: Claim::Completed,
        kind: PhaseType::Mixed,
        has_ui: false,
        score: Some(Score::from_tenths(93)),
        pass: Score::from_tenths(90),
        recommendation: Recommendation::Proceed,
        tasks_done: 3,
        tasks_total: 3,
        commits: 3,
        compile: CheckWord::Ran(true),
        build: CheckWord::Ran(true),
        has_compile_command: true,
        has_build_command: true,
        verify: step,
        judge: step,
        rate: step,
        criteria: 2,
        criteria_with_place: 2,
        kind_check: true,
        diff_summary: true,
        minutes: 12,
        justification: None,
        review: Review {
            verifier_commands: 4,
            verifier_seconds: 30,
            report: true,
            divergence_section: true,
            independent: 1,
            ..Review::default()
        },
        verify_seconds_min: 0,
        diagnostic: false,
        can_improve: true,
    }
}

fn broken(seen: &PhaseRecordSeen) -> Vec<&'static str> {
    check(seen).iter().map(|breach| breach.number).collect()
}

fn with(change: impl FnOnce(&mut PhaseRecordSeen)) -> PhaseRecordSeen {
    let mut seen = sound();
    change(&mut seen);
    seen
}

#[test]
fn c25_a_sound_phase_breaks_nothing() {
    assert_eq!(broken(&sound()), [""; 0]);
}

/// A phase that waits for a person to look at something.
fn deferred(description: &str) -> PhaseRecordSeen {
    with(|seen| {
        seen.claim = Claim::NeedsHuman;
        seen.justification = Some(Justification {
            checkpoint_task_id: "03-02".to_owned(),
            task_description: description.to_owned(),
            auto_tasks_passed: 2,
            auto_tasks_total: 2,
        });
    })
}

/// A phase with this score.
fn scored(tenths: u16) -> PhaseRecordSeen {
    with(|seen| seen.score = Some(Score::from_tenths(tenths)))
}

type Row = (PhaseRecordSeen, &'static [&'static str]);

/// What is wrong with the work, and what it breaks.
fn about_the_work() -> Vec<Row> {
    vec![
        (with(|seen| seen.score = None), &["1"]),
        (with(|seen| seen.verify.skipped = true), &["1"]),
        (with(|seen| seen.judge.skipped = true), &["1"]),
        (with(|seen| seen.compile = CheckWord::NotApplicable), &["1"]),
        (with(|seen| seen.commits = 0), &["2"]),
        (with(|seen| seen.minutes = 4), &["3"]),
        (with(|seen| seen.rate.by_agent = false), &["4"]),
        (unseen_and_uncommitted(), &["2", "4", "6", "8"]),
        (of_kind(PhaseType::Protocol, false), &["7"]),
        (of_kind(PhaseType::Ui, true), &["7"]),
        (with(|seen| seen.diff_summary = false), &["7"]),
        (with(|seen| (seen.commits, seen.criteria_with_place) = (0, 1)), &["2", "8"]),
        (with(|seen| seen.tasks_done = 4), &["G3"]),
        (with(|seen| seen.compile = CheckWord::Ran(false)), &["G4"]),
    ]
}

/// What is wrong with its reviews, and what it breaks.
fn about_its_reviews() -> Vec<Row> {
    let usable = PhaseRecordSeen { diagnostic: true, can_improve: false, ..scored(84) };
    vec![
        (with(|seen| seen.review.report = false), &["9"]),
        (with(|seen| seen.review.divergence_section = false), &["9"]),
        (with(|seen| (seen.review.no_divergence, seen.review.independent) = (true, 0)), &["9"]),
        (with(|seen| seen.review.verifier_commands = 0), &["10"]),
        (with(|seen| seen.verify_seconds_min = 120), &["10"]),
        (with(|seen| (seen.review.agrees, seen.review.independent) = (true, 0)), &["11"]),
        (with(|seen| seen.review.contaminated = true), &["11.5"]),
        (with(|seen| seen.review.unclassified = 1), &["12"]),
        (with(|seen| seen.claim = Claim::NeedsHuman), &["13"]),
        (deferred("Visual check of the page"), &["14"]),
        (deferred("Look whether the payment flow ends in a transaction"), &[]),
        (scored(84), &["15", "16"]),
        (usable, &[]),
        (PhaseRecordSeen { diagnostic: true, ..scored(60) }, &["G1"]),
        (with(|seen| seen.recommendation = Recommendation::Halt), &["G2"]),
    ]
}

fn unseen_and_uncommitted() -> PhaseRecordSeen {
    with(|seen| {
        seen.commits = 0;
        seen.verify.by_agent = false;
    })
}

/// A phase of a kind whose own check was not run; a page that was not built.
fn of_kind(kind: PhaseType, kind_check: bool) -> PhaseRecordSeen {
    with(|seen| {
        seen.kind = kind;
        seen.kind_check = kind_check;
        seen.build = CheckWord::NotApplicable;
    })
}

#[test]
fn c25_each_check_is_broken_by_what_it_is_about() {
    let mut seen_broken = std::collections::BTreeSet::new();
    for (record, expected) in about_the_work().into_iter().chain(about_its_reviews()) {
        assert_eq!(broken(&record), *expected, "{record:?}");
        seen_broken.extend(expected.iter().copied());
    }
    let all: std::collections::BTreeSet<&str> = CHECKS.iter().map(|check| check.number).collect();
    assert_eq!(seen_broken, all, "every check has a row that breaks it");
}

#[test]
fn e3_checks_one_and_seven_ask_nothing_of_what_claims_no_work() {
    for claim in [Claim::Completed, Claim::NeedsHuman, Claim::Failed, Claim::SplitRequest] {
        for tasks_done in [0, 2] {
            for skipped in [false, true] {
                for evidence in [false, true] {
                    let record = with(|seen| {
                        seen.claim = claim;
                        seen.tasks_done = tasks_done;
                        seen.verify.skipped = skipped;
                        seen.diff_summary = evidence;
                    });
                    let claims =
                        claim == Claim::Completed || (claim == Claim::NeedsHuman && tasks_done > 0);
                    assert_eq!(broken(&record).contains(&"1"), claims && skipped, "{record:?}");
                    assert_eq!(broken(&record).contains(&"7"), claims && !evidence, "{record:?}");
                }
            }
        }
    }
}

#[test]
fn c25_not_applicable_is_an_answer_only_where_there_is_nothing_to_run() {
    let record = with(|seen| {
        seen.compile = CheckWord::NotApplicable;
        seen.has_compile_command = false;
    });
    assert_eq!(broken(&record), [""; 0]);
}

#[test]
fn c27_time_alone_rejects_nobody_unless_a_person_wants_it() {
    assert_eq!(broken(&with(|seen| seen.review.verifier_seconds = 0)), [""; 0]);
    assert_eq!(
        broken(&with(|seen| {
            seen.verify_seconds_min = 120;
            seen.review.verifier_seconds = 119;
        })),
        ["10"]
    );
    assert_eq!(
        broken(&with(|seen| {
            seen.verify_seconds_min = 120;
            seen.review.verifier_seconds = 120;
        })),
        [""; 0]
    );
}

#[test]
fn e4_a_step_is_done_again_once_for_each_check_and_twice_in_all() {
    for (each, all) in (0..4).flat_map(|each| (0..4).map(move |all| (each, all))) {
        assert_eq!(may_try_again(each, all), each == 0 && all < 2, "{each} {all}");
    }
}

#[test]
fn d42_only_rejections_and_warnings_of_the_contract_are_given() {
    let with = |consequence: Consequence| -> Vec<&str> {
        let checks = CHECKS.iter().filter(|check| check.consequence == consequence);
        checks.map(|check| check.number).collect()
    };
    // Time alone is told and rejects nobody: the engine has seen that every step was done.
    assert_eq!(with(Consequence::Note), ["2"]);
    assert_eq!(with(Consequence::Warn), ["3", "12"]);
    assert_eq!(with(Consequence::Once), ["11.5", "14"]);
    assert_eq!(with(Consequence::Act), ["15", "16"]);
}
