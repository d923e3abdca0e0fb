//! Facts about a phase as the events of `state.json`.

use serde_json::{Value, json};

use super::{Told, confidence, event::Event};
use crate::{
    phases::{Breached, Close, PhaseFact, PhaseSpec, SentBack, Stage, Start, Then},
    policy::{Cycle, Stamp},
    returns::Score,
    roadmap::PhaseId,
    run::{Run, Work},
};

/// The events that a fact about a phase is. `told` does not have it yet.
pub(super) fn of(run: &Run, id: PhaseId, told: Option<&Told>, fact: &PhaseFact) -> Vec<Event> {
    let one = |name, details| vec![(name, of_phase(id, details))];
    let task = |at: usize| {
        let known = told.and_then(|told| told.detail.tasks.get(at).cloned());
        known.unwrap_or_else(|| (at + 1).to_string())
    };
    match fact {
        PhaseFact::Began { base } => began(run, id, told, base.as_str()),
        PhaseFact::Entered(Stage::Reject(why)) => {
            one("rollback_initiated", json!({ "reason": why }))
        }
        PhaseFact::TaskDone { task: at, commit } => {
            one("task_completed", json!({ "task": task(*at), "commit": commit.as_str() }))
        }
        PhaseFact::TaskGivenUp { task: at, why, .. } => {
            one("task_failed", json!({ "task": task(*at), "reason": why }))
        }
        PhaseFact::SentBack { to, findings } => {
            vec![sent_back(run, id, told, (*to, findings.as_slice()))]
        }
        PhaseFact::Rated { score, .. } => rated(run, id, told, *score).into_iter().collect(),
        PhaseFact::SettledAlone => one("autonomous_resolution_success", json!({})),
        PhaseFact::Looked { task, verdict } => {
            let details = json!({ "task": task, "verdict": verdict.verdict, "by": verdict.by });
            one("human_verdict_recorded", details)
        }
        PhaseFact::Stamped(stamp) => {
            of_stamp(*stamp).map(|name| (name, of_phase(id, json!({})))).into_iter().collect()
        }
        PhaseFact::Breached(breached) => of_breach(id, breached).into_iter().collect(),
        PhaseFact::Marked { commit } => {
            one("checkpoint_written", json!({ "last_checkpoint_sha": commit.as_str() }))
        }
        PhaseFact::Closed(close) => closed(run, id, told, close),
        PhaseFact::Entered(_)
        | PhaseFact::Baseline { .. }
        | PhaseFact::Requested { .. }
        | PhaseFact::Settled { .. }
        | PhaseFact::Checked { .. }
        | PhaseFact::Canaries { .. }
        | PhaseFact::Shot(_)
        | PhaseFact::VisualIssues { .. }
        | PhaseFact::Researched(_)
        | PhaseFact::Planned { .. }
        | PhaseFact::PlanChecked { .. }
        | PhaseFact::PlanSentBack { .. }
        | PhaseFact::PlanStands { .. }
        | PhaseFact::Caught { .. }
        | PhaseFact::Calibrated { .. }
        | PhaseFact::Verified { .. }
        | PhaseFact::Judged { .. }
        | PhaseFact::Opined { .. }
        | PhaseFact::Learned { .. }
        | PhaseFact::Deferred { .. }
        | PhaseFact::NeedsPerson { .. }
        | PhaseFact::HandedOff { .. }
        | PhaseFact::Retried
        | PhaseFact::Split { .. }
        | PhaseFact::Justified { .. }
        | PhaseFact::Repaired { .. } => Vec::new(),
    }
}

/// Details that name their phase.
fn of_phase(id: PhaseId, mut details: Value) -> Value {
    details["phase_id"] = json!(id.as_str());
    details
}

fn began(run: &Run, id: PhaseId, told: Option<&Told>, base: &str) -> Vec<Event> {
    let mut events = vec![("phase_started", of_phase(id, json!({ "checkpoint": base })))];
    if let Some(spec) = spec_of(run, id).filter(|spec| spec.start == Start::Again) {
        let before = told.and_then(|told| told.scores.last()).or(spec.earlier_scores.last());
        let details = json!({ "previous_score": before.map(|score| score.as_number()) });
        events.push(("force_reexecution_started", of_phase(id, details)));
    }
    events
}

fn spec_of(run: &Run, id: PhaseId) -> Option<&PhaseSpec> {
    super::phase_of(run, id).map(|phase| &phase.spec)
}

fn sent_back(
    run: &Run,
    id: PhaseId,
    told: Option<&Told>,
    (to, findings): (SentBack, &[String]),
) -> Event {
    let count = findings.len();
    let (name, details) = match to {
        SentBack::TaskFix => {
            let task = told.and_then(|told| told.detail.task());
            ("task_retried", json!({ "task": task, "findings": count }))
        }
        SentBack::Repair => {
            let attempt = told.map_or(0, |told| told.debugs) + 1;
            ("debug_attempt", json!({ "attempt": attempt, "findings": count }))
        }
        SentBack::Replan => ("replan_attempt", json!({ "findings": count })),
        SentBack::Remedy => improving(run, told, findings),
    };
    (name, of_phase(id, details))
}

