//! Facts as the events of `state.json`.

use serde_json::{Value, json};

use super::{Chronicle, after, audit, phase_event, talk};
use crate::{
    budget::Ceiling,
    fact::{End, Ending, Fact, Record},
    phases::Phases,
    policy::{HumanVerdict, defers_too_often},
    report::EventEntry,
    roadmap::PhaseId,
    run::{Run, Submission, Work},
    sessions::clock::seconds,
};

/// What happened and what there is to tell of it.
pub(super) type Event = (&'static str, Value);

/// The events that a record is. `chronicle` does not have the record yet.
pub(super) fn of(run: &Run, chronicle: &Chronicle, record: &Record) -> Vec<EventEntry> {
    let (phase, step, events) = match &record.fact {
        Fact::Submitted(given) => (None, None, of_submission(given)),
        Fact::Resumed { .. } => (None, None, vec![("run_resumed", json!({}))]),
        Fact::Finished(ending) => (None, None, of_ending(run, chronicle, ending)),
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
            (Some(phase.to_string()), None, phase_event::of(run, *phase, told, fact))
        }
        Fact::Talk(fact) => talk::events(run, fact),
        Fact::Finale(fact) => (None, None, audit::events(run, fact)),
        Fact::Held { .. }
        | Fact::Released { .. }
        | Fact::Asked { .. }
        | Fact::Answered { .. }
        | Fact::LeftOut(_)
        | Fact::Strays(_)
        | Fact::Repaired(_)
        | Fact::Environment(_)
        | Fact::StopAsked
        | Fact::Debug(_)
        | Fact::Release(_)
        | Fact::Rechecked { .. } => return Vec::new(),
    };
    let entry = |event| entry(record, (phase.clone(), step.clone()), event);
    events.into_iter().map(entry).collect()
}

/// The event of a breaker that is closed again.
pub(super) fn closed(record: &Record) -> EventEntry {
    entry(record, (None, None), ("circuit_breaker_closed", json!({})))
}

fn entry(
    record: &Record,
    (phase, step): (Option<String>, Option<String>),
    (event, details): Event,
) -> EventEntry {
    let timestamp = seconds(record.at);
    EventEntry { timestamp, phase, step, event: event.to_owned(), details }
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

/// The beginning of a run; where it is to complete the project, with what is complete already.
fn of_submission(given: &Submission) -> Vec<Event> {
    let details = json!({ "run_id": given.run.as_str(), "base": given.base.as_str() });
    let skipped = given.complete_before.iter().flatten().map(|before| {
        let details = json!({ "phase_id": before.phase_id, "reason": "already_completed" });
        ("phase_skipped", details)
    });
    std::iter::once(("run_started", details)).chain(skipped).collect()
}

fn of_ending(run: &Run, chronicle: &Chronicle, ending: &Ending) -> Vec<Event> {
    let tokens = run.spent.tokens;
    let mut events = Vec::new();
    if ending.is_final() {
        events.extend(report(run, chronicle));
        let Work::Phases(work) = &run.work;
        events.extend(deferring(work));
        events.extend(adjusted(run, work));
    }
    match ending {
        Ending::Done => events.push(("run_completed", json!({ "tokens": tokens }))),
        Ending::Incomplete => events.push(halted("incomplete")),
        Ending::Ceiling(ceiling) => {
            if opens(*ceiling) {
                let details = json!({ "reason": ceiling.name() });
                events.push(("circuit_breaker_opened", details));
            }
            events.push(halted(ceiling.name()));
        }
        Ending::NoAgent { why } | Ending::Halted { why } => events.push(halted(why)),
        Ending::Checkpoint { .. } => events.push(halted("checkpoint")),
    }
    events
}

/// Whether a ceiling opens the breaker; the others end the run at once.
pub(super) const fn opens(ceiling: Ceiling) -> bool {
    !ceiling.fails_run()
}

fn halted(reason: &str) -> Event {
    ("run_halted", json!({ "reason": reason }))
}

/// Where the report of a run that completes a project is.
const COMPLETION_REPORT: &str = ".autopilot/completion-report.md";

fn report(run: &Run, chronicle: &Chronicle) -> Option<Event> {
    let report = chronicle.completion(run)?;
    let details = json!({
        "phases_attempted": report.phases_attempted,
        "phases_succeeded": report.phases_succeeded,
        "phases_failed": report.phases_failed,
        "phases_skipped": report.phases_skipped.len(),
        "completion_percentage": report.completion_percentage,
        "report_path": COMPLETION_REPORT,
    });
    Some(("batch_completion_report", details))
}

fn deferring(work: &Phases) -> Option<Event> {
    let (deferred, processed) = (after::deferred(work), work.over);
    let details = json!({ "deferred": deferred, "processed": processed });
    defers_too_often(deferred, processed).then_some(("high_defer_rate_warning", details))
}

/// What people said changes how sure a verifier of the next run must be.
fn adjusted(run: &Run, work: &Phases) -> Option<Event> {
    let said: Vec<HumanVerdict> = after::verdicts(work).map(|(_, _, said)| said.verdict).collect();
    let before = run.given.manner.deferral;
    let after = before.adjusted(&said);
    let passed = said.iter().filter(|said| **said == HumanVerdict::Pass).count();
    let details = json!({
        "old_threshold": before.points(),
        "new_threshold": after.points(),
        "verdicts": said.len(),
        "passed": passed,
    });
    (after != before).then_some(("deferral_threshold_adjusted", details))
}

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
