//! The circuit breaker: steps that go nowhere, and the same failure again and again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// Whether steps may be started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BreakerState {
    /// Yes.
    #[default]
    Closed,
    /// No, the run is paused.
    Open,
    /// One, to see whether it helps.
    HalfOpen,
}

/// When the breaker opens, and for how long at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Steps in a row without progress.
    pub no_progress: u32,
    /// The same failure in a row.
    pub same_error: u32,
    /// How long it stays open.
    pub cooldown_ms: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { no_progress: 3, same_error: 5, cooldown_ms: 300_000 }
    }
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It changed a commit, the result of a check, or a document.
    Made,
    /// It ended in order and changed nothing.
    None,
    /// It failed, and is tried again.
    Stumbled(String),
    /// It failed for good.
    Failed(String),
}

/// The breaker of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breaker {
    /// Whether steps may be started.
    pub state: BreakerState,
    /// Steps in a row without progress.
    pub consecutive_no_progress: u32,
    /// How often the last failure came in a row.
    pub consecutive_same_error: u32,
    /// The last failure.
    pub last_error: Option<String>,
    /// Until when it stays open at least.
    pub cooldown_until: Option<Timestamp>,
}

impl Breaker {
    /// The breaker after a step.
    #[must_use]
    pub fn after(&self, progress: &Progress, now: Timestamp, thresholds: Thresholds) -> Self {
        let mut next = self.clone();
        match progress {
            Progress::Made => return Self::default(),
            Progress::None => next.consecutive_no_progress += 1,
            Progress::Stumbled(error) => next.count(error),
            Progress::Failed(error) => {
                next.consecutive_no_progress += 1;
                next.count(error);
            }
        }
        let tripped = next.consecutive_no_progress >= thresholds.no_progress
            || next.consecutive_same_error >= thresholds.same_error;
        // The one step that was let through to see whether it helps did not help.
        if tripped || self.state == BreakerState::HalfOpen {
            next.state = BreakerState::Open;
            next.cooldown_until = Some(now.plus_ms(thresholds.cooldown_ms));
        }
        next
    }

    fn count(&mut self, error: &str) {
        let same = self.last_error.as_deref() == Some(error);
        self.consecutive_same_error = if same { self.consecutive_same_error + 1 } else { 1 };
        self.last_error = Some(error.to_owned());
    }

    /// The breaker when a person has the run go on: one step shows whether it helps.
    #[must_use]
    pub fn resumed(&self) -> Self {
        match self.state {
            BreakerState::Open => {
                Self { state: BreakerState::HalfOpen, cooldown_until: None, ..self.clone() }
            }
            BreakerState::Closed | BreakerState::HalfOpen => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(steps: &[Progress]) -> Breaker {
        let start = Breaker::default();
        steps.iter().fold(start, |breaker, step| {
            breaker.after(step, Timestamp::from_ms(1_000), Thresholds::default())
        })
    }

    #[test]
    fn c38_three_steps_without_progress_open_the_breaker() {
        assert_eq!(play(&[Progress::None, Progress::None]).state, BreakerState::Closed);
        let open = play(&[Progress::None, Progress::None, Progress::None]);
        assert_eq!(open.state, BreakerState::Open);
        assert_eq!(open.cooldown_until, Some(Timestamp::from_ms(301_000)));
        let between = [Progress::None, Progress::None, Progress::Made, Progress::None];
        assert_eq!(play(&between).consecutive_no_progress, 1);
    }

    #[test]
    fn c38_the_same_failure_five_times_opens_the_breaker_and_another_one_counts_anew() {
        let thresholds = Thresholds { no_progress: 100, ..Thresholds::default() };
        let play = |errors: &[&str]| {
            let fail = |breaker: Breaker, error: &&str| {
                breaker.after(
                    &Progress::Failed((*error).to_owned()),
                    Timestamp::from_ms(0),
                    thresholds,
                )
            };
            errors.iter().fold(Breaker::default(), fail)
        };
        assert_eq!(play(&["a", "a", "a", "a"]).state, BreakerState::Closed);
        assert_eq!(play(&["a", "a", "a", "a", "a"]).state, BreakerState::Open);
        assert_eq!(play(&["a", "a", "a", "a", "b", "a"]).consecutive_same_error, 1);
    }

    #[test]
    fn e9_a_resumed_run_gets_one_step_that_closes_or_opens_it() {
        let half = play(&[Progress::None, Progress::None, Progress::None]).resumed();
        assert_eq!(half.state, BreakerState::HalfOpen);
        let now = Timestamp::from_ms(5);
        assert_eq!(half.after(&Progress::Made, now, Thresholds::default()), Breaker::default());
        let failed = half.after(&Progress::Failed("x".to_owned()), now, Thresholds::default());
        assert_eq!(failed.state, BreakerState::Open);
    }
}
