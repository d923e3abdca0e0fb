//! `TRIAGE.json`: whether a phase is done already.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a command's output is kept.
const OUTPUT_CHARS_MAX: usize = 200;

/// What became of the look at a phase before it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Triage {
    /// The phase.
    pub phase_id: String,
    /// When it was looked at.
    pub timestamp: String,
    /// Where the criteria came from.
    pub criteria_source: CriteriaSource,
    /// Each criterion and what its command showed.
    pub criteria_checked: Vec<CriterionScan>,
    /// How many could be run.
    pub total_criteria: usize,
    /// How many held.
    pub passed_criteria: usize,
    /// Which part of them held.
    pub pass_ratio: f64,
    /// What follows.
    pub routing_decision: Routing,
    /// Steps that fall away.
    pub skipped_steps: Vec<String>,
    /// Why, where that needs a word.
    #[serde(default)]
    pub note: Option<String>,
}

/// Where criteria come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CriteriaSource {
    /// A plan that was there.
    Plan,
    /// The roadmap.
    Roadmap,
    /// Nowhere.
    None,
}

/// One criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionScan {
    /// What it says.
    pub criterion: String,
    /// Its command.
    pub command: String,
    /// Whether it held.
    pub result: ScanResult,
    /// The beginning of what the command printed.
    #[serde(default)]
    pub output: String,
}

/// Whether a criterion held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScanResult {
    /// It did.
    Pass,
    /// It did not, or it proved nothing.
    Fail,
}

/// What follows from a look at a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// Everything is to be done.
    FullPipeline,
    /// It is done already, as it seems; that is all there is to see to.
    VerifyOnly,
}

impl Routing {
    /// More than four of five criteria must hold; without any that can be run, everything is to be done.
    pub const fn of(passed: usize, total: usize) -> Self {
        if total > 0 && passed * 100 > total * 80 { Self::VerifyOnly } else { Self::FullPipeline }
    }

    /// Steps that fall away.
    pub const fn skips(self) -> &'static [&'static str] {
        match self {
            Self::FullPipeline => &[],
            Self::VerifyOnly => &["research", "plan", "plan_check", "execute"],
        }
    }
}

impl Triage {
    /// Weighs what the criteria of a phase showed.
    pub fn of(
        phase_id: String,
        timestamp: String,
        criteria_source: CriteriaSource,
        mut criteria_checked: Vec<CriterionScan>,
    ) -> Self {
        for scan in &mut criteria_checked {
            scan.output = scan.output.chars().take(OUTPUT_CHARS_MAX).collect();
        }
        let total_criteria = criteria_checked.len();
        let passed = criteria_checked.iter().filter(|scan| scan.result == ScanResult::Pass).count();
        let routing_decision = Routing::of(passed, total_criteria);
        #[expect(clippy::cast_precision_loss, reason = "no phase has that many criteria")]
        let pass_ratio =
            if total_criteria == 0 { 0.0 } else { passed as f64 / total_criteria as f64 };
        let none = "no criterion has a command, so nothing can be seen before the work";
        Self {
            phase_id,
            timestamp,
            criteria_source: if total_criteria == 0 {
                CriteriaSource::None
            } else {
                criteria_source
            },
            criteria_checked,
            total_criteria,
            passed_criteria: passed,
            pass_ratio,
            routing_decision,
            skipped_steps: routing_decision.skips().iter().map(ToString::to_string).collect(),
            note: (total_criteria == 0).then(|| none.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c7_triage_routes_above_080() {
        assert_eq!(Routing::of(4, 5), Routing::FullPipeline, "0.80 is not above 0.80");
        assert_eq!(Routing::of(5, 5), Routing::VerifyOnly);
        assert_eq!(Routing::of(9, 11), Routing::VerifyOnly);
        assert_eq!(Routing::of(8, 10), Routing::FullPipeline);
        assert_eq!(Routing::of(0, 0), Routing::FullPipeline, "nothing proves nothing");
    }

    #[test]
    fn c7_what_was_seen_is_told_in_short() {
        let scan = CriterionScan {
            criterion: "it runs".to_owned(),
            command: "sh test.sh".to_owned(),
            result: ScanResult::Pass,
            output: "é".repeat(300),
        };
        let triage =
            Triage::of("3".to_owned(), "T".to_owned(), CriteriaSource::Roadmap, vec![scan]);
        assert_eq!(triage.criteria_checked[0].output.chars().count(), 200);
        assert_eq!(triage.skipped_steps, ["research", "plan", "plan_check", "execute"]);
        let nothing =
            Triage::of("3".to_owned(), "T".to_owned(), CriteriaSource::Roadmap, Vec::new());
        assert_eq!(nothing.criteria_source, CriteriaSource::None);
        assert!(nothing.note.is_some() && nothing.skipped_steps.is_empty());
    }
}
