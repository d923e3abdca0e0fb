//! What each role must return, as types; the JSON schemas handed to agents are made from these.
//!
//! Only keys that a decision reads are typed strictly. The rest is told for people and taken as it comes:
//! an agent that words a remark differently has not failed.

mod audit;
mod issue;
mod others;
mod review;
mod score;
mod split;
#[cfg(test)]
mod tests;
mod work;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

pub use self::{
    audit::{
        Audit, AuditSum, AuditedPhase, FixComplexity, GapDetail, NoAudit, Requirement,
        RequirementStatus,
    },
    issue::{Cause, Coverage, Implementation, IssuePlanning, StoryWriting},
    others::{IntegrationCheck, Question, Questioning, Resolution},
    review::{
        Comparison, DivergenceAnalysis, Judgement, Rating, Recommendation, ScoreRow, Verification,
    },
    score::Score,
    split::{Split, SubPhase},
    work::{Debugging, Execution, PlanCheck, PlanIssue, Planning, Research, Severity, Standalone},
};
use crate::role::Role;

/// A remark for people, of any shape.
type Remark = Option<Value>;

/// Which time someone is asked about the same work. Only a judge is asked twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sitting {
    /// Blind.
    #[default]
    First,
    /// With what the verifier found.
    Second,
}

impl Sitting {
    /// The number in `AUTOPILOT_TURN`.
    pub const fn number(self) -> u32 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }
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
    /// From a judge who has seen what the verifier found.
    Comparison(Comparison),
    /// From a rater.
    Rating(Rating),
    /// From a debugger.
    Debugging(Debugging),
    /// From a questioner.
    Questioning(Questioning),
    /// From an auditor.
    Audit(Audit),
    /// From an integration-checker.
    IntegrationCheck(IntegrationCheck),
    /// From a conflict-resolver.
    Resolution(Resolution),
    /// From a story-writer.
    StoryWriting(StoryWriting),
    /// From an issue-planner.
    IssuePlanning(IssuePlanning),
    /// From an implementer.
    Implementation(Implementation),
    /// From a coverage-checker.
    Coverage(Coverage),
    /// From a cause-analyst.
    Cause(Cause),
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
            Self::Resolution(word) => word.resolved,
            Self::Research(_)
            | Self::Planning(_)
            | Self::PlanCheck(_)
            | Self::Verification(_)
            | Self::Judgement(_)
            | Self::Comparison(_)
            | Self::Rating(_)
            | Self::Questioning(_)
            | Self::Audit(_)
            | Self::IntegrationCheck(_)
            | Self::StoryWriting(_)
            | Self::IssuePlanning(_)
            | Self::Implementation(_)
            | Self::Coverage(_)
            | Self::Cause(_) => false,
        }
    }

    /// Reads the return of a role.
    pub fn read(role: Role, sitting: Sitting, value: Value) -> Result<Self, BadReturn> {
        let read = match (role, sitting) {
            (Role::Researcher, _) => serde_json::from_value(value).map(Self::Research),
            (Role::Planner, _) => serde_json::from_value(value).map(Self::Planning),
            (Role::PlanChecker, _) => serde_json::from_value(value).map(Self::PlanCheck),
            (Role::Executor, _) => serde_json::from_value(value).map(Self::Execution),
            (Role::Verifier, _) => serde_json::from_value(value).map(Self::Verification),
            (Role::Judge, Sitting::First) => serde_json::from_value(value).map(Self::Judgement),
            (Role::Judge, Sitting::Second) => serde_json::from_value(value).map(Self::Comparison),
            (Role::Rater, _) => serde_json::from_value(value).map(Self::Rating),
            (Role::Debugger, _) => serde_json::from_value(value).map(Self::Debugging),
            (Role::Questioner, _) => serde_json::from_value(value).map(Self::Questioning),
            (Role::Auditor, _) => serde_json::from_value(value).map(Self::Audit),
            (Role::IntegrationChecker, _) => {
                serde_json::from_value(value).map(Self::IntegrationCheck)
            }
            (Role::ConflictResolver, _) => serde_json::from_value(value).map(Self::Resolution),
            (Role::StoryWriter, _) => serde_json::from_value(value).map(Self::StoryWriting),
            (Role::IssuePlanner, _) => serde_json::from_value(value).map(Self::IssuePlanning),
            (Role::Implementer, _) => serde_json::from_value(value).map(Self::Implementation),
            (Role::CoverageChecker, _) => serde_json::from_value(value).map(Self::Coverage),
            (Role::CauseAnalyst, _) => serde_json::from_value(value).map(Self::Cause),
        };
        read.map_err(|error| BadReturn { role, why: error.to_string() })
    }

    /// The new files of which whoever worked says that nothing must refer to them.
    pub fn standalone(&self) -> &[Standalone] {
        match self {
            Self::Execution(word) => &word.standalone,
            Self::Debugging(word) => &word.standalone,
            Self::Research(_)
            | Self::Planning(_)
            | Self::PlanCheck(_)
            | Self::Verification(_)
            | Self::Judgement(_)
            | Self::Comparison(_)
            | Self::Rating(_)
            | Self::Questioning(_)
            | Self::Audit(_)
            | Self::IntegrationCheck(_)
            | Self::Resolution(_)
            | Self::StoryWriting(_)
            | Self::IssuePlanning(_)
            | Self::Implementation(_)
            | Self::Coverage(_)
            | Self::Cause(_) => &[],
        }
    }

    /// What it leaves to a person to decide.
    pub fn open_questions(&self) -> &[String] {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nobody else asks in a return")]
        match self {
            Self::StoryWriting(word) => &word.open_questions,
            Self::IssuePlanning(word) => &word.open_questions,
            _ => &[],
        }
    }

    /// Everything that it says in words, for whoever looks for words.
    pub fn words(&self) -> String {
        let mut words = String::new();
        if let Ok(value) = serde_json::to_value(self) {
            collect(&value, &mut words);
        }
        words
    }
}

