//! What is told of how pages look.

use autopilot_core::phases::{PhaseFact, Shots};

use crate::Tone;

/// The line for a fact that is about pictures.
pub(super) fn told(fact: &PhaseFact) -> Option<(Tone, String)> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is about pictures")]
    match fact {
        PhaseFact::Shot(Shots::Skipped { why }) => {
            Some((Tone::Warning, format!("[SKIP] no pictures of its pages: {why}")))
        }
        PhaseFact::Shot(Shots::Taken(shots)) => {
            Some((Tone::Plain, format!("pictures of its pages are taken: {}", shots.len())))
        }
        PhaseFact::VisualIssues { issues } if !issues.is_empty() => {
            let severities: Vec<&str> = issues.iter().map(|one| one.severity.name()).collect();
            Some((Tone::Warning, format!("looks wrong: {}", severities.join(", "))))
        }
        _ => None,
    }
}
