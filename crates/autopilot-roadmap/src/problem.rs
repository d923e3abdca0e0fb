//! What was odd about a file, with its line.

use serde::{Deserialize, Serialize};

/// The most problems that are listed; one more says how many were left out.
pub const PROBLEMS_MAX: usize = 10_000;

/// Something in a file that was not understood or cannot be right.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// What sort of problem it is.
    pub kind: ProblemKind,
    /// The problem in words for a person.
    #[serde(rename = "what")]
    pub message: String,
}

/// The sorts of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A file without any phase.
    NoPhases,
    /// A file without any task.
    NoTasks,
    /// A line that looks like a phase or a task and was not taken for one.
    Unreadable,
    /// Two phases or tasks with one id.
    DuplicateId,
    /// A phase that depends on itself.
    SelfDependency,
    /// A dependency on an id that is no phase of the file.
    DanglingDependency,
    /// A dependency on a phase that was struck out or abandoned.
    ExcludedDependency,
    /// A dependency value that names no phase.
    UnreadableDependency,
    /// Phases that depend on each other in a circle.
    Cycle,
    /// A checkbox and a table that say different things.
    StatusConflict,
    /// A criterion that names its check and belongs to no phase.
    StrayCriterion,
    /// A criterion whose check cannot be read, or could never be passed.
    UnreadableCriterion,
    /// A row of a progress table that is no phase of the file.
    UnknownTableRow,
    /// A `<details>`, a tag or a code fence that is not closed, or closed twice.
    Unbalanced,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A limit of this program was reached.
    TooMuch,
}

impl Problem {
    /// Makes a problem.
    pub(crate) fn new(line: u32, kind: ProblemKind, message: impl Into<String>) -> Self {
        Self { line, kind, message: message.into() }
    }

    /// A line that names a check but belongs to no phase, so that it would not be run.
    pub(super) fn stray_criterion(line: u32) -> Self {
        Self::new(
            line,
            ProblemKind::StrayCriterion,
            "this names a check, but is no criterion of a phase and will not be run; make it a list \
             item under `**Success Criteria**:` below the heading of its phase",
        )
    }
}

/// Sorts problems by line, drops what was said twice, and keeps within the limit.
pub(super) fn settle(problems: &mut Vec<Problem>) {
    problems.sort_unstable();
    problems.dedup();
    if problems.len() > PROBLEMS_MAX {
        let left_out = problems.len() - PROBLEMS_MAX;
        problems.truncate(PROBLEMS_MAX);
        let line = problems.last().map_or(1, |problem| problem.line);
        problems.push(Problem::new(
            line,
            ProblemKind::TooMuch,
            format!("{left_out} more problems are not listed"),
        ));
    }
}

/// A short, printable piece of a text for a message.
pub(super) fn excerpt(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    let mut shown: String = text
        .trim()
        .chars()
        .map(|c| if c.is_control() || c == '`' { ' ' } else { c })
        .take(CHARS_MAX)
        .collect();
    if text.trim().chars().nth(CHARS_MAX).is_some() {
        shown.push('…');
    }
    shown
}
