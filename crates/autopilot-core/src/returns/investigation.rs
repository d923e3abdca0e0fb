//! What a debugger returns who works on a debug session: one round of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lines;

/// How a round of a debug session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoundEnd {
    /// There is more to do; `focus.next_action` says what.
    Investigating,
    /// The root cause is known, and nothing is changed yet.
    RootCauseFound,
    /// The root cause is known and repaired.
    DebugComplete,
    /// Only a person can go on; `question` says what they are asked.
    CheckpointReached,
    /// Nothing is left to try.
    InvestigationInconclusive,
}

/// What is being looked at, and what comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Focus {
    /// The theory.
    pub hypothesis: String,
    /// How it is tested.
    pub test: String,
    /// What each result would mean.
    pub expecting: String,
    /// What is done next. Whoever goes on begins with this.
    pub next_action: String,
}

/// What was noticed before anybody looked for the cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Symptoms {
    /// What should happen.
    pub expected: String,
    /// What happens.
    pub actual: String,
    /// What is printed.
    pub errors: String,
    /// How to see it.
    pub reproduction: String,
    /// Since when.
    pub started: String,
}

/// A theory that was wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Disproved {
    /// The theory.
    pub hypothesis: String,
    /// What disproved it.
    pub evidence: String,
}

/// Something that was found out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Observation {
    /// What was looked at.
    pub checked: String,
    /// What was seen.
    pub found: String,
    /// What follows.
    pub implication: String,
}

/// What is known of the cause and its repair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Solution {
    /// The cause.
    pub root_cause: String,
    /// What kind of failure it is.
    pub failure_category: String,
    /// What was changed.
    pub fix: String,
    /// How it was seen to help. The engine looks for itself.
    pub verification: String,
    /// What to do so that it does not happen again.
    pub prevention_rule: String,
    /// The files that were changed.
    #[serde(deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub files_changed: Vec<String>,
}

/// One round of a debug session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Investigation {
    /// How the round ended.
    pub status: RoundEnd,
    /// What is being looked at, and what comes next.
    #[serde(default)]
    pub focus: Focus,
    /// What was noticed, from whoever is the first to look; later ones are not read.
    #[serde(default)]
    pub symptoms: Symptoms,
    /// Theories that this round disproved.
    #[serde(default)]
    pub eliminated: Vec<Disproved>,
    /// What this round found out.
    #[serde(default)]
    pub evidence: Vec<Observation>,
    /// What is known of the cause and its repair by now.
    #[serde(default)]
    pub resolution: Solution,
    /// What only a person can say or do.
    #[serde(default)]
    pub question: String,
}
