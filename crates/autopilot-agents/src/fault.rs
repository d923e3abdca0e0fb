//! Why an agent gave no return, as far as its stream tells.

use autopilot_core::{
    input::{Failure, FailureClass},
    time::Timestamp,
};

/// Longer details are cut: they go into the journal.
const DETAIL_CHARS_MAX: usize = 500;

/// When a usage limit is said to end. Whoever knows the time makes a point in time of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reset {
    /// At a point in time.
    At(Timestamp),
    /// After so many milliseconds.
    After(u64),
    /// When a clock next shows this time.
    Clock {
        /// The hour, from 0 to 23.
        hour: u8,
        /// The minute.
        minute: u8,
        /// Where the clock is, as in `Asia/Seoul`; the person's own where nothing is said.
        zone: Option<String>,
    },
}

/// What kind of fault it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultClass {
    /// The account cannot be used: not signed in, no permission, no credit.
    Auth,
    /// The model or the program is not there.
    Unavailable,
    /// A usage limit.
    Limit(Option<Reset>),
    /// The service cannot answer now, or the connection to it broke.
    Overloaded,
    /// The conversation outgrew the model.
    Context,
    /// The model refused.
    Refused,
    /// It ended without a return.
    Crashed,
    /// What it returned cannot be used.
    Malformed,
}

/// Why an agent gave no return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault it is.
    pub class: FaultClass,
    /// What was said about it.
    pub detail: String,
}

impl Fault {
    /// A fault with what was said about it, in one line.
    pub fn new(class: FaultClass, said: &str) -> Self {
        let words: Vec<&str> = said.split_whitespace().collect();
        let detail: String = words.join(" ").chars().take(DETAIL_CHARS_MAX).collect();
        Self { class, detail }
    }

    /// The failure that it is, once somebody has told when a limit ends.
    pub fn into_failure(self, ends: impl FnOnce(&Reset) -> Option<Timestamp>) -> Failure {
        let class = match &self.class {
            FaultClass::Auth => FailureClass::Auth,
            FaultClass::Unavailable => FailureClass::Unavailable,
            FaultClass::Limit(reset) => {
                FailureClass::Limit { until: reset.as_ref().and_then(ends) }
            }
            FaultClass::Overloaded => FailureClass::Overloaded,
            FaultClass::Context => FailureClass::Context,
            FaultClass::Refused => FailureClass::Refused,
            FaultClass::Crashed => FailureClass::Crashed,
            FaultClass::Malformed => FailureClass::Malformed,
        };
        Failure { class, detail: self.detail }
    }
}
