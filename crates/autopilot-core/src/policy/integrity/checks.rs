//! The sixteen checks as a table.

use super::{Breach, CheckWord, Claim, Consequence, Moment, PhaseRecordSeen};
use crate::{
    policy::PhaseType,
    returns::{Recommendation, Score},
};

/// A phase of several tasks that took less is looked at twice.
const FAST_MINUTES: u64 = 5;
/// Below this score what keeps it down is written down.
const DIAGNOSED_BELOW: Score = Score::from_tenths(90);
/// Below this score nothing is improved, it is planned anew.
const USABLE_FROM: Score = Score::from_tenths(70);

const VERIFIED: &[Moment] = &[Moment::Verified];
const COMPARED: &[Moment] = &[Moment::Compared];
const CLOSING: &[Moment] = &[Moment::Closing];
/// Whoever judges blind. What a judge writes about a verifier's word once it has read it is what it was asked for.
const WORDS: &[Moment] = &[Moment::Verified, Moment::Reported, Moment::Rated];

/// Words for "look at it", which name nothing that a person could find out.
const GENERIC: [&str; 6] =
    ["visual", "screenshot", "look", "appearance", "ui review", "manual check"];
/// Words of someone who says what is to be done and seen.
const CONCRETE: [&str; 12] = [
    "flow",
    "workflow",
    "transaction",
    "payment",
    "log in",
    "login",
    "sign",
    "submit",
    "checkout",
    "upload",
    "click",
    "enter",
];

/// One check.
pub struct IntegrityCheck {
    /// Its number in the contract.
    pub number: &'static str,
    /// Its name.
    pub name: &'static str,
    /// When it is asked.
    pub at: &'static [Moment],
    /// What follows when it does not hold.
    pub consequence: Consequence,
    /// What is wrong then.
    pub what: &'static str,
    fails: fn(&PhaseRecordSeen) -> bool,
}

const fn row(
    number: &'static str,
    (name, at): (&'static str, &'static [Moment]),
    consequence: Consequence,
    what: &'static str,
    fails: fn(&PhaseRecordSeen) -> bool,
) -> IntegrityCheck {
    IntegrityCheck { number, name, at, consequence, what, fails }
}

/// Every check, in the order of the numbers.
pub const CHECKS: [IntegrityCheck; 21] = [
    row(
        "1",
        ("reviewed", CLOSING),
        Consequence::Reject,
        "it claims to be done and was not reviewed, rated or compiled",
        |seen| {
            claims_work(seen)
                && (seen.verify.skipped
                    || seen.judge.skipped
                    || seen.score.is_none()
                    || !compiled(seen))
        },
    ),
    row(
        "2",
        ("commits", CLOSING),
        Consequence::Note,
        "tasks are done and nothing was committed",
        without_commits,
    ),
    row(
        "3",
        ("duration", CLOSING),
        Consequence::Warn,
        "several tasks in less than five minutes",
        |seen| seen.tasks_total >= 2 && seen.tasks_done > 0 && seen.minutes < FAST_MINUTES,
    ),
    row(
        "4",
        ("independent", CLOSING),
        Consequence::Reject,
        "a review was not done by an agent of its own",
        |seen| {
            seen.tasks_done > 0
                && !(seen.verify.by_agent && seen.judge.by_agent && seen.rate.by_agent)
        },
    ),
    row(
        "6",
        ("already-there", CLOSING),
        Consequence::Reject,
        "what was there already was not seen by a verifier",
        |seen| without_commits(seen) && !seen.verify.by_agent,
    ),
    row(
        "7",
        ("evidence", VERIFIED),
        Consequence::Reject,
        "nothing was run that reads what a phase of this kind changes (pages: compile and build; documents; data), or nothing was changed",
        |seen| {
            claims_work(seen)
                && (!kind_checked(seen) || (!seen.diff_summary && !without_commits(seen)))
        },
    ),
    row(
        "8",
        ("places", VERIFIED),
        Consequence::Reject,
        "what was there already is not shown by a command or a place in a file for each criterion",
        |seen| without_commits(seen) && seen.criteria_with_place < seen.criteria,
    ),
    row(
        "8",
        ("both-reviewers", CLOSING),
        Consequence::Reject,
        "what was there already was not seen by a verifier and a judge",
        |seen| without_commits(seen) && !(seen.verify.by_agent && seen.judge.by_agent),
    ),
    row(
        "9",
        ("judge-report", COMPARED),
        Consequence::Reject,
        "the judge left no report that says where it differs",
        |seen| {
            let review = &seen.review;
            seen.judge.by_agent
                && (!review.report
                    || !review.divergence_section
                    || (review.no_divergence && review.independent == 0))
        },
    ),
    row(
        "10",
        ("verifier-ran-something", VERIFIED),
        Consequence::Reject,
        "the verifier ran no command, or took less time than it must",
        |seen| {
            let review = &seen.review;
            // Whoever objects may do so for what they read; whoever approves has run something.
            seen.claim != Claim::Failed
                && seen.verify.by_agent
                && (review.verifier_commands == 0
                    || review.verifier_seconds < seen.verify_seconds_min)
        },
    ),
    row(
        "11",
        ("judge-found-something", COMPARED),
        Consequence::Reject,
        "the judge agrees with everything and found nothing alone",
        |seen| {
            let review = &seen.review;
            seen.judge.by_agent && review.agrees && review.missed == 0 && review.independent == 0
        },
    ),
    row(
        "11.5",
        ("contamination", WORDS),
        Consequence::Once,
        "words of one reviewer stand in the text of another",
        |seen| seen.review.contaminated,
    ),
    row("12", ("classified", VERIFIED), Consequence::Warn, "a failure has no category", |seen| {
        seen.review.unclassified > 0
    }),
    row(
        "13",
        ("deferral-names-its-task", VERIFIED),
        Consequence::Reject,
        "a person must look, and nothing says at which task",
        |seen| {
            let names_task = |seen: &PhaseRecordSeen| {
                seen.justification
                    .as_ref()
                    .is_some_and(|why| !why.checkpoint_task_id.trim().is_empty())
            };
            seen.claim == Claim::NeedsHuman && !names_task(seen)
        },
    ),
    row(
        "14",
        ("deferral-is-needed", VERIFIED),
        Consequence::Once,
        "a person must look although everything passed, and nothing says at what",
        |seen| {
            seen.claim == Claim::NeedsHuman && seen.justification.as_ref().is_some_and(is_needless)
        },
    ),
    row(
        "15",
        ("diagnosis", CLOSING),
        Consequence::Act,
        "it is below 9.0 and nothing says what keeps it down",
        |seen| {
            seen.claim == Claim::Completed
                && seen.score.is_some_and(|score| score < DIAGNOSED_BELOW)
                && !seen.diagnostic
        },
    ),
    row(
        "16",
        ("remediation", CLOSING),
        Consequence::Act,
        "it is usable, below its score, and can still be improved",
        |seen| {
            seen.claim == Claim::Completed
                && seen.recommendation == Recommendation::Proceed
                && seen.score.is_some_and(|score| score >= USABLE_FROM && score < seen.pass)
                && seen.can_improve
        },
    ),
    row(
        "G1",
        ("usable", CLOSING),
        Consequence::Reject,
        "it claims to be complete with a score that is not usable",
        |seen| {
            seen.claim == Claim::Completed && seen.score.is_some_and(|score| score < USABLE_FROM)
        },
    ),
    row(
        "G2",
        ("not-against-the-judge", CLOSING),
        Consequence::Reject,
        "it claims to be complete against the judge's word",
        |seen| seen.claim == Claim::Completed && seen.recommendation != Recommendation::Proceed,
    ),
    row(
        "G3",
        ("counts", CLOSING),
        Consequence::Reject,
        "more tasks are done than there are",
        |seen| seen.tasks_done > seen.tasks_total,
    ),
    row(
        "G4",
        ("compiles", CLOSING),
        Consequence::Reject,
        "it claims to be complete and does not compile or build",
        |seen| {
            seen.claim == Claim::Completed
                && (seen.compile == CheckWord::Ran(false) || seen.build == CheckWord::Ran(false))
        },
    ),
];

