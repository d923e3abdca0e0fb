//! Walks over a roadmap once and collects everything that could declare or describe a phase.

mod headings;
mod notes;
mod rows;

use super::{
    check::{self, Check},
    entry::{Entry, split_struck},
    found::Found,
    head::{self, Head, Separated},
    line::{self, Fence, Item, Line, Lines},
    phase_id::PhaseId,
    problem::{Problem, ProblemKind},
    section::{Cursor, Opened, Section, Writer},
    status::{self, Status},
    suspect,
    table::Columns,
    title::{self, Title},
};

/// Walks over the text.
pub(super) fn walk(source: &str) -> Found<'_> {
    let mut walker = Walker::new(source);
    while let Some(line) = walker.lines.next() {
        walker.take(line);
    }
    walker.finish()
}

struct Walker<'a> {
    source: &'a str,
    lines: Lines<'a>,
    found: Found<'a>,
    /// Whether the last section of `found` is still open, and where in it the walk is.
    cursor: Option<Cursor>,
    /// How many `<details>` were open when the section was opened.
    section_depth: usize,
    skip: Skip,
    /// The lines of `<details>` that are open.
    details: Vec<u32>,
    header: Option<&'a str>,
    columns: Option<Columns>,
    /// Whether the table has no bars at the ends of its rows.
    open_rows: bool,
    /// Whether a blank line came since the last row.
    table_gap: bool,
    /// Whether the last heading was one about progress.
    below_progress: bool,
    /// Whether the rows stand in a phase and may be about something else.
    inner_rows: bool,
    /// The shortest fence of each mark that is known to have no end.
    endless: [Option<Fence>; 2],
    comment_is_endless: bool,
}

/// Where and how a section opens.
#[derive(Clone, Copy)]
struct Place {
    number: u32,
    opened: Opened,
    level: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    Nothing,
    Code(Fence),
    Comment,
}

