//! What an agent was seen to do.

use autopilot_core::time::Timestamp;
use serde::{Deserialize, Serialize};

/// Tokens and money, as an agent's own stream counts them. Each event adds to the ones before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// Tokens in and out.
    pub tokens: u64,
    /// Money in millionths of a US dollar.
    pub micro_usd: u64,
}

/// What a tool call does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolKind {
    /// Runs a command.
    Command,
    /// Reads a file.
    Read,
    /// Writes a file.
    Write,
    /// Something else.
    Other,
}

/// Something an agent was seen to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum AgentEvent {
    /// It said something.
    Text(String),
    /// It used a tool.
    ToolCall {
        /// What the tool does.
        kind: ToolKind,
        /// On what: the command, the path.
        what: String,
    },
    /// It says which model it is.
    Model(String),
    /// It used tokens or money.
    Usage(Usage),
    /// Its account's usage limit is reached.
    Limit {
        /// When the limit is said to end.
        until: Option<Timestamp>,
        /// What it said.
        message: String,
    },
    /// It printed a line that is too long to look at.
    TooLong {
        /// How long the line was.
        bytes: u64,
    },
}
