//! Which ways to run can be asked for together.

use std::fmt;

use crate::returns::Score;

/// A way to run, as a flag of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// Everything that is left.
    Complete,
    /// Pass at 7.
    Lenient,
    /// Pass at 9.5, with completed phases improved up to it.
    Quality,
    /// Close what completed phases lack, one after another.
    Gaps,
    /// Do completed phases again from the start.
    Force,
    /// Talk about phases first.
    Discuss,
    /// See whether phases are described well enough.
    Map,
    /// Look at pages.
    Visual,
    /// One phase at a time.
    Sequential,
}

impl Flag {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Complete,
        Self::Lenient,
        Self::Quality,
        Self::Gaps,
        Self::Force,
        Self::Discuss,
        Self::Map,
        Self::Visual,
        Self::Sequential,
    ];

    /// The flag as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "--complete",
            Self::Lenient => "--lenient",
            Self::Quality => "--quality",
            Self::Gaps => "--gaps",
            Self::Force => "--force",
            Self::Discuss => "--discuss",
            Self::Map => "--map",
            Self::Visual => "--visual",
            Self::Sequential => "--sequential",
        }
    }
}

/// Two flags that contradict each other, why, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// One flag.
    pub one: Flag,
    /// The other.
    pub other: Flag,
    /// Why they do not go together.
    pub why: &'static str,
    /// What to do.
    pub hint: &'static str,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` and `{}` cannot be used together", self.one.name(), self.other.name())
    }
}

/// The pairs that contradict each other.
const CONFLICTS: [Conflict; 5] = [
    Conflict {
        one: Flag::Force,
        other: Flag::Quality,
        why: "one does a completed phase again from the start, the other improves what is there",
        hint: "use `--force N` to start over, or `--quality N` to raise the score of what exists",
    },
    Conflict {
        one: Flag::Force,
        other: Flag::Gaps,
        why: "one does a completed phase again from the start, the other closes single gaps in what is there",
        hint: "use `--force N` to start over, or `--gaps N` to close what is lacking",
    },
    Conflict {
        one: Flag::Force,
        other: Flag::Complete,
        why: "one is about phases that are complete, the other about phases that are not",
        hint: "run `--complete` first; then `--force N` for a phase that should be done again",
    },
    Conflict {
        one: Flag::Force,
        other: Flag::Map,
        why: "one does a phase again at once, the other asks about phases before they are done",
        hint: "run `autopilot map N` first, answer, then `--force N`",
    },
    Conflict {
        one: Flag::Gaps,
        other: Flag::Complete,
        why: "one is about phases that are complete, the other about phases that are not",
        hint: "run `--complete` first, then `--gaps` on what it completed",
    },
];

/// Why two flags do not go together, if they do not.
pub fn conflict(one: Flag, other: Flag) -> Option<Conflict> {
    CONFLICTS.into_iter().find(|conflict| {
        (conflict.one, conflict.other) == (one, other)
            || (conflict.one, conflict.other) == (other, one)
    })
}

/// The first conflict among flags.
pub fn first_conflict(flags: &[Flag]) -> Option<Conflict> {
    let both =
        |conflict: &Conflict| flags.contains(&conflict.one) && flags.contains(&conflict.other);
    CONFLICTS.into_iter().find(both)
}

/// The score that phases must reach. Where two flags ask for different ones, the stricter counts.
pub fn threshold(flags: &[Flag], usual: Score) -> Score {
    if flags.contains(&Flag::Quality) || flags.contains(&Flag::Gaps) {
        Score::from_tenths(95)
    } else if flags.contains(&Flag::Lenient) {
        Score::from_tenths(70)
    } else {
        usual
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c2_exactly_five_of_the_thirty_six_pairs_are_refused_in_either_order() {
        let mut refused = Vec::new();
        let mut pairs = 0;
        for (at, one) in Flag::ALL.into_iter().enumerate() {
            for other in Flag::ALL.into_iter().skip(at + 1) {
                pairs += 1;
                assert_eq!(conflict(one, other), conflict(other, one));
                assert_eq!(conflict(one, other), first_conflict(&[other, one]));
                refused.extend(conflict(one, other).map(|_| (one, other)));
            }
        }
        assert_eq!(pairs, 36);
        let expected = [
            (Flag::Complete, Flag::Gaps),
            (Flag::Complete, Flag::Force),
            (Flag::Quality, Flag::Force),
            (Flag::Gaps, Flag::Force),
            (Flag::Force, Flag::Map),
        ];
        assert_eq!(refused, expected);
    }

    /// Every set of flags that can be asked for.
    fn sets() -> impl Iterator<Item = Vec<Flag>> {
        (0..1_u32 << Flag::ALL.len()).map(|bits| {
            let is_in = |at: &usize| bits & (1 << at) != 0;
            (0..Flag::ALL.len()).filter(is_in).map(|at| Flag::ALL[at]).collect()
        })
    }

    #[test]
    fn c2_every_set_of_flags_is_refused_by_the_first_pair_in_it_or_taken() {
        for flags in sets() {
            let pairs = flags.iter().flat_map(|one| flags.iter().map(move |other| (*one, *other)));
            let has_pair = pairs.clone().any(|(one, other)| conflict(one, other).is_some());
            match first_conflict(&flags) {
                Some(found) => {
                    assert!(
                        flags.contains(&found.one) && flags.contains(&found.other),
                        "{flags:?}"
                    );
                    assert_eq!(conflict(found.one, found.other), Some(found));
                }
                None => assert!(!has_pair, "{flags:?}"),
            }
        }
    }

    #[test]
    fn c19_every_set_of_flags_has_one_threshold() {
        for usual in (0..=100).map(Score::from_tenths) {
            for flags in sets() {
                let has = |flag| flags.contains(&flag);
                let expected = match (has(Flag::Quality) || has(Flag::Gaps), has(Flag::Lenient)) {
                    (true, _) => Score::from_tenths(95),
                    (false, true) => Score::from_tenths(70),
                    (false, false) => usual,
                };
                assert_eq!(threshold(&flags, usual), expected, "{flags:?}");
            }
        }
    }

    #[test]
    fn c2_a_refusal_names_both_flags_and_what_to_do() {
        for conflict in CONFLICTS {
            let told = conflict.to_string();
            assert!(told.contains(conflict.one.name()) && told.contains(conflict.other.name()));
            assert!(conflict.hint.contains("--") && !conflict.why.is_empty());
        }
    }

    #[test]
    fn c19_thresholds_are_nine_seven_and_nine_and_a_half() {
        let usual = Score::from_tenths(90);
        let cases: [(&[Flag], u16); 5] = [
            (&[], 90),
            (&[Flag::Lenient], 70),
            (&[Flag::Quality], 95),
            (&[Flag::Gaps], 95),
            (&[Flag::Lenient, Flag::Quality], 95),
        ];
        for (flags, tenths) in cases {
            assert_eq!(threshold(flags, usual), Score::from_tenths(tenths), "{flags:?}");
        }
    }
}
