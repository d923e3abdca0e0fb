//! When a person is asked to look, and how that changes with what they say.

use serde::{Deserialize, Serialize};

/// Half a point, in tenths.
const STEP_TENTHS: u16 = 5;
const MIN_TENTHS: u16 = 30;
const MAX_TENTHS: u16 = 80;
/// Fewer verdicts say nothing.
const VERDICTS_MIN: usize = 3;

/// How sure a verifier must be to do without a person, in tenths of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeferralThreshold(u16);

impl Default for DeferralThreshold {
    fn default() -> Self {
        Self(60)
    }
}

/// What a person said about a phase that waited for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanVerdict {
    /// It is good.
    Pass,
    /// It is not.
    Fail,
    /// It is, but for some things.
    IssuesFound,
}

impl DeferralThreshold {
    /// A threshold of `tenths` tenths, as near as it may be.
    pub fn from_tenths(tenths: u16) -> Self {
        Self(tenths.clamp(MIN_TENTHS, MAX_TENTHS))
    }

    /// The threshold in tenths.
    pub const fn tenths(self) -> u16 {
        self.0
    }

    /// The threshold in points, for files.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// The threshold of the next run: people who nearly always agree are asked less, others more.
    #[must_use]
    pub fn adjusted(self, verdicts: &[HumanVerdict]) -> Self {
        if verdicts.len() < VERDICTS_MIN {
            return self;
        }
        let passed = verdicts.iter().filter(|verdict| **verdict == HumanVerdict::Pass).count();
        // Whole numbers: four of five are exactly 80 percent, and not more.
        if passed * 100 > verdicts.len() * 80 {
            Self::from_tenths(self.0.saturating_sub(STEP_TENTHS))
        } else if passed * 100 < verdicts.len() * 70 {
            Self::from_tenths(self.0 + STEP_TENTHS)
        } else {
            self
        }
    }
}

/// What becomes of a task that only a person can confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deferral {
    /// The verifier is sure enough.
    Resolved,
    /// A person must look.
    Needed,
    /// Nobody tried, or nobody says why not: the return is no good.
    Unfounded,
}

/// Weighs a verifier's word about such a task. `confidence` is from 1 to 10.
pub fn deferral(
    attempted: bool,
    confidence: Option<f64>,
    has_evidence: bool,
    threshold: DeferralThreshold,
) -> Deferral {
    let sure = confidence.is_some_and(|confidence| confidence * 10.0 >= f64::from(threshold.0));
    match (attempted, sure, has_evidence) {
        (true, true, _) => Deferral::Resolved,
        (true, false, true) => Deferral::Needed,
        (true, false, false) | (false, _, _) => Deferral::Unfounded,
    }
}

/// Above which share of phases that wait for a person the run may be avoiding its work.
pub const DEFER_RATE_MAX: f64 = 0.05;

/// Whether so many phases wait for a person that the run may be avoiding its work.
pub fn defers_too_often(deferred: u32, processed: u32) -> bool {
    processed >= 2 && u64::from(deferred) * 100 > u64::from(processed) * 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c28_confidence_of_six_resolves_and_less_needs_evidence() {
        let at = |confidence, evidence| {
            deferral(true, Some(confidence), evidence, DeferralThreshold::default())
        };
        assert_eq!(at(6.0, false), Deferral::Resolved);
        assert_eq!(at(5.9, true), Deferral::Needed);
        assert_eq!(at(5.9, false), Deferral::Unfounded);
        for evidence in [true, false] {
            let untried = deferral(false, Some(9.0), evidence, DeferralThreshold::default());
            assert_eq!(untried, Deferral::Unfounded);
        }
    }

    #[test]
    fn c28_the_threshold_follows_what_people_say_within_its_bounds() {
        use HumanVerdict::{Fail, IssuesFound, Pass};
        let after =
            |verdicts: &[HumanVerdict]| DeferralThreshold::default().adjusted(verdicts).tenths();
        assert_eq!(after(&[Pass, Pass]), 60, "two verdicts say nothing");
        assert_eq!(after(&[Pass, Pass, Pass]), 55);
        assert_eq!(after(&[Pass, Pass, Pass, Pass, Fail]), 60, "80 percent is not more than 80");
        assert_eq!(after(&[Pass, Pass, IssuesFound]), 65);
        let tens = [Pass, Pass, Pass, Pass, Pass, Pass, Pass, Fail, Fail, Fail];
        assert_eq!(after(&tens), 60, "70 percent is not less than 70");
        assert_eq!(DeferralThreshold::from_tenths(30).adjusted(&[Pass; 3]).tenths(), 30);
        assert_eq!(DeferralThreshold::from_tenths(80).adjusted(&[Fail; 3]).tenths(), 80);
    }

    #[test]
    fn c28_more_than_one_of_twenty_phases_that_wait_is_worth_a_warning() {
        assert!(!defers_too_often(1, 1), "one phase says nothing");
        assert!(defers_too_often(1, 2));
        assert!(!defers_too_often(1, 20));
        assert!(defers_too_often(2, 39));
    }
}
