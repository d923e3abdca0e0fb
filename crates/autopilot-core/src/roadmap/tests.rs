//! Whole roadmaps, in the shapes that real ones have; the words are ours.

mod criteria;
mod declared;
mod dependencies;
mod hostile;
mod problems;
mod status;
mod tricky;

use super::{ProblemKind, Roadmap, parse};

/// One line for each phase: `[x] id: name <- what it needs`.
fn shown(text: &str) -> Vec<String> {
    shown_of(&parse(text))
}

fn shown_of(roadmap: &Roadmap) -> Vec<String> {
    let phases = roadmap.phases.iter().map(|phase| {
        let mark = if phase.complete { 'x' } else { ' ' };
        let mut line = format!("[{mark}] {}: {}", phase.id, phase.name);
        if !phase.depends_on.is_empty() {
            let needs: Vec<_> = phase.depends_on.iter().map(|id| id.as_str()).collect();
            line.push_str(" <- ");
            line.push_str(&needs.join(", "));
        }
        line
    });
    phases.collect()
}

/// The kinds of the problems with their lines.
fn problems(text: &str) -> Vec<(u32, ProblemKind)> {
    let roadmap = parse(text);
    roadmap.problems.iter().map(|p| (p.line, p.kind)).collect()
}

/// Checks what a text is read as, with either line end and with and without a last one.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(text), expected, "{text}");
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(shown(&crlf), expected, "with CRLF: {text}");
    assert_eq!(shown(text.trim_end()), expected, "without last newline: {text}");
}
