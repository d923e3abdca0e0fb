//! What a choice rests on.

use crate::sessions::{Reading, kill_switch::ratio, select::Mode};

/// Everything that is known. What is not known says nothing for or against any mode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    /// What the last session recommended.
    pub recommended: Option<Mode>,
    /// The part of its plan that the last session did.
    pub completion_rate: Option<f64>,
    /// The part of its plan that the last session left over.
    pub carryover_ratio: Option<f64>,
    /// Recent sessions, the newest last.
    pub recent: Vec<RecentSession>,
    /// What the project was set up for.
    pub lock: Option<Lock>,
    /// What was learnt.
    pub learnings: Vec<Learning>,
    /// How many issues come first, if somebody said.
    pub priorities: Option<usize>,
    /// What the next session is to do, in words.
    pub task: String,
}

/// A recent session, as far as it says anything about the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecentSession {
    /// Its type, as recorded.
    pub session_type: Option<String>,
    /// A completion rate at the top of its record.
    pub completion_rate: Option<f64>,
    /// What it planned and did.
    pub effectiveness: Option<Effectiveness>,
}

impl RecentSession {
    /// The part of its plan that it did; nothing is none of it.
    pub(super) fn completion(&self, reading: Reading) -> f64 {
        let inner = self.effectiveness.as_ref().and_then(|effect| effect.completion_rate);
        let rate = match reading {
            Reading::Source => self.completion_rate,
            Reading::Corrected => inner.or(self.completion_rate),
        };
        rate.unwrap_or(0.0)
    }

    /// The part of its plan that it left over.
    pub(super) fn carryover(&self) -> Option<f64> {
        let effect = self.effectiveness.as_ref()?;
        ratio(effect.carryover?, effect.planned?)
    }
}

/// What a session planned and did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effectiveness {
    /// Issues that it planned.
    pub planned: Option<u64>,
    /// Issues that it left undone.
    pub carryover: Option<u64>,
    /// The part that it did.
    pub completion_rate: Option<f64>,
}

/// What a project was set up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The size, if it is one that is known.
    pub tier: Option<Tier>,
}

/// The size of work that a project was set up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Small steps.
    Fast,
    /// Features.
    Standard,
    /// Large pieces.
    Deep,
}

impl Tier {
    /// The name in the lock file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    /// The tier of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Fast, Self::Standard, Self::Deep].into_iter().find(|tier| tier.name() == name)
    }

    /// The mode that it speaks for.
    pub const fn mode(self) -> Mode {
        match self {
            Self::Fast => Mode::Housekeeping,
            Self::Standard => Mode::Feature,
            Self::Deep => Mode::Deep,
        }
    }
}

/// Something learnt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learning {
    /// What kind of thing.
    pub kind: String,
    /// What about.
    pub subject: String,
}

impl Learning {
    /// Whether it speaks for a mode.
    pub(super) fn supports(&self, mode: Mode) -> bool {
        matches!(self.kind.as_str(), "effective-sizing" | "scope-guidance")
            && self.subject.to_lowercase().contains(mode.name())
    }
}
