//! What a phase is likely to cost, before anything is paid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::roadmap::Complexity;

/// Tokens of everything around the tasks: research, plan, checks, reviews.
const OVERHEAD_TOKENS: u64 = 50_000;
/// Tokens that a session needs for each phase beside the phase itself.
const SESSION_TOKENS_EACH: u64 = 10_000;
/// Tokens that fit into one session.
const SESSION_TOKENS_MAX: u64 = 180_000;
/// Fewer phases than this are not worth a word about the session.
const SESSION_PHASES_MIN: usize = 3;
/// An estimate above this share of the budget is worth a warning.
const WARN_ABOVE_PERCENT: u64 = 80;

/// What a phase changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PhaseType {
    /// What people see.
    Ui,
    /// Documents that agents follow.
    Protocol,
    /// Structured data.
    Data,
    /// Several of these, or none.
    Mixed,
}

impl PhaseType {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ui => "ui",
            Self::Protocol => "protocol",
            Self::Data => "data",
            Self::Mixed => "mixed",
        }
    }

    const fn tokens(self) -> u64 {
        match self {
            Self::Protocol => 150_000,
            Self::Ui => 250_000,
            Self::Data => 100_000,
            Self::Mixed => 200_000,
        }
    }
}

/// What something is likely to cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Tokens, with a fifth more for what goes wrong.
    pub tokens: u64,
    /// How much of the budget that is.
    pub percent: u64,
    /// Whether that is worth a warning.
    pub warn: bool,
}

impl Estimate {
    fn of(tokens: u64, budget: u64) -> Self {
        let percent = tokens.saturating_mul(100) / budget.max(1);
        let warn = u128::from(tokens) * 100 > u128::from(budget) * u128::from(WARN_ABOVE_PERCENT);
        Self { tokens, percent, warn }
    }
}

/// What a phase is likely to cost: by its tasks where there is a plan, else by what it changes.
pub fn estimate_phase(tasks: Option<&[Complexity]>, kind: PhaseType, budget: u64) -> Estimate {
    let expected = match tasks {
        Some(tasks) => OVERHEAD_TOKENS + tasks.iter().map(|task| tokens_of(*task)).sum::<u64>(),
        None => kind.tokens(),
    };
    Estimate::of(expected / 5 * 6, budget)
}

const fn tokens_of(task: Complexity) -> u64 {
    match task {
        Complexity::Simple => 15_000,
        Complexity::Medium => 30_000,
        Complexity::Complex => 60_000,
    }
}

/// Whether phases that are done again or improved fit into one session of an agent.
pub fn estimate_session(phases: &[Estimate]) -> Option<Estimate> {
    if phases.len() < SESSION_PHASES_MIN {
        return None;
    }
    let tokens = phases.iter().map(|phase| phase.tokens + SESSION_TOKENS_EACH).sum();
    Some(Estimate::of(tokens, SESSION_TOKENS_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c39_a_plan_is_estimated_by_its_tasks_and_a_fifth_more() {
        use Complexity::{Complex, Medium, Simple};
        let estimate = estimate_phase(Some(&[Simple, Medium, Complex]), PhaseType::Ui, 500_000);
        assert_eq!(estimate.tokens, (50_000 + 15_000 + 30_000 + 60_000) * 6 / 5);
        assert_eq!((estimate.percent, estimate.warn), (37, false));
        assert_eq!(estimate_phase(Some(&[]), PhaseType::Ui, 500_000).tokens, 60_000);
    }

    #[test]
    fn c39_without_a_plan_the_type_of_the_phase_decides() {
        let tokens = |kind| estimate_phase(None, kind, 500_000).tokens;
        let rows = [
            (PhaseType::Protocol, 180_000),
            (PhaseType::Ui, 300_000),
            (PhaseType::Data, 120_000),
            (PhaseType::Mixed, 240_000),
        ];
        for (kind, expected) in rows {
            assert_eq!(tokens(kind), expected, "{kind:?}");
        }
    }

    #[test]
    fn c39_more_than_four_fifths_of_the_budget_is_worth_a_warning() {
        let of = |budget| estimate_phase(None, PhaseType::Ui, budget).warn;
        assert!(!of(375_000));
        assert!(of(374_999));
        let phases = vec![estimate_phase(None, PhaseType::Data, 500_000); 3];
        let session = estimate_session(&phases).unwrap();
        assert_eq!((session.tokens, session.warn), (390_000, true));
        assert_eq!(estimate_session(&phases[..2]), None);
    }
}
