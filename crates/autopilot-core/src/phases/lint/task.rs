//! Rules about one task and its criteria.

use super::words;
use crate::{
    evidence::{Criterion, Expectation, Proof, counts::runner_of, proof_of},
    phases::PhaseSpec,
    roadmap::{Plan, Task, TestSpec, test_spec_of},
};

/// The fewest words of an action.
const ACTION_WORDS_MIN: usize = 20;

/// The fewest words of an action that say something about this task.
const TELLING_WORDS_MIN: usize = 6;

/// The words that a test spec must print: with each assertion, and with the sum of them.
const SPEC_WORDS: [&str; 3] = ["PASS", "FAIL", "RESULTS"];

pub(super) fn missing_field(task: &Task, _: &Plan, _: &PhaseSpec) -> Option<String> {
    let verify = !task.verify.trim().is_empty() || !task.verify_commands.is_empty();
    let fields = [
        ("files", !task.files.is_empty()),
        ("action", !task.action.trim().is_empty()),
        ("verify", verify),
        ("done", !task.done.trim().is_empty()),
    ];
    let missing: Vec<&str> =
        fields.iter().filter(|(_, is_there)| !is_there).map(|(name, _)| *name).collect();
    (!missing.is_empty()).then(|| format!("it does not tell: {}", missing.join(", ")))
}

pub(super) fn thin_action(task: &Task, _: &Plan, _: &PhaseSpec) -> Option<String> {
    let count = words::count(&task.action);
    (1..ACTION_WORDS_MIN).contains(&count).then(|| {
        format!("its action has {count} words; with fewer than {ACTION_WORDS_MIN} nobody could carry it out")
    })
}

pub(super) fn generic_action(task: &Task, _: &Plan, _: &PhaseSpec) -> Option<String> {
    let is_long = words::count(&task.action) >= ACTION_WORDS_MIN;
    (is_long && words::telling(&task.action).len() < TELLING_WORDS_MIN).then(|| {
        "its action would fit any task; name what is to be changed, where and how".to_owned()
    })
}

pub(super) fn stub(task: &Task, _: &Plan, _: &PhaseSpec) -> Option<String> {
    let texts = [&task.action, &task.done].into_iter().chain(task.checks().map(|one| &one.text));
    let found = texts.map(|text| (text, words::stub(text))).find(|(_, stub)| stub.is_some());
    found.map(|(text, stub)| {
        format!("`{}` is left to be filled in: {}", stub.unwrap_or_default(), words::excerpt(text))
    })
}

pub(super) fn no_proof(task: &Task, plan: &Plan, phase: &PhaseSpec) -> Option<String> {
    let is_any = task.checks().any(|one| one.command.is_some() || one.traced.is_some());
    (!is_any && spec(task, plan, phase).is_none()).then(|| {
        "it has no criterion with a command (`… -- verified by: `cmd``), so it could never be proven".to_owned()
    })
}

pub(super) fn trace_alone(task: &Task, plan: &Plan, phase: &PhaseSpec) -> Option<String> {
    let is_traced = task.checks().any(|one| one.traced.is_some());
    let is_run =
        task.checks().any(|one| one.command.is_some()) || spec(task, plan, phase).is_some();
    (is_traced && !is_run).then(|| {
        "what is traced is judged and never observed; at least one criterion needs a command"
            .to_owned()
    })
}

pub(super) fn prose(criterion: &Criterion) -> Option<String> {
    let phrase = words::prose(&criterion.text).filter(|_| is_without_command(criterion))?;
    Some(format!("`{phrase}` proves nothing; name a command that does"))
}

pub(super) fn no_command(criterion: &Criterion) -> Option<String> {
    let is_prose = words::prose(&criterion.text).is_some();
    (is_without_command(criterion) && criterion.objection().is_none() && !is_prose)
        .then(|| "no command shows it (`… -- verified by: `cmd``)".to_owned())
}

fn is_without_command(criterion: &Criterion) -> bool {
    criterion.command.is_none() && criterion.traced.is_none()
}

pub(super) fn unreadable_check(criterion: &Criterion) -> Option<String> {
    let is_unreadable = matches!(criterion.expect, Expectation::Unreadable(_));
    criterion.objection().filter(|_| is_unreadable)
}

pub(super) fn hidden_exit(criterion: &Criterion) -> Option<String> {
    if matches!(criterion.expect, Expectation::Unreadable(_)) {
        return None;
    }
    match (criterion.objection(), proof_of(criterion)) {
        (Some(why), _) => Some(why),
        (None, Some(Proof::Nothing(why))) => Some(format!("the command proves nothing: {why}")),
        (None, Some(Proof::Look | Proof::Run) | None) => None,
    }
}

