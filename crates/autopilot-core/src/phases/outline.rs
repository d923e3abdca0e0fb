//! Where a phase holds already and nobody plans it, the engine writes down what must hold.

use crate::{
    effect::Paper,
    evidence::{CheckKind, Criterion},
    phases::{Active, Phase},
    policy::PhaseType,
    run::Run,
};

/// A plan of criteria alone, from the roadmap.
pub(super) fn plan(run: &Run, phase: &Phase, active: &Active) -> Paper {
    let spec = &phase.spec;
    let criteria = active.baseline.iter().filter(|result| result.kind == CheckKind::Criterion);
    let held = criteria.clone().filter(|result| result.verdict.is_passed()).count();
    let of = criteria.count();
    let mut text = format!(
        "# Plan: {}\n\nNobody planned this phase: {held} of the {of} criteria that a command decides held before anything \
         was done, so it is only looked at.\n\n## What must hold\n\n",
        spec.name
    );
    for criterion in &spec.criteria {
        text.push_str(&line(criterion));
    }
    let own = of_its_kind(run, phase);
    if !own.is_empty() {
        text.push_str("\n## What is asked of a phase of its kind\n\n");
        text.extend(own);
    }
    Paper { path: format!("{}/PLAN.md", spec.directory), text }
}

fn line(criterion: &Criterion) -> String {
    match &criterion.command {
        Some(command) => format!("- {} -- verified by: `{command}`\n", criterion.text),
        None => format!("- {}\n", criterion.text),
    }
}

/// What a phase of its kind is asked beside its criteria.
fn of_its_kind(run: &Run, phase: &Phase) -> Vec<String> {
    let criteria = phase.spec.criteria.iter();
    let texts =
        criteria.map(|one| format!("{} {}", one.text, one.command.as_deref().unwrap_or("")));
    let text: Vec<String> = [phase.spec.goal.clone()].into_iter().chain(texts).collect();
    let kind = PhaseType::of_text(&text.join(" "), run.given.ui.as_deref());
    let asks: &[&str] = match kind {
        PhaseType::Ui => &["compile", "typecheck", "build"],
        PhaseType::Protocol => return vec!["- every file that it refers to is there\n".to_owned()],
        PhaseType::Data => {
            return vec!["- every file of data can be read as what it is\n".to_owned()];
        }
        PhaseType::Mixed => &[],
    };
    let guards = run.given.guards.iter().filter(|guard| asks.contains(&guard.name.as_str()));
    guards.map(|guard| line(&guard.criterion)).collect()
}
