//! What those return who look at a whole run, ask before it, or join what two phases left.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Remark, lines};

/// A questioner's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Questioning {
    /// The phase that the questions are about.
    #[serde(default)]
    #[schemars(with = "String")]
    pub phase_id: Remark,
    /// How well it is described, from 0 to 10.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub current_score: Remark,
    /// What a person should decide.
    pub questions: Vec<Question>,
    /// How well it will be described once they have.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub estimated_score_after: Remark,
}

/// One question to a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// What is asked.
    pub question: String,
    /// What it is about: `build_config`, `architecture`, `requirements`, `criteria`, `dependencies` or `domain`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub category: Remark,
    /// What is missing without an answer.
    #[serde(default)]
    #[schemars(with = "String")]
    pub why_needed: Remark,
}

/// An auditor's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// The phases, each with what was asked of it.
    pub audit_results: Vec<AuditedPhase>,
    /// The numbers of it. They are counted again.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub aggregate: Remark,
}

/// What an auditor found of one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditedPhase {
    /// The phase.
    pub phase_id: String,
    /// What was asked of it.
    pub requirements_checked: Vec<AuditedRequirement>,
}

/// What an auditor found of one requirement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditedRequirement {
    /// Its id.
    pub requirement_id: String,
    /// What it asks for.
    #[serde(default)]
    #[schemars(with = "String")]
    pub expected: Remark,
    /// What is there.
    #[serde(default)]
    #[schemars(with = "String")]
    pub actual_found: Remark,
    /// Where that can be seen, as `file:line - what`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub file_line_evidence: Remark,
    /// Whether that is what it asks for.
    pub status: AuditStatus,
    /// What is missing.
    #[serde(default)]
    pub gap_description: Option<String>,
    /// How much work it is to close the gap.
    #[serde(default)]
    pub fix_complexity: Option<FixComplexity>,
    /// How it could be closed.
    #[serde(default)]
    #[schemars(with = "String")]
    pub suggested_fix: Remark,
}

/// Whether a requirement is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditStatus {
    /// It is.
    Pass,
    /// It is not.
    Gap,
}

/// How much work it is to close a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FixComplexity {
    /// One file and less than twenty lines.
    Small,
    /// More.
    Large,
}

/// An integration-checker's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntegrationCheck {
    /// Whether finished phases work together.
    pub pass: bool,
    /// Where they do not.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub issues: Vec<String>,
}

/// A conflict-resolver's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    /// Whether nothing of the conflict is left. The engine looks for itself.
    pub resolved: bool,
    /// The files that were changed.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub files: Vec<String>,
    /// How it was decided.
    #[serde(default)]
    #[schemars(with = "String")]
    pub notes: Remark,
}
