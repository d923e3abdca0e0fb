//! What is written once a phase or a run is over.

use std::collections::BTreeMap;

use super::{Chronicle, Told, Trouble};
use crate::{
    phases::{Close, Phase, Phases, Status},
    policy::FailureCategory,
    report::{
        Attempted, BatchCompletion, DependencyGap, Evidence, Named, PhaseSummary, PostMortem,
        RootCause, RunMetrics, Skip, Skipped, failure_entry,
    },
    roadmap::PhaseId,
    run::{Run, Work},
    sessions::clock::seconds,
    time::{MINUTE_MS, Timestamp},
};

impl Chronicle {
    /// Why a phase failed; nothing where it did not.
    pub fn post_mortem(&self, run: &Run, id: PhaseId, now: Timestamp) -> Option<PostMortem> {
        let (phase, why) = failed(run, id)?;
        let told = self.phases.get(&id)?;
        let trouble = told.cause(why, now);
        Some(PostMortem {
            phase_id: id.to_string(),
            phase_name: phase.spec.name.clone(),
            timestamp: seconds(now),
            status: "failed".to_owned(),
            root_cause: RootCause {
                category: trouble.category,
                description: why.to_owned(),
                first_observed_at: seconds(trouble.since),
                step: trouble.step,
            },
            timeline: told.timeline.clone(),
            evidence: Evidence { commands_run: told.commands.clone(), files_checked: Vec::new() },
            attempted_fixes: told.fixes.clone(),
            prevention_rule: trouble.category.prevention().to_owned(),
        })
    }

    /// What a failed phase teaches the next; nothing where it did not fail.
    pub fn learning(&self, run: &Run, id: PhaseId, now: Timestamp) -> Option<String> {
        let (phase, why) = failed(run, id)?;
        let category = self.phases.get(&id)?.cause(why, now).category;
        let named = (id.to_string(), phase.spec.name.as_str());
        Some(failure_entry((&named.0, named.1), category, category.prevention(), &seconds(now)))
    }

    /// What the run came to, in numbers.
    pub fn metrics(&self, run: &Run, now: Timestamp) -> RunMetrics {
        let Work::Phases(work) = &run.work;
        let attempted: Vec<&Phase> = work.list.iter().filter(|phase| was_begun(phase)).collect();
        let of = |wanted: &str| count(attempted.iter().filter(|phase| word_of(phase) == wanted));
        let pass = run.given.pass_score;
        let succeeded = count(attempted.iter().filter(|phase| {
            matches!(&phase.status, Status::Closed(Close::Completed { score, .. }) if *score >= pass)
        }));
        let scores: Vec<f64> = attempted.iter().filter_map(|phase| score_of(phase)).collect();
        let share = if attempted.is_empty() { 0.0 } else { f64::from(succeeded) / f64::from(count(attempted.iter())) };
        RunMetrics {
            run_id: run.given.run.to_string(),
            timestamp: seconds(now),
            phases_attempted: count(attempted.iter()),
            phases_succeeded: succeeded,
            phases_failed: of("failed"),
            phases_human_deferred: 0,
            failure_taxonomy_histogram: self.histogram(work, now),
            avg_alignment_score: (!scores.is_empty())
                .then(|| scores.iter().sum::<f64>() / f64::from(count(scores.iter()))),
            total_duration_minutes: super::snapshot::minutes(now.ms_since(run.submitted_at)),
            total_estimated_tokens: 0,
            total_tokens: Some(run.spent.tokens),
            total_debug_loops: self.phases.values().map(|told| told.debugs).sum(),
            total_replan_attempts: self.phases.values().map(|told| told.replans).sum(),
            success_rate: share,
            per_phase_summary: attempted.iter().map(|phase| self.summary(phase)).collect(),
        }
    }

