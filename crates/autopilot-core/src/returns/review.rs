//! What those return who look at finished work: verifier, judge and rater.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Remark, lines};

/// A verifier's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// Whether every criterion holds.
    pub pass: bool,
    /// What does not hold.
    #[serde(default)]
    pub failures: Vec<Value>,
    /// What kind of failure each one is, as `{"failure", "category"}`.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub failure_categories: Remark,
    /// The commands that were run to find out.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub commands_run: Vec<String>,
    /// Each criterion with its result and its evidence, as `{"criterion", "status", "evidence": "file:line - what"}`.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub criteria_results: Remark,
    /// What compile, build and lint say.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub automated_checks: Remark,
    /// Criteria that a command decides, with what the command did.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub execution_results: Remark,
    /// What was built and nobody asked for.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub scope_creep: Remark,
    /// How long it took. The engine measures it.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub verification_duration_seconds: Remark,
    /// What pages look like, where they were looked at.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub visual_test_results: Remark,
    /// Whether what the plan leaves to a person was tried without one.
    #[serde(default)]
    pub autonomous_resolution_attempted: bool,
    /// How sure that made the verifier, from 1 to 10.
    #[serde(default)]
    pub autonomous_confidence: Option<f64>,
    /// Why a person must look all the same.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub deferral_evidence: Vec<String>,
    /// What is wrong beyond this phase.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub issues_detected: Remark,
}

/// What a judge says should happen to a phase, the gravest last.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Recommendation {
    /// Go on.
    Proceed,
    /// Repair it first.
    Debug,
    /// Throw it away.
    Rollback,
    /// Stop and ask a person.
    Halt,
}

impl Recommendation {
    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proceed => "proceed",
            Self::Debug => "debug",
            Self::Rollback => "rollback",
            Self::Halt => "halt",
        }
    }
}

/// A judge's first return, which is its report: nothing of what the verifier found is known yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// What should happen.
    pub recommendation: Recommendation,
    /// What the judge does not like; at least one thing.
    #[serde(deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub concerns: Vec<String>,
    /// What the judge found without help, as `file:line - what`.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub independent_evidence: Vec<String>,
    /// What was built and nobody asked for.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub scope_creep: Remark,
    /// What was asked for and is not there.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub missing_requirements: Remark,
    /// A sentence or two.
    #[serde(default)]
    #[schemars(with = "String")]
    pub notes: Remark,
}

/// A judge's second return: its report beside what the verifier found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Where the two agree, where they differ, what the verifier missed and what the judge missed.
    #[serde(default)]
    #[schemars(with = "DivergenceAnalysis")]
    pub divergence_analysis: Remark,
    /// Whether the judge agrees with the verifier on the whole.
    pub verifier_agreement: bool,
    /// What the verifier did not see; empty if nothing.
    #[serde(deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub verifier_missed: Vec<String>,
    /// What should happen, if that is graver now. What the report says is never taken back.
    #[serde(default)]
    pub recommendation: Option<Recommendation>,
    /// What the judge does not like beyond its report.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub concerns: Vec<String>,
    /// A sentence or two.
    #[serde(default)]
    #[schemars(with = "String")]
    pub notes: Remark,
}

/// The parts of a divergence analysis, as agents are asked for them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DivergenceAnalysis {
    /// Where both say the same, each with what the judge saw alone.
    #[serde(deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub agreed: Vec<String>,
    /// Where they do not.
    #[serde(deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub disagreed: Vec<String>,
    /// What the verifier did not see.
    #[serde(deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub verifier_missed: Vec<String>,
    /// What the judge did not see.
    #[serde(deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub judge_missed: Vec<String>,
}

/// Words of someone who found no difference.
const NO_DIFFERENCE: [&str; 6] =
    ["no divergence", "no difference", "none", "zero", "identical", "full agreement"];

impl Comparison {
    /// What the section says, line by line; nothing where there is no section.
    pub fn section(&self) -> Vec<String> {
        let Some(section) = &self.divergence_analysis else { return Vec::new() };
        match section {
            Value::Object(parts) => {
                let said = |(part, value): (&String, &Value)| {
                    let part = part.clone();
                    super::told(value.clone())
                        .into_iter()
                        .map(move |line| format!("{part}: {line}"))
                };
                parts.iter().flat_map(said).collect()
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => {
                let lines = super::told(section.clone()).into_iter();
                lines.filter(|line| !line.trim().is_empty()).collect()
            }
        }
    }

    /// Whether there is a section that says anything, were it only that there is nothing to say.
    pub fn has_section(&self) -> bool {
        matches!(&self.divergence_analysis, Some(Value::Object(parts)) if !parts.is_empty())
            || !self.section().is_empty()
    }

    /// Whether the section says that nothing differs.
    pub fn finds_no_difference(&self) -> bool {
        match &self.divergence_analysis {
            Some(section @ Value::Object(_)) => {
                let parts: DivergenceAnalysis =
                    serde_json::from_value(section.clone()).unwrap_or_default();
                parts.disagreed.is_empty()
                    && parts.verifier_missed.is_empty()
                    && parts.judge_missed.is_empty()
            }
            Some(_) => {
                let said = self.section().join(" ").to_lowercase();
                NO_DIFFERENCE.iter().any(|words| said.contains(words))
            }
            None => true,
        }
    }
}

/// One row of a rater's scorecard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRow {
    /// The criterion.
    pub criterion: String,
    /// Its score from 0 to 10.
    pub score: f64,
    /// The most there is to have.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub max_score: Remark,
    /// The command that was run.
    #[serde(default)]
    #[schemars(with = "String")]
    pub verification_command: Remark,
    /// The beginning of what it printed.
    #[serde(default)]
    #[schemars(with = "String")]
    pub command_output: Remark,
    /// What shows it: lines of files, as `src/lamp.rs:12`.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub evidence: Vec<String>,
    /// Why this score.
    #[serde(default)]
    pub justification: Option<String>,
    /// What the command did, as `{"command", "exit_code", "output"}`.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub execution_result: Remark,
}

/// A rater's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rating {
    /// The mean of the scorecard, by the weights of its criteria, rounded down to one decimal. The engine computes it again.
    pub alignment_score: f64,
    /// One row for each criterion.
    pub scorecard: Vec<ScoreRow>,
    /// Why it is what it is.
    #[serde(default)]
    #[schemars(with = "String")]
    pub aggregate_justification: Remark,
    /// What else the change does.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub side_effects: Remark,
    /// The commands that were run to find out.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub commands_run: Vec<String>,
    /// How much of it has tests.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub test_coverage: Remark,
    /// The band that the score lies in. The engine tells it from the score.
    #[serde(default)]
    #[schemars(with = "String")]
    pub score_band: Remark,
    /// Whether the score was given without a decimal point, which is odd.
    #[serde(skip)]
    pub is_whole: bool,
}
