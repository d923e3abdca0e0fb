//! What those return who look at a whole run, ask before it, or join what two phases left.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
