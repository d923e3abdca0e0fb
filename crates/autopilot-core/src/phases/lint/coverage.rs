//! Whether everything that a phase asks for has a task.
//!
//! A requirement or criterion is covered by a row of the traceability table that maps it to a task of the plan, by a task
//! that names it, by one that is proven by the same command, or by one that says most of its words.

use super::{Found, words};
use crate::{
    evidence::Criterion,
    phases::PhaseSpec,
    roadmap::{Covered, Plan, Task},
};

pub(super) fn requirements(plan: &Plan, phase: &PhaseSpec) -> Vec<Found> {
    let is_covered = |requirement: &String| {
        is_mapped(plan, |row| words::names(&row.what, requirement))
            || plan.tasks.iter().any(|task| tells(task, requirement))
    };
    let open = phase.requirements.iter().filter(|requirement| !is_covered(requirement));
    open.map(|requirement| {
        uncovered(plan, &format!("the requirement {}", words::excerpt(requirement)))
    })
    .collect()
}

pub(super) fn criteria(plan: &Plan, phase: &PhaseSpec) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, criterion) in phase.criteria.iter().enumerate() {
        let names = [
            format!("SC-{}", at + 1),
            format!("SC{}", at + 1),
            format!("criterion {}", at + 1),
            format!("{}/{}", phase.id, at + 1),
        ];
        let is_row = |row: &Covered| {
            let is_named = names.iter().any(|name| words::names(&row.what, name));
            is_named || row.what == (at + 1).to_string() || words::names(&row.what, &criterion.text)
        };
        let is_told = |task: &Task| {
            let text = text_of(task);
            names.iter().any(|name| words::names(&text, name)) || tells(task, &criterion.text)
        };
        let is_covered = is_mapped(plan, is_row)
            || plan.tasks.iter().any(|task| is_told(task) || runs(task, criterion));
        if !is_covered {
            let what = format!(
                "the criterion SC-{} of the phase, {}",
                at + 1,
                words::excerpt(&criterion.text)
            );
            found.push(uncovered(plan, &what));
        }
    }
    found
}

fn uncovered(plan: &Plan, what: &str) -> Found {
    let line = plan.coverage.first().map_or(1, |row| row.line);
    let what = format!(
        "no task covers {what}: repeat it in a criterion of a task, or map it to one in a table \
         `| Requirement | Task |`"
    );
    Found { task: None, line, what }
}

/// Whether a row of the traceability table maps what is meant to a task of the plan.
fn is_mapped(plan: &Plan, is_meant: impl Fn(&Covered) -> bool) -> bool {
    let is_task = |id: &String| plan.tasks.iter().any(|task| task.id.as_str() == id);
    plan.coverage.iter().any(|row| row.tasks.iter().any(is_task) && is_meant(row))
}

/// Whether a task names something, or says at least half of the words in it that say anything.
fn tells(task: &Task, what: &str) -> bool {
    let text = text_of(task);
    if words::names(&text, what) {
        return true;
    }
    // A name such as `LAMP-01` is named or it is not.
    let is_name = !what.trim().contains(char::is_whitespace);
    let (wanted, told) = (words::telling(what), words::telling(&text));
    let shared = wanted.intersection(&told).count();
    // By one word alone, as in "It shines", nothing can be told.
    !is_name && (wanted.len() < 2 || shared * 2 >= wanted.len())
}

fn runs(task: &Task, criterion: &Criterion) -> bool {
    criterion.command.is_some() && task.checks().any(|own| own.command == criterion.command)
}

/// All that a task says.
fn text_of(task: &Task) -> String {
    let mut text = [&task.name, &task.action, &task.verify, &task.done, &task.question]
        .map(String::as_str)
        .join("\n");
    for criterion in task.checks() {
        text.push('\n');
        text.push_str(&criterion.text);
    }
    text
}
