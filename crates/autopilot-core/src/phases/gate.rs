//! The gate at the end of a phase: one total function.

use crate::returns::{Recommendation, Score};

/// The score a phase must reach unless a person says otherwise.
pub const PASS_SCORE_DEFAULT: Score = Score::from_tenths(90);
/// Below this a phase is planned anew rather than improved.
pub const USABLE_SCORE_MIN: Score = Score::from_tenths(70);

/// What follows from a judge's word and a rater's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The phase is complete.
    Pass,
    /// It must be better.
    Remedy,
    /// It must be planned anew.
    Replan,
    /// It must be repaired.
    Repair,
    /// It is rejected, the run goes on without it.
    Rollback,
    /// It is rejected, and the run stops.
    Halt,
}

/// Weighs a judge's word and a score, the gravest first. No score counts as none reached.
pub fn gate(recommendation: Recommendation, score: Option<Score>, pass: Score) -> Gate {
    match (recommendation, score) {
        (Recommendation::Halt, _) => Gate::Halt,
        (Recommendation::Rollback, _) => Gate::Rollback,
        (Recommendation::Debug, _) => Gate::Repair,
        (Recommendation::Proceed, Some(score)) if score >= pass => Gate::Pass,
        (Recommendation::Proceed, Some(score)) if score >= USABLE_SCORE_MIN => Gate::Remedy,
        (Recommendation::Proceed, _) => Gate::Replan,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c19_every_word_score_and_threshold_has_one_consequence() {
        let scores = (0..=100).map(|tenths| Some(Score::from_tenths(tenths))).chain([None]);
        for score in scores {
            for pass in (0..=100).map(Score::from_tenths) {
                let given = |word| gate(word, score, pass);
                assert_eq!(given(Recommendation::Halt), Gate::Halt);
                assert_eq!(given(Recommendation::Rollback), Gate::Rollback);
                assert_eq!(given(Recommendation::Debug), Gate::Repair);
                let expected = match score.map(Score::tenths) {
                    Some(tenths) if tenths >= pass.tenths() => Gate::Pass,
                    Some(70..) => Gate::Remedy,
                    Some(_) | None => Gate::Replan,
                };
                assert_eq!(given(Recommendation::Proceed), expected, "{score:?} of {pass}");
            }
        }
    }

    #[test]
    fn e17_the_gravest_word_counts_and_the_bounds_are_inclusive() {
        let pass = PASS_SCORE_DEFAULT;
        let at = |tenths| Some(Score::from_tenths(tenths));
        let rows = [
            (Recommendation::Proceed, at(90), Gate::Pass),
            (Recommendation::Proceed, at(100), Gate::Pass),
            (Recommendation::Proceed, at(89), Gate::Remedy),
            (Recommendation::Proceed, at(70), Gate::Remedy),
            (Recommendation::Proceed, at(69), Gate::Replan),
            (Recommendation::Proceed, None, Gate::Replan),
            (Recommendation::Debug, at(100), Gate::Repair),
            (Recommendation::Rollback, at(100), Gate::Rollback),
            (Recommendation::Halt, at(100), Gate::Halt),
        ];
        for (word, score, expected) in rows {
            assert_eq!(gate(word, score, pass), expected, "{word:?} with {score:?}");
        }
        // A lenient run may pass below the usable score's usual successor.
        let lenient = Score::from_tenths(70);
        assert_eq!(gate(Recommendation::Proceed, at(70), lenient), Gate::Pass);
    }
}