pub(super) fn grep_only(task: &Task, plan: &Plan, phase: &PhaseSpec) -> Option<String> {
    // Tests that are written first can only be looked at: what they are for is not there yet.
    if task.files.iter().all(|file| words::is_test(file)) {
        return None;
    }
    let mut proofs = task.checks().filter_map(proof_of).peekable();
    proofs.peek()?;
    if !proofs.all(|proof| proof == Proof::Look) {
        return None;
    }
    spec(task, plan, phase).is_none().then(|| {
        let path = test_spec_of(&phase.directory, &task.id);
        format!("its criteria only look at files; name a command that runs the work, or write a test spec `{path}`")
    })
}

pub(super) fn spec_missing(task: &Task, plan: &Plan, phase: &PhaseSpec) -> Option<String> {
    let tests = test_spec_of(&phase.directory, &task.id);
    let tests = tests.rsplit_once('/').map_or("", |(tests, _)| tests);
    let named = task.checks().filter_map(|one| one.command.as_deref()).find_map(|command| {
        let at = command.find(&format!("{tests}/task-"))?;
        let path = command[at..].split([' ', ';', '&', '|', ')', '"', '\'', '\n']).next()?;
        plan.specs.iter().all(|spec| spec.path != path).then_some(path)
    })?;
    Some(format!("it runs the test spec `{named}`, which was not written"))
}

pub(super) fn spec_form(task: &Task, plan: &Plan, phase: &PhaseSpec) -> Option<String> {
    let spec = spec(task, plan, phase)?;
    let missing: Vec<&str> =
        SPEC_WORDS.into_iter().filter(|word| !spec.text.contains(word)).collect();
    if !missing.is_empty() {
        let missing = missing.join("`, `");
        return Some(format!("its test spec `{}` never prints `{missing}`", spec.path));
    }
    let stub = words::stub(&spec.text)?;
    Some(format!("its test spec `{}` is not complete: it says `{stub}`", spec.path))
}

pub(super) fn no_spec(task: &Task, plan: &Plan, phase: &PhaseSpec) -> Option<String> {
    // What is only looked at has been told already, and what tests it is proof enough.
    let is_run = task.checks().filter_map(proof_of).any(|proof| proof == Proof::Run);
    let is_tested = |one: &Criterion| one.command.as_deref().and_then(runner_of).is_some();
    (is_run && spec(task, plan, phase).is_none() && !task.checks().any(is_tested)).then(|| {
        let path = test_spec_of(&phase.directory, &task.id);
        format!("it is run and not tested; a test spec `{path}` would say what it must do")
    })
}

pub(super) fn no_complexity(task: &Task, _: &Plan, _: &PhaseSpec) -> Option<String> {
    task.complexity
        .is_none()
        .then(|| "it does not say how complex it is: simple, medium or complex".to_owned())
}

pub(super) fn untraced_handler(task: &Task, _: &Plan, _: &PhaseSpec) -> Option<String> {
    let texts =
        [&task.name, &task.action].into_iter().chain(task.criteria.iter().map(|one| &one.text));
    let is_seen = task.files.iter().any(|file| words::is_of_surface(file));
    let tells = |text: &str| words::tells_of_handler(text) || is_seen && words::names_handler(text);
    let is_interactive = texts.into_iter().any(|text| tells(text));
    let is_traced = task.checks().any(|one| one.traced.is_some());
    (is_interactive && !is_traced).then(|| {
        "it changes what a person sets off by hand; add a criterion that follows it: \
         `… -- verified by: read FILE:HANDLER and trace to WHAT IT DOES`"
            .to_owned()
    })
}

pub(super) fn weight(criterion: &Criterion) -> Option<String> {
    let text = criterion.text.to_ascii_lowercase();
    (text.contains("(weight") || text.contains("[weight")).then(|| {
        "its weight cannot be read, so it counts as 1; a weight is a number above 0 and up to 100: `(weight: 2)`"
            .to_owned()
    })
}

/// The test spec of a task, if the planner wrote one.
fn spec<'a>(task: &Task, plan: &'a Plan, phase: &PhaseSpec) -> Option<&'a TestSpec> {
    let path = test_spec_of(&phase.directory, &task.id);
    plan.specs.iter().find(|spec| spec.path == path)
}
