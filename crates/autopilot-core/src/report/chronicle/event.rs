//! Facts as the events of `state.json`.

use serde_json::{Value, json};

use crate::{
    fact::{End, Ending, Fact, Record},
    phases::{Close, PhaseFact, SentBack},
    report::EventEntry,
    roadmap::PhaseId,
    run::Run,
    sessions::clock::seconds,
};

/// The event that a record is, where it is one.
pub(super) fn of(run: &Run, record: &Record) -> Option<EventEntry> {
    let (event, phase, step, details) = match &record.fact {
        Fact::Submitted(given) => {
            let details = json!({ "run_id": given.run.as_str(), "base": given.base.as_str() });
            ("run_started", None, None, details)
        }
        Fact::Resumed { .. } => ("run_resumed", None, None, json!({})),
        Fact::Finished(ending) => of_ending(run, ending),
        Fact::Started { key } => {
            let (phase, step) = parts(key.step.as_str());
            let details = json!({ "attempt": key.attempt.number() });
            ("step_started", phase, step, details)
        }
        Fact::Ended { key, end, spent, .. } => {
            let (phase, step) = parts(key.step.as_str());
            let (event, mut details) = match end {
                End::Done => ("step_completed", json!({})),
                End::Failed(failure) => (
                    "step_failed",
                    json!({ "class": failure.class.name(), "reason": failure.detail }),
                ),
                End::Limited(_) | End::Lost | End::Interrupted => return None,
            };
            details["tokens"] = json!(spent.tokens);
            (event, phase, step, details)
        }
        Fact::Phase { phase, fact } => {
            let (event, step, details) = of_phase(run, fact)?;
            (event, Some(phase.to_string()), step, details)
        }
        Fact::Held { .. }
        | Fact::Released { .. }
        | Fact::Asked { .. }
        | Fact::Answered { .. }
        | Fact::LeftOut(_)
        | Fact::Strays(_)
        | Fact::Repaired(_)
        | Fact::Environment(_)
        | Fact::StopAsked
        | Fact::Rechecked { .. } => return None,
    };
    let (timestamp, event) = (seconds(record.at), event.to_owned());
    Some(EventEntry { timestamp, phase, step, event, details })
}

type Parts = (&'static str, Option<String>, Option<String>, Value);

fn of_ending(run: &Run, ending: &Ending) -> Parts {
    let tokens = run.spent.tokens;
    match ending {
        Ending::Done => ("run_completed", None, None, json!({ "tokens": tokens })),
        Ending::Incomplete => {
            ("run_completed", None, None, json!({ "tokens": tokens, "incomplete": true }))
        }
        Ending::Ceiling(ceiling) => {
            ("circuit_breaker_opened", None, None, json!({ "reason": ceiling.name() }))
        }
        Ending::NoAgent { why } | Ending::Halted { why } => {
            ("run_halted", None, None, json!({ "reason": why }))
        }
    }
}

fn of_phase(run: &Run, fact: &PhaseFact) -> Option<(&'static str, Option<String>, Value)> {
    let plain = |event, details| Some((event, None, details));
    match fact {
        PhaseFact::Began { base } => plain("phase_started", json!({ "checkpoint": base.as_str() })),
        PhaseFact::TaskDone { task, commit } => {
            plain("task_completed", json!({ "task": task + 1, "commit": commit.as_str() }))
        }
        PhaseFact::TaskGivenUp { task, why } => {
            plain("task_failed", json!({ "task": task + 1, "reason": why }))
        }
        PhaseFact::SentBack { to, findings } => {
            let event = match to {
                SentBack::TaskFix => "task_retried",
                SentBack::Repair => "debug_attempt",
                SentBack::Remedy => "remediation_started",
                SentBack::Replan => "replan_attempt",
            };
            plain(event, json!({ "findings": findings.len() }))
        }
        PhaseFact::Closed(close) => Some(of_close(run, close)),
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
        | PhaseFact::Rated { .. }
        | PhaseFact::Repaired { .. } => None,
    }
}

fn of_close(run: &Run, close: &Close) -> (&'static str, Option<String>, Value) {
    match close {
        Close::Completed { score, commit, below_pass, .. } => {
            let details = json!({
                "alignment_score": score.as_number(),
                "commit": commit.as_str(),
                "pass_threshold": run.given.pass_score.as_number(),
                "force_incomplete": below_pass,
            });
            ("phase_completed", None, details)
        }
        Close::Failed { why, branch } => {
            ("phase_failed", None, json!({ "reason": why, "branch": branch }))
        }
        Close::Blocked { by } => {
            ("phase_skipped", None, json!({ "reason": format!("blocked_by_phase_{by}") }))
        }
    }
}

/// The phase and the step that a step's name holds.
fn parts(step: &str) -> (Option<String>, Option<String>) {
    match step.split_once('/') {
        Some((phase, name)) if phase.parse::<PhaseId>().is_ok() => {
            (Some(phase.to_owned()), Some(name.to_owned()))
        }
        Some(_) | None => (None, Some(step.to_owned())),
    }
}
