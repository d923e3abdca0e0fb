//! What a probe comes to in a word, and what it looked at.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The state of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing speaks against work.
    Green,
    /// Two signals agree that less is better.
    Warn,
    /// Of older records: worse than a warning. Nothing here comes to it any more.
    Degraded,
    /// No agents now.
    Critical,
}

impl Verdict {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Warn => "warn",
            Self::Degraded => "degraded",
            Self::Critical => "critical",
        }
    }

    /// The verdict of that name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Green, Self::Warn, Self::Degraded, Self::Critical];
        all.into_iter().find(|verdict| verdict.name() == name)
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| D::Error::custom(format!("no verdict is called `{name}`")))
    }
}

/// One of the independent things that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Memory.
    Memory,
    /// Load.
    Cpu,
    /// Other sessions.
    Concurrency,
    /// Swap.
    Swap,
}

impl Axis {
    /// The name in reasons.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Cpu => "cpu",
            Self::Concurrency => "concurrency",
            Self::Swap => "swap",
        }
    }
}

impl Serialize for Axis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
