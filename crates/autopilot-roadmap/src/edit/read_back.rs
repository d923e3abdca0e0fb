//! Whether an edited roadmap says what was meant, and of all other phases what it said before.

use super::{
    super::{
        model::{CriterionLine, Phase, PhaseLines, PlanLine, Roadmap},
        phase_id::PhaseId,
    },
    new_phase::TO_BE_PLANNED,
};

/// What a new phase is to be read as.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected<'a> {
    pub(super) id: PhaseId,
    pub(super) name: &'a str,
    pub(super) goal: Option<&'a str>,
    pub(super) criteria: &'a [String],
    pub(super) needed: &'a [PhaseId],
}

/// Tells whether there is one more phase, as it was meant, and nothing else is different.
pub(super) fn is_put(before: &Roadmap, after: &Roadmap, expected: Expected<'_>) -> bool {
    let Some(phase) = after.phase(expected.id) else { return false };
    let has_section = phase.lines.heading.is_some();
    let criteria: Vec<&str> = phase.criteria.iter().map(|line| line.text.as_str()).collect();
    let criteria_hold = match expected.criteria {
        [] => criteria.iter().all(|text| *text == TO_BE_PLANNED),
        wanted => criteria == wanted,
    };
    let described = phase.goal.as_deref() == expected.goal
        && criteria_hold
        && expected.needed.iter().all(|id| phase.depends_on.contains(id))
        && phase.depends_on.iter().all(|id| expected.needed.contains(id));
    phase.name.as_str() == expected.name
        && !phase.complete
        && (described || !has_section)
        && others(before, expected.id) == others(after, expected.id)
}

/// Tells whether a phase is gone and nothing else is different.
pub(super) fn is_removed(before: &Roadmap, after: &Roadmap, id: PhaseId) -> bool {
    // Without a phase whose heading stands elsewhere than its list line, those without a list line may find their
    // place among the others again.
    let sorted = |roadmap: &Roadmap| {
        let (mut live, excluded) = others(roadmap, id);
        live.sort_by_key(|phase| phase.id);
        (live, excluded)
    };
    let is_there = after.phases.iter().chain(&after.excluded).any(|phase| phase.id == id);
    !is_there && sorted(before) == sorted(after)
}

/// The other phases, live and excluded. What stands on which line does not matter, and neither does whether the phase is
/// among those that others need: `All previous phases` means another set of phases now.
fn others(roadmap: &Roadmap, id: PhaseId) -> (Vec<Phase>, Vec<Phase>) {
    let others = |phases: &[Phase]| -> Vec<Phase> {
        phases.iter().filter(|phase| phase.id != id).map(|phase| without_lines(phase, id)).collect()
    };
    (others(&roadmap.phases), others(&roadmap.excluded))
}

fn without_lines(phase: &Phase, id: PhaseId) -> Phase {
    let criterion = |found: &CriterionLine| CriterionLine { line: 0, ..found.clone() };
    let plan = |found: &PlanLine| PlanLine { line: 0, ..found.clone() };
    // `3A` means phase `3a` as long as there is one.
    let key = id.loose_key();
    let others = phase.depends_on.iter().filter(|needed| needed.loose_key() != key);
    Phase {
        lines: PhaseLines::default(),
        criteria: phase.criteria.iter().map(criterion).collect(),
        plans: phase.plans.iter().map(plan).collect(),
        depends_on: others.copied().collect(),
        ..phase.clone()
    }
}
