//! Scores that are too much alike to be believed.

use serde::{Deserialize, Serialize};

use crate::returns::Score;

/// Scores that lie this close together, in tenths, count as alike.
const ALIKE_TENTHS: u16 = 2;

/// What follows from a row of scores that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stamp {
    /// Nothing.
    None,
    /// Three in a row: it is told.
    Warning,
    /// Five in a row: who judges next is told to look harder.
    Enhanced,
    /// Seven in a row: the phase is marked as suspect.
    Critical,
}

/// Looks at the scores of the phases that were completed one after another, the newest last.
pub fn stamp(scores: &[Score]) -> Stamp {
    match alike(scores) {
        0..3 => Stamp::None,
        3..5 => Stamp::Warning,
        5..7 => Stamp::Enhanced,
        7.. => Stamp::Critical,
    }
}

/// How many of the newest scores lie close together, all of them.
fn alike(scores: &[Score]) -> usize {
    let mut bounds: Option<(Score, Score)> = None;
    let mut count = 0;
    for score in scores.iter().rev() {
        let (low, high) =
            bounds.map_or((*score, *score), |(low, high)| (low.min(*score), high.max(*score)));
        if high.tenths() - low.tenths() > ALIKE_TENTHS {
            break;
        }
        bounds = Some((low, high));
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tenths: &[u16]) -> Stamp {
        stamp(&tenths.iter().map(|tenths| Score::from_tenths(*tenths)).collect::<Vec<_>>())
    }

    #[test]
    fn c26_three_five_and_seven_scores_within_two_tenths_are_doubted_more_and_more() {
        let rows: [(&[u16], Stamp); 9] = [
            (&[], Stamp::None),
            (&[90, 90], Stamp::None),
            (&[91, 90, 92], Stamp::Warning),
            (&[90, 91, 93], Stamp::None),
            (&[80, 92, 92, 92, 92], Stamp::Warning),
            (&[92, 92, 91, 92, 90], Stamp::Enhanced),
            (&[92, 92, 92, 92, 92, 92], Stamp::Enhanced),
            (&[92, 92, 92, 92, 92, 92, 92], Stamp::Critical),
            (&[92, 92, 92, 92, 92, 92, 92, 80], Stamp::None),
        ];
        for (scores, expected) in rows {
            assert_eq!(of(scores), expected, "{scores:?}");
        }
    }
}
