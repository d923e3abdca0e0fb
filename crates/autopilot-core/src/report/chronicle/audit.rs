//! What files tell of the look at the result as a whole.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::{
    phases::{Closing, FinaleFact, FinaleStage, Gap, Phases},
    report::diagnostic::cell,
    run::Run,
};

/// The events that a fact is; the state has it already.
pub(super) fn events(run: &Run, fact: &FinaleFact) -> Vec<(&'static str, Value)> {
    let work = run.work.phases();
    let Some(closing) = work.finale.closing() else { return Vec::new() };
    match fact {
        FinaleFact::Entered(FinaleStage::Audit) if closing.counts.is_none() => {
            let phases: Vec<&str> = super::after::begun(work)
                .filter(|phase| super::after::word_of(phase) == "completed")
                .map(|phase| phase.spec.id.as_str())
                .collect();
            let details = json!({ "phases_to_audit": phases, "spec_path": run.given.roadmap });
            vec![("self_audit_started", details)]
        }
        FinaleFact::Joined { gaps, .. } | FinaleFact::Audited { gaps, .. } => {
            gaps.iter().map(|gap| ("self_audit_gap_found", found(gap))).collect()
        }
        FinaleFact::Reaudited { open } => closing
            .gaps
            .iter()
            .enumerate()
            .filter(|(at, gap)| !open.contains(at) && gap.closed_in == Some(closing.reaudits))
            .map(|(_, gap)| ("self_audit_gap_fixed", fixed(gap)))
            .collect(),
        FinaleFact::Entered(FinaleStage::Over) => vec![("self_audit_completed", sum(closing))],
        FinaleFact::Entered(_)
        | FinaleFact::NothingRepaired
        | FinaleFact::Baseline { .. }
        | FinaleFact::Accepted { .. }
        | FinaleFact::Refused { .. }
        | FinaleFact::Repaired { .. } => Vec::new(),
    }
}

/// What the report at the end says.
pub(super) fn section(work: &Phases) -> String {
    let mut text = "\n## Self-Audit Results\n".to_owned();
    let Some(closing) = work.finale.closing() else { return text + "Not run.\n" };
    let (checked, passed) = closing.counts.unwrap_or_default();
    let closed: Vec<&Gap> = closing.gaps.iter().filter(|gap| gap.closed_in.is_some()).collect();
    let open: Vec<&Gap> = closing.open().map(|(_, gap)| gap).collect();
    // Writing into a text cannot fail.
    let _ = write!(
        text,
        "- Requirements checked: {checked}\n- Passed on the first check: {passed}\n- Gaps found: {}\n\
         - Gaps fixed: {}\n- Gaps remaining: {}\n- Audit cycles: {}\n",
        closing.gaps.len(),
        closed.len(),
        open.len(),
        closing.reaudits,
    );
    for (word, gaps) in [("fixed", closed), ("remaining", open)] {
        for gap in gaps {
            let commits: Vec<&str> = gap.commits.iter().map(|commit| commit.as_str()).collect();
            let commits = if commits.is_empty() {
                String::new()
            } else {
                format!(" ({})", commits.join(", "))
            };
            let (name, what) = (cell(&gap.requirement), cell(&gap.what));
            let _ = writeln!(text, "- {word}: {name}: {what}{commits}");
        }
    }
    text
}

/// Whether the phases were said to work together; nothing where nobody has looked.
pub(super) fn together(work: &Phases) -> Option<bool> {
    work.finale.closing()?.together
}

fn found(gap: &Gap) -> Value {
    json!({
        "requirement_id": gap.requirement,
        "phase_id": gap.phase.map(|phase| phase.to_string()),
        "gap_description": gap.what,
        "fix_complexity": if gap.is_small { "small" } else { "large" },
    })
}

fn fixed(gap: &Gap) -> Value {
    json!({
        "requirement_id": gap.requirement,
        "phase_id": gap.phase.map(|phase| phase.to_string()),
        "fix_commit": gap.commits.last().map(|commit| commit.as_str()),
        "re_verified": true,
    })
}

fn sum(closing: &Closing) -> Value {
    let (checked, passed) = closing.counts.unwrap_or_default();
    let remaining = closing.open().count();
    json!({
        "total_requirements_checked": checked,
        "passed_on_first_check": passed,
        "gaps_found": closing.gaps.len(),
        "gaps_fixed": closing.gaps.len() - remaining,
        "gaps_remaining": remaining,
        "audit_cycles": closing.reaudits,
    })
}
