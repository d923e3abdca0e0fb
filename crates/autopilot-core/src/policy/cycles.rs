//! How often work that passed its checks is improved, and when that ends.

use serde::{Deserialize, Serialize};

use crate::returns::Score;

/// A way to improve a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cycle {
    /// Up to the score that phases must reach.
    #[default]
    Standard,
    /// Up to 9.5, as long as it helps.
    Quality,
    /// One deficiency after another.
    Gaps,
}

/// What a way to improve aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The score.
    pub score: Score,
    /// How often it may be tried.
    pub tries_max: usize,
}

impl Cycle {
    /// What it aims at.
    pub const fn target(self, pass: Score) -> Target {
        match self {
            Self::Standard => Target { score: pass, tries_max: 2 },
            Self::Quality => Target { score: Score::from_tenths(95), tries_max: 3 },
            Self::Gaps => Target { score: Score::from_tenths(95), tries_max: 5 },
        }
    }

    /// The mark of a phase that did not get there.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Standard => "force_incomplete",
            Self::Quality => "quality_exhausted",
            Self::Gaps => "gaps_exhausted",
        }
    }

    /// Whether a phase that is complete with this score is left alone. `named` is one that a person asked for.
    pub fn skips(self, score: Score, named: bool) -> bool {
        match (self, named) {
            (Self::Standard, _) => true,
            (Self::Quality, _) | (Self::Gaps, false) => score >= Score::from_tenths(95),
            (Self::Gaps, true) => score >= Score::from_tenths(98),
        }
    }
}

/// Something that keeps the score down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deficiency {
    /// What is lacking, and where.
    pub what: String,
    /// The score of what it is about.
    pub score: Score,
}

/// What follows after a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// It is good enough.
    Reached,
    /// Try again, in gaps on this deficiency.
    Again(Option<Deficiency>),
    /// It does not get there; the phase is marked and stays complete.
    Exhausted,
}

/// The tries of one phase.
#[derive(Clone, Debug)]
pub struct Cycles {
    cycle: Cycle,
    target: Target,
    scores: Vec<Score>,
    open: Vec<Deficiency>,
}

impl Cycles {
    /// Begins with the score that the phase has, and with what keeps it down.
    pub fn begin(cycle: Cycle, pass: Score, score: Score, open: Vec<Deficiency>) -> Self {
        Self::towards(cycle, cycle.target(pass), score, open)
    }

    /// The same with a target of its own.
    pub fn towards(cycle: Cycle, target: Target, score: Score, mut open: Vec<Deficiency>) -> Self {
        // The furthest from the target first; those that are as far keep their order.
        open.sort_by_key(|deficiency| deficiency.score);
        Self { cycle, target, scores: vec![score], open }
    }

    /// How often it was tried.
    pub fn tries(&self) -> usize {
        self.scores.len().saturating_sub(1)
    }

    /// What is to be done next.
    pub fn next(&self) -> Next {
        let reached = self.scores.last().is_some_and(|score| *score >= self.target.score);
        if reached {
            return Next::Reached;
        }
        if self.tries() >= self.target.tries_max
            || (self.cycle == Cycle::Quality && !self.improved())
        {
            return Next::Exhausted;
        }
        match self.cycle {
            Cycle::Standard | Cycle::Quality => Next::Again(None),
            Cycle::Gaps => match self.open.first() {
                Some(deficiency) => Next::Again(Some(deficiency.clone())),
                None => Next::Exhausted,
            },
        }
    }

    /// Takes the score of a try. In gaps the deficiency it was about is not tried again, better or not.
    pub fn tried(&mut self, score: Score) {
        self.scores.push(score);
        if self.cycle == Cycle::Gaps && !self.open.is_empty() {
            self.open.remove(0);
        }
    }

