//! Finds the places of a roadmap that say, or could say, whether a phase is done.

use super::{
    comment,
    found::Found,
    line::{self, Line, Lines},
    merge::{self, Group},
    phase_id::PhaseId,
    scan,
    section::{Opened, Section, Value, offset_of},
    status::{self, Sign, Status},
    table::Row,
};

/// The mark of a heading, a list line or a row that has nothing else to set.
const DONE_SIGN: &str = "✅";
/// What a status becomes.
const DONE_WORD: &str = "Complete";

/// What stands from `start` to `end` becomes `with`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) with: String,
}

/// The changes that mark one phase complete.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Everything that says now that the phase is open: boxes, statuses, signs.
    pub(super) open: Vec<Change>,
    /// What can be added where nothing says so, the least surprising first; one of them is enough.
    pub(super) added: Vec<Vec<Change>>,
}

/// Finds the marks of a phase; `None` when there is no such phase.
pub(super) fn find(text: &str, id: PhaseId) -> Option<Marks> {
    let source = &comment::blanked(text);
    let mut found = scan::walk(source);
    let (groups, index) = merge::group(&mut found);
    let group = index.get(id).and_then(|place| groups.get(place))?;
    let finder = Finder { text, source, found: &found, group };
    Some(Marks { open: finder.open(), added: finder.added() })
}

struct Finder<'a> {
    /// The text as it is.
    text: &'a str,
    /// The text that was read, without comments inside of lines.
    source: &'a str,
    found: &'a Found<'a>,
    group: &'a Group,
}

impl<'a> Finder<'a> {
    fn open(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for at in self.group.entries() {
            let entry = &self.found.entries[at];
            // A struck line beside a live one is only a note about it.
            if entry.struck {
                continue;
            }
            if let (Some(at), Some(false)) = (entry.box_at, entry.ticked) {
                let mark = self.source[at..].chars().next().map_or(0, char::len_utf8);
                changes.push(Change { start: at, end: at + mark, with: "x".to_owned() });
            }
            changes
                .extend(self.line(entry.line).and_then(|line| swapped_sign(line, item_at(line))));
        }
        for at in self.group.sections() {
            self.open_in_section(&self.found.sections[at], &mut changes);
        }
        for row in self.own_rows().filter(|row| row.status == Status::Open) {
            changes.extend(row.status_cell.map(|cell| self.cell(cell)));
        }
        changes
    }

    fn open_in_section(&self, section: &Section<'a>, changes: &mut Vec<Change>) {
        if let Some(line) = self.line(section.line) {
            if section.checkbox == Some(false) {
                changes.extend(ticked_heading(line));
            }
            changes.extend(swapped_sign(line, title_at(line)));
        }
        if let Some(tail) = section.title.open_tail {
            changes.push(self.replaced(tail, format!(" {DONE_SIGN}")));
        }
        changes.extend(self.status_line(section, |status| status == Status::Open));
    }

    fn added(&self) -> Vec<Vec<Change>> {
        let blank = |status: Status| status == Status::Blank;
        let unclear = |status: Status| status == Status::Unclear;
        let mut ways = vec![self.cells(blank)];
        let section = self.group.section.map(|at| &self.found.sections[at as usize]);
        if let Some(section) = section
            && let Some(line) = self.line(section.line)
        {
            let end =
                if section.opened == Opened::BoldText { end_of(line) } else { title_end(line) };
            ways.push(vec![inserted(end, format!(" {DONE_SIGN}"))]);
            ways.push(vec![inserted(title_at(line), format!("{DONE_SIGN} "))]);
        }
        let entry = self.group.entry.map(|at| &self.found.entries[at as usize]);
        if let Some(line) = entry.and_then(|entry| self.line(entry.line)) {
            ways.push(vec![inserted(end_of(line), format!(" {DONE_SIGN}"))]);
            ways.push(vec![inserted(item_at(line), format!("{DONE_SIGN} "))]);
        }
        // What someone wrote in words of their own is replaced only where nothing else can be marked.
        let mut words = self.cells(unclear);
        words.extend(section.and_then(|section| self.status_line(section, unclear)));
        ways.push(words);
        ways.extend(self.own_rows().filter(|row| !row.name.is_empty()).map(|row| {
            let end = offset_of(self.source, row.name) + row.name.len();
            vec![inserted(end, format!(" {DONE_SIGN}"))]
        }));
        ways.retain(|way| !way.is_empty());
        ways
    }

