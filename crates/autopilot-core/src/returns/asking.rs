//! What a questioner returns: what a person should decide before the work starts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Remark;

/// A questioner's return. What it holds beside the phase depends on what was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What kind of thing the phase makes: `SEE`, `CALL`, `RUN`, `READ` or `ORGANIZE`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub domain: Remark,
    /// What the phase makes, in a sentence.
    #[serde(default)]
    #[schemars(with = "String")]
    pub domain_description: Remark,
    /// Where it could be made in more than one way.
    #[serde(default)]
    pub gray_areas: Vec<GrayArea>,
    /// The numbers of those answers that ask for something that belongs into another phase.
    #[serde(default)]
    pub out_of_scope: Vec<u32>,
    /// The numbers of those answers that name an example or a model to follow.
    #[serde(default)]
    pub specific: Vec<u32>,
}

/// One question to a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// Something that could be made in more than one way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GrayArea {
    /// Its name.
    pub area: String,
    /// What is open about it, in a sentence.
    #[serde(default)]
    #[schemars(with = "String")]
    pub description: Remark,
    /// What a person is asked about it.
    #[serde(default)]
    pub questions: Vec<AreaQuestion>,
}

/// A question with answers to choose from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AreaQuestion {
    /// What is asked.
    pub question: String,
    /// Two to four ways that are really different.
    #[serde(default)]
    pub options: Vec<String>,
    /// What it is about: `edge_case`, `preference`, `threshold`, `trade_off` or `scope`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub category: Remark,
}

impl Questioning {
    /// The score that the phase is said to have once everything is answered.
    pub fn estimate(&self) -> Option<f64> {
        self.estimated_score_after.as_ref().and_then(Value::as_f64)
    }
}