    fn improved(&self) -> bool {
        match self.scores.as_slice() {
            [.., before, last] => last > before,
            [] | [_] => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASS: Score = Score::from_tenths(90);

    fn play(cycle: Cycle, scores: &[u16], open: &[(&str, u16)]) -> (Vec<Option<String>>, Next) {
        let score = |tenths: u16| Score::from_tenths(tenths);
        let open = open
            .iter()
            .map(|(what, tenths)| Deficiency { what: (*what).to_owned(), score: score(*tenths) });
        let mut cycles = Cycles::begin(cycle, PASS, score(scores[0]), open.collect());
        let mut tried = Vec::new();
        for tenths in &scores[1..] {
            match cycles.next() {
                Next::Again(deficiency) => tried.push(deficiency.map(|deficiency| deficiency.what)),
                Next::Reached | Next::Exhausted => break,
            }
            cycles.tried(score(*tenths));
        }
        (tried, cycles.next())
    }

    #[test]
    fn c20_two_remediations_then_the_phase_is_taken_as_it_is() {
        let (tried, end) = play(Cycle::Standard, &[81, 84, 86, 99], &[]);
        assert_eq!((tried.len(), end), (2, Next::Exhausted));
        let (tried, end) = play(Cycle::Standard, &[81, 81, 90], &[]);
        assert_eq!((tried.len(), end), (2, Next::Reached), "no improvement does not end it");
        assert_eq!(Cycle::Standard.mark(), "force_incomplete");
    }

    #[test]
    fn c21_quality_stops_when_it_does_not_help() {
        let (tried, end) = play(Cycle::Quality, &[91, 91, 99], &[]);
        assert_eq!((tried.len(), end), (1, Next::Exhausted));
        let (tried, end) = play(Cycle::Quality, &[91, 92, 93, 94, 99], &[]);
        assert_eq!((tried.len(), end), (3, Next::Exhausted));
        let (tried, end) = play(Cycle::Quality, &[95], &[]);
        assert_eq!((tried.len(), end), (0, Next::Reached));
    }

    #[test]
    fn c22_gaps_takes_one_deficiency_at_a_time_the_largest_first() {
        let open = [("a", 90), ("b", 70), ("c", 70), ("d", 85)];
        let (tried, end) = play(Cycle::Gaps, &[90, 90, 90, 90, 90, 90], &open);
        let tried: Vec<&str> = tried.iter().flatten().map(String::as_str).collect();
        assert_eq!((tried, end), (vec!["b", "c", "d", "a"], Next::Exhausted));
        let many: Vec<(&str, u16)> = vec![("x", 80); 9];
        let (tried, end) = play(Cycle::Gaps, &[90; 10], &many);
        assert_eq!((tried.len(), end), (5, Next::Exhausted));
        let (tried, end) = play(Cycle::Gaps, &[90, 95], &open);
        assert_eq!((tried.len(), end), (1, Next::Reached));
    }

    /// What the rules say of scores and deficiencies, told without a machine.
    fn expected(cycle: Cycle, pass: u16, scores: &[u16], open: usize) -> Next {
        let (target, tries_max) = match cycle {
            Cycle::Standard => (pass, 2),
            Cycle::Quality => (95, 3),
            Cycle::Gaps => (95, 5),
        };
        let tries = scores.len() - 1;
        let helped = tries == 0 || scores[tries] > scores[tries - 1];
        if scores[tries] >= target {
            Next::Reached
        } else if tries >= tries_max
            || (cycle == Cycle::Quality && !helped)
            || (cycle == Cycle::Gaps && tries >= open)
        {
            Next::Exhausted
        } else {
            let score = Score::from_tenths(60 + u16::try_from(tries).unwrap_or(0));
            let next = Deficiency { what: format!("d{tries}"), score };
            Next::Again((cycle == Cycle::Gaps).then_some(next))
        }
    }

    #[test]
    fn c20_c21_c22_every_cycle_threshold_and_row_of_scores_has_one_next_step() {
        const SCORES: [u16; 7] = [0, 70, 89, 90, 94, 95, 100];
        let rows = (1..=4_u32).flat_map(|length| {
            (0..SCORES.len().pow(length)).map(move |mut number| {
                let mut row = Vec::new();
                for _ in 0..length {
                    row.push(SCORES[number % SCORES.len()]);
                    number /= SCORES.len();
                }
                row
            })
        });
        for row in rows.chain([vec![80; 5], vec![80; 6], vec![80; 7]]) {
            for cycle in [Cycle::Standard, Cycle::Quality, Cycle::Gaps] {
                for (pass, open) in
                    [70, 90, 95].into_iter().flat_map(|pass| (0..7).map(move |open| (pass, open)))
                {
                    let lacks = (0..open).rev().map(|at| {
                        let score = Score::from_tenths(60 + u16::try_from(at).unwrap_or(0));
                        Deficiency { what: format!("d{at}"), score }
                    });
                    let score = |at: usize| Score::from_tenths(row[at]);
                    let pass_score = Score::from_tenths(pass);
                    let mut cycles = Cycles::begin(cycle, pass_score, score(0), lacks.collect());
                    (1..row.len()).for_each(|at| cycles.tried(score(at)));
                    let expected = expected(cycle, pass, &row, open);
                    assert_eq!(cycles.next(), expected, "{cycle:?} {pass} {row:?} {open}");
                }
            }
        }
    }

    #[test]
    fn c22_what_is_good_enough_already_is_left_alone() {
        let at = Score::from_tenths;
        assert!(Cycle::Gaps.skips(at(98), true) && !Cycle::Gaps.skips(at(97), true));
        assert!(Cycle::Gaps.skips(at(95), false) && !Cycle::Gaps.skips(at(94), false));
        assert!(Cycle::Quality.skips(at(95), true) && !Cycle::Quality.skips(at(94), true));
    }
}
