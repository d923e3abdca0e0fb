//! Configuration: ordered layers, each checked by itself, then combined.
//!
//! The order of [`Source`] is the precedence. Unknown keys are errors that name their file.

mod checks;
mod gates;
mod keys;
mod layer;
mod read;
mod sandbox;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use autopilot_core::{budget::Limits, id::AgentName, measure::Measure, returns::Score, role::Role};
use autopilot_engine::sandbox::Sandbox;

pub(crate) use checks::Checks;
pub(crate) use keys::KEYS;
pub(crate) use layer::Layer;
pub(crate) use read::read;

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
    /// How long a log may be silent before a line says that the run goes on.
    pub(crate) heartbeat: Duration,
    /// Whether someone looks at the result as a whole before a run ends.
    pub(crate) audit: bool,
    /// What agents and verification commands may touch.
    pub(crate) sandbox: Sandbox,
    /// Where the settings come from, in order.
    pub(crate) sources: Vec<Source>,
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
    /// Where it keeps its login and what it remembers; nothing where its program tells.
    pub(crate) state: Option<Vec<PathBuf>>,
}

/// The kinds of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AgentKind {
    /// Any program with its arguments.
    Command(Vec<String>),
    /// The embedded agent with its script.
    Scripted(PathBuf),
}
