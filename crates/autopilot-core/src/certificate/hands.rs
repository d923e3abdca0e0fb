//! Who had to do with a phase.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Part;
use crate::{id::AgentName, role::Role};

/// An agent in a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// What it had to do with the phase.
    pub part: Part,
    /// In which role.
    pub role: Role,
    /// Which agent.
    pub agent: AgentName,
    /// The model it said it was.
    pub model: Option<String>,
    /// How many steps of it were taken.
    pub steps: u32,
    /// Whether its approval counts, where it is one whose approval is asked for.
    pub vote: Option<bool>,
}

/// Counts the steps of agents.
#[derive(Clone, Debug, Default)]
pub(super) struct Hands(BTreeMap<(Role, AgentName, Option<String>), u32>);

impl Hands {
    pub(super) fn count(&mut self, role: Role, agent: &AgentName, model: Option<&String>) {
        *self.0.entry((role, agent.clone(), model.cloned())).or_default() += 1;
    }

    /// Who did what; `votes` tells whose approval counts.
    pub(super) fn list(self, votes: &BTreeMap<Role, bool>) -> Vec<Hand> {
        let mut hands: Vec<Hand> = self
            .0
            .into_iter()
            .map(|((role, agent, model), steps)| Hand {
                part: part_of(role),
                role,
                agent,
                model,
                steps,
                vote: votes.get(&role).copied(),
            })
            .collect();
        hands.sort_by_key(|hand| hand.part);
        hands
    }
}

fn part_of(role: Role) -> Part {
    match role {
        Role::Questioner
        | Role::Researcher
        | Role::Planner
        | Role::Executor
        | Role::Debugger
        | Role::ConflictResolver
        | Role::StoryWriter
        | Role::IssuePlanner
        | Role::Implementer
        | Role::CauseAnalyst => Part::Produced,
        Role::PlanChecker
        | Role::Verifier
        | Role::Judge
        | Role::Rater
        | Role::Auditor
        | Role::IntegrationChecker
        | Role::CoverageChecker => Part::Checked,
    }
}
