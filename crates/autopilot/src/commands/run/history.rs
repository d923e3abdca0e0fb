//! What earlier runs of this project have shown.

use std::collections::BTreeMap;

use autopilot_core::{
    id::AgentName,
    measure::Measure,
    phases::{Close, Status},
    policy::{DeferralThreshold, HumanVerdict},
    returns::Score,
    roadmap::PhaseId,
    run::Run,
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
        Self { runs: runs.iter().filter_map(|run| driver.state(run).ok()).collect() }
    }

    /// The scores with which phases were completed, each phase's oldest first.
    pub(super) fn scores(&self) -> BTreeMap<PhaseId, Vec<Score>> {
        let mut scores: BTreeMap<PhaseId, Vec<Score>> = BTreeMap::new();
        for run in &self.runs {
            let work = run.work.phases();
            for phase in &work.list {
                if let Status::Closed(Close::Completed { score, .. }) = phase.status {
                    scores.entry(phase.spec.id).or_default().push(score);
                }
            }
        }
        scores
    }

    /// How sure a verifier must be to do without a person, by what people said at the end of earlier runs.
    pub(super) fn deferral(&self) -> DeferralThreshold {
        let last = self.runs.last();
        last.map_or_else(DeferralThreshold::default, |run| {
            let work = run.work.phases();
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
            let work = run.work.phases();
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
