//! How much the next session would have to hold in mind.

use serde::{Serialize, Serializer};

use crate::sessions::{
    number::{Plain, round2},
    select::Signals,
};

/// Recent sessions that are looked at.
const SESSIONS_MAX: usize = 5;

/// Words of somebody who means everything at once.
const SWEEPING: [&str; 9] = [
    "across all",
    "every skill",
    "every agent",
    "every repo",
    "repowide",
    "repo-wide",
    "cross-cutting",
    "rename across",
    "massive refactor",
];

/// How much a session would have to hold in mind, from 0 to 1, and where it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressure {
    /// All together.
    pub score: f64,
    /// From the number of issues that come first.
    pub scope: f64,
    /// From the words of the task.
    pub keywords: f64,
    /// From what recent sessions left over.
    pub carryover: f64,
}

/// A pressure in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Below 0.3.
    Low,
    /// Below 0.7.
    Medium,
    /// The rest.
    High,
}

impl Level {
    /// The name in recommendations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl Pressure {
    /// The pressure that signals tell of.
    pub fn of(signals: &Signals) -> Self {
        let scope = (as_double(signals.priorities.unwrap_or(0)) - 3.0) / 10.0;
        let scope = scope.clamp(0.0, 0.5);
        let task = signals.task.to_lowercase();
        let is_sweeping = SWEEPING.iter().any(|words| task.contains(words));
        let keywords = if is_sweeping { 0.25 } else { 0.0 };
        let first = signals.recent.len().saturating_sub(SESSIONS_MAX);
        let ratios: Vec<f64> =
            signals.recent[first..].iter().filter_map(|session| session.carryover()).collect();
        let carryover = (mean(&ratios) - 0.3).clamp(0.0, 0.25);
        Self {
            score: round2((scope + keywords + carryover).clamp(0.0, 1.0)),
            scope: round2(scope),
            keywords,
            carryover: round2(carryover),
        }
    }

    /// The pressure in a word.
    pub fn level(self) -> Level {
        match self.score {
            score if score < 0.3 => Level::Low,
            score if score < 0.7 => Level::Medium,
            _ => Level::High,
        }
    }
}

impl Serialize for Pressure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Components {
            scope: Plain,
            keywords: Plain,
            carryover: Plain,
        }
        #[derive(Serialize)]
        struct Written {
            score: Plain,
            components: Components,
            level: &'static str,
        }
        let Self { score, scope, keywords, carryover } = *self;
        let components = Components {
            scope: Plain(scope),
            keywords: Plain(keywords),
            carryover: Plain(carryover),
        };
        let level = self.level().name();
        Written { score: Plain(score), components, level }.serialize(serializer)
    }
}

fn mean(numbers: &[f64]) -> f64 {
    if numbers.is_empty() {
        return 0.0;
    }
    numbers.iter().sum::<f64>() / as_double(numbers.len())
}

#[expect(clippy::cast_precision_loss, reason = "lists are far shorter than 2^53")]
pub(super) fn as_double(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweeping_task_with_many_issues_is_high_pressure() {
        let signals = Signals {
            priorities: Some(9),
            task: "Rename ACROSS modules".to_owned(),
            ..Signals::default()
        };
        let pressure = Pressure::of(&signals);
        assert_eq!((pressure.score, pressure.level()), (0.75, Level::High));
    }

    #[test]
    fn nothing_known_is_no_pressure() {
        assert_eq!(Pressure::of(&Signals::default()), Pressure::default());
    }
}
