//! What each role must return, as types; the JSON schemas handed to agents are made from these.
//!
//! Only keys that a decision reads are typed strictly. The rest is told for people and taken as it comes:
//! an agent that words a remark differently has not failed.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::role::Role;

/// A remark for people, of any shape.
type Remark = Option<Value>;

/// Lines for people, however they are wrapped.
fn lines<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let line = |value: Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Some(value.to_string())
        }
    };
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(values) => values.into_iter().filter_map(line).collect(),
        value @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Object(_)) => line(value).into_iter().collect(),
    })
}

/// A researcher's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Research {
    /// What was found.
    pub key_findings: Vec<String>,
    /// The way to go, in a sentence or two.
    pub recommended_approach: String,
    /// What may go wrong.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub risks: Remark,
    /// What could not be found out.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub open_questions: Remark,
}

/// A planner's return. The plan itself is the file it wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planning {
    /// How many plan files were written.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub plans_created: Remark,
    /// How many tasks they hold.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub total_tasks: Remark,
    /// Concerns and deferred decisions.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub concerns: Remark,
}

/// How bad an issue of a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The plan cannot be carried out like this.
    Blocker,
    /// It should be better.
    Warning,
    /// Worth knowing.
    Info,
}

/// One thing that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanIssue {
    /// What is wrong.
    pub description: String,
    /// How bad it is.
    pub severity: Severity,
    /// How it could be mended.
    #[serde(default)]
    pub fix_hint: Option<String>,
}

/// A plan-checker's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanCheck {
    /// Whether the plan can be carried out.
    pub pass: bool,
    /// What is wrong with it.
    #[serde(default)]
    pub issues: Vec<PlanIssue>,
    /// How sure the checker is, from 1 to 10.
    pub confidence: f64,
}

/// An executor's return for one task. Whether the task is done is not asked here: the engine looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// Tasks done of tasks given, as "N/M".
    pub tasks_completed: String,
    /// Tasks not done of tasks given, as "N/M".
    #[serde(default)]
    #[schemars(with = "String")]
    pub tasks_failed: Remark,
    /// What shows that the criteria are met.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub evidence: Remark,
    /// Departures from the plan.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub deviations: Remark,
}

/// A verifier's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// Whether every criterion holds.
    pub pass: bool,
    /// What does not hold.
    #[serde(default)]
    pub failures: Vec<Value>,
    /// The commands that were run to find out.
    #[serde(default)]
    pub commands_run: Vec<String>,
    /// Each criterion with its result.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub criteria_results: Remark,
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
}

/// What a judge says should happen to a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// A judge's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// What should happen.
    pub recommendation: Recommendation,
    /// What the judge does not like; at least one thing.
    pub concerns: Vec<String>,
    /// What the judge found without help.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub independent_evidence: Remark,
    /// A sentence or two.
    #[serde(default)]
    #[schemars(with = "String")]
    pub notes: Remark,
}

/// One row of a rater's scorecard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRow {
    /// The criterion.
    pub criterion: String,
    /// Its score from 0 to 10.
    pub score: f64,
    /// What shows it: lines of files, as `src/lamp.rs:12`.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub evidence: Vec<String>,
    /// Why this score.
    #[serde(default)]
    pub justification: Option<String>,
}

/// A rater's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rating {
    /// The mean of the scorecard, by the weights of its criteria, rounded down to one decimal. The engine computes it again.
    pub alignment_score: f64,
    /// One row for each criterion.
    pub scorecard: Vec<ScoreRow>,
    /// The commands that were run to find out.
    #[serde(default)]
    pub commands_run: Vec<String>,
}

/// A debugger's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Debugging {
    /// Whether the debugger thinks it is repaired. The engine looks for itself.
    pub fixed: bool,
    /// What was changed.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub changes: Remark,
    /// What is still broken.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub remaining_issues: Remark,
}

/// The return of a role that nothing of the machine asks for yet but that agents may be given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Remarks {
    /// Whether all is well.
    pub pass: bool,
    /// What is not.
    #[serde(default)]
    pub issues: Vec<Value>,
}

