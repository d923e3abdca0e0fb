//! Reads tables that list phases: progress tables, overviews, tables with a dependency column.

mod new_row;

use super::{
    head::Separated,
    line,
    phase_id::{Before, PhaseId},
    problem::{Problem, ProblemKind, excerpt},
    status::{self, Status},
    title,
    words::{self, Field},
};
pub(super) use new_row::NewRow;

/// What the columns of a table hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    id: usize,
    name: Option<usize>,
    status: Option<usize>,
    depends_on: Option<usize>,
    goal: Option<usize>,
    /// Whether only rows count that open with the word for a phase.
    loose: bool,
}

/// A row that stands for one phase or a range of them.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub(super) first: PhaseId,
    pub(super) last: PhaseId,
    pub(super) name: &'a str,
    pub(super) status: Status,
    /// The status cell, as it stands.
    pub(super) status_text: &'a str,
    /// Where the status cell starts in its line, with its blanks.
    pub(super) status_cell: Option<&'a str>,
    pub(super) depends_on: Option<&'a str>,
    pub(super) goal: Option<&'a str>,
    pub(super) struck: bool,
    pub(super) number: u32,
}

impl Columns {
    /// Reads the header of a table; `None` when its rows do not stand for phases.
    pub(super) fn read(header: &str) -> Option<Self> {
        let names: Vec<String> = line::cells(header).map(column_name).collect();
        let plural =
            |name: &String| words::phase_word(name).is_some_and(|length| length == name.len());
        let phase = names
            .iter()
            .position(|name| is_phase_column(name))
            .or_else(|| names.first().filter(|name| plural(name)).map(|_| 0))?;
        let numbered = names.first().is_some_and(|name| is_number_column(name)) && phase > 0;
        let name = names.iter().position(|name| is_name_column(name));
        let first_is_kept = phase == 0 || numbered || name.is_some() || is_order_column(&names[0]);
        if !first_is_kept {
            return None;
        }
        let find = |wanted: Field| names.iter().position(|name| words::field_of(name) == wanted);
        Some(Self {
            id: if numbered { 0 } else { phase },
            name: if numbered { Some(phase) } else { name },
            status: find(Field::Status)
                .or_else(|| names.iter().position(|name| is_done_column(name))),
            depends_on: find(Field::DependsOn),
            goal: find(Field::Goal),
            loose: false,
        })
    }

    /// Reads the header of a table with a status, whatever its rows stand for; only those count that open with
    /// the word for a phase.
    pub(super) fn read_loosely(header: &str) -> Option<Self> {
        let status = line::cells(header)
            .position(|name| words::field_of(&column_name(name)) == Field::Status)?;
        (status > 0).then(|| Self { status: Some(status), loose: true, ..Self::default() })
    }

    /// Tells whether a table says how far phases are, or what they need, and nothing else, so that it is about
    /// the whole roadmap wherever it stands.
    pub(super) fn is_progress(&self, header: &str) -> bool {
        (self.status.is_some() || self.depends_on.is_some())
            && line::cells(header).map(column_name).all(|name| is_usual_column(&name))
    }

    /// Reads a row; `None` when its id cell holds no id.
    pub(super) fn row<'a>(&self, text: &'a str, number: u32) -> Option<Row<'a>> {
        let cells: Vec<&str> = line::cells(text).collect();
        let cell = cells.get(self.id)?;
        let spelled = || words::phase_word(cell.trim_matches(['*', '_', ' '])).is_some();
        if self.loose && !spelled() {
            return None;
        }
        let (first, last, rest, struck) = id_cell(cell)?;
        let at = |column: Option<usize>| column.and_then(|column| cells.get(column)).copied();
        let status_cell = at(self.status);
        let mut name = at(self.name).unwrap_or(rest).trim();
        let title = title::read(name);
        if title.struck {
            name = title.name;
        }
        let (status, status_text) = match (status_cell, title.status) {
            (Some(cell), _) => status_of(cell, &cells[self.id + 1..]),
            (None, told @ (Status::Done | Status::Dropped)) => {
                name = title.name;
                (told, "")
            }
            (None, Status::Open | Status::Unclear | Status::Blank) => (Status::Blank, ""),
        };
        Some(Row {
            first,
            last,
            name,
            status,
            status_text,
            status_cell,
            depends_on: at(self.depends_on).map(str::trim),
            goal: at(self.goal).map(str::trim),
            struck: struck || title.struck,
            number,
        })
    }
}

impl Columns {
    /// What to say of a row that holds no id where the others do, unless it is clearly about no phase.
    pub(super) fn unread(&self, text: &str, number: u32) -> Option<Problem> {
        let cells: Vec<&str> = line::cells(text).map(str::trim).collect();
        let is_blank = |cell: &&str| cell.chars().all(|c| !c.is_alphanumeric());
        let cell = cells.get(self.id).copied().unwrap_or("");
        let told = cells.iter().filter(|cell| !is_blank(cell)).count();
        // A line that only groups the rows below it says so in this cell and nothing in the others.
        if told <= usize::from(!is_blank(&cell)) || is_about_more(cell) {
            return None;
        }
        let what = match excerpt(cell) {
            cell if cell.is_empty() => {
                "this row of the table names no phase and is not read".to_owned()
            }
            cell => format!("`{cell}` is no phase id, so this row of the table is not read"),
        };
        Some(Problem::new(number, ProblemKind::UnknownTableRow, what))
    }
}

/// `Total`, `**All phases**`, `v1.0`, `Milestone 2`: what a row says that stands for more than a phase.
fn is_about_more(cell: &str) -> bool {
    let name = column_name(cell);
    let version =
        name.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    version
        || ["total", "sum", "all", "overall", "milestone", "backlog", "average", "wave", "…", "..."]
            .iter()
            .any(|word| name.starts_with(word))
}

