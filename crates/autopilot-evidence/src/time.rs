//! Points in time and lengths of time, as data that comes in from outside.

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch, as some clock of some machine told them.
///
/// Times say when something was recorded. Order is the journal's sequence, never a comparison of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Takes milliseconds since the Unix epoch.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_ms(self) -> i64 {
        self.0
    }

    /// This point in time, so much earlier.
    pub const fn minus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_sub_unsigned(ms))
    }

    /// The time `ms` milliseconds later.
    pub const fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add_unsigned(ms))
    }

    /// Milliseconds from `earlier` to this, and 0 when the clock went backwards.
    pub fn ms_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// Milliseconds in a second.
pub const SECOND_MS: u64 = 1_000;
/// Milliseconds in a minute.
pub const MINUTE_MS: u64 = 60_000;
