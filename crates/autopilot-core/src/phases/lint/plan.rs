//! Rules about a plan as a whole.

use std::collections::BTreeSet;

use super::Found;
use crate::{
    phases::PhaseSpec,
    roadmap::{Plan, ProblemKind, Task, is_of_another_phase, waves},
};

/// How many tasks a plan should have.
const TASKS_USUAL: std::ops::RangeInclusive<usize> = 2..=5;

/// More tasks than this are better done as a phase in parts.
const TASKS_AT_ONCE_MAX: usize = 8;

pub(super) fn unreadable(plan: &Plan, _: &PhaseSpec) -> Vec<Found> {
    problems(plan, |kind| !matches!(kind, ProblemKind::NoTasks | ProblemKind::DuplicateId))
}

pub(super) fn no_task(plan: &Plan, _: &PhaseSpec) -> Vec<Found> {
    let none = || about_plan("the plan has no task".to_owned());
    plan.tasks.is_empty().then(none).into_iter().collect()
}

pub(super) fn duplicate_id(plan: &Plan, _: &PhaseSpec) -> Vec<Found> {
    let mut found = problems(plan, |kind| kind == ProblemKind::DuplicateId);
    for (at, task) in plan.tasks.iter().enumerate() {
        if plan.tasks[..at].iter().any(|earlier| earlier.id == task.id) {
            found.push(about(task, format!("two tasks have the id {}", task.id)));
        }
    }
    found
}

pub(super) fn unknown_task(plan: &Plan, phase: &PhaseSpec) -> Vec<Found> {
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let are_words = plan.tasks.iter().any(|task| !has_digit(task.id.as_str()));
    // Where every id has a digit, "the reader" is no id; and what an earlier phase did is there.
    let is_meant =
        |id: &&String| (are_words || has_digit(id)) && !is_of_another_phase(id, phase.id.as_str());
    let mut found = Vec::new();
    for task in &plan.tasks {
        let waits_for = task.depends_on.iter().flatten().filter(is_meant);
        for id in waits_for.filter(|id| plan.place_of(id).is_none()) {
            found.push(about(task, format!("it waits for `{id}`, which is no task of this plan")));
        }
    }
    for row in &plan.coverage {
        // A cell may say more than ids.
        for id in row.tasks.iter().filter(|id| plan.is_unknown(id)) {
            let what = format!("{} is covered by `{id}`, which is no task of this plan", row.what);
            found.push(Found { task: None, line: row.line, what });
        }
    }
    found
}

pub(super) fn cycle(plan: &Plan, _: &PhaseSpec) -> Vec<Found> {
    let waits = |from: &Task| {
        let ids = from.depends_on.iter().flatten();
        ids.filter_map(|id| plan.place_of(id)).collect::<Vec<_>>()
    };
    let edges: Vec<Vec<usize>> = plan.tasks.iter().map(waits).collect();
    let returns = |start: usize| {
        let mut seen = BTreeSet::new();
        let mut open = edges[start].clone();
        while let Some(at) = open.pop() {
            if at == start {
                return true;
            }
            if seen.insert(at) {
                open.extend(&edges[at]);
            }
        }
        false
    };
    let circle: Vec<&Task> =
        (0..edges.len()).filter(|at| returns(*at)).map(|at| &plan.tasks[at]).collect();
    let Some(first) = circle.first() else { return Vec::new() };
    let ids: Vec<&str> = circle.iter().map(|task| task.id.as_str()).collect();
    vec![about(first, format!("these tasks wait for each other in a circle: {}", ids.join(", ")))]
}

pub(super) fn task_count(plan: &Plan, _: &PhaseSpec) -> Vec<Found> {
    let count = plan.tasks.len();
    if count == 0 || TASKS_USUAL.contains(&count) {
        return Vec::new();
    }
    let tasks = if count == 1 { "task" } else { "tasks" };
    vec![about_plan(format!(
        "it has {count} {tasks}; {} to {} are usual",
        TASKS_USUAL.start(),
        TASKS_USUAL.end()
    ))]
}

pub(super) fn batched(plan: &Plan, _: &PhaseSpec) -> Vec<Found> {
    let count = plan.tasks.len();
    let many = || about_plan(format!("its {count} tasks are more than one can keep in mind"));
    (count > TASKS_AT_ONCE_MAX).then(many).into_iter().collect()
}

pub(super) fn wave_split(plan: &Plan, _: &PhaseSpec) -> Vec<Found> {
    let waves = waves(&plan.tasks);
    let wave_of = |at: usize| waves.iter().position(|wave| wave.contains(&at));
    let mut found = Vec::new();
    for (at, task) in plan.tasks.iter().enumerate().filter(|(_, task)| task.wave.is_some()) {
        let is_apart = |(other, before): &(usize, &Task)| {
            before.wave == task.wave && wave_of(*other) != wave_of(at)
        };
        if let Some((_, other)) = plan.tasks[..at].iter().enumerate().find(is_apart) {
            let what = format!("it is done apart from task {} of the same wave", other.id);
            found.push(about(task, what));
        }
    }
    found
}

fn problems(plan: &Plan, is_meant: impl Fn(ProblemKind) -> bool) -> Vec<Found> {
    let meant = plan.problems.iter().filter(|problem| is_meant(problem.kind));
    let found = |line: u32, what: String| Found { task: None, line, what };
    meant.map(|problem| found(problem.line, problem.message.clone())).collect()
}

fn about(task: &Task, what: String) -> Found {
    Found { task: Some(task.id.clone()), line: task.line, what }
}

fn about_plan(what: String) -> Found {
    Found { task: None, line: 1, what }
}
