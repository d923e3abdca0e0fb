//! Reads a plan's traceability table: which task covers which requirement or criterion.

use serde::{Deserialize, Serialize};

use super::{
    super::{
        line::{Fence, Lines, cells},
        title,
    },
    task_id,
};

/// The most rows that are read.
const ROWS_MAX: usize = 1_000;

/// A row of a traceability table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    /// The line it stands on.
    pub line: u32,
    /// The requirement or criterion, as written.
    pub what: String,
    /// The ids of the tasks that cover it, as written.
    pub tasks: Vec<String>,
}

/// Reads the rows of every table that has a column for what is asked and one for tasks.
pub(super) fn read(source: &str) -> Vec<Covered> {
    let mut rows = Vec::new();
    let mut columns: Option<(usize, usize)> = None;
    let mut fence: Option<Fence> = None;
    for line in Lines::new(source) {
        let text = line.text.trim();
        match (fence, Fence::opening(text)) {
            (Some(open), _) if open.is_closed_by(text) => fence = None,
            (Some(_), _) => continue,
            (None, opening) => fence = opening,
        }
        if !text.starts_with('|') {
            columns = None;
            continue;
        }
        let cells: Vec<&str> = cells(text).map(str::trim).collect();
        let Some((what, tasks)) = columns else {
            columns = header(&cells);
            continue;
        };
        let is_rule = cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ')));
        if let (false, Some(what), Some(tasks)) = (is_rule, cells.get(what), cells.get(tasks))
            && rows.len() < ROWS_MAX
        {
            let (what, tasks) =
                (title::clean(what.trim_matches(['*', '_', '`'])), task_id::listed(tasks));
            rows.push(Covered { line: line.number, what, tasks });
        }
    }
    rows
}

/// The columns of what is asked for and of the tasks, if a row is the header of such a table.
fn header(cells: &[&str]) -> Option<(usize, usize)> {
    let place = |words: &[&str]| {
        cells.iter().position(|cell| {
            let cell = cell.to_ascii_lowercase();
            let mut found = cell.split(|c: char| !c.is_ascii_alphabetic());
            found.any(|word| words.contains(&word))
        })
    };
    let what = place(&["requirement", "requirements", "criterion", "criteria", "req", "reqs"])?;
    let tasks = place(&["task", "tasks", "covered"])?;
    (what != tasks).then_some((what, tasks))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(u32, String, String)> {
        read(text).into_iter().map(|row| (row.line, row.what, row.tasks.join("+"))).collect()
    }

    #[test]
    fn e14_the_rows_of_a_traceability_table_are_read() {
        let text = "# Plan\n\n| Requirement | Text | Task(s) |\n|---|:-:|---|\n| **A-01** | x | `1-01`, 1-02 |\n\
            | A-02 | y | — |\n| A-03 | z | Task 1-03 (all of it) |\n\n| Task | Time |\n|---|---|\n| 1 | 2 |\n";
        let expected = [(5, "A-01", "1-01+1-02"), (6, "A-02", ""), (7, "A-03", "1-03")];
        let expected = expected.map(|(line, what, by)| (line, what.to_owned(), by.to_owned()));
        assert_eq!(rows(text), expected);
        assert_eq!(rows("```\n| Requirement | Task |\n|---|---|\n| A | 1 |\n```\n"), []);
        assert_eq!(rows("| Requirement | Task |\n|---|---|\n| A |\n|"), []);
        assert_eq!(rows("| Task | Frequency | Required |\n|---|---|---|\n| 1 | 2 | 3 |\n"), []);
        let other = "| Requirement | Task |\n|---|---|\n| A | Phase 3, then task 1-01 (step 2) |\n";
        assert_eq!(rows(other), [(3, "A".to_owned(), "then+1-01".to_owned())]);
    }
}