fn improving(run: &Run, told: Option<&Told>, findings: &[String]) -> Event {
    let number = told.map_or(0, |told| told.remedies) + 1;
    let score = told.and_then(|told| told.scores.last()).map(|score| score.as_number());
    let target = target(run).as_number();
    match run.given.manner.cycle {
        Cycle::Standard => {
            let details = json!({
                "cycle": number, "current_score": score, "pass_threshold": target,
                "feedback_items": findings.len(),
            });
            ("remediation_started", details)
        }
        Cycle::Quality => {
            let details = json!({
                "cycle": number, "current_score": score, "target_score": target,
                "feedback_items": findings.len(),
            });
            ("quality_remediation_started", details)
        }
        Cycle::Gaps => {
            let details = json!({
                "iteration": number, "current_score": score, "target_score": target,
                "deficiency": findings.first(),
            });
            ("gaps_iteration_started", details)
        }
    }
}

/// The score that a phase is improved up to.
fn target(run: &Run) -> Score {
    run.given.manner.cycle.target(run.given.pass_score).score
}

/// A score after an improvement.
fn rated(run: &Run, id: PhaseId, told: Option<&Told>, score: Score) -> Option<Event> {
    let told = told.filter(|told| told.improving)?;
    let before = *told.scores.last()?;
    let (name, counter) = match run.given.manner.cycle {
        Cycle::Standard => ("remediation_completed", "cycle"),
        Cycle::Quality => ("quality_remediation_completed", "cycle"),
        Cycle::Gaps => ("gaps_iteration_completed", "iteration"),
    };
    let details = json!({
        counter: told.remedies,
        "old_score": before.as_number(),
        "new_score": score.as_number(),
        "improved": score > before,
        "reached_threshold": score >= target(run),
    });
    Some((name, of_phase(id, details)))
}

/// What is odd about a return that counts. What does not count is a step that failed.
fn of_breach(id: PhaseId, breached: &Breached) -> Option<Event> {
    let name = match breached.check.as_str() {
        "11.5" => "cross_contamination_warning",
        "14" => "unnecessary_deferral_warning",
        _ => return None,
    };
    let details = json!({ "step": breached.step, "check": breached.check, "what": breached.what });
    (breached.then == Then::Warned).then_some((name, of_phase(id, details)))
}

/// Scores that are too much alike.
const fn of_stamp(stamp: Stamp) -> Option<&'static str> {
    match stamp {
        Stamp::None => None,
        Stamp::Warning => Some("rubber_stamp_warning"),
        Stamp::Enhanced => Some("rubber_stamp_enhanced"),
        Stamp::Critical => Some("rubber_stamp_critical"),
    }
}

fn closed(run: &Run, id: PhaseId, told: Option<&Told>, close: &Close) -> Vec<Event> {
    match close {
        Close::Completed { .. } => completed(run, id, told, close),
        Close::Failed { why, branch } => {
            let mut events = vec![("phase_failed", json!({ "reason": why, "branch": branch }))];
            if branch.is_some() {
                let details = json!({
                    "from": told.and_then(|told| told.commits.last()),
                    "to": told.and_then(|told| told.base.as_ref()),
                    "diagnostic_branch": branch,
                });
                events.push(("rollback_completed", details));
            }
            events.into_iter().map(|(name, details)| (name, of_phase(id, details))).collect()
        }
        Close::Blocked { by } => {
            let details = json!({
                "reason": format!("blocked_by_phase_{by}"), "blocking_phase": by.as_str(),
            });
            vec![("phase_skipped", of_phase(id, details))]
        }
    }
}

fn completed(run: &Run, id: PhaseId, told: Option<&Told>, close: &Close) -> Vec<Event> {
    let Close::Completed { score, commit, below_pass, .. } = close else { return Vec::new() };
    let threshold = run.given.pass_score.as_number();
    let cycle = run.given.manner.cycle;
    let forced = *below_pass && cycle == Cycle::Standard;
    let details = json!({
        "alignment_score": score.as_number(), "commit": commit.as_str(),
        "pass_threshold": threshold, "force_incomplete": forced,
    });
    let mut events = vec![("phase_completed", details)];
    let path = confidence::path_of(id);
    if confidence::is_told(close) {
        let details = json!({
            "alignment_score": score.as_number(), "pass_threshold": threshold,
            "diagnostic_path": path,
            "path_to_9_items": told.map_or(0, |told| confidence::path(run, &told.detail).len()),
        });
        events.push(("confidence_diagnostic_written", details));
    }
    if *below_pass {
        let name = match cycle {
            Cycle::Standard => "force_incomplete_marked",
            Cycle::Quality => "quality_exhausted",
            Cycle::Gaps => "gaps_exhausted",
        };
        let details = json!({
            "final_score": score.as_number(), "pass_threshold": threshold,
            "remediation_cycles": told.map_or(0, |told| told.remedies), "diagnostic_path": path,
        });
        events.push((name, details));
    }
    let Work::Phases(work) = &run.work;
    let is_part = work.place(&id).is_some_and(|at| work.list[at].part_of.is_some());
    if !is_part {
        let details = json!({ "last_checkpoint_sha": commit.as_str() });
        events.push(("checkpoint_written", details));
    }
    events.into_iter().map(|(name, details)| (name, of_phase(id, details))).collect()
}
