//! Writes a row for another phase, in the way the rows of a table are written.

use super::{
    super::{
        line,
        phase_id::{Before, PhaseId},
        words,
    },
    Columns, column_name,
};

/// What the status of a phase is that nobody has begun.
const OPEN_STATUS: &str = "Not started";
/// The same in the words of others, which a file may go on with.
const OPEN_STATUSES: [&str; 6] =
    ["not started", "pending", "planned", "todo", "to do", "not planned"];
/// What a cell holds that has nothing to say.
const NOTHING: &str = "-";

/// What a new row is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewRow<'a> {
    pub(crate) id: PhaseId,
    pub(crate) name: &'a str,
    /// A mark that follows the name.
    pub(crate) mark: &'a str,
    pub(crate) goal: &'a str,
    pub(crate) needs: &'a str,
    /// Whether nothing but this row names the phase.
    pub(crate) is_alone: bool,
}

impl Columns {
    /// Tells whether the table has a column for a status.
    pub(crate) fn has_status(&self) -> bool {
        self.status.is_some()
    }

    /// Writes a row. `like` is another row of the table, or its header where there is none; bars, blanks and the
    /// width of cells are taken from it.
    pub(crate) fn write(&self, header: &str, like: &str, new: NewRow<'_>) -> String {
        let heads: Vec<&str> = line::cells(header).collect();
        let is_header = like == header;
        let mut row = String::with_capacity(like.len());
        let mut from = 0;
        for (column, cell) in line::cells(like).enumerate() {
            let start = cell.as_ptr() as usize - like.as_ptr() as usize;
            let old = if is_header { "" } else { cell };
            let head = heads.get(column).copied().unwrap_or_default();
            // Cells are only filled up in a table whose columns are aligned.
            let is_aligned = cell.chars().count() == head.chars().count() && !is_header;
            let value = self.value(column, &column_name(head), old, new);
            row.push_str(&like[from..start]);
            row.push_str(&filled(cell, &value, is_aligned));
            from = start + cell.len();
        }
        row.push_str(&like[from..]);
        row
    }

    fn value(&self, column: usize, name: &str, old: &str, new: NewRow<'_>) -> String {
        let or_nothing =
            |text: &str| if text.is_empty() { NOTHING.to_owned() } else { text.to_owned() };
        let named = format!("{}{}", new.name, new.mark);
        let value = match Some(column) {
            id if id == Some(self.id) => {
                let inside = Some(named.as_str()).filter(|_| self.name.is_none());
                id_cell(old, new.id, inside, new.is_alone)
            }
            at if at == self.name => named,
            at if at == self.status => {
                let is_open = OPEN_STATUSES.contains(&old.trim().to_lowercase().as_str());
                if is_open { old.trim() } else { OPEN_STATUS }.to_owned()
            }
            at if at == self.depends_on => or_nothing(new.needs),
            at if at == self.goal => or_nothing(new.goal),
            _ if name == "milestone" => or_nothing(old.trim()),
            _ if name.starts_with("plan") && old.contains('/') => "0/TBD".to_owned(),
            _ => NOTHING.to_owned(),
        };
        value.replace('|', "\\|")
    }
}

/// `1. Name`, `**01**`, `Phase 1: Name`: the cell of an id, written like another one.
fn id_cell(like: &str, id: PhaseId, name: Option<&str>, is_alone: bool) -> String {
    let text = like.trim().trim_start_matches(['[', '~']);
    let body = text.trim_start_matches(['*', '_', '`']);
    let bold = &text[..text.len() - body.len()];
    let word = words::phase_word(body)
        .map_or(0, |length| length + body[length..].len() - body[length..].trim_start().len());
    let before = if word > 0 { Before::Keyword } else { Before::Nothing };
    let Some((_, length)) = PhaseId::scan(&body[word..], before) else {
        return name.map_or_else(|| id.to_string(), |name| format!("{id}. {name}"));
    };
    let raw = &body[word..word + length];
    let digits = raw.bytes().take_while(u8::is_ascii_digit).count();
    let zeros = if raw.starts_with('0') { digits } else { 1 };
    let number = id.padded(zeros);
    let tail = &body[word + length..];
    let closed = tail.strip_prefix(bold).filter(|_| !bold.is_empty());
    let tail = closed.unwrap_or(tail);
    let separated =
        tail.len() - tail.trim_start_matches([' ', '.', ':', ')', '—', '–', '：']).len();
    let has_name = tail.contains(char::is_alphanumeric);
    let separator = if has_name { &tail[..separated] } else { ". " };
    let name = name.filter(|_| has_name || is_alone);
    let name = name.map_or_else(String::new, |name| format!("{separator}{name}"));
    let word = &body[..word];
    match closed {
        Some(_) => format!("{bold}{word}{number}{bold}{name}"),
        None => format!("{bold}{word}{number}{name}{bold}"),
    }
}

/// A cell with another value, as wide as before where its column is aligned.
fn filled(cell: &str, value: &str, is_aligned: bool) -> String {
    let is_blank = cell.trim().is_empty();
    let lead = if is_blank { 1 } else { cell.len() - cell.trim_start().len() };
    let mut filled = " ".repeat(lead) + value;
    let width = if is_aligned { cell.chars().count() } else { 0 };
    while filled.chars().count() < width {
        filled.push(' ');
    }
    if (is_blank || cell.ends_with(' ')) && !filled.ends_with(' ') {
        filled.push(' ');
    }
    filled
}
