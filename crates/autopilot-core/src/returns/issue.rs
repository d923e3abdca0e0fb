//! What those return who work on an issue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Remark, lines};

/// A story-writer's return. The stories themselves are the file it wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoryWriting {
    /// The stories, by their titles.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub stories: Vec<String>,
    /// What only a person can decide.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub open_questions: Vec<String>,
}

/// An issue-planner's return. The plan and the tests are the files it wrote; criteria are read from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IssuePlanning {
    /// Where the plan is.
    #[serde(default)]
    #[schemars(with = "String")]
    pub plan_path: Remark,
    /// What must hold, as `{"id", "text"}`.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub criteria: Remark,
    /// The acceptance tests, in words.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub acceptance_tests: Remark,
    /// What only a person can decide.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub open_questions: Vec<String>,
}

/// An implementer's return. Whether it works is not asked here: the engine looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Implementation {
    /// The files that were changed.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub changed_files: Remark,
    /// What whoever goes on should know.
    #[serde(default)]
    #[schemars(with = "String")]
    pub notes: Remark,
}

/// A coverage-checker's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Whether every criterion has a test that would notice if it did not hold.
    #[serde(rename = "allCovered")]
    pub all_covered: bool,
    /// The criteria that have none.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub uncovered: Vec<String>,
}

/// A cause-analyst's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// Why it goes wrong.
    pub cause: String,
    /// What shows it, with file and line.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub evidence: Vec<String>,
    /// What kind of failure it is.
    #[serde(default)]
    #[schemars(with = "String")]
    pub classification: Remark,
    /// How often it fails, by the analyst's word. The engine counts for itself.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub failure_rate: Remark,
}
