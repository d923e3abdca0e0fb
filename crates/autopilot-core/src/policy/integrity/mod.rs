//! Whether what a phase came to fits together: sixteen checks, each by its number.
//!
//! Start at [`check_at`]. Each check is asked when what it is about is there: a return that is refused is asked for again,
//! once for each check and twice for each step at most; then the step has failed by the name of the check.

mod checks;
mod record;
#[cfg(test)]
mod tests;

pub use checks::{CHECKS, IntegrityCheck, check, check_at};
pub use record::{CheckWord, Claim, Justification, PhaseRecordSeen, Review, StepSeen};

/// How often a step is done again because of one check.
pub const AGAIN_EACH: u32 = 1;
/// How often a step is done again because of all checks.
pub const AGAIN_ALL: u32 = 2;

/// When a check is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A verifier has returned.
    Verified,
    /// A judge has returned its report.
    Reported,
    /// A judge has put its report beside what the verifier found.
    Compared,
    /// A rater has returned.
    Rated,
    /// Nobody objects, and the phase would be complete.
    Closing,
}

/// What follows from a check that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Consequence {
    /// It is written down.
    Note,
    /// It is told.
    Warn,
    /// It is asked for again once, and told if it is the same again.
    Once,
    /// Something is made up for: the diagnosis is written, the phase improved.
    Act,
    /// The return does not count.
    Reject,
}

/// A check that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Its number.
    pub number: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What follows.
    pub consequence: Consequence,
    /// What is wrong.
    pub what: &'static str,
}

/// Whether a step may be done once more because of a check.
pub const fn may_try_again(for_this_check: u32, for_all_checks: u32) -> bool {
    for_this_check < AGAIN_EACH && for_all_checks < AGAIN_ALL
}
