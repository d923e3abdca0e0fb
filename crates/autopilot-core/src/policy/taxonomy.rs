//! What kind of failure something is, for reports and for what the next phase is told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of failure.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FailureCategory {
    /// Something was left out.
    ExecutorIncomplete,
    /// It was done in a way that cannot work.
    ExecutorWrongApproach,
    /// It does not compile.
    CompilationFailure,
    /// A linter objects.
    LintFailure,
    /// It cannot be built.
    BuildFailure,
    /// A criterion does not hold.
    AcceptanceCriteriaUnmet,
    /// More was done than asked for.
    ScopeCreep,
    /// The agent ran out of room.
    ContextExhaustion,
    /// A tool failed.
    ToolFailure,
    /// Steps did not fit together.
    CoordinationFailure,
}

impl FailureCategory {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::ExecutorIncomplete,
        Self::ExecutorWrongApproach,
        Self::CompilationFailure,
        Self::LintFailure,
        Self::BuildFailure,
        Self::AcceptanceCriteriaUnmet,
        Self::ScopeCreep,
        Self::ContextExhaustion,
        Self::ToolFailure,
        Self::CoordinationFailure,
    ];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExecutorIncomplete => "executor_incomplete",
            Self::ExecutorWrongApproach => "executor_wrong_approach",
            Self::CompilationFailure => "compilation_failure",
            Self::LintFailure => "lint_failure",
            Self::BuildFailure => "build_failure",
            Self::AcceptanceCriteriaUnmet => "acceptance_criteria_unmet",
            Self::ScopeCreep => "scope_creep",
            Self::ContextExhaustion => "context_exhaustion",
            Self::ToolFailure => "tool_failure",
            Self::CoordinationFailure => "coordination_failure",
        }
    }

    /// The category of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }

    /// What to tell whoever comes next, so that it does not happen again.
    pub const fn prevention(self) -> &'static str {
        match self {
            Self::ExecutorIncomplete => {
                "Go through every action of the task and every criterion before you say that it is done."
            }
            Self::ExecutorWrongApproach => {
                "Read how the code around it works before you choose an approach, and prove it on one case first."
            }
            Self::CompilationFailure => {
                "Compile after each change, and before you say that the task is done."
            }
            Self::LintFailure => {
                "Run the linter on what you changed before you say that the task is done."
            }
            Self::BuildFailure => {
                "Run the whole build, not only the compiler, before you say that the task is done."
            }
            Self::AcceptanceCriteriaUnmet => {
                "Run each criterion's command yourself and look at what it prints, rather than at the code alone."
            }
            Self::ScopeCreep => {
                "Change only what the task names; put other ideas into the return as remarks."
            }
            Self::ContextExhaustion => {
                "Read only what the task needs, and split it when it needs too much."
            }
            Self::ToolFailure => {
                "See that a tool is there and works before you build on it, and say so when it does not."
            }
            Self::CoordinationFailure => {
                "Look at what earlier tasks left and use its names and formats as they are."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_has_one_name_that_is_the_same_in_files() {
        for category in FailureCategory::ALL {
            assert_eq!(FailureCategory::named(category.name()), Some(category));
            assert_eq!(serde_json::to_value(category).unwrap(), category.name());
            assert!(!category.prevention().is_empty());
        }
        assert_eq!(FailureCategory::named("other"), None);
    }
}
