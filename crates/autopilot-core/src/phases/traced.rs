//! Criteria that are judged by reading: whoever approves of one shows where they read.
//!
//! Such a criterion can fail a phase by the word of a reviewer. It never counts as proven: no command decides it.

use serde_json::Value;

use crate::{
    evidence::Criterion,
    input::AgentReport,
    phases::{Active, Phase, brief::all_criteria, rating},
    returns::{Recommendation, Return, Verification},
};

/// What reviewers write where reading does not tell, as with a library that cannot be looked into.
const UNVERIFIABLE: &str = "BEHAVIORAL_UNVERIFIABLE";

/// Whether a text says that reading does not tell. That is no failure, and no proof.
pub(super) fn is_unproven(text: &str) -> bool {
    text.contains(UNVERIFIABLE)
}

/// Why the word of a reviewer has too little behind it.
pub(super) fn unfounded(phase: &Phase, active: &Active, report: &AgentReport) -> Option<String> {
    let (approves, unproven) = match &report.returned {
        Return::Rating(word) => return rating::unfounded(phase, active, word, report),
        Return::Verification(word) => (passes(word), unproven(word).len()),
        Return::Judgement(word) => (word.recommendation == Recommendation::Proceed, 0),
        Return::Research(_)
        | Return::Planning(_)
        | Return::PlanCheck(_)
        | Return::Execution(_)
        | Return::Debugging(_)
        | Return::Comparison(_)
        | Return::Questioning(_)
        | Return::Audit(_)
        | Return::IntegrationCheck(_)
        | Return::Resolution(_)
        | Return::StoryWriting(_)
        | Return::IssuePlanning(_)
        | Return::Implementation(_)
        | Return::Coverage(_)
        | Return::Cause(_) => return None,
    };
    let traced = all_criteria(phase, active).iter().filter(|one| one.traced.is_some()).count();
    let wanted = traced.saturating_sub(unproven);
    (approves && report.seen.places.len() < wanted).then(|| {
        format!(
            "{traced} criteria are to be read and followed, and it names {} lines of files that are there; name one for each, \
             such as `src/lamp.rs:12`, or say {UNVERIFIABLE}",
            report.seen.places.len()
        )
    })
}

/// What a verifier could not tell by reading.
pub(super) fn unproven(word: &Verification) -> Vec<String> {
    let results = word.criteria_results.as_ref().and_then(Value::as_array);
    let all = word.failures.iter().chain(results.into_iter().flatten()).map(plain);
    all.filter(|text| is_unproven(text)).collect()
}

/// What a verifier saw fail; what could not be told by reading is none of it.
pub(super) fn failures(word: &Verification) -> Vec<String> {
    word.failures.iter().map(plain).filter(|text| !is_unproven(text)).collect()
}

/// Whether a verifier has nothing against the phase.
pub(super) fn passes(word: &Verification) -> bool {
    word.pass || failures(word).is_empty() && !unproven(word).is_empty()
}

/// The criteria of a phase and its tasks that are judged and never run, or not by a command alone.
pub(crate) fn judged(phase: &Phase, active: &Active) -> Vec<String> {
    let all = all_criteria(phase, active);
    all.into_iter().filter(|one| one.traced.is_some()).map(text).collect()
}

fn text(criterion: Criterion) -> String {
    criterion.text
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
