//! The judge is asked twice: first blind, and once its report is in the books, with what the verifier found.

use sha2::{Digest, Sha256};

use crate::{
    phases::{Compared, PhaseFact, Stage, calibrate, turn::Turn},
    policy::FailureCategory,
    returns::{Comparison, Judgement, Recommendation},
    role::Role,
};

/// Takes a judge's report. Who objects blind need not be told what others think of it.
pub(super) fn reported(turn: &mut Turn<'_>, report: &Judgement) {
    let sha256 = fingerprint(report);
    turn.note(PhaseFact::Opined { report: report.clone(), sha256 });
    match report.recommendation {
        Recommendation::Proceed => turn.enter(Stage::Compare),
        objection @ (Recommendation::Debug | Recommendation::Rollback | Recommendation::Halt) => {
            judged(turn, objection, report.concerns.clone(), None);
        }
    }
}

/// Takes what a judge says who has seen what the verifier found. It can make the report graver, never milder.
pub(super) fn compared(turn: &mut Turn<'_>, word: &Comparison) {
    let Some(report) = turn.now.reviews.report.clone() else { return };
    let now = word.recommendation.unwrap_or(report.recommendation);
    let mut concerns = report.concerns;
    concerns.extend(word.concerns.iter().filter(|one| !one.trim().is_empty()).cloned());
    concerns.dedup();
    let compared = Compared {
        agrees: word.verifier_agreement,
        missed: word.verifier_missed.clone(),
        divergence: word.section(),
    };
    judged(turn, report.recommendation.max(now), concerns, Some(compared));
}

fn judged(
    turn: &mut Turn<'_>,
    recommendation: Recommendation,
    concerns: Vec<String>,
    compared: Option<Compared>,
) {
    turn.note(PhaseFact::Judged { recommendation, concerns: concerns.clone(), compared });
    match recommendation {
        Recommendation::Proceed => calibrate::review(turn, Role::Rater),
        Recommendation::Debug => turn.repair(concerns),
        Recommendation::Rollback | Recommendation::Halt => {
            let said = if recommendation == Recommendation::Halt { "halt" } else { "roll back" };
            let why = format!("the judge said {said}: {}", concerns.join("; "));
            turn.reject(why, FailureCategory::ExecutorWrongApproach);
        }
    }
}

/// SHA-256 of a report as it stands in the journal.
pub(super) fn fingerprint(report: &Judgement) -> String {
    let text = serde_json::to_string(report).unwrap_or_default();
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
