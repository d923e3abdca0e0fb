//! Signs of life of what is under way, for whoever shows them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// What children have printed and used so far. All clones count together.
///
/// Facts come when a step has ended, which may take an hour. These numbers are for the eyes of people meanwhile;
/// nothing is decided by them, so they are neither ordered nor kept.
#[derive(Clone, Debug, Default)]
pub struct Pulse(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    output_bytes: AtomicU64,
    tokens: AtomicU64,
    micro_usd: AtomicU64,
}

/// What was counted up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// Bytes printed.
    pub output_bytes: u64,
    /// Tokens used, as the streams say.
    pub tokens: u64,
    /// Money used, in millionths of a US dollar, as the streams say.
    pub micro_usd: u64,
}

impl Pulse {
    /// What was counted up to now.
    pub fn beat(&self) -> Beat {
        let Counters { output_bytes, tokens, micro_usd } = &*self.0;
        Beat {
            output_bytes: output_bytes.load(Ordering::Relaxed),
            tokens: tokens.load(Ordering::Relaxed),
            micro_usd: micro_usd.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn printed(&self, bytes: u64) {
        self.0.output_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn used(&self, tokens: u64, micro_usd: u64) {
        self.0.tokens.fetch_add(tokens, Ordering::Relaxed);
        self.0.micro_usd.fetch_add(micro_usd, Ordering::Relaxed);
    }
}

impl Beat {
    /// What came after an earlier moment.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            output_bytes: self.output_bytes.wrapping_sub(earlier.output_bytes),
            tokens: self.tokens.wrapping_sub(earlier.tokens),
            micro_usd: self.micro_usd.wrapping_sub(earlier.micro_usd),
        }
    }
}