/// Everything that does not fit together, in the order of the numbers.
pub fn check(seen: &PhaseRecordSeen) -> Vec<Breach> {
    breaches(seen, CHECKS.iter())
}

/// What does not fit together of that which is asked at a moment, in the order of the numbers.
pub fn check_at(moment: Moment, seen: &PhaseRecordSeen) -> Vec<Breach> {
    breaches(seen, CHECKS.iter().filter(|check| check.at.contains(&moment)))
}

fn breaches<'a>(
    seen: &PhaseRecordSeen,
    asked: impl Iterator<Item = &'a IntegrityCheck>,
) -> Vec<Breach> {
    asked
        .filter(|check| (check.fails)(seen))
        .map(|IntegrityCheck { number, name, consequence, what, .. }| Breach {
            number,
            name,
            consequence: *consequence,
            what,
        })
        .collect()
}

/// Whether it says that agents did something that counts.
fn claims_work(seen: &PhaseRecordSeen) -> bool {
    match seen.claim {
        Claim::Completed => true,
        Claim::NeedsHuman => seen.tasks_done > 0,
        Claim::Failed | Claim::SplitRequest => false,
    }
}

fn without_commits(seen: &PhaseRecordSeen) -> bool {
    claims_work(seen) && seen.tasks_done > 0 && seen.commits == 0
}

/// "Not applicable" is an answer only where there is nothing to run.
fn compiled(seen: &PhaseRecordSeen) -> bool {
    match seen.compile {
        CheckWord::Ran(_) => true,
        CheckWord::NotApplicable => !seen.has_compile_command,
    }
}

fn kind_checked(seen: &PhaseRecordSeen) -> bool {
    let built = matches!(seen.build, CheckWord::Ran(_)) || !seen.has_build_command;
    match seen.kind {
        PhaseType::Ui => compiled(seen) && built,
        PhaseType::Protocol | PhaseType::Data => seen.kind_check,
        // Of all that a mixed phase is, only what people see is asked for: a manifest among its files makes it no phase of data.
        PhaseType::Mixed => !seen.has_ui || compiled(seen) && built,
    }
}

fn is_needless(why: &super::Justification) -> bool {
    let text = why.task_description.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    why.auto_tasks_passed == why.auto_tasks_total && says(&GENERIC) && !says(&CONCRETE)
}
