//! The papers of a phase: what the engine writes into its directory, from facts alone.

use std::fmt::Write as _;

use crate::{
    effect::Paper,
    phases::{Active, Handoff, Phase, TaskNote},
    report::{Span, cell},
    roadmap::{Complexity, Task},
    sessions::clock::seconds,
};

/// The names of files that only the engine writes, as patterns. Whoever judges sees none of them.
pub const PAPERS: [&str; 4] =
    ["**/EXECUTION-LOG.md", "**/HANDOFF.md", "**/TRACE.jsonl", "**/*-trace.jsonl"];

/// Whether a path is that of a paper in a directory.
pub fn is_paper(directory: &str, path: &str) -> bool {
    let name = path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|name| {
        let is_trace = name.strip_suffix("-trace.jsonl").is_some_and(|step| !step.contains('/'));
        ["EXECUTION-LOG.md", "HANDOFF.md", "TRACE.jsonl"].contains(&name) || is_trace
    })
}

/// Everything that a phase leaves.
pub(super) fn papers(phase: &Phase, active: &Active) -> Vec<Paper> {
    let mut papers = Vec::new();
    if !active.log.tasks.is_empty() {
        papers.push(paper(phase, "EXECUTION-LOG.md", execution_log(phase, active)));
    }
    papers.extend(handoff(phase, active));
    papers.extend(traces(phase, active));
    papers
}

/// What is done and what remains, where an agent came to the end of what it can remember.
pub(super) fn handoff(phase: &Phase, active: &Active) -> Option<Paper> {
    let handoff = active.log.handoff.as_ref()?;
    Some(paper(phase, "HANDOFF.md", handoff_text(phase, active, handoff)))
}

fn paper(phase: &Phase, name: &str, text: String) -> Paper {
    Paper { path: format!("{}/{name}", phase.spec.directory), text }
}

fn execution_log(phase: &Phase, active: &Active) -> String {
    let mut text = format!("# Execution Log: Phase {} {}\n", phase.spec.id, phase.spec.name);
    for note in &active.log.tasks {
        text.push_str(&task(note));
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
        let _ = writeln!(text, "- `{}`: {}", cell(command), cell(seen));
    }
    text
}

fn handoff_text(phase: &Phase, active: &Active, handoff: &Handoff) -> String {
    let id = &phase.spec.id;
    let mut text = format!(
        "# Phase {id} Partial Progress Handoff\n\n**Phase ID:** {id}\n\
         **Reason:** Context exhaustion detected during {}\n**Timestamp:** {}\n**Last Checkpoint SHA:** {}\n\n\
         ## Tasks Completed\n| Task ID | Status | Commit SHA |\n|---------|--------|------------|\n",
        cell(&handoff.step),
        seconds(handoff.at),
        active.head,
    );
    for note in &active.log.tasks {
        let status = if note.why.is_some() { "FAILED" } else { "COMPLETED" };
        let commit = note.commit.as_ref().map_or("none", |commit| commit.as_str());
        let _ = writeln!(text, "| {} | {status} | {commit} |", cell(&note.id));
    }
    text.push_str(
        "\n## Tasks Remaining\n| Task ID | Description | Estimated Complexity |\n\
         |---------|-------------|---------------------|\n",
    );
    for task in active.tasks.iter().skip(active.ends.len()) {
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            cell(task.id.as_str()),
            cell(&task.name),
            complexity(task)
        );
    }
    let left = match &handoff.work {
        Some(work) => format!("what was left is kept in {work}, and whoever goes on begins there"),
        None => "nothing was left but what stands in commits".to_owned(),
    };
    let _ = write!(
        text,
        "\n## Partial Progress State\n- Current step: {}\n- Issues encountered: {}\n- Work: {left}\n",
        cell(&handoff.step),
        cell(&handoff.why)
    );
    text
}

fn complexity(task: &Task) -> &'static str {
    match task.complexity {
        Some(Complexity::Simple) => "simple",
        Some(Complexity::Complex) => "complex",
        Some(Complexity::Medium) | None => "medium",
    }
}

/// One file for each step, in the order in which the steps first came, and one with all of them.
fn traces(phase: &Phase, active: &Active) -> Vec<Paper> {
    let mut steps: Vec<(&str, String)> = Vec::new();
    for span in &active.log.spans {
        let line = line(span);
        match steps.iter_mut().find(|(step, _)| *step == span.step) {
            Some((_, text)) => text.push_str(&line),
            None => steps.push((&span.step, line)),
        }
    }
    let all: String = steps.iter().map(|(_, text)| text.as_str()).collect();
    let mut papers: Vec<Paper> = steps
        .into_iter()
        .map(|(step, text)| paper(phase, &format!("{step}-trace.jsonl"), text))
        .collect();
    if !papers.is_empty() {
        papers.push(paper(phase, "TRACE.jsonl", all));
    }
    papers
}

fn line(span: &Span) -> String {
    serde_json::to_string(span).unwrap_or_default() + "\n"
}
