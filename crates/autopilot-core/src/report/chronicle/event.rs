//! Facts as the events of `state.json`.

use serde_json::{Value, json};

use super::{Chronicle, DIAGNOSED_BELOW, Told, after, audit, confidence};
use crate::{
    fact::{End, Ending, Fact, Record},
    phases::{Breached, Close, PhaseFact, SentBack, Then},
    policy::{Stamp, defers_too_often},
    report::EventEntry,
    returns::Score,
    roadmap::PhaseId,
    run::{Run, Work},
    sessions::clock::seconds,
};

/// What happened and what there is to tell of it.
type Event = (&'static str, Value);

/// The events that a record is. `chronicle` does not have the record yet.
pub(super) fn of(run: &Run, chronicle: &Chronicle, record: &Record) -> Vec<EventEntry> {
    let (phase, step, events) = match &record.fact {
        Fact::Submitted(given) => {
            let details = json!({ "run_id": given.run.as_str(), "base": given.base.as_str() });
            (None, None, vec![("run_started", details)])
        }
        Fact::Resumed { .. } => (None, None, vec![("run_resumed", json!({}))]),
        Fact::Finished(ending) => (None, None, of_ending(run, ending)),
        Fact::Started { key } => {
            let (phase, step) = named(key.step.as_str());
            (phase, step, vec![("step_started", json!({ "attempt": key.attempt.number() }))])
        }
        Fact::Ended { key, end, spent, .. } => {
            let (phase, step) = named(key.step.as_str());
            let event = of_end(end, spent.tokens);
            (phase, step, event.into_iter().collect())
        }
        Fact::Phase { phase, fact } => {
            let told = chronicle.phases.get(phase);
            (Some(phase.to_string()), None, of_phase(run, *phase, told, fact))
        }
        Fact::Finale(fact) => (None, None, audit::events(run, fact)),
        Fact::Held { .. }
        | Fact::Released { .. }
        | Fact::Asked { .. }
        | Fact::Answered { .. }
        | Fact::LeftOut(_)
        | Fact::Strays(_)
        | Fact::Denied(_)
        | Fact::Repaired(_)
        | Fact::Environment(_)
        | Fact::StopAsked
        | Fact::Rechecked { .. } => return Vec::new(),
    };
    let entry = |(event, details): Event| EventEntry {
        timestamp: seconds(record.at),
        phase: phase.clone(),
        step: step.clone(),
        event: event.to_owned(),
        details,
    };
    events.into_iter().map(entry).collect()
}

/// The phase and the rest of a step's name.
pub(super) fn parts(step: &str) -> Option<(PhaseId, &str)> {
    let (phase, name) = step.split_once('/')?;
    Some((phase.parse().ok()?, name))
}

fn named(step: &str) -> (Option<String>, Option<String>) {
    match parts(step) {
        Some((phase, name)) => (Some(phase.to_string()), Some(name.to_owned())),
        None => (None, Some(step.to_owned())),
    }
}

fn of_ending(run: &Run, ending: &Ending) -> Vec<Event> {
    let tokens = run.spent.tokens;
    let mut events = Vec::new();
    if run.given.complete_before.is_some() && ending.is_final() {
        events.push(("batch_completion_report", json!({ "report_path": COMPLETION_REPORT })));
    }
    let Work::Phases(work) = &run.work;
    if ending.is_final() && defers_too_often(after::deferred(work), work.over) {
        events.push(("high_defer_rate_warning", json!({ "deferred": after::deferred(work) })));
    }
    events.push(match ending {
        Ending::Done => ("run_completed", json!({ "tokens": tokens })),
        Ending::Incomplete => ("run_completed", json!({ "tokens": tokens, "incomplete": true })),
        Ending::Ceiling(ceiling) => ("circuit_breaker_opened", json!({ "reason": ceiling.name() })),
        Ending::NoAgent { why } | Ending::Halted { why } => {
            ("run_halted", json!({ "reason": why }))
        }
        Ending::Checkpoint { .. } => ("run_halted", json!({ "reason": "checkpoint" })),
    });
    events
}

/// Where the report of a run that completes a project is.
const COMPLETION_REPORT: &str = ".autopilot/completion-report.md";

fn of_end(end: &End, tokens: u64) -> Option<Event> {
    match end {
        End::Done => Some(("step_completed", json!({ "tokens": tokens }))),
        End::Failed(failure) => {
            let (class, reason) = (failure.class.name(), &failure.detail);
            Some(("step_failed", json!({ "class": class, "reason": reason, "tokens": tokens })))
        }
        End::Limited(_) | End::Lost | End::Interrupted => None,
    }
}

fn of_phase(run: &Run, id: PhaseId, told: Option<&Told>, fact: &PhaseFact) -> Vec<Event> {
    match fact {
        PhaseFact::Began { base } => {
            vec![("phase_started", json!({ "checkpoint": base.as_str() }))]
        }
        PhaseFact::TaskDone { task, commit } => {
            vec![("task_completed", json!({ "task": task + 1, "commit": commit.as_str() }))]
        }
        PhaseFact::TaskGivenUp { task, why, .. } => {
            vec![("task_failed", json!({ "task": task + 1, "reason": why }))]
        }
        PhaseFact::SentBack { to, findings } => {
            let event = match to {
                SentBack::TaskFix => "task_retried",
                SentBack::Repair => "debug_attempt",
                SentBack::Remedy => "remediation_started",
                SentBack::Replan => "replan_attempt",
            };
            vec![(event, json!({ "findings": findings.len() }))]
        }
        PhaseFact::Rated { score, .. } => remedied(run, told, *score).into_iter().collect(),
        PhaseFact::SettledAlone => vec![("autonomous_resolution_success", json!({}))],
        PhaseFact::Looked { task, verdict } => {
            let details = json!({ "task": task, "verdict": verdict.verdict, "by": verdict.by });
            vec![("human_verdict_recorded", details)]
        }
        PhaseFact::Stamped(stamp) => of_stamp(*stamp).into_iter().collect(),
        PhaseFact::Breached(breached) => of_breach(breached).into_iter().collect(),
        PhaseFact::Closed(close) => of_close(run, id, told, close),
        PhaseFact::Entered(_)
        | PhaseFact::Baseline { .. }
        | PhaseFact::Requested { .. }
        | PhaseFact::Settled { .. }
        | PhaseFact::Checked { .. }
        | PhaseFact::Canaries { .. }
        | PhaseFact::Researched(_)
        | PhaseFact::Planned { .. }
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

/// What is odd about a return that counts. What does not count is a step that failed.
fn of_breach(breached: &Breached) -> Option<Event> {
    let name = match breached.check.as_str() {
        "11.5" => "cross_contamination_warning",
        "14" => "unnecessary_deferral_warning",
        _ => return None,
    };
    let details = json!({ "step": breached.step, "check": breached.check, "what": breached.what });
    (breached.then == Then::Warned).then_some((name, details))
}

/// Scores that are too much alike.
fn of_stamp(stamp: Stamp) -> Option<Event> {
    let name = match stamp {
        Stamp::None => return None,
        Stamp::Warning => "rubber_stamp_warning",
        Stamp::Enhanced => "rubber_stamp_enhanced",
        Stamp::Critical => "rubber_stamp_critical",
    };
    Some((name, json!({})))
}

/// A score after an improvement.
fn remedied(run: &Run, told: Option<&Told>, score: Score) -> Option<Event> {
    let told = told.filter(|told| told.remedies > 0)?;
    let before = *told.scores.last()?;
    let details = json!({
        "cycle": told.remedies,
        "old_score": before.as_number(),
        "new_score": score.as_number(),
        "improved": score > before,
        "reached_threshold": score >= run.given.pass_score,
    });
    Some(("remediation_completed", details))
}

fn of_close(run: &Run, id: PhaseId, told: Option<&Told>, close: &Close) -> Vec<Event> {
    let threshold = run.given.pass_score.as_number();
    match close {
        Close::Completed { score, commit, below_pass, .. } => {
            let mut events = vec![(
                "phase_completed",
                json!({
                    "alignment_score": score.as_number(),
                    "commit": commit.as_str(),
                    "pass_threshold": threshold,
                    "force_incomplete": below_pass,
                }),
            )];
            let path = confidence::path_of(id);
            if *score < DIAGNOSED_BELOW {
                let details = json!({
                    "alignment_score": score.as_number(),
                    "pass_threshold": threshold,
                    "diagnostic_path": path,
                });
                events.push(("confidence_diagnostic_written", details));
            }
            if *below_pass {
                let details = json!({
                    "final_score": score.as_number(),
                    "pass_threshold": threshold,
                    "remediation_cycles": told.map_or(0, |told| told.remedies),
                    "diagnostic_path": path,
                });
                events.push(("force_incomplete_marked", details));
            }
            events
        }
        Close::Failed { why, branch } => {
            vec![("phase_failed", json!({ "reason": why, "branch": branch }))]
        }
        Close::Blocked { by } => {
            vec![("phase_skipped", json!({ "reason": format!("blocked_by_phase_{by}") }))]
        }
    }
}
