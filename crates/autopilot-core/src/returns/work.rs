//! What those return who look into a phase, plan it, do it and repair it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Investigation, Remark, Split, lines};

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
    /// What is wrong beyond this step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub issues_detected: Remark,
}

/// A planner's return. The plan itself is the file it wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planning {
    /// How many plan files were written.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub plans_created: Remark,
    /// In how many waves the tasks can be done.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub waves: Remark,
    /// How many tasks they hold.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub total_tasks: Remark,
    /// How hard the phase is: simple, medium or complex.
    #[serde(default)]
    #[schemars(with = "String")]
    pub complexity: Remark,
    /// What waits for what.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub dependencies: Remark,
    /// Concerns and deferred decisions.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub concerns: Remark,
    /// How the phase could be done in parts, where it is too much for one plan.
    #[serde(default)]
    pub split_details: Option<Split>,
    /// What is wrong beyond this step.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub issues_detected: Remark,
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
    /// Which plan, or which task of it.
    #[serde(default)]
    #[schemars(with = "String")]
    pub plan: Remark,
    /// What it is about: coverage, completeness, criteria, dependencies, scope.
    #[serde(default)]
    #[schemars(with = "String")]
    pub dimension: Remark,
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
    /// How many issues are blockers. They are counted again.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub blocker_count: Remark,
    /// How many issues are warnings. They are counted again.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub warning_count: Remark,
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
    /// Commits, where the agent made any of its own.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub commit_shas: Remark,
    /// What shows that the criteria are met.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub evidence: Remark,
    /// What compile, lint and test said. The engine runs them itself.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub gate_results: Remark,
    /// Departures from the plan.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub deviations: Remark,
    /// New files that nothing refers to, each with why nothing must.
    #[serde(default)]
    pub standalone: Vec<Standalone>,
    /// What is wrong beyond this task.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub issues_detected: Remark,
}

/// A new file that nothing refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standalone {
    /// Its path, below the project's root.
    pub file: String,
    /// Why nothing must refer to it.
    pub justification: String,
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
    /// Commits, where the agent made any of its own.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub commits: Remark,
    /// What is still broken.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub remaining_issues: Vec<String>,
    /// What kind of failure each thing was, as `{"failure", "category"}`.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub failure_categories: Remark,
    /// New files that nothing refers to, each with why nothing must.
    #[serde(default)]
    pub standalone: Vec<Standalone>,
    /// What is known by now, where it is a debug session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Investigation>,
    /// What is wrong beyond this repair.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub issues_detected: Remark,
}
