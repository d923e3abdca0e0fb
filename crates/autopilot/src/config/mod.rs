//! Configuration: ordered layers, each checked by itself, then combined.
//!
//! The order of [`Source`] is the precedence. Unknown keys are errors that name their file.

mod agents;
mod checks;
mod gates;
mod keys;
mod layer;
mod read;
mod visual;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use autopilot_agents::{Settings, Wish};
use autopilot_core::{budget::Limits, id::AgentName, measure::Measure, returns::Score, role::Role};

pub(crate) use agents::{preset, takes_effort};
pub(crate) use checks::Checks;
pub(crate) use keys::KEYS;
pub(crate) use layer::Layer;
pub(crate) use read::read;
pub(crate) use visual::VisualLayer;

/// Where a setting comes from; later ones win.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// The person's own file.
    User(PathBuf),
    /// The key `autopilot` of `.planning/config.json`.
    Planning(PathBuf),
    /// `autopilot.toml` in the project.
    Project(PathBuf),
    /// Variables `AUTOPILOT_CFG_*`.
    Environment,
}

impl Source {
    /// The directory in which this source names files, where it is not the project's root.
    fn directory(&self) -> Option<&Path> {
        match self {
            Self::User(path) => path.parent(),
            Self::Planning(_) | Self::Project(_) | Self::Environment => None,
        }
    }
}

/// Everything a run needs to know, from all layers.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The agents that can be used.
    pub(crate) agents: BTreeMap<AgentName, Agent>,
    /// The agent of each role that has one of its own.
    pub(crate) roles: BTreeMap<Role, AgentName>,
    /// The agent of all other roles.
    pub(crate) default_agent: Option<AgentName>,
    /// What is wanted of the agents of roles that say so.
    pub(crate) wishes: BTreeMap<Role, Wish>,
    /// What is wanted of the agent of all other roles.
    pub(crate) default_wish: Wish,
    /// The ceilings.
    pub(crate) limits: Limits,
    /// Guards, and how checks are run and counted.
    pub(crate) checks: Checks,
    /// How those who judge are measured.
    pub(crate) measure: Measure,
    /// The score a phase must reach.
    pub(crate) pass_score: Score,
    /// The roadmap, below the project's root.
    pub(crate) roadmap: Option<PathBuf>,
    /// Where the document that the roadmap is a plan for is looked for, in this order.
    pub(crate) spec_paths: Option<Vec<PathBuf>>,
    /// The directory of what people see.
    pub(crate) ui: Option<String>,
    /// How long a log may be silent before a line says that the run goes on.
    pub(crate) heartbeat: Duration,
    /// Whether someone looks at the result as a whole before a run ends.
    pub(crate) audit: bool,
    /// Whether the version of the project goes up after a run.
    pub(crate) bump: bool,
    /// How pages are looked at, where somebody says.
    pub(crate) visual: Option<VisualLayer>,
    /// Where the settings come from, in order.
    pub(crate) sources: Vec<Source>,
}

impl Config {
    /// The agent of that name: as it is configured, or as it is where nobody has configured it.
    pub(crate) fn agent(&self, name: &AgentName) -> Option<Agent> {
        self.agents.get(name).cloned().or_else(|| preset(name.as_str()))
    }

    /// The agent of a role, and what is wanted of it there.
    pub(crate) fn chosen(&self, role: Role) -> Option<(&AgentName, &Wish)> {
        let own = self.roles.get(&role);
        let wish = self.wishes.get(&role).filter(|_| own.is_some()).unwrap_or(&self.default_wish);
        own.or(self.default_agent.as_ref()).map(|agent| (agent, wish))
    }
}

/// How an agent is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Agent {
    /// What kind of agent it is.
    pub(crate) kind: AgentKind,
    /// Variables it is given.
    pub(crate) environment: BTreeMap<String, String>,
    /// Variables of the person's environment that are let through to it.
    pub(crate) pass_environment: Vec<String>,
}

/// The kinds of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AgentKind {
    /// Any program with its arguments.
    Command(Vec<String>),
    /// The embedded agent with its script.
    Scripted(PathBuf),
    /// One of the agents that people use, by the name of its program.
    Real {
        /// Which one.
        kind: &'static str,
        /// How it is started.
        settings: Settings,
    },
}
