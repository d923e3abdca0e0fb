//! How a walk takes the rows of tables.

use super::{
    super::{
        field,
        line::{self, Line},
        problem::{Problem, ProblemKind},
        status::{self, Status},
        table::{self, Columns},
        words::{self, Field},
    },
    Walker,
};

impl<'a> Walker<'a> {
    /// Takes a line that opens with a bar.
    pub(super) fn take_row(&mut self, line: Line<'a>, body: &'a str) {
        self.note_check_in_row(line);
        if self.cursor.is_some() {
            self.note_field_in_row(line, body);
        }
        if std::mem::take(&mut self.table_gap) && self.opens_another(body) {
            self.header = None;
            self.columns = None;
        }
        match (self.header, &self.columns) {
            (None, _) => {
                self.header = Some(body);
                self.open_rows = false;
            }
            (Some(header), None) if table::is_delimiter(body) => {
                // A table about something else keeps a default that no row matches.
                self.open_table(line, header);
            }
            (Some(header), None) => {
                // Without dashes below its header it is no table; that is said once, on the first row.
                if Columns::read(header)
                    .filter(|columns| self.cursor.is_none() || columns.is_progress(header))
                    .is_some_and(|columns| columns.row(body, line.number).is_some())
                {
                    self.found.problems.push(Problem::new(
                        line.number,
                        ProblemKind::UnknownTableRow,
                        "the table has no line of dashes below its header, so its rows are not read",
                    ));
                    self.header = Some("");
                }
            }
            (Some(_), Some(columns)) => match columns.row(body, line.number) {
                Some(row) if self.inner_rows => self.found.inner_rows.push(row),
                Some(row) => self.found.rows.push(row),
                None if self.inner_rows => {}
                None => self.found.problems.extend(columns.unread(body, line.number)),
            },
        }
    }

    /// Reports what a row says of the phase that it stands in: `| Depends on | Phase 1 |`.
    fn note_field_in_row(&mut self, line: Line<'a>, body: &'a str) {
        let mut cells = line::cells(body);
        let (label, value) = (cells.next().unwrap_or(""), cells.next().unwrap_or("").trim());
        let label = label.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | ':'));
        let field = words::field_of(label);
        let needs = matches!(field, Field::DependsOn | Field::Prerequisite);
        if needs && field::names_phases(value) {
            self.found.texts.prerequisites.push(line.number);
        } else if field == Field::Status && status::read(value) == Status::Done {
            let id = self.found.sections.last().map(|section| section.id);
            self.found.texts.completions.extend(id.map(|id| (line.number, id)));
        }
    }

    /// Tells whether a row after a blank line opens a table of its own: the line below it has dashes.
    fn opens_another(&self, body: &str) -> bool {
        let next = self.lines.clone().next().map_or("", |line| line.text.trim());
        !table::is_delimiter(body) && (table::is_delimiter(next) || self.columns.is_none())
    }

    /// Takes a row of a table in a quotation.
    pub(super) fn take_quoted_row(&mut self, line: Line<'a>) -> bool {
        let inner = line.text.trim_start_matches([' ', '\t', '>']);
        if !inner.starts_with('|') {
            return false;
        }
        let start = line.start + line.text.len() - inner.len();
        self.take_row(Line { start, text: inner, ..line }, inner);
        true
    }

    /// Takes a line that goes on with a table whose rows have no bars at their ends.
    pub(super) fn goes_on(&mut self, line: Line<'a>, body: &'a str) -> bool {
        let row = self.open_rows && body.contains('|');
        if row {
            self.take_row(line, body);
        }
        row
    }

    /// Takes the line of dashes of such a table.
    pub(super) fn opens_table(&mut self, line: Line<'a>, body: &'a str) -> bool {
        let header = lines_before(self.source, line).next().map(line::without_indent);
        let Some(header) = header.filter(|header| header.contains('|') && body.contains('|'))
        else {
            return false;
        };
        if !table::is_delimiter(body) {
            return false;
        }
        self.header = Some(header);
        self.open_rows = true;
        self.open_table(line, header);
        true
    }

    /// Reads the header of a table. One that stands in a phase may be about anything; its rows count where they
    /// can only be about progress, or where the lines before say so.
    fn open_table(&mut self, line: Line<'a>, header: &'a str) {
        self.columns = Columns::read(header);
        self.inner_rows = match &self.columns {
            Some(columns) if self.cursor.is_some() => {
                !columns.is_progress(header) && !self.is_set_apart(line)
            }
            Some(_) | None => false,
        };
        if self.columns.is_none() && self.below_progress && table::has_status(header) {
            self.found.problems.push(Problem::new(
                line.number,
                ProblemKind::UnknownTableRow,
                "this table has no `Phase` column that could be read, so its rows are not read",
            ));
        } else if self.columns.is_none() {
            self.columns = Columns::read_loosely(header);
            self.inner_rows = self.columns.is_some();
        }
        if self.columns.is_none() {
            self.header = Some("");
        }
    }

    /// Tells whether a rule or a line about progress stands before the header of a table.
    fn is_set_apart(&self, delimiter: Line<'a>) -> bool {
        let before = lines_before(self.source, delimiter)
            .skip(1)
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or("");
        let is_rule = before.len() >= 3 && before.bytes().all(|byte| b"-*_ ".contains(&byte));
        is_rule || (before.len() <= 60 && words::is_about_progress(before))
    }
}

/// The lines before a line, the last one first.
fn lines_before<'a>(source: &'a str, line: Line<'_>) -> impl Iterator<Item = &'a str> {
    let before = &source[..line.start];
    let before = before.strip_suffix('\n').unwrap_or(before);
    let before = before.strip_suffix('\r').unwrap_or(before);
    before.rsplit(['\n', '\r'])
}
