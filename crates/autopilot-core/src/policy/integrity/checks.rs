//! The sixteen checks as a table.

use super::{Breach, CheckWord, Claim, Consequence, PhaseRecordSeen};
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
    /// What follows when it does not hold.
    pub consequence: Consequence,
    /// What is wrong then.
    pub what: &'static str,
    fails: fn(&PhaseRecordSeen) -> bool,
}

const fn row(
    number: &'static str,
    name: &'static str,
    consequence: Consequence,
    what: &'static str,
    fails: fn(&PhaseRecordSeen) -> bool,
) -> IntegrityCheck {
    IntegrityCheck { number, name, consequence, what, fails }
}

/// Every check, in the order of the numbers.
pub const CHECKS: [IntegrityCheck; 20] = [
    row(
        "1",
        "reviewed",
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
        "commits",
        Consequence::Note,
        "tasks are done and nothing was committed",
        without_commits,
    ),
    row("3", "duration", Consequence::Warn, "several tasks in less than five minutes", |seen| {
        seen.tasks_total >= 2 && seen.tasks_done > 0 && seen.minutes < FAST_MINUTES
    }),
    row(
        "4",
        "independent",
        Consequence::Reject,
        "a review was not done by an agent of its own",
        |seen| {
            seen.tasks_done > 0
                && !(seen.verify.by_agent && seen.judge.by_agent && seen.rate.by_agent)
        },
    ),
    row(
        "6",
        "already-there",
        Consequence::Reject,
        "what was there already was not seen by a verifier",
        |seen| without_commits(seen) && !seen.verify.by_agent,
    ),
    row(
        "7",
        "evidence",
        Consequence::Reject,
        "the check of its kind of phase was not run, or it does not say what it changed",
        |seen| {
            claims_work(seen)
                && (!kind_checked(seen) || (!seen.diff_summary && !without_commits(seen)))
        },
    ),
    row(
        "8",
        "places",
        Consequence::Reject,
        "what was there already is not shown by a place for each criterion and two reviewers",
        |seen| {
            without_commits(seen)
                && (seen.criteria_with_place < seen.criteria
                    || !seen.verify.by_agent
                    || !seen.judge.by_agent)
        },
    ),
    row(
        "9",
        "judge-report",
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
        "verifier-ran-something",
        Consequence::Reject,
        "the verifier ran no command, or took less time than it must",
        |seen| {
            let review = &seen.review;
            seen.verify.by_agent
                && (review.verifier_commands == 0
                    || review.verifier_seconds < seen.verify_seconds_min)
        },
    ),
    row(
        "11",
        "judge-found-something",
        Consequence::Reject,
        "the judge agrees with everything and found nothing alone",
        |seen| {
            let review = &seen.review;
            seen.judge.by_agent && review.agrees && review.missed == 0 && review.independent == 0
        },
    ),
    row(
        "11.5",
        "contamination",
        Consequence::Warn,
        "words of one reviewer stand in the text of another",
        |seen| seen.review.contaminated,
    ),
    row("12", "classified", Consequence::Warn, "a failure has no category", |seen| {
        seen.review.unclassified > 0
    }),
    row(
        "13",
        "deferral-names-its-task",
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
        "deferral-is-needed",
        Consequence::Reject,
        "a person must look although everything passed, and nothing says at what",
        |seen| {
            seen.claim == Claim::NeedsHuman && seen.justification.as_ref().is_some_and(is_needless)
        },
    ),
    row(
        "15",
        "diagnosis",
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
        "remediation",
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
        "usable",
        Consequence::Reject,
        "it claims to be complete with a score that is not usable",
        |seen| {
            seen.claim == Claim::Completed && seen.score.is_some_and(|score| score < USABLE_FROM)
        },
    ),
    row(
        "G2",
        "not-against-the-judge",
        Consequence::Reject,
        "it claims to be complete against the judge's word",
        |seen| seen.claim == Claim::Completed && seen.recommendation != Recommendation::Proceed,
    ),
    row("G3", "counts", Consequence::Reject, "more tasks are done than there are", |seen| {
        seen.tasks_done > seen.tasks_total
    }),
    row(
        "G4",
        "compiles",
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
    let broken = CHECKS.iter().filter(|check| (check.fails)(seen));
    broken
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
    match seen.kind {
        PhaseType::Ui => {
            let built = matches!(seen.build, CheckWord::Ran(_)) || !seen.has_build_command;
            compiled(seen) && built
        }
        PhaseType::Protocol | PhaseType::Data => seen.kind_check,
        PhaseType::Mixed => true,
    }
}

fn is_needless(why: &super::Justification) -> bool {
    let text = why.task_description.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    why.auto_tasks_passed == why.auto_tasks_total && says(&GENERIC) && !says(&CONCRETE)
}
