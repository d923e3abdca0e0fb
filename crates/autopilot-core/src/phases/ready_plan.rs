//! A plan that a person wrote before the run: nobody is paid to research and to plan again.
//!
//! It is held to the rules for plans like any other, and looked at by the plan-checker. One that breaks a rule is left to the
//! planner, who finds it in the phase's directory.

use crate::{
    input::Work,
    phases::{PhaseFact, Stage, lint, turn::Turn},
    roadmap::{Plan, in_order},
};

/// Takes a plan that is there, if it can be worked by.
pub(super) fn take(turn: &mut Turn<'_>, plan: Option<&Plan>) {
    let Some(plan) = plan.filter(|plan| !plan.tasks.is_empty()) else { return };
    let spec = &turn.phase.spec;
    let remarks = lint::lint(Some(plan), spec);
    if remarks.iter().all(|finding| !finding.is_blocker()) {
        let tasks = in_order(&plan.tasks_with_specs(&spec.directory));
        turn.note(PhaseFact::Planned { tasks, remarks });
    }
}

/// Begins the work: by the plan that is there, or by research for one.
pub(super) fn begin(turn: &mut Turn<'_>) {
    if turn.now.tasks.is_empty() {
        turn.enter(Stage::Research);
        return;
    }
    turn.enter(Stage::PlanCheck(Work {
        commit: turn.now.head.clone(),
        changed: false,
        requests: Vec::new(),
        said_done: true,
        grew: false,
        orphans: Vec::new(),
    }));
}

/// Forgets the plan of a phase that nobody works on. What the phase itself asks for is still asked.
pub(super) fn lay_aside(turn: &mut Turn<'_>) {
    if !turn.now.tasks.is_empty() {
        turn.note(PhaseFact::Planned { tasks: Vec::new(), remarks: Vec::new() });
    }
}
