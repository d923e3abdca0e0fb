//! The two reports at the end of a run: on the run, and on the project that it was to complete.

use std::fmt::Write as _;

use super::{
    Chronicle, Told,
    after::{begun, count, score_of, word_of},
    audit,
};
use crate::{
    evidence::Standing,
    fact::Ending,
    phases::{Close, Phase, Phases, Status},
    report::{
        Attempted, BatchCompletion, DependencyGap, Named, RunMetrics, Skip, Skipped, Trend,
        diagnostic::cell,
    },
    roadmap::PhaseId,
    run::Run,
    sessions::clock::seconds,
    time::MINUTE_MS,
};

impl Chronicle {
    /// What the run came to, as text; `trend` is there from the second run on.
    pub fn report(&self, run: &Run, metrics: &RunMetrics, trend: Option<&Trend>) -> String {
        let work = run.work.phases();
        let mut text = format!(
            "# Completion Report\n\n**Run ID:** {}\n**Date:** {}\n**Status:** {}\n\n\
             ## Phases\n| Phase | Status | Alignment | Duration | Notes |\n|---|---|---|---|---|\n",
            run.given.run,
            metrics.timestamp,
            if run.ending == Some(Ending::Done) { "completed" } else { "failed" },
        );
        for phase in &work.list {
            let Attempted { phase_id, status, score, minutes, notes } = self.attempted(phase);
            let score = score.map_or("-".to_owned(), |score| format!("{score}/10"));
            let name = cell(&phase.spec.name);
            let notes = cell(&notes);
            // Writing into a text cannot fail.
            let _ =
                writeln!(text, "| {phase_id} {name} | {status} | {score} | {minutes}m | {notes} |");
        }
        text.push_str(&integration(work));
        text.push_str(&audit::section(work));
        let _ = write!(
            text,
            "\n## Statistics\n- Attempted: {}\n- Succeeded: {}\n- Failed: {}\n- Duration: {:.1} minutes\n- Tokens: {}\n\
             - Repairs: {}\n- New plans: {}\n",
            metrics.phases_attempted,
            metrics.phases_succeeded,
            metrics.phases_failed,
            metrics.total_duration_minutes,
            run.spent.tokens,
            metrics.total_debug_loops,
            metrics.total_replan_attempts,
        );
        if let Some(trend) = trend {
            text.push('\n');
            text.push_str(&trend.to_markdown());
        }
        text
    }

    /// What a run that was to complete the project came to; nothing where it was not.
    pub fn completion(&self, run: &Run) -> Option<BatchCompletion> {
        let work = run.work.phases();
        let before = run.given.complete_before.as_ref()?;
        let attempted: Vec<&Phase> = begun(work).collect();
        let of = |wanted: &str| count(attempted.iter().filter(|phase| word_of(phase) == wanted));
        let total = count(work.list.iter()) + count(before.iter());
        let complete = of("completed") + count(before.iter());
        let done = before.iter().map(|phase| {
            let skip = Skip::AlreadyCompleted(None);
            Skipped::new(phase.phase_id.clone(), phase.phase_name.clone(), skip)
        });
        let blocked = work.list.iter().filter_map(|phase| {
            let skip = Skip::BlockedBy(blocked_by(phase)?.to_string());
            Some(Skipped::new(phase.spec.id.to_string(), phase.spec.name.clone(), skip))
        });
        let share = if total == 0 { 0.0 } else { f64::from(complete) / f64::from(total) };
        Some(BatchCompletion {
            run_id: run.given.run.to_string(),
            timestamp: seconds(self.ended_at(run)),
            mode: "--complete".to_owned(),
            total_phases_in_roadmap: total,
            completed_phases_total: complete,
            completion_percentage: share * 100.0,
            phases_attempted: count(attempted.iter()),
            phases_succeeded: of("completed"),
            phases_failed: of("failed"),
            phases_skipped: done.chain(blocked).collect(),
            phases_deferred: 0,
            dependency_gaps: gaps(work),
            attempted: attempted.iter().map(|phase| self.attempted(phase)).collect(),
        })
    }

    fn attempted(&self, phase: &Phase) -> Attempted {
        let ms = self.phases.get(&phase.spec.id).map_or(0, Told::ms);
        let notes = match &phase.status {
            Status::Closed(Close::Failed { why, .. }) => why.clone(),
            Status::Closed(Close::Completed { below_pass: true, .. }) => {
                "force_incomplete".to_owned()
            }
            Status::Closed(Close::Blocked { by }) => format!("blocked_by_phase_{by}"),
            Status::Closed(Close::Completed { .. }) | Status::Active(_) | Status::Waiting => {
                String::new()
            }
        };
        Attempted {
            phase_id: phase.spec.id.to_string(),
            status: word_of(phase).to_owned(),
            score: score_of(phase).map(|score| format!("{score:.1}")),
            minutes: ms / MINUTE_MS,
            notes,
        }
    }
}

/// Whether what completed phases had proven holds on the result as a whole.
fn integration(work: &Phases) -> String {
    let mut text = "\n## Integration\n".to_owned();
    match audit::together(work) {
        Some(true) => text.push_str("The phases are said to work together.\n"),
        Some(false) => text.push_str("The phases were found not to work together; see below.\n"),
        None => {}
    }
    let Some(entries) = &work.rechecked else { return text + "Not checked.\n" };
    let broken: Vec<_> = entries.iter().filter(|entry| !entry.stands()).collect();
    if broken.is_empty() {
        return text + "Everything that completed phases had proven holds on the result.\n";
    }
    for entry in broken {
        let (Standing::Broken(why) | Standing::Open(why)) = &entry.standing else { continue };
        text.push_str(&format!("- `{}` does not hold any more: {}\n", entry.name, cell(why)));
    }
    text
}

/// Failed phases that something waits for.
fn gaps(work: &Phases) -> Vec<DependencyGap> {
    let gap = |phase: &Phase| {
        let Status::Closed(Close::Failed { why, .. }) = &phase.status else { return None };
        let waits = |other: &&Phase| blocked_by(other) == Some(phase.spec.id);
        let named = |other: &Phase| Named {
            phase_id: other.spec.id.to_string(),
            phase_name: other.spec.name.clone(),
        };
        let blocked: Vec<Named> = work.list.iter().filter(waits).map(named).collect();
        (!blocked.is_empty()).then(|| DependencyGap {
            failed_phase_id: phase.spec.id.to_string(),
            failed_phase_name: phase.spec.name.clone(),
            failure_reason: why.clone(),
            blocked_phases: blocked,
        })
    };
    work.list.iter().filter_map(gap).collect()
}

fn blocked_by(phase: &Phase) -> Option<PhaseId> {
    match &phase.status {
        Status::Closed(Close::Blocked { by }) => Some(*by),
        Status::Closed(Close::Completed { .. } | Close::Failed { .. })
        | Status::Active(_)
        | Status::Waiting => None,
    }
}
