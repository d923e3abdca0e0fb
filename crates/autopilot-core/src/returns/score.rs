//! Scores, and the bands that they fall into.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A score in tenths of a point, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Score(u16);

impl Score {
    /// A score of `tenths` tenths.
    pub const fn from_tenths(tenths: u16) -> Self {
        Self(tenths)
    }

    /// The score in tenths.
    pub const fn tenths(self) -> u16 {
        self.0
    }

    /// The score as a number, for files.
    pub fn as_number(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// A number rounded down to one decimal; what is outside 0 to 10 is no score.
    pub fn floor(number: f64) -> Option<Self> {
        // The millionth absorbs what binary fractions lose: 9.3 must not become 9.2.
        let tenths = (number * 10.0 + 1e-6).floor();
        if !(0.0..=100.0).contains(&tenths) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range was checked above"
        )]
        Some(Self(tenths as u16))
    }

    /// The mean of scores by their weights, rounded down to one decimal. No scores, no mean.
    pub fn weighted(rows: impl Iterator<Item = (f64, u32)>) -> Option<Self> {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (score, weight) in rows {
            let weight = f64::from(weight);
            sum += score * weight;
            weights += weight;
        }
        if weights > 0.0 { Self::floor(sum / weights) } else { None }
    }

    /// The name of the band that the score lies in.
    pub const fn band(self) -> &'static str {
        match self.0 {
            95.. => "excellence",
            80..=94 => "good",
            70..=79 => "acceptable",
            50..=69 => "significant_gaps",
            30..=49 => "major_failures",
            0..=29 => "not_implemented",
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c18_every_score_lies_in_one_band() {
        let bands = [
            ("not_implemented", 0..=29),
            ("major_failures", 30..=49),
            ("significant_gaps", 50..=69),
            ("acceptable", 70..=79),
            ("good", 80..=94),
            ("excellence", 95..=100),
        ];
        for (name, tenths) in bands {
            for tenths in tenths {
                assert_eq!(Score::from_tenths(tenths).band(), name, "{tenths}");
            }
        }
    }
}
