//! Names of things: runs, steps, attempts, gates, commits, agents.

use std::{fmt, num::NonZeroU32};

use serde::{Deserialize, Serialize};

pub use autopilot_evidence::CommitId;

/// Declares a name kept as text, with the conversions every such name needs.
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(String);

        impl $name {
            /// Takes a name that is already known to be well formed.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// One run, for instance `run-2026-03-01-221500`.
    RunId
}
text_id! {
    /// A step of a run as a path, for instance `3/execute/03-01`. A step may be attempted several times.
    Step
}
text_id! {
    /// A question to a person. Answers are kept by this name, even when they come before the question.
    GateId
}
text_id! {
    /// An agent as the configuration names it.
    AgentName
}

/// What the names of words about a roadmap begin with.
const SPEC: &str = "spec/";

impl GateId {
    /// The name under which a person's word is kept that a check need not hold.
    pub fn waiver(check: &str) -> Self {
        Self(format!("waive/{check}"))
    }

    /// The name under which a person's word is kept that a roadmap other than the frozen one may lie there.
    pub fn spec(sha256: &str) -> Self {
        Self(format!("{SPEC}{sha256}"))
    }

    /// The roadmap that such a name is about.
    pub fn as_spec(&self) -> Option<&str> {
        self.0.strip_prefix(SPEC)
    }

    /// Whether it is the name of a waiver. A waiver ends, so unlike other answers it can be given again.
    pub fn is_waiver(&self) -> bool {
        self.0.starts_with("waive/")
    }
}

/// Which try of a step this is, counted from 1 over every start, also those that were cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Attempt(NonZeroU32);

impl Attempt {
    /// The attempt that follows `ended` earlier ones.
    pub fn after(ended: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(ended))
    }

    /// The attempt as a number.
    pub fn number(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The idempotency key of an effect inside its run. Every outcome carries it back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// What is done.
    pub step: Step,
    /// The how-manieth try.
    pub attempt: Attempt,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.step, self.attempt)
    }
}
