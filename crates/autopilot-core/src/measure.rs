//! How far the word of those who judge can be trusted: measured, not believed.

use std::{collections::BTreeMap, ops::AddAssign};

use serde::{Deserialize, Serialize};

use crate::role::Role;

/// With fewer seeded defects than this nobody loses a vote: it may have been bad luck.
pub const SEEDS_MIN: u32 = 4;

/// How those who judge are measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Before every so many reviews of a role it is given a seeded defect; 0: never.
    pub every: u32,
    /// Of a hundred seeded defects so many must be seen to keep a vote.
    pub catch_percent_min: u32,
    /// What the agents of the roles have shown in earlier runs.
    pub before: BTreeMap<Role, Tally>,
}

impl Default for Measure {
    fn default() -> Self {
        Self { every: 8, catch_percent_min: 50, before: BTreeMap::new() }
    }
}

/// What someone who judges has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// How often they judged.
    pub reviews: u32,
    /// How many seeded defects they were given.
    pub seeded: u32,
    /// How many of these they saw.
    pub caught: u32,
}

impl Tally {
    /// Whether their approval counts.
    pub const fn has_vote(self, catch_percent_min: u32) -> bool {
        self.seeded < SEEDS_MIN
            || self.caught as u64 * 100 >= self.seeded as u64 * catch_percent_min as u64
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.reviews = self.reviews.saturating_add(other.reviews);
        self.seeded = self.seeded.saturating_add(other.seeded);
        self.caught = self.caught.saturating_add(other.caught);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vote_is_lost_below_the_floor_and_not_by_bad_luck() {
        let tally = |seeded, caught| Tally { reviews: 0, seeded, caught };
        for (seeded, caught, expected) in
            [(0, 0, true), (3, 0, true), (4, 1, false), (4, 2, true), (9, 4, false), (10, 5, true)]
        {
            assert_eq!(tally(seeded, caught).has_vote(50), expected, "{caught} of {seeded}");
        }
        assert!(tally(9, 0).has_vote(0), "without a floor nobody loses it");
    }
}