/// The return of one role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Return {
    /// From a researcher.
    Research(Research),
    /// From a planner.
    Planning(Planning),
    /// From a plan-checker.
    PlanCheck(PlanCheck),
    /// From an executor.
    Execution(Execution),
    /// From a verifier.
    Verification(Verification),
    /// From a judge.
    Judgement(Judgement),
    /// From a rater.
    Rating(Rating),
    /// From a debugger.
    Debugging(Debugging),
    /// From the other roles.
    Remarks(Remarks),
}

/// Why a return cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub struct BadReturn {
    role: Role,
    why: String,
}

impl fmt::Display for BadReturn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {}'s return does not fit its schema: {}", self.role, self.why)
    }
}

impl std::error::Error for BadReturn {}

impl Return {
    /// Whether whoever worked says that everything asked for is done.
    pub fn says_done(&self) -> bool {
        match self {
            Self::Execution(word) => {
                let counts = word.tasks_completed.split_once('/');
                counts.is_some_and(|(done, of)| done.trim() == of.trim() && done.trim() != "0")
            }
            Self::Debugging(word) => word.fixed,
            Self::Research(_)
            | Self::Planning(_)
            | Self::PlanCheck(_)
            | Self::Verification(_)
            | Self::Judgement(_)
            | Self::Rating(_)
            | Self::Remarks(_) => false,
        }
    }

    /// Reads the return of a role.
    pub fn read(role: Role, value: Value) -> Result<Self, BadReturn> {
        let read = match role {
            Role::Researcher => serde_json::from_value(value).map(Self::Research),
            Role::Planner => serde_json::from_value(value).map(Self::Planning),
            Role::PlanChecker => serde_json::from_value(value).map(Self::PlanCheck),
            Role::Executor => serde_json::from_value(value).map(Self::Execution),
            Role::Verifier => serde_json::from_value(value).map(Self::Verification),
            Role::Judge => serde_json::from_value(value).map(Self::Judgement),
            Role::Rater => serde_json::from_value(value).map(Self::Rating),
            Role::Debugger => serde_json::from_value(value).map(Self::Debugging),
            Role::Questioner
            | Role::Auditor
            | Role::IntegrationChecker
            | Role::ConflictResolver => serde_json::from_value(value).map(Self::Remarks),
        };
        read.map_err(|error| BadReturn { role, why: error.to_string() })
    }
}

/// The JSON schema of what a role must return.
pub fn schema(role: Role) -> Value {
    let schema = match role {
        Role::Researcher => schemars::schema_for!(Research),
        Role::Planner => schemars::schema_for!(Planning),
        Role::PlanChecker => schemars::schema_for!(PlanCheck),
        Role::Executor => schemars::schema_for!(Execution),
        Role::Verifier => schemars::schema_for!(Verification),
        Role::Judge => schemars::schema_for!(Judgement),
        Role::Rater => schemars::schema_for!(Rating),
        Role::Debugger => schemars::schema_for!(Debugging),
        Role::Questioner | Role::Auditor | Role::IntegrationChecker | Role::ConflictResolver => {
            schemars::schema_for!(Remarks)
        }
    };
    schema.to_value()
}

/// A score in tenths of a point, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Score(u16);

impl Score {
    /// A score of `tenths` tenths.
    pub const fn from_tenths(tenths: u16) -> Self {
        Self(tenths)
    }

    /// The score in tenths.
    pub const fn tenths(self) -> u16 {
        self.0
    }

    /// The score as a number, for files.
    pub fn as_number(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// A number rounded down to one decimal; what is outside 0 to 10 is no score.
    pub fn floor(number: f64) -> Option<Self> {
        // The millionth absorbs what binary fractions lose: 9.3 must not become 9.2.
        let tenths = (number * 10.0 + 1e-6).floor();
        if !(0.0..=100.0).contains(&tenths) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range was checked above"
        )]
        Some(Self(tenths as u16))
    }

    /// The mean of scores by their weights, rounded down to one decimal. No scores, no mean.
    pub fn weighted(rows: impl Iterator<Item = (f64, u32)>) -> Option<Self> {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (score, weight) in rows {
            let weight = f64::from(weight);
            sum += score * weight;
            weights += weight;
        }
        if weights > 0.0 { Self::floor(sum / weights) } else { None }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}