impl<'a> Walker<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            lines: Lines::new(source),
            found: Found::sized_for(source),
            cursor: None,
            section_depth: 0,
            skip: Skip::Nothing,
            details: Vec::new(),
            header: None,
            columns: None,
            open_rows: false,
            table_gap: false,
            below_progress: false,
            inner_rows: false,
            endless: [None; 2],
            comment_is_endless: false,
        }
    }

    fn take(&mut self, line: Line<'a>) {
        match self.skip {
            Skip::Nothing => {}
            Skip::Code(fence) => {
                if fence.is_closed_by(line.text) {
                    self.skip = Skip::Nothing;
                }
                return;
            }
            Skip::Comment => {
                if let Some((_, after)) = line.text.split_once("-->") {
                    self.skip = Skip::Nothing;
                    self.note_suspect(line, after);
                }
                return;
            }
        }
        let body = line::without_indent(line.text);
        let first = body.as_bytes().first().copied().unwrap_or(b' ');
        if first == b'|' {
            self.take_row(line, body);
            return;
        }
        if first == b'>' && self.take_quoted_row(line) {
            return;
        }
        if first == b' ' && self.header.is_some() {
            self.table_gap = true;
        } else if self.header.is_some() && !self.goes_on(line, body) {
            self.header = None;
            self.columns = None;
        } else if self.header.is_some() {
            return;
        }
        match first {
            b' ' => {
                if let Some(cursor) = &mut self.cursor {
                    Section::take_blank(cursor);
                }
            }
            b'#' if line.text.len() - body.len() <= 3 => self.take_heading(line, body),
            b'`' | b'~' if self.opens_code(line, body) => {}
            b'<' if self.take_html(line, body) => {}
            b'>' => self.take_quote(line),
            b'-' | b'*' | b'+' | b'0'..=b'9' => match line::item(body) {
                Some(item) => self.take_item(line, body, item),
                None => self.take_text(line, body),
            },
            _ => self.take_text(line, body),
        }
    }

    /// Skips a code block whose end exists; an opening without an end is an ordinary line.
    fn opens_code(&mut self, line: Line<'a>, body: &'a str) -> bool {
        let Some(fence) = Fence::opening(body) else {
            return false;
        };
        let memory = &mut self.endless[usize::from(body.starts_with('~'))];
        if memory.is_some_and(|endless| fence.needs_at_least(endless)) {
            return false;
        }
        if fence.closes_in(self.lines.rest()) {
            self.skip = Skip::Code(fence);
            return true;
        }
        *memory = Some(fence);
        self.found.problems.push(Problem::new(
            line.number,
            ProblemKind::Unbalanced,
            "this code block never ends; the lines after it are read as text",
        ));
        false
    }

    fn take_html(&mut self, line: Line<'a>, body: &'a str) -> bool {
        if body.starts_with("<!--") {
            if body.contains("-->") {
                return body.trim_end().ends_with("-->");
            }
            if self.comment_is_endless || !self.lines.rest().contains("-->") {
                if !std::mem::replace(&mut self.comment_is_endless, true) {
                    self.found.problems.push(Problem::new(
                        line.number,
                        ProblemKind::Unbalanced,
                        "this comment never ends; the lines after it are read as text",
                    ));
                }
                return false;
            }
            self.skip = Skip::Comment;
            return true;
        }
        if body.starts_with("</details>") {
            self.close_details(line.number);
            return true;
        }
        if opens_details(body) {
            self.details.push(line.number);
            self.note_suspect(line, body);
            return true;
        }
        false
    }

    fn close_details(&mut self, number: u32) {
        if self.details.pop().is_none() {
            self.found.problems.push(Problem::new(
                number,
                ProblemKind::Unbalanced,
                "this `</details>` closes nothing",
            ));
        } else if self.details.len() < self.section_depth {
            self.cursor = None;
        }
    }

    fn open_section(&mut self, id: PhaseId, place: Place, head: &Head<'a>) {
        let bold_end = if head.bold_open { head.rest.split_once(head.bold_mark) } else { None };
        let (name, after) = bold_end.unwrap_or_else(|| split_struck(head.rest, head.struck));
        let mut title = title::read(name);
        title.add_note(head.note);
        if !after.is_empty() {
            add_tail(&mut title, after);
        }
        if title.status == Status::Blank {
            title.status = head.sign;
        }
        self.section_depth = self.details.len();
        self.cursor = Some(Cursor::default());
        self.found.sections.push(Section {
            id,
            opened: place.opened,
            level: place.level,
            line: place.number,
            struck: head.struck || title.struck,
            title,
            checkbox: head.checkbox,
            goal: None,
            starts: self.found.texts.ends(),
            plan_count: Status::Blank,
            status: None,
        });
    }

    fn take_item(&mut self, line: Line<'a>, body: &'a str, item: Item<'a>) {
        let indented = line.text.len() > body.len();
        let in_plans = indented && self.cursor.as_ref().is_some_and(Section::expects_plans);
        // Such an item is no phase, and does not look like one.
        let plain = item.checkbox.is_none()
            && (self.cursor.as_ref().is_some_and(Section::is_in_criteria)
                || suspect::opens_otherwise(item.text));
        if !in_plans
            && !plain
            && let Some(head) = head::read(item.text).filter(|head| head.checkbox.is_none())
        {
            match head.id {
                Ok(id) => {
                    if self.take_entry(line, item, id, &head) {
                        if check::is_named(item.text) {
                            self.note_stray(line.number);
                        }
                        return;
                    }
                }
                Err(_)
                    if (item.checkbox.is_some() || head.bold)
                        && head.separated == Separated::Clearly =>
                {
                    self.note_unreadable(line.number, item.text);
                }
                Err(token)
                    if head.separated == Separated::Clearly && !suspect::is_sentence(head.rest) =>
                {
                    self.note_several(line, token, item.text);
                }
                Err(_) => {}
            }
            let listed = self.found.entries.last().is_some_and(|entry| entry.line == line.number);
            let named = item.checkbox.is_some()
                || head.bold
                || !self.cursor.as_ref().is_some_and(Section::lists_phases);
            if !listed && named {
                self.note_mention(line, &head, item.text);
            }
        } else if !in_plans && !plain {
            self.note_suspect(line, body);
        }
        self.take_in_section(line, Some(item));
    }

    /// Takes a line of a quotation: what it says about a phase counts, but it declares none.
    fn take_quote(&mut self, line: Line<'a>) {
        let inner = line.text.trim_start_matches([' ', '\t', '>']);
        let start = line.start + line.text.len() - inner.len();
        self.note_suspect(line, line.text);
        self.take_in_section(Line { start, text: inner, ..line }, line::item(inner));
    }

    /// Records a list line; says whether it is certainly one.
    fn take_entry(&mut self, line: Line<'a>, item: Item<'a>, id: PhaseId, head: &Head<'a>) -> bool {
        let clearly = head.separated == Separated::Clearly;
        let certain = clearly && item.checkbox.is_some();
        let in_section = self.cursor.is_some();
        let struck = head.struck && clearly;
        // A box without anything after the id may be a phase's; whether it is depends on its name.
        let name = head.rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let titled = name.starts_with(char::is_uppercase) && !suspect::is_sentence(name);
        let boxed = item.checkbox.is_some() && !in_section && titled;
        let listed = !in_section && !item.numbered && clearly && head.bold;
        if !certain && !struck && !boxed && !listed {
            return false;
        }
        let mut entry = Entry::read(id, line.number, head);
        entry.certain = certain;
        if let Some(checkbox) = item.checkbox {
            self.note_odd_box(line, checkbox);
            entry.ticked = Some(checkbox.is_ticked());
            let indent = line.text.len() - line.text.trim_start().len();
            entry.box_at = Some(line.start + indent + checkbox.offset);
        }
        self.found.entries.push(entry);
        certain || struck
    }

    fn take_text(&mut self, line: Line<'a>, body: &'a str) {
        if suspect::opens_otherwise(body) {
            self.take_in_section(line, None);
            return;
        }
        if body.starts_with(['-', ':']) && self.opens_table(line, body) {
            return;
        }
        let in_headed = self.cursor.is_some()
            && self.found.sections.last().is_some_and(|open| open.opened != Opened::BoldText);
        if let Some(head) = head::read(body)
            && head.checkbox.is_none()
            && head.separated == Separated::Clearly
            && !head.rest.is_empty()
        {
            let is_title = head.bold && is_whole_line(&head);
            match head.id {
                Ok(id) if is_title && !in_headed => {
                    let place = Place { number: line.number, opened: Opened::BoldText, level: 7 };
                    self.open_section(id, place, &head);
                    return;
                }
                Ok(_) => self.note_mention(line, &head, body),
                Err(_) if is_title => self.note_unreadable(line.number, body),
                Err(token) if !suspect::is_sentence(head.rest) => {
                    self.note_several(line, token, body);
                }
                Err(_) => {}
            }
        } else {
            self.note_suspect(line, body);
        }
        self.take_in_section(line, None);
    }

    fn take_in_section(&mut self, line: Line<'a>, item: Option<Item<'a>>) {
        let mut check = check::named_in(line.text);
        if check == Check::None
            && check::is_labelled(item.map_or(line::without_indent(line.text), |item| item.text))
        {
            check = Check::Labelled;
        }
        let names_check = matches!(check, Check::Named | Check::Labelled);
        if let (Some(cursor), Some(section)) = (&mut self.cursor, self.found.sections.last_mut()) {
            let mut writer =
                Writer { source: self.source, section, texts: &mut self.found.texts, cursor };
            if !writer.take(line, item, names_check) {
                self.note_stray(line.number);
            }
        } else if item.is_some() && names_check {
            self.note_stray(line.number);
        }
        self.note_odd_check(line, check);
    }

    fn finish(mut self) -> Found<'a> {
        self.note_misspelled();
        for number in self.details {
            self.found.problems.push(Problem::new(
                number,
                ProblemKind::Unbalanced,
                "this `<details>` is never closed",
            ));
        }
        self.found
    }
}