    /// The rows that stand for this phase alone.
    fn own_rows(&self) -> impl Iterator<Item = &Row<'a>> {
        let id = self.group.id;
        self.found.rows.iter().filter(move |row| row.first == id && row.last == id && !row.struck)
    }

    fn cells(&self, wanted: impl Fn(Status) -> bool) -> Vec<Change> {
        let rows = self.own_rows().filter(|row| wanted(row.status));
        rows.filter_map(|row| row.status_cell).map(|cell| self.cell(cell)).collect()
    }

    fn cell(&self, cell: &str) -> Change {
        self.replaced(cell, completed_cell(cell))
    }

    fn status_line(
        &self,
        section: &Section<'a>,
        wanted: impl Fn(Status) -> bool,
    ) -> Option<Change> {
        let value: Value<'a> = section.status.filter(|value| wanted(status::read(value.text)))?;
        Some(self.replaced(value.text, completed(value.text)))
    }

    fn replaced(&self, slice: &str, with: String) -> Change {
        let start = offset_of(self.source, slice);
        let end = start + slice.len();
        if self.text.get(start..end) == Some(slice) {
            return Change { start, end, with };
        }
        // A comment beside it stays.
        let start = start + slice.len() - slice.trim_start().len();
        Change { start, end: start + slice.trim().len(), with: with.trim().to_owned() }
    }

    fn line(&self, number: u32) -> Option<Line<'a>> {
        Lines::new(self.source).nth((number as usize).checked_sub(1)?)
    }
}

fn inserted(at: usize, with: String) -> Change {
    Change { start: at, end: at, with }
}

/// Where the text of a line ends; what follows are blanks, which Markdown can give a meaning.
fn end_of(line: Line<'_>) -> usize {
    line.start + line.text.trim_end().len()
}

/// Where the title of a heading ends, before the `##` that may close it.
fn title_end(line: Line<'_>) -> usize {
    let text = line.text.trim_end();
    let open = text.trim_end_matches('#');
    let closed = open.len() < text.len() && open.ends_with([' ', '\t']);
    line.start + if closed { open.trim_end().len() } else { text.len() }
}

/// Where the title of a heading starts.
fn title_at(line: Line<'_>) -> usize {
    let title = line.text.trim_start().trim_start_matches('#').trim_start();
    line.start + line.text.len() - title.len()
}

/// Where the text of a list line starts, after bullet and box.
fn item_at(line: Line<'_>) -> usize {
    let body = line::without_indent(line.text);
    let text = line::item(body).map_or(body, |item| item.text);
    line.start + line.text.len() - text.len()
}

/// Turns the sign before the first word into the one for done, where it says that work is under way.
fn swapped_sign(line: Line<'_>, from: usize) -> Option<Change> {
    let text = &line.text[from - line.start..];
    let before = text.char_indices().take_while(|(_, c)| !c.is_alphanumeric());
    let (at, sign) =
        before.into_iter().find(|(_, c)| status::sign_of(*c) == Some(Sign::Pending))?;
    let start = from + at;
    Some(Change { start, end: start + sign.len_utf8(), with: DONE_SIGN.to_owned() })
}

/// Ticks the box before the title of a heading.
fn ticked_heading(line: Line<'_>) -> Option<Change> {
    let is_box = |four: &[u8]| matches!(four, [b'[', _, b']', b' ']);
    let at = line.text.as_bytes().windows(4).position(is_box)?;
    let start = line.start + at + 1;
    Some(Change { start, end: start + 1, with: "x".to_owned() })
}

/// A status with the word for done, and with the sign for it where it had a sign.
fn completed(status: &str) -> String {
    let signed = status.chars().any(|c| status::sign_of(c) == Some(Sign::Pending));
    let worded = status.chars().any(char::is_alphanumeric);
    match (signed, worded) {
        (true, false) => DONE_SIGN.to_owned(),
        (true, true) => format!("{DONE_SIGN} {DONE_WORD}"),
        (false, _) => DONE_WORD.to_owned(),
    }
}

/// The cell with its status replaced, as wide as before so that the table stays aligned.
fn completed_cell(cell: &str) -> String {
    let status = cell.trim();
    let lead = if status.is_empty() { 1 } else { cell.len() - cell.trim_start().len() };
    let mut replacement = " ".repeat(lead) + &completed(status);
    let width = cell.chars().count();
    while replacement.chars().count() < width {
        replacement.push(' ');
    }
    let spaced = status.is_empty() || cell.ends_with(char::is_whitespace);
    if spaced && !replacement.ends_with(' ') {
        replacement.push(' ');
    }
    replacement
}
