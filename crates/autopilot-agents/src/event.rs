//! What an agent was seen to do.

use std::ops::{Add, AddAssign};

use autopilot_core::time::Timestamp;
use serde::{Deserialize, Serialize};

/// Tokens and money, as an agent's own stream counts them. Each event adds to the ones before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// Tokens in and out, with those that were read from a cache.
    pub tokens: u64,
    /// Those of them that were read from a cache.
    pub cached_tokens: u64,
    /// Money in millionths of a US dollar.
    pub micro_usd: u64,
}

impl Usage {
    /// What is left when what is known already is taken off.
    pub fn less(self, known: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(known.tokens),
            cached_tokens: self.cached_tokens.saturating_sub(known.cached_tokens),
            micro_usd: self.micro_usd.saturating_sub(known.micro_usd),
        }
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            micro_usd: self.micro_usd.saturating_add(other.micro_usd),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
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
    /// It says what its conversation is called.
    Session(String),
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
    /// It did not get through to its service and tries again by itself.
    Retrying(String),
    /// It printed a line that is too long to look at.
    TooLong {
        /// How long the line was.
        bytes: u64,
    },
}