/// Tells whether a header has a column for a status.
pub(super) fn has_status(header: &str) -> bool {
    line::cells(header).any(|name| words::field_of(&column_name(name)) == Field::Status)
}

/// Tells whether a row is the line of dashes under a header.
pub(super) fn is_delimiter(row: &str) -> bool {
    row.contains('-') && row.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// A status cell that holds a date or a count is one that a writer shifted; the status is then in
/// another cell.
fn status_of<'a>(cell: &'a str, others: &[&'a str]) -> (Status, &'a str) {
    let own = status::read(cell);
    if own != Status::Blank || cell.trim().is_empty() {
        return (own, cell.trim());
    }
    others
        .iter()
        .map(|other| (status::read(other), other.trim()))
        .find(|(status, _)| *status == Status::Done)
        .unwrap_or((own, cell.trim()))
}

/// `1. Name`, `2.1 Name`, `01`, `Phase 1: Name`, `~~3.4 Name~~`, `**3.1c**`, `1-9`.
fn id_cell(cell: &str) -> Option<(PhaseId, PhaseId, &str, bool)> {
    let text = cell.trim();
    // A part of the name that is struck out is a note about the name.
    let opening = text.trim_start_matches(['*', '_', '`', '[']);
    let struck = opening.strip_prefix("~~").is_some_and(|inner| {
        inner
            .split_once("~~")
            .is_none_or(|(struck, _)| struck.contains(|c: char| c.is_ascii_digit()))
    });
    let text = text.trim_matches(|c: char| matches!(c, '*' | '_' | '`' | '[' | ' '));
    let text = if struck { text.trim_matches(['~', '*', '_', ' ']) } else { text };
    let (before, after) = match words::phase_word(text) {
        Some(length) => (Before::Keyword, text[length..].trim_start()),
        None => (Before::Nothing, text),
    };
    let (first, length) = PhaseId::scan(after, before)?;
    let rest = &after[length..];
    let mut last = first;
    let mut rest = rest;
    if let Some(end) = rest.strip_prefix(['-', '–', '—'])
        && let Some((found, length)) = PhaseId::scan(end, Before::Nothing)
        && found > first
    {
        last = found;
        rest = &end[length..];
    }
    let (separated, name) = split_name(rest);
    // `3 of 4 criteria`, `9 minutes`: a number in other words is no id, unless a name is set apart
    // from it.
    let named = separated == Separated::Clearly || before == Before::Keyword || starts_name(name);
    let name = if struck {
        name.trim_matches(['*', '~', '_', ' '])
    } else {
        name.trim_matches(['*', '_', ' '])
    };
    named.then_some((first, last, name, struck))
}

fn split_name(rest: &str) -> (Separated, &str) {
    let trimmed = rest.trim_start_matches([' ', '*', '`']);
    let trimmed = trimmed.strip_prefix("~~:").map_or(trimmed, |_| &trimmed[2..]);
    let cut = trimmed.trim_start_matches(['.', ':', ')', '—', '–', '：']);
    let clearly = cut.len() < trimmed.len() || cut.is_empty();
    let separated = if clearly { Separated::Clearly } else { Separated::ByBlank };
    (separated, cut.trim())
}

fn starts_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
}

fn column_name(cell: &str) -> String {
    cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`')).to_lowercase()
}

fn is_phase_column(name: &str) -> bool {
    let Some(at) = name.rfind(' ').map(|at| at + 1).or(Some(0)) else {
        return false;
    };
    let word = &name[at..];
    (words::phase_word(word).is_some_and(|length| length == word.len()) && words::is_singular(word))
        || matches!(name, "phase #" | "phase no." | "phase id" | "phase name")
}

fn is_number_column(name: &str) -> bool {
    matches!(name, "#" | "no" | "no." | "nr" | "nr." | "№" | "id" | "n")
}

fn is_name_column(name: &str) -> bool {
    matches!(
        name,
        "name"
            | "title"
            | "название"
            | "назва"
            | "nombre"
            | "nome"
            | "namn"
            | "ad"
            | "名称"
            | "名前"
    )
}

/// `Done`, `Complete?`: a column that says whether a phase is done, beside one for the status.
fn is_done_column(name: &str) -> bool {
    matches!(name.trim_end_matches('?'), "done" | "complete" | "result" | "progress")
}

/// Tells whether a column is one that progress tables have.
fn is_usual_column(name: &str) -> bool {
    const STARTS: &[&str] = &[
        "plan",
        "complet",
        "status",
        "state",
        "date",
        "start",
        "finish",
        "done",
        "note",
        "owner",
        "milestone",
        "version",
        "wave",
        "order",
        "execution",
        "dir",
        "step",
        "priority",
        "week",
        "task",
        "progress",
        "%",
        "percent",
        "effort",
        "estimate",
        "duration",
        "remark",
        "comment",
        "due",
        "target",
    ];
    let field = words::field_of(name);
    is_phase_column(name)
        || is_number_column(name)
        || is_name_column(name)
        || name.is_empty()
        || !matches!(field, Field::Other | Field::Misspelled)
        || STARTS.iter().any(|start| name.starts_with(start))
}

/// Tells whether the first column only sorts the phases, so that the phase may stand in a later
/// one.
fn is_order_column(name: &str) -> bool {
    name.is_empty()
        || ["order", "wave", "dir", "milestone", "version", "step", "priority", "status", "week"]
            .iter()
            .any(|word| name.contains(word))
}

#[cfg(test)]
mod tests;
