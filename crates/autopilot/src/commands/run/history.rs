//! What earlier runs of this project have shown.

use std::collections::BTreeMap;

use autopilot_core::{
    id::AgentName,
    measure::Measure,
    phases::{Close, Status},
    policy::{DeferralThreshold, HumanVerdict},
    returns::Score,
    roadmap::PhaseId,
    run::{Run, Work},
};
use autopilot_engine::driver::Driver;

use crate::{config::Config, project::Project};

/// Earlier runs, the oldest first.
#[derive(Debug, Default)]
pub(super) struct History {
    runs: Vec<Run>,
}

impl History {
    /// All runs that can be read. One that cannot be any more has nothing to say.
    pub(super) fn of(project: &Project) -> Self {
        let driver = project.runs();
        let runs = driver.list().unwrap_or_default();
        let of_phases = |run: &Run| {
            let Work::Phases(work) = &run.work;
            work.debug.is_none()
        };
        let runs = runs.iter().filter_map(|run| driver.state(run).ok());
        Self { runs: runs.filter(of_phases).collect() }
    }

    /// The scores with which phases were completed, each phase's oldest first.
    pub(super) fn scores(&self) -> BTreeMap<PhaseId, Vec<Score>> {
        let mut scores: BTreeMap<PhaseId, Vec<Score>> = BTreeMap::new();
        for run in &self.runs {
            let Work::Phases(work) = &run.work;
            for phase in &work.list {
                if let Status::Closed(Close::Completed { score, .. }) = phase.status {
                    scores.entry(phase.spec.id).or_default().push(score);
                }
            }
        }
        scores
    }

    /// What a person found wrong with phases, as far as the last run that did them leaves it open.
    pub(super) fn refused(&self) -> BTreeMap<PhaseId, Vec<String>> {
        let mut refused: BTreeMap<PhaseId, Vec<String>> = BTreeMap::new();
        for run in &self.runs {
            let Work::Phases(work) = &run.work;
            for phase in &work.list {
                if let Status::Closed(Close::Completed { .. }) = phase.status {
                    refused.insert(phase.spec.id, work.faults(phase).collect());
                }
            }
        }
        refused
    }

    /// How sure a verifier must be to do without a person, by what people said at the end of earlier runs.
    pub(super) fn deferral(&self) -> DeferralThreshold {
        let last = self.runs.last();
        last.map_or_else(DeferralThreshold::default, |run| {
            let Work::Phases(work) = &run.work;
            let said: Vec<HumanVerdict> = work
                .list
                .iter()
                .filter_map(|phase| match &phase.status {
                    Status::Closed(Close::Completed { awaits, .. }) => Some(awaits),
                    Status::Closed(_) | Status::Active(_) | Status::Waiting => None,
                })
                .flatten()
                .filter_map(|awaited| Some(awaited.verdict.as_ref()?.verdict))
                .collect();
            run.given.manner.deferral.adjusted(&said)
        })
    }

    /// How reviewers are measured, with what their agents have shown so far.
    pub(super) fn measure(&self, config: &Config, default_agent: &AgentName) -> Measure {
        let mut measure = config.measure.clone();
        for run in &self.runs {
            let Work::Phases(work) = &run.work;
            for (role, tally) in &work.tallies {
                let agent = config.roles.get(role).unwrap_or(default_agent);
                if run.agent_for(*role) == agent {
                    *measure.before.entry(*role).or_default() += *tally;
                }
            }
        }
        measure
    }
}
