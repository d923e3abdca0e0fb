//! How often `state.json` is written.

use std::time::{Duration, Instant};

/// The shortest time between two writes.
const INTERVAL_MIN: Duration = Duration::from_secs(1);
/// The longest: whoever looks at a huge run wants to see that it goes on.
const INTERVAL_MAX: Duration = Duration::from_secs(300);
/// Of so many parts of the time, writing takes one at most: it must not slow down a run of any size.
const SHARE: u32 = 100;

/// When the file is due again.
#[derive(Debug, Default)]
pub(super) struct Pace {
    due_at: Option<Instant>,
}

impl Pace {
    /// Whether enough time has gone by.
    pub(super) fn is_due(&self) -> bool {
        self.due_at.is_none_or(|due_at| Instant::now() >= due_at)
    }

    /// A write that began then has ended.
    pub(super) fn wrote(&mut self, began: Instant) {
        self.due_at = Some(Instant::now() + interval(began.elapsed()));
    }
}

/// How long to wait after a write that took so long.
fn interval(took: Duration) -> Duration {
    took.saturating_mul(SHARE).clamp(INTERVAL_MIN, INTERVAL_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c36_the_dearer_a_write_the_rarer_it_is() {
        assert_eq!(interval(Duration::from_micros(50)), INTERVAL_MIN);
        assert_eq!(interval(Duration::from_millis(40)), Duration::from_secs(4));
        assert_eq!(interval(Duration::from_secs(60)), INTERVAL_MAX);
        let mut pace = Pace::default();
        assert!(pace.is_due());
        pace.wrote(Instant::now());
        assert!(!pace.is_due());
    }
}
