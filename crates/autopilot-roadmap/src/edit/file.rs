//! A roadmap as those see it who put phases in and take phases out.

use std::ops::Range;

use super::{
    super::{
        found::Found,
        marks::Change,
        merge::{self, Group},
        phase_id::PhaseId,
        scan,
        table::Columns,
        words,
    },
    chain::{self, Chain},
    outline::{Outline, is_rule},
    tables::{self, Table},
};

/// What was found in a roadmap, with its lines.
pub(super) struct File<'a> {
    /// The text that was read, without comments inside of lines; everything stands where it stood before.
    pub(super) source: &'a str,
    pub(super) outline: Outline<'a>,
    pub(super) found: Found<'a>,
    pub(super) groups: Vec<Group>,
    pub(super) tables: Vec<Table>,
    pub(super) chains: Vec<Chain<'a>>,
}

impl<'a> File<'a> {
    /// Reads a roadmap.
    pub(super) fn read(source: &'a str) -> Self {
        let outline = Outline::of(source);
        let mut found = scan::walk(source);
        let (groups, _) = merge::group(&mut found);
        let is_read = |line: usize| found.rows.iter().any(|row| outline.place(row.number) == line);
        let mut tables = tables::find(&outline, Columns::read);
        tables.retain(|table| table.rows.is_empty() || table.rows.iter().any(|row| is_read(row.1)));
        let chains = chain::find(source, &outline);
        Self { source, outline, found, groups, tables, chains }
    }

    /// The lines of the list of phases, first the phase and then the line.
    pub(super) fn entries(&self) -> Vec<(PhaseId, usize)> {
        let all = self.groups.iter().flat_map(|group| {
            group.entries().map(|at| (group.id, self.outline.place(self.found.entries[at].line)))
        });
        all.collect()
    }

    /// The lines of an entry of the list.
    pub(super) fn item(&self, first: usize) -> Range<usize> {
        let others: Vec<usize> = self.entries().into_iter().map(|(_, line)| line).collect();
        self.outline.item(first, &others)
    }

    /// The sections that describe phases, first the phase and then the place of the section.
    pub(super) fn sections(&self) -> Vec<(PhaseId, usize)> {
        let all = self.groups.iter().flat_map(|group| group.sections().map(|at| (group.id, at)));
        all.collect()
    }

    /// The lines of a section, without a table of the whole roadmap that only stands in it.
    pub(super) fn section(&self, at: usize) -> Range<usize> {
        let others: Vec<usize> =
            self.found.sections.iter().map(|section| self.outline.place(section.line)).collect();
        let section = &self.found.sections[at];
        let first = self.outline.place(section.line);
        let lines = self.outline.section(first, section.level, &others);
        let tables = self.tables.iter().map(Table::first_line);
        match tables.filter(|table| lines.contains(table)).min() {
            Some(table) => first..self.before_table(first + 1, table),
            None => lines,
        }
    }

    /// The line before which a section ends that a table of the whole roadmap stands in: what announces the table
    /// belongs to it.
    fn before_table(&self, from: usize, table: usize) -> usize {
        let mut end = table;
        while end > from {
            let text = self.outline.lines[end - 1].text;
            let announces = words::is_about_progress(text) || text.to_lowercase().contains("order");
            let is_short = text.len() <= 60 || text.contains("->") || text.contains('→');
            if !(self.outline.is_blank(end - 1) || is_rule(text) || (announces && is_short)) {
                break;
            }
            end -= 1;
        }
        self.outline.without_gap(from, end)
    }

    /// Puts lines after a line; they come without a line end at their end.
    pub(super) fn after(&self, line: usize, block: &str) -> Change {
        let line_end = self.outline.line_end;
        let (at, is_ended) = match self.outline.lines.get(line) {
            Some(line) => (line.end, line.start + line.text.len() < line.end),
            None => (self.source.len(), true),
        };
        let with =
            if is_ended { format!("{block}{line_end}") } else { format!("{line_end}{block}") };
        Change { start: at, end: at, with }
    }

    /// Takes lines out.
    pub(super) fn without(&self, lines: Range<usize>) -> Change {
        let bytes = self.outline.bytes(&lines);
        Change { start: bytes.start, end: bytes.end, with: String::new() }
    }
}
