//! Who does what: the roles an agent can be given.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an agent is asked to be for one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Asks what a person must decide before the work starts.
    Questioner,
    /// Looks into the project before a plan is made.
    Researcher,
    /// Writes the plan of a phase.
    Planner,
    /// Looks for holes in a plan.
    PlanChecker,
    /// Does one task.
    Executor,
    /// Checks the finished phase without having seen how it was made.
    Verifier,
    /// Gives a second, independent opinion.
    Judge,
    /// Scores the result against the criteria.
    Rater,
    /// Repairs what a check found broken.
    Debugger,
    /// Looks over the whole finished run.
    Auditor,
    /// Checks that finished phases work together.
    IntegrationChecker,
    /// Resolves a conflict between two finished phases.
    ConflictResolver,
    /// Writes what users want from an issue.
    StoryWriter,
    /// Writes how an issue is done and what shows that it is.
    IssuePlanner,
    /// Does an issue, test first.
    Implementer,
    /// Looks whether tests show what they say they do.
    CoverageChecker,
    /// Looks for the cause of a fault.
    CauseAnalyst,
}

/// What an agent in a role may do to the files it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Works in its own copy; what it leaves there is looked at afterwards.
    Write,
    /// Gets an exported one-commit repository; what it changes there is thrown away.
    Read,
}

impl Role {
    /// Every role, in the order in which a phase meets them.
    pub const ALL: [Self; 17] = [
        Self::Questioner,
        Self::Researcher,
        Self::Planner,
        Self::PlanChecker,
        Self::Executor,
        Self::Verifier,
        Self::Judge,
        Self::Rater,
        Self::Debugger,
        Self::Auditor,
        Self::IntegrationChecker,
        Self::ConflictResolver,
        Self::StoryWriter,
        Self::IssuePlanner,
        Self::Implementer,
        Self::CoverageChecker,
        Self::CauseAnalyst,
    ];

    /// The name used in configuration, prompts and `AUTOPILOT_ROLE`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Questioner => "questioner",
            Self::Researcher => "researcher",
            Self::Planner => "planner",
            Self::PlanChecker => "plan-checker",
            Self::Executor => "executor",
            Self::Verifier => "verifier",
            Self::Judge => "judge",
            Self::Rater => "rater",
            Self::Debugger => "debugger",
            Self::Auditor => "auditor",
            Self::IntegrationChecker => "integration-checker",
            Self::ConflictResolver => "conflict-resolver",
            Self::StoryWriter => "story-writer",
            Self::IssuePlanner => "issue-planner",
            Self::Implementer => "implementer",
            Self::CoverageChecker => "coverage-checker",
            Self::CauseAnalyst => "cause-analyst",
        }
    }

    /// The role of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// What the role may do to files. Whoever judges work cannot change it.
    pub const fn access(self) -> Access {
        match self {
            Self::Planner
            | Self::Executor
            | Self::Debugger
            | Self::ConflictResolver
            | Self::StoryWriter
            | Self::IssuePlanner
            | Self::Implementer => Access::Write,
            Self::Questioner
            | Self::Researcher
            | Self::PlanChecker
            | Self::Verifier
            | Self::Judge
            | Self::Rater
            | Self::Auditor
            | Self::IntegrationChecker
            | Self::CoverageChecker
            | Self::CauseAnalyst => Access::Read,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