    /// What a run that was to finish the project came to. `before` are phases that were complete already.
    pub fn completion(&self, run: &Run, before: &[Named], now: Timestamp) -> BatchCompletion {
        let Work::Phases(work) = &run.work;
        let attempted: Vec<&Phase> = work.list.iter().filter(|phase| was_begun(phase)).collect();
        let of = |wanted: &str| count(attempted.iter().filter(|phase| word_of(phase) == wanted));
        let total = count(work.list.iter()) + count(before.iter());
        let complete = of("completed") + count(before.iter());
        let done = before.iter().map(|phase| {
            let skip = Skip::AlreadyCompleted(None);
            Skipped::new(phase.phase_id.clone(), phase.phase_name.clone(), skip)
        });
        let blocked = work.list.iter().filter_map(|phase| {
            let by = blocked_by(phase)?;
            let skip = Skip::BlockedBy(by.to_string());
            Some(Skipped::new(phase.spec.id.to_string(), phase.spec.name.clone(), skip))
        });
        BatchCompletion {
            run_id: run.given.run.to_string(),
            timestamp: seconds(now),
            mode: "--complete".to_owned(),
            total_phases_in_roadmap: total,
            completed_phases_total: complete,
            completion_percentage: if total == 0 {
                0.0
            } else {
                f64::from(complete) * 100.0 / f64::from(total)
            },
            phases_attempted: count(attempted.iter()),
            phases_succeeded: of("completed"),
            phases_failed: of("failed"),
            phases_skipped: done.chain(blocked).collect(),
            phases_deferred: 0,
            dependency_gaps: gaps(work),
            attempted: attempted.iter().map(|phase| self.attempted(phase)).collect(),
        }
    }

    fn histogram(&self, work: &Phases, now: Timestamp) -> BTreeMap<String, u32> {
        let mut histogram = BTreeMap::new();
        for phase in &work.list {
            let Status::Closed(Close::Failed { why, .. }) = &phase.status else { continue };
            let told = self.phases.get(&phase.spec.id);
            if let Some(cause) = told.map(|told| told.cause(why, now).category) {
                *histogram.entry(cause.name().to_owned()).or_default() += 1;
            }
        }
        histogram
    }

    fn summary(&self, phase: &Phase) -> PhaseSummary {
        PhaseSummary {
            phase_id: phase.spec.id.to_string(),
            status: word_of(phase).to_owned(),
            alignment_score: score_of(phase),
            estimated_tokens: None,
            duration_minutes: self.phases.get(&phase.spec.id).map_or(0.0, Told::minutes),
        }
    }

    fn attempted(&self, phase: &Phase) -> Attempted {
        let told = self.phases.get(&phase.spec.id);
        let ms = told
            .and_then(|told| Some(told.ended_at?.ms_since(told.began_at?)))
            .unwrap_or_default();
        let notes = match &phase.status {
            Status::Closed(Close::Failed { why, .. }) => why.clone(),
            Status::Closed(Close::Completed { below_pass: true, .. }) => {
                "force_incomplete".to_owned()
            }
            Status::Closed(Close::Completed { .. } | Close::Blocked { .. })
            | Status::Active(_)
            | Status::Waiting => String::new(),
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

impl Told {
    /// What is at the bottom of a failure: what went wrong last, or nothing that has a name.
    fn cause(&self, why: &str, now: Timestamp) -> Trouble {
        self.trouble.clone().unwrap_or_else(|| Trouble {
            category: FailureCategory::CoordinationFailure,
            what: why.to_owned(),
            since: self.ended_at.unwrap_or(now),
            step: "preflight".to_owned(),
        })
    }
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

fn failed(run: &Run, id: PhaseId) -> Option<(&Phase, &str)> {
    let Work::Phases(work) = &run.work;
    let phase = work.place(&id).and_then(|at| work.list.get(at))?;
    match &phase.status {
        Status::Closed(Close::Failed { why, .. }) => Some((phase, why)),
        Status::Closed(Close::Completed { .. } | Close::Blocked { .. })
        | Status::Active(_)
        | Status::Waiting => None,
    }
}

fn was_begun(phase: &Phase) -> bool {
    !matches!(phase.status, Status::Waiting | Status::Closed(Close::Blocked { .. }))
}

fn blocked_by(phase: &Phase) -> Option<PhaseId> {
    match &phase.status {
        Status::Closed(Close::Blocked { by }) => Some(*by),
        Status::Closed(Close::Completed { .. } | Close::Failed { .. })
        | Status::Active(_)
        | Status::Waiting => None,
    }
}

fn word_of(phase: &Phase) -> &'static str {
    match &phase.status {
        Status::Waiting => "not_started",
        Status::Active(_) => "in_progress",
        Status::Closed(Close::Completed { .. }) => "completed",
        Status::Closed(Close::Failed { .. }) => "failed",
        Status::Closed(Close::Blocked { .. }) => "skipped",
    }
}

fn score_of(phase: &Phase) -> Option<f64> {
    match &phase.status {
        Status::Closed(Close::Completed { score, .. }) => Some(score.as_number()),
        Status::Closed(Close::Failed { .. } | Close::Blocked { .. })
        | Status::Active(_)
        | Status::Waiting => None,
    }
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
