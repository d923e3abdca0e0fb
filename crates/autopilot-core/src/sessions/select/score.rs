//! How sure a mode would be, judged by everything but the recommendation itself.

use crate::sessions::{
    Reading,
    number::round2,
    select::{Level, Mode, Signals, pressure::as_double},
};

/// Recent sessions that make a trend.
const TREND: usize = 3;
/// A trend with at least this part of the plans done is a good one.
const GOOD: f64 = 0.9;
/// Left over from the last session: enough to speak against anything but working it off.
const CARRYOVER_NOTICED: f64 = 0.2;

/// What speaks for and against a mode, each from its own source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Score {
    pub(super) trend: f64,
    pub(super) tier: f64,
    learnings: f64,
    penalty: f64,
    pressure: f64,
}

impl Score {
    pub(super) fn of(signals: &Signals, mode: Mode, level: Level, reading: Reading) -> Self {
        let trend = Trend::of(signals, reading);
        let is_own = trend.is_some_and(|trend| trend.session_type == mode.name());
        let is_good = trend.is_some_and(|trend| trend.mean >= GOOD);
        let other_trend = if is_good && !is_own { 0.1 } else { 0.0 };
        let is_noticed = signals.carryover_ratio.is_some_and(|ratio| ratio >= CARRYOVER_NOTICED);
        let carryover = if is_noticed && mode != Mode::Deep { 0.1 } else { 0.0 };
        Self {
            trend: match (is_own, is_good) {
                (true, true) => 0.15,
                (true, false) => 0.075,
                (false, _) => 0.0,
            },
            tier: tier(signals, mode),
            learnings: learnings(signals, mode),
            penalty: other_trend + carryover,
            pressure: if weighs_pressure(signals) { pressure(level, mode) } else { 0.0 },
        }
    }

    /// How sure that makes the mode. The sum is taken in this order, because doubles round on the way.
    pub(super) fn confidence(self) -> f64 {
        let Self { trend, tier, learnings, penalty, pressure } = self;
        round2((0.5 + (trend + tier + learnings - penalty + pressure)).clamp(0.0, 0.9))
    }
}

/// Recent sessions of one type in a row.
#[derive(Clone, Copy)]
struct Trend<'a> {
    session_type: &'a str,
    mean: f64,
}

impl<'a> Trend<'a> {
    fn of(signals: &'a Signals, reading: Reading) -> Option<Self> {
        let first = signals.recent.len().checked_sub(TREND)?;
        let last = &signals.recent[first..];
        let session_type = last.first()?.session_type.as_deref()?;
        let is_trend =
            last.iter().all(|session| session.session_type.as_deref() == Some(session_type));
        let sum: f64 = last.iter().map(|session| session.completion(reading)).sum();
        is_trend.then(|| Self { session_type, mean: sum / as_double(last.len()) })
    }
}

fn tier(signals: &Signals, mode: Mode) -> f64 {
    match signals.lock.and_then(|lock| lock.tier) {
        Some(tier) if tier.mode() == mode => 0.1,
        Some(_) => -0.1,
        None => 0.0,
    }
}

fn learnings(signals: &Signals, mode: Mode) -> f64 {
    let count = signals.learnings.iter().filter(|learning| learning.supports(mode)).count();
    (0.05 * as_double(count)).min(0.1)
}

/// Whether anything is known that pressure is derived from.
fn weighs_pressure(signals: &Signals) -> bool {
    signals.priorities.is_some()
        || !signals.task.is_empty()
        || signals.recent.iter().any(|session| session.effectiveness.is_some())
}

fn pressure(level: Level, mode: Mode) -> f64 {
    match (level, mode) {
        (Level::High, Mode::Feature) => -0.15,
        (Level::High, Mode::Housekeeping) => -0.1,
        (Level::Low, Mode::Feature) => 0.05,
        (Level::Low | Level::Medium | Level::High, _) => 0.0,
    }
}
