//! What is written once a phase or a run is over.

use std::collections::BTreeMap;

use super::{Chronicle, Told, phase_of, snapshot::minutes, told::Trouble};
use crate::{
    phases::{Awaited, Close, Phase, Phases, Status},
    policy::{FailureCategory, PhaseType},
    report::{
        Evidence, PhaseSummary, PostMortem, RootCause, RunMetrics, failure_entry, verdict_entry,
    },
    roadmap::PhaseId,
    run::Run,
    sessions::clock::seconds,
    time::Timestamp,
};

impl Chronicle {
    /// Why a phase failed; nothing where it did not.
    pub fn post_mortem(&self, run: &Run, id: PhaseId) -> Option<PostMortem> {
        let (phase, why) = failed(run, id)?;
        let told = self.phases.get(&id)?;
        let trouble = told.cause();
        let ended_at = told.ended_at.unwrap_or(run.last_at);
        Some(PostMortem {
            phase_id: id.to_string(),
            phase_name: phase.spec.name.clone(),
            timestamp: seconds(ended_at),
            status: "failed".to_owned(),
            root_cause: RootCause {
                category: trouble.category,
                description: why.to_owned(),
                first_observed_at: seconds(trouble.since),
                step: trouble.step,
            },
            timeline: told.detail.timeline.clone(),
            evidence: Evidence {
                commands_run: told.detail.commands.clone(),
                files_checked: Vec::new(),
            },
            attempted_fixes: told.detail.fixes.clone(),
            prevention_rule: told.rule().to_owned(),
        })
    }

    /// What the failed phases of a run teach the next ones, in the order in which they failed.
    pub fn learnings(&self, run: &Run) -> Vec<String> {
        let work = run.work.phases();
        let mut entries: Vec<_> = work.list.iter().filter_map(|phase| self.entry(phase)).collect();
        entries.sort();
        let said = work.list.iter().flat_map(said_of);
        entries.into_iter().map(|(_, _, entry)| entry).chain(said).collect()
    }

    /// What the run came to, in numbers.
    pub fn metrics(&self, run: &Run) -> RunMetrics {
        let work = run.work.phases();
        let attempted: Vec<&Phase> = begun(work).collect();
        let of = |wanted: &str| count(attempted.iter().filter(|phase| word_of(phase) == wanted));
        let (all, succeeded) = (count(attempted.iter()), succeeded(run));
        let scores: Vec<f64> = attempted.iter().filter_map(|phase| score_of(phase)).collect();
        let mean = scores.iter().sum::<f64>() / f64::from(count(scores.iter()));
        let ended_at = self.ended_at(run);
        RunMetrics {
            run_id: run.given.run.to_string(),
            timestamp: seconds(ended_at),
            phases_attempted: all,
            phases_succeeded: succeeded,
            phases_failed: of("failed"),
            phases_human_deferred: deferred(work),
            failure_taxonomy_histogram: self.histogram(work),
            avg_alignment_score: (!scores.is_empty()).then_some(mean),
            total_duration_minutes: minutes(ended_at.ms_since(run.submitted_at)),
            total_estimated_tokens: 0,
            total_tokens: Some(run.spent.tokens),
            total_debug_loops: self.phases.values().map(|told| told.debugs).sum(),
            total_replan_attempts: self.phases.values().map(|told| told.replans).sum(),
            success_rate: if all == 0 { 0.0 } else { f64::from(succeeded) / f64::from(all) },
            per_phase_summary: attempted.iter().map(|phase| self.summary(phase)).collect(),
        }
    }

    fn entry(&self, phase: &Phase) -> Option<(Timestamp, PhaseId, String)> {
        let Status::Closed(Close::Failed { .. }) = &phase.status else { return None };
        let (id, name) = (phase.spec.id, phase.spec.name.as_str());
        let told = self.phases.get(&id)?;
        let (category, at) = (told.cause().category, told.ended_at?);
        let named = id.to_string();
        let entry = failure_entry((&named, name), category, told.rule(), &seconds(at));
        Some((at, id, entry))
    }

    fn histogram(&self, work: &Phases) -> BTreeMap<String, u32> {
        let mut histogram = BTreeMap::new();
        let is_failed =
            |phase: &&Phase| matches!(&phase.status, Status::Closed(Close::Failed { .. }));
        for phase in work.list.iter().filter(is_failed) {
            if let Some(told) = self.phases.get(&phase.spec.id) {
                *histogram.entry(told.cause().category.name().to_owned()).or_default() += 1;
            }
        }
        histogram
    }