/// Whether a return says that its agent came to the end of what it can remember, and what it says of that.
pub fn exhausted(value: &Value) -> Option<String> {
    let issues = ["issues", "issues_detected"].into_iter().filter_map(|key| value[key].as_array());
    let said = issues.flatten().filter_map(Value::as_str);
    said.map(str::trim).find(|text| text.starts_with("context_exhaustion")).map(str::to_owned)
}

/// The JSON schema of what a role must return.
pub fn schema(role: Role, sitting: Sitting) -> Value {
    let schema = match (role, sitting) {
        (Role::Researcher, _) => schemars::schema_for!(Research),
        (Role::Planner, _) => schemars::schema_for!(Planning),
        (Role::PlanChecker, _) => schemars::schema_for!(PlanCheck),
        (Role::Executor, _) => schemars::schema_for!(Execution),
        (Role::Verifier, _) => schemars::schema_for!(Verification),
        (Role::Judge, Sitting::First) => schemars::schema_for!(Judgement),
        (Role::Judge, Sitting::Second) => schemars::schema_for!(Comparison),
        (Role::Rater, _) => schemars::schema_for!(Rating),
        (Role::Debugger, _) => schemars::schema_for!(Debugging),
        (Role::Questioner, _) => schemars::schema_for!(Questioning),
        (Role::Auditor, _) => schemars::schema_for!(Audit),
        (Role::IntegrationChecker, _) => schemars::schema_for!(IntegrationCheck),
        (Role::ConflictResolver, _) => schemars::schema_for!(Resolution),
        (Role::StoryWriter, _) => schemars::schema_for!(StoryWriting),
        (Role::IssuePlanner, _) => schemars::schema_for!(IssuePlanning),
        (Role::Implementer, _) => schemars::schema_for!(Implementation),
        (Role::CoverageChecker, _) => schemars::schema_for!(Coverage),
        (Role::CauseAnalyst, _) => schemars::schema_for!(Cause),
    };
    schema.to_value()
}

/// Lines for people, however they are wrapped.
fn lines<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(told(Value::deserialize(deserializer)?))
}

/// The lines that a value tells.
pub(crate) fn told(value: Value) -> Vec<String> {
    let line = |value: Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Some(value.to_string())
        }
    };
    match value {
        Value::Array(values) => values.into_iter().filter_map(line).collect(),
        value @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Object(_)) => line(value).into_iter().collect(),
    }
}

fn collect(value: &Value, words: &mut String) {
    match value {
        Value::String(text) => {
            words.push_str(text);
            words.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, words)),
        Value::Object(values) => values.values().for_each(|value| collect(value, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