/// Adds what follows a struck title.
fn add_tail<'a>(title: &mut Title<'a>, after: &'a str) {
    let tail = title::read(after);
    title.inserted |= tail.inserted;
    if title.status == Status::Blank {
        title.status = match status::read(after) {
            Status::Unclear | Status::Blank => tail.status,
            known @ (Status::Done | Status::Open | Status::Dropped) => known,
        };
        if title.status == Status::Open {
            title.open_tail = Some(after);
        }
    }
}

/// A bold paragraph is a heading when nothing but a status follows it.
fn is_whole_line(head: &Head<'_>) -> bool {
    let Some(at) = head.rest.find(head.bold_mark).filter(|_| head.bold_open) else {
        return false;
    };
    let after = head.rest[at + 2..].trim();
    after.is_empty() || matches!(status::read(after), Status::Done | Status::Open | Status::Dropped)
}

/// `<details>`, `<details open>`, `<details><summary>…`: alone on its line.
fn opens_details(body: &str) -> bool {
    let Some(rest) = body.strip_prefix("<details") else {
        return false;
    };
    let Some((attributes, after)) = rest.split_once('>') else {
        return false;
    };
    let tag = attributes.is_empty() || attributes.starts_with(' ');
    let after = after.trim();
    tag && (after.is_empty() || (after.starts_with("<summary") && !after.contains("</details>")))
}
