//! How long the answer of each role may be.

use crate::role::Role;

/// How many lines a role's answer may have, as its prompt tells it: who runs out of lines sums up, who does not has room to ramble.
pub const fn response_lines_max(role: Role) -> u32 {
    match role {
        Role::Executor => 500,
        Role::Planner | Role::IssuePlanner | Role::Implementer => 300,
        Role::Researcher
        | Role::Verifier
        | Role::Debugger
        | Role::Auditor
        | Role::IntegrationChecker
        | Role::ConflictResolver
        | Role::Questioner
        | Role::StoryWriter
        | Role::CauseAnalyst => 200,
        Role::Rater => 150,
        Role::Judge | Role::CoverageChecker => 100,
        Role::PlanChecker => 50,
    }
}