    fn summary(&self, phase: &Phase) -> PhaseSummary {
        let ms = self.phases.get(&phase.spec.id).map_or(0, Told::ms);
        PhaseSummary {
            phase_id: phase.spec.id.to_string(),
            status: word_of(phase).to_owned(),
            alignment_score: score_of(phase),
            estimated_tokens: None,
            duration_minutes: minutes(ms),
        }
    }
}

impl Told {
    /// What is at the bottom of a failure: what the phase was given up for, else what went wrong last.
    fn cause(&self) -> Trouble {
        let last = self.detail.trouble.clone();
        let mut trouble = last.unwrap_or_else(|| Trouble {
            category: FailureCategory::CoordinationFailure,
            since: self.ended_at.unwrap_or_default(),
            step: "preflight".to_owned(),
        });
        if let Some((category, _)) = self.lesson {
            trouble.category = category;
        }
        trouble
    }

    /// What whoever comes next was told; earlier versions did not record it.
    fn rule(&self) -> &str {
        match &self.lesson {
            Some((_, rule)) => rule,
            None => self.cause().category.prevention(),
        }
    }
}

/// How many phases reached the score that they must reach.
fn succeeded(run: &Run) -> u32 {
    let work = run.work.phases();
    let has = |phase: &&Phase| match &phase.status {
        Status::Closed(Close::Completed { score, .. }) => *score >= run.given.pass_score,
        Status::Closed(Close::Failed { .. } | Close::Blocked { .. })
        | Status::Active(_)
        | Status::Waiting => false,
    };
    count(work.list.iter().filter(has))
}

fn failed(run: &Run, id: PhaseId) -> Option<(&Phase, &str)> {
    let phase = phase_of(run, id)?;
    match &phase.status {
        Status::Closed(Close::Failed { why, .. }) => Some((phase, why)),
        Status::Closed(Close::Completed { .. } | Close::Blocked { .. })
        | Status::Active(_)
        | Status::Waiting => None,
    }
}

/// The phases that somebody worked on.
pub(super) fn begun(work: &Phases) -> impl Iterator<Item = &Phase> {
    let is_begun = |phase: &&Phase| {
        !matches!(phase.status, Status::Waiting | Status::Closed(Close::Blocked { .. }))
    };
    work.list.iter().filter(is_begun)
}

/// How a phase stands, in a word.
pub(super) const fn word_of(phase: &Phase) -> &'static str {
    match &phase.status {
        Status::Waiting => "not_started",
        Status::Active(_) => "in_progress",
        Status::Closed(Close::Completed { .. }) => "completed",
        Status::Closed(Close::Failed { .. }) => "failed",
        Status::Closed(Close::Blocked { .. }) => "skipped",
    }
}

/// The score that a phase was completed with.
pub(super) fn score_of(phase: &Phase) -> Option<f64> {
    match &phase.status {
        Status::Closed(Close::Completed { score, .. }) => Some(score.as_number()),
        Status::Closed(Close::Failed { .. } | Close::Blocked { .. })
        | Status::Active(_)
        | Status::Waiting => None,
    }
}

/// How many there are.
pub(super) fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

/// How many phases were left to a person.
pub(super) fn deferred(work: &Phases) -> u32 {
    count(work.list.iter().filter(|phase| !awaits_of(phase).is_empty()))
}

fn awaits_of(phase: &Phase) -> &[Awaited] {
    match &phase.status {
        Status::Closed(Close::Completed { awaits, .. }) => awaits,
        Status::Closed(_) | Status::Active(_) | Status::Waiting => &[],
    }
}

/// What people said of a phase that was left to them, as it is told to others.
fn said_of(phase: &Phase) -> Vec<String> {
    let spec = &phase.spec;
    let commands = spec.criteria.iter().filter_map(|one| one.command.as_deref());
    let text: Vec<&str> = commands.chain([spec.goal.as_str()]).collect();
    let kind = PhaseType::of_text(&text.join(" "), None);
    let said = awaits_of(phase).iter().filter_map(|awaited| awaited.verdict.as_ref());
    said.map(|said| {
        let issues: Vec<String> =
            Some(said.message.clone()).filter(|text| !text.is_empty()).into_iter().collect();
        verdict_entry((spec.id.as_str(), &spec.name), kind, said.verdict, &issues)
    })
    .collect()
}
