//! The tables of a file whose rows stand for phases, for those who put rows in and take rows out.

use super::{
    super::{
        line,
        phase_id::PhaseId,
        table::{self, Columns, NewRow},
    },
    outline::Outline,
};

/// A table with the lines of its parts.
#[derive(Debug)]
pub(super) struct Table {
    columns: Columns,
    header: usize,
    /// The rows that stand for exactly one phase.
    pub(super) rows: Vec<(PhaseId, usize)>,
}

/// Finds the tables of a file whose columns are read as `read` says.
pub(super) fn find(outline: &Outline<'_>, read: impl Fn(&str) -> Option<Columns>) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut at = 1;
    while at < outline.lines.len() {
        let (header, dashes) = (unquoted(outline, at - 1), unquoted(outline, at));
        let opens = !outline.lines[at].is_quiet
            && header.contains('|')
            && dashes.contains('|')
            && table::is_delimiter(dashes);
        match read(header).filter(|_| opens) {
            Some(columns) => {
                let table = Table::at(outline, at - 1, columns);
                at = table.rows.last().map_or(at, |(_, line)| *line) + 1;
                tables.push(table);
            }
            None => at += 1,
        }
    }
    tables
}

impl Table {
    fn at(outline: &Outline<'_>, header: usize, columns: Columns) -> Self {
        let mut rows = Vec::new();
        let mut at = header + 2;
        // Blank lines may interrupt a table, but not before a table of its own.
        while at < outline.lines.len() && !outline.lines[at].is_quiet {
            let text = unquoted(outline, at);
            let opens_another = at + 1 < outline.lines.len()
                && table::is_delimiter(unquoted(outline, at + 1))
                && unquoted(outline, at + 1).contains('|');
            if !text.contains('|') && !text.trim().is_empty() || opens_another {
                break;
            }
            let row = columns.row(text, 0).filter(|row| row.first == row.last);
            rows.extend(row.map(|row| (row.first, at)));
            at += 1;
        }
        Self { columns, header, rows }
    }

    /// The first line of the table.
    pub(super) fn first_line(&self) -> usize {
        self.header
    }

    /// The line after which a row without a neighbour goes.
    pub(super) fn last_line(&self) -> usize {
        self.rows.last().map_or(self.header + 1, |(_, line)| *line)
    }

    /// The line of a phase.
    pub(super) fn line_of(&self, id: PhaseId) -> Option<usize> {
        self.rows.iter().rfind(|(found, _)| *found == id).map(|(_, line)| *line)
    }

    /// A row for a phase that looks like the one on a line.
    pub(super) fn row(&self, outline: &Outline<'_>, like: usize, new: NewRow<'_>) -> String {
        let header = unquoted(outline, self.header);
        let row = unquoted(outline, like);
        let is_whole =
            line::cells(row).count() == line::cells(header).count() && !table::is_delimiter(row);
        let quote = outline.lines[like].text;
        let quote = &quote[..quote.len() - row.len()];
        let written = self.columns.write(header, if is_whole { row } else { header }, new);
        format!("{quote}{written}")
    }
}

/// A line without its indentation and the marks of a quotation.
fn unquoted<'a>(outline: &Outline<'a>, at: usize) -> &'a str {
    outline.lines[at].text.trim_start_matches([' ', '\t', '>'])
}
