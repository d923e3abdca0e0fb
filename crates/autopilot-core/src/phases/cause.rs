//! What kind of failure something is.

use crate::{
    input::FailureClass, phases::Active, policy::FailureCategory, returns::Recommendation,
};

/// The kind of a step that came to nothing.
pub(crate) const fn of_failure(class: &FailureClass) -> FailureCategory {
    match class {
        FailureClass::Context => FailureCategory::ContextExhaustion,
        FailureClass::Refused | FailureClass::Malformed => FailureCategory::CoordinationFailure,
        FailureClass::Auth
        | FailureClass::Unavailable
        | FailureClass::Limit { .. }
        | FailureClass::Overloaded
        | FailureClass::Crashed
        | FailureClass::Timeout
        | FailureClass::Stalled
        | FailureClass::Engine => FailureCategory::ToolFailure,
    }
}

/// The kind of a check that does not hold: guards are told apart by their names.
pub(crate) fn of_check(name: &str) -> FailureCategory {
    match name {
        "compile" | "typecheck" => FailureCategory::CompilationFailure,
        "lint" => FailureCategory::LintFailure,
        "build" => FailureCategory::BuildFailure,
        _ => FailureCategory::AcceptanceCriteriaUnmet,
    }
}

/// The kind of work that is still broken: by what a task was given up for, else by the first check that does not stand,
/// else by what the verifier said of it.
pub(super) fn of_work(active: &Active) -> FailureCategory {
    let at_first = active.given_up.or_else(|| of_checks(active));
    at_first.or_else(|| of_verification(active)).unwrap_or(FailureCategory::AcceptanceCriteriaUnmet)
}

/// The kind of the first check that does not stand.
pub(super) fn of_checks(active: &Active) -> Option<FailureCategory> {
    let open = active.settled.iter().find(|entry| !entry.stands());
    open.map(|entry| of_check(&entry.name))
}

fn of_verification(active: &Active) -> Option<FailureCategory> {
    let verified = active.reviews.verified.as_ref().filter(|verified| !verified.pass)?;
    verified.seen.categories.first().copied()
}

/// The kind of work that a judge does not want.
pub(crate) const fn of_judgement(word: Recommendation) -> Option<FailureCategory> {
    match word {
        Recommendation::Proceed => None,
        Recommendation::Debug => Some(FailureCategory::AcceptanceCriteriaUnmet),
        Recommendation::Rollback | Recommendation::Halt => {
            Some(FailureCategory::ExecutorWrongApproach)
        }
    }
}
