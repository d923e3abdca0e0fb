//! Whether everything that a phase asks for has a task.
//!
//! What has a name, such as `LAMP-01`, is covered by a row of the traceability table that maps it to a task of the plan, or
//! by a task that names it. What has none is covered by tasks that say most of its words.

use std::collections::BTreeSet;

use super::{Found, words};
use crate::{
    evidence::Criterion,
    phases::PhaseSpec,
    roadmap::{Covered, Plan, Task},
};

pub(super) fn requirements(plan: &Plan, phase: &PhaseSpec) -> Vec<Found> {
    let told = Told::by(plan);
    let is_covered = |requirement: &String| {
        let names = names_in(requirement);
        let is_named = |text: &str| {
            words::names(text, requirement) || names.iter().any(|name| words::names(text, name))
        };
        // A name without a text is told or it is not.
        let is_text = |word: &&String| !word.contains(|c: char| c.is_ascii_digit());
        let has_text = words::telling(requirement).iter().filter(is_text).count() > 1;
        is_mapped(plan, |row| is_named(&row.what))
            || told.texts.iter().any(|text| is_named(text))
            || has_text && told.tells(requirement)
    };
    let open = phase.requirements.iter().filter(|requirement| !is_covered(requirement));
    open.map(|requirement| {
        uncovered(plan, &format!("the requirement {}", words::excerpt(requirement)))
    })
    .collect()
}

pub(super) fn criteria(plan: &Plan, phase: &PhaseSpec) -> Vec<Found> {
    let told = Told::by(plan);
    let mut found = Vec::new();
    for (at, criterion) in phase.criteria.iter().enumerate() {
        let number = at + 1;
        let names = [
            format!("SC-{number}"),
            format!("SC{number}"),
            format!("criterion {number}"),
            format!("{}/{number}", phase.id),
        ];
        let is_named = |text: &str| names.iter().any(|name| words::names(text, name));
        let is_row = |row: &Covered| {
            let is_it = row.what == number.to_string() || words::names(&row.what, &criterion.text);
            is_it || is_named(&row.what)
        };
        let is_covered = is_mapped(plan, is_row)
            || told.texts.iter().any(|text| is_named(text))
            || told.tells(&criterion.text)
            || plan.tasks.iter().any(|task| runs(task, criterion));
        if !is_covered {
            let text = words::excerpt(&criterion.text);
            let what = format!("the criterion SC-{number} of the phase, {text}");
            found.push(uncovered(plan, &what));
        }
    }
    found
}

/// What the tasks of a plan say.
struct Told {
    texts: Vec<String>,
    stems: BTreeSet<String>,
}

impl Told {
    fn by(plan: &Plan) -> Self {
        let texts: Vec<String> = plan.tasks.iter().map(text_of).collect();
        let stems = texts.iter().flat_map(|text| words::stems(text)).collect();
        Self { texts, stems }
    }

    /// Whether the tasks say at least half of the words in a text that say anything.
    ///
    /// What a phase asks for can be the work of several tasks, so all of them count together.
    fn tells(&self, what: &str) -> bool {
        let wanted = words::stems(what);
        let shared = wanted.intersection(&self.stems).count();
        // By one word alone, as in "It shines", nothing can be told.
        wanted.len() < 2 || shared * 2 >= wanted.len()
    }
}

/// The names in a requirement: `A-01` in `A-01: it turns` and in `A-01–04`, the first and the last in `A-01 to A-04`.
fn names_in(requirement: &str) -> Vec<&str> {
    let is_between = |c: char| c.is_whitespace() || "–—~…:;()[]`*,".contains(c);
    let pieces = requirement.split("..").flat_map(|piece| piece.split(is_between));
    let is_name = |piece: &&str| {
        piece.contains(|c: char| c.is_ascii_digit()) && piece.starts_with(char::is_alphabetic)
    };
    pieces.map(|piece| piece.trim_matches(['.', '-'])).filter(is_name).collect()
}

fn uncovered(plan: &Plan, what: &str) -> Found {
    let line = plan.coverage.first().map_or(1, |row| row.line);
    let what = format!(
        "no task covers {what}: name it in a task, or map it to one in a table `| Requirement | Task |`"
    );
    Found { task: None, line, what }
}

/// Whether a row of the traceability table maps what is meant to a task of the plan.
fn is_mapped(plan: &Plan, is_meant: impl Fn(&Covered) -> bool) -> bool {
    let is_task = |named: &String| plan.place_of(named).is_some();
    plan.coverage.iter().any(|row| row.tasks.iter().any(is_task) && is_meant(row))
}

fn runs(task: &Task, criterion: &Criterion) -> bool {
    criterion.command.is_some() && task.checks().any(|own| own.command == criterion.command)
}

/// All that a task says.
fn text_of(task: &Task) -> String {
    let mut text = [&task.name, &task.action, &task.verify, &task.done, &task.question]
        .map(String::as_str)
        .join("\n");
    for file in &task.files {
        text.push('\n');
        text.push_str(file);
    }
    for criterion in task.checks() {
        text.push('\n');
        text.push_str(&criterion.text);
    }
    text
}
