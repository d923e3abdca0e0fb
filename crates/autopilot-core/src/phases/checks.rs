//! The checks of a phase, under their names.

use std::collections::BTreeMap;

use crate::{
    evidence::{Check, CheckKind, Criterion},
    input,
    phases::{Active, Phase, Status, recheck},
    roadmap::Task,
    run::Run,
};

/// The guards that are asked after every task, in this order: nothing is built on what does not compile, is against the
/// rules of the project, or breaks its tests.
pub const GATES: [&str; 3] = ["compile", "lint", "test"];

/// The phase's own criteria, as far as a command decides them; the rest is for those who judge.
pub(super) fn of_phase(run: &Run, phase: &Phase) -> Vec<Check> {
    named_checks(&phase.spec.id.to_string(), phase.spec.criteria.iter(), &run.given.counts)
}

/// The criteria of a task. The phase stands in front, so that no task can take the name of another check.
pub(super) fn of_task(run: &Run, phase: &Phase, task: &Task) -> Vec<Check> {
    named_checks(&format!("{}/{}", phase.spec.id, task.id), task.checks(), &run.given.counts)
}

/// What is asked of a work on a task: its criteria and the gates. Where it edits files by which it is judged, what must stay true is asked as well:
/// it may be that alone which needs the edit, and later nobody could tell.
pub(super) fn of_task_work(
    run: &Run,
    phase: &Phase,
    active: &Active,
    task: usize,
    work: &input::Work,
) -> Vec<Check> {
    let mut checks: Vec<Check> =
        active.tasks.get(task).map(|task| of_task(run, phase, task)).unwrap_or_default();
    if work.requests.iter().any(|request| !active.accepts(request)) {
        checks.extend(standing(run, phase));
    } else {
        let gates = guards(run).into_iter().filter(|guard| GATES.contains(&guard.name.as_str()));
        checks.extend(gates);
    }
    checks
}

/// The criteria of all tasks.
pub(super) fn of_tasks(run: &Run, phase: &Phase, active: &Active) -> Vec<Check> {
    active.tasks.iter().flat_map(|task| of_task(run, phase, task)).collect()
}

/// What must stay true whatever is done.
pub(crate) fn guards(run: &Run) -> Vec<Check> {
    let mut guards = run.given.guards.clone();
    for guard in &mut guards {
        count(&run.given.counts, &mut guard.criterion);
    }
    guards
}

/// What must stay true in this phase: the guards, and what the phases have promised that it builds on.
fn standing(run: &Run, phase: &Phase) -> Vec<Check> {
    let work = run.work.phases();
    let below = phase.spec.depends_on.iter().filter_map(|id| work.list.get(work.place(id)?));
    let promised = below.flat_map(|phase| recheck::promises(run, phase));
    guards(run).into_iter().chain(promised).collect()
}

/// Everything that can be asked of the base before there is a plan.
pub(super) fn of_base(run: &Run, phase: &Phase) -> Vec<Check> {
    let mut checks = of_phase(run, phase);
    checks.extend(standing(run, phase));
    checks
}

/// Everything that must hold when the phase is done.
pub(crate) fn all(run: &Run, phase: &Phase, active: &Active) -> Vec<Check> {
    let mut checks = of_phase(run, phase);
    checks.extend(of_tasks(run, phase, active));
    checks.extend(standing(run, phase));
    checks
}

/// The names of all checks that a run knows of by now.
pub fn check_names(run: &Run) -> Vec<String> {
    let work = run.work.phases();
    let mut checks = guards(run);
    for phase in &work.list {
        checks.extend(of_phase(run, phase));
        if let Status::Active(active) = &phase.status {
            checks.extend(of_tasks(run, phase, active));
        }
    }
    checks.into_iter().map(|check| check.name).collect()
}

/// The criteria of a phase or a task that a command decides, under their names. `counts` has the project's own patterns
/// for the number of tests, by a text in the command.
pub fn named_checks<'a>(
    owner: &str,
    criteria: impl Iterator<Item = &'a Criterion>,
    counts: &BTreeMap<String, String>,
) -> Vec<Check> {
    criteria
        .enumerate()
        .filter(|(_, criterion)| criterion.command.is_some())
        .map(|(at, criterion)| {
            let mut criterion = criterion.clone();
            count(counts, &mut criterion);
            let name = format!("{owner}/{}", at + 1);
            Check { name, kind: CheckKind::Criterion, criterion }
        })
        .collect()
}

/// Tells how the tests of a command are counted, where the project has a pattern of its own.
pub fn count(counts: &BTreeMap<String, String>, criterion: &mut Criterion) {
    let Some(command) = &criterion.command else { return };
    let own = counts.iter().find(|(text, _)| command.contains(text.as_str()));
    if let (None, Some((_, pattern))) = (&criterion.counts, own) {
        criterion.counts = Some(pattern.clone());
    }
}
