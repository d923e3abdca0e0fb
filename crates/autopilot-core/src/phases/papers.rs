//! The papers of a phase: what the engine writes into its directory, from facts alone.

use std::fmt::Write as _;

use crate::{
    effect::Paper,
    id::CommitId,
    phases::{Active, Handoff, Log, Phase, TaskNote, reviewed},
    report::{Span, cell},
    roadmap::{Complexity, PhaseId},
    role::Role,
    sessions::clock::seconds,
};

/// The names of files that only the engine writes, as patterns. Whoever judges sees none of them.
pub const PAPERS: [&str; 4] =
    ["**/EXECUTION-LOG.md", "**/HANDOFF.md", "**/TRACE.jsonl", "**/*-trace.jsonl"];

/// Where the directories of phases are.
const DIRECTORIES: &str = ".planning/phases/";

/// How the names end of the papers that tell what was done.
const TRACE_END: &str = "-trace.jsonl";

/// The names of papers that tell what was done, but for the traces of steps.
const OF_THE_WORK: [&str; 4] = ["CONTEXT.md", "EXECUTION-LOG.md", "HANDOFF.md", "TRACE.jsonl"];

/// Whether a path is that of a paper in a directory.
pub fn is_paper(directory: &str, path: &str) -> bool {
    let below = path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
    below.is_some_and(|below| {
        // The papers of a part are one directory deeper.
        let (part, name) = below.split_once('/').unwrap_or(("", below));
        let is_part = part.is_empty() || part.parse::<PhaseId>().is_ok();
        is_part && !name.contains('/') && has_name_of_a_paper(name)
    })
}

fn has_name_of_a_paper(name: &str) -> bool {
    OF_THE_WORK.contains(&name) || reviewed::NAMES.contains(&name) || name.ends_with(TRACE_END)
}

/// Whether a path is not for an agent to write, though it may write into the project: one of the engine's papers, a plan
/// that is not its own to make, a test spec of another phase. `directory` is that of the phase it works on.
///
/// A plan or paper that is already in the directory of a phase to come would be taken for what it is called; so none of
/// them can be written in advance either. What is below a name counts like the name: a directory may stand in a file's place.
pub fn is_out_of_bounds(role: Role, directory: &str, path: &str) -> bool {
    let Some(below) = path.strip_prefix(DIRECTORIES) else { return false };
    let names: Vec<&str> = below.split('/').skip(1).collect();
    if names.iter().any(|name| has_name_of_a_paper(name)) {
        return true;
    }
    let own = path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
    if names.contains(&"PLAN.md") {
        return role != Role::Planner || own != Some("PLAN.md");
    }
    // Its own test specs are protected by other means: an edit of one is a request to a person.
    let is_spec = match names.as_slice() {
        ["tests", ..] => true,
        [part, "tests", ..] => part.parse::<PhaseId>().is_ok(),
        _ => false,
    };
    is_spec && !own.is_some_and(|own| own.starts_with("tests/"))
}

/// Whether a path is a place for the directories of phases, or in one: no link may stand there, which would make another
/// directory theirs.
pub fn is_place_of_phases(path: &str) -> bool {
    path.starts_with(DIRECTORIES)
        || DIRECTORIES.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
}

/// Everything that a phase leaves.
pub(super) fn papers(phase: &Phase, active: &Active) -> Vec<Paper> {
    let parts = active.log.parts.iter().map(|(directory, log)| (directory.as_str(), log));
    let own = (phase.spec.directory.as_str(), &active.log);
    let mut papers: Vec<Paper> = Vec::new();
    for (directory, log) in parts.chain([own]) {
        if !log.tasks.is_empty() {
            papers.push(paper(directory, "EXECUTION-LOG.md", execution_log(phase, log)));
        }
        papers.extend(traces(directory, log));
    }
    papers.extend(handoff(phase, active));
    papers.extend(reviewed::papers(phase, active));
    papers
}

/// What is done and what remains, where an agent came to the end of what it can remember.
pub(super) fn handoff(phase: &Phase, active: &Active) -> Option<Paper> {
    let handoff = active.log.handoff.as_ref()?;
    Some(paper(&phase.spec.directory, "HANDOFF.md", handoff_text(phase, handoff)))
}

fn paper(directory: &str, name: &str, text: String) -> Paper {
    Paper { path: format!("{directory}/{name}"), text }
}

fn execution_log(phase: &Phase, log: &Log) -> String {
    let mut text = format!("# Execution Log: Phase {} {}\n", phase.spec.id, phase.spec.name);
    for note in &log.tasks {
        text.push_str(&task(note));
    }
    if !log.justified.is_empty() {
        text.push_str("\n## Standalone files\n");
    }
    for one in &log.justified {
        text.push_str(&format!("- `{}`: {}\n", cell(&one.file), cell(&one.justification)));
    }
    text
}

fn task(note: &TaskNote) -> String {
    let passed = note.checks.iter().filter(|(_, why)| why.is_none()).count();
    let all = note.checks.len();
    let (status, result) = match (&note.why, passed == all) {
        (Some(_), _) => ("FAILED", "FAIL"),
        (None, true) => ("COMPLETED", "PASS"),
        // Something was waived, or was red before.
        (None, false) => ("NEEDS_REVIEW", "PASS"),
    };
    let commit = note.commit.as_ref().map_or("none", |commit| commit.as_str());
    let mut text = format!(
        "\n## Task {}: {}\n- **Status:** {status}\n- **Commit:** {commit}\n",
        cell(&note.id),
        cell(&note.name)
    );
    // Writing into a text cannot fail.
    if let Some(why) = &note.why {
        let _ = writeln!(text, "- **Reason:** {}", cell(why));
    }
    let _ = write!(
        text,
        "- **Test results:** {passed}/{all} checks passed\n\n### Mini-verification\n- **Result:** {result}\n\
         - **Criteria checked:** {all}\n- **Criteria passed:** {passed}\n- **Debug attempts:** {}\n",
        note.repairs
    );
    for (command, why) in &note.checks {
        let seen = why.as_deref().map_or("passed", |why| why);
        let _ = writeln!(text, "- `{}`: {}", in_one_line(command), in_one_line(seen));
    }
    text
}

/// Text from outside that is one item of a list.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn handoff_text(phase: &Phase, handoff: &Handoff) -> String {
    let id = &phase.spec.id;
    let commit = |commit: &Option<CommitId>| {
        commit.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
    };
    let mut text = format!(
        "# Phase {id} Partial Progress Handoff\n\n**Phase ID:** {id}\n\
         **Reason:** Context exhaustion detected during {}\n**Timestamp:** {}\n**Last Checkpoint SHA:** {}\n\n\
         ## Tasks Completed\n| Task ID | Status | Commit SHA | Files Modified |\n\
         |---------|--------|------------|----------------|\n",
        cell(&handoff.step),
        seconds(handoff.at),
        commit(&handoff.head),
    );
    // Writing into a text cannot fail.
    for done in &handoff.done {
        let status = if done.commit.is_some() { "COMPLETED" } else { "FAILED" };
        let (task, files) = (cell(&done.id), cell(&done.files.join(", ")));
        let _ = writeln!(text, "| {task} | {status} | {} | {files} |", commit(&done.commit));
    }
    text.push_str(
        "\n## Tasks Remaining\n| Task ID | Description | Estimated Complexity |\n\
         |---------|-------------|---------------------|\n",
    );
    for left in &handoff.left {
        let (task, name) = (cell(&left.id), cell(&left.name));
        let _ = writeln!(text, "| {task} | {name} | {} |", complexity(left.complexity));
    }
    text.push_str("\n## Files Modified (partial list)\n");
    for done in handoff.done.iter().filter(|done| done.commit.is_some()) {
        for file in &done.files {
            let _ = writeln!(text, "- {}: task {}, as its plan says", cell(file), cell(&done.id));
        }
    }
    let left = match &handoff.work {
        Some(work) => format!("what was left is kept in {work}, and whoever goes on begins there"),
        None => "nothing was left but what stands in commits".to_owned(),
    };
    let _ = write!(
        text,
        "\n## Partial Progress State\n- Current step: {}\n- Last successful operation: {}\n\
         - Issues encountered: {}\n- Work: {left}\n",
        cell(&handoff.step),
        cell(handoff.last.as_deref().unwrap_or("none")),
        cell(&handoff.why)
    );
    text
}

const fn complexity(complexity: Option<Complexity>) -> &'static str {
    match complexity {
        Some(Complexity::Simple) => "simple",
        Some(Complexity::Complex) => "complex",
        Some(Complexity::Medium) | None => "medium",
    }
}

/// One file for each step, in the order in which the steps first came, and one with all of them.
fn traces(directory: &str, log: &Log) -> Vec<Paper> {
    let mut steps: Vec<(&str, String)> = Vec::new();
    for span in &log.spans {
        let line = line(span);
        match steps.iter_mut().find(|(step, _)| *step == span.step) {
            Some((_, text)) => text.push_str(&line),
            None => steps.push((&span.step, line)),
        }
    }
    let all: String = steps.iter().map(|(_, text)| text.as_str()).collect();
    let mut papers: Vec<Paper> = steps
        .into_iter()
        .map(|(step, text)| paper(directory, &format!("{step}-trace.jsonl"), text))
        .collect();
    if !papers.is_empty() {
        papers.push(paper(directory, "TRACE.jsonl", all));
    }
    papers
}

fn line(span: &Span) -> String {
    serde_json::to_string(span).unwrap_or_default() + "\n"
}
