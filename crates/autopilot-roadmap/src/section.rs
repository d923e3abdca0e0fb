//! Collects what stands under the heading of one phase.

use super::{
    check, depends,
    field::{self, Label},
    line::{self, Item, Line},
    phase_id::PhaseId,
    status::{self, Status},
    title::Title,
    words::{self, Field},
};

/// The longest line that is looked at for being nothing but a status.
const STATUS_BYTES_MAX: usize = 24;

/// What opened a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// A heading of level 2 to 4 with a clear separator after the id.
    Heading,
    /// A heading that sets its name apart only by a blank.
    LooseHeading,
    /// A heading of an unusual level.
    OddLevel,
    /// A bold paragraph.
    BoldText,
}

/// Everything under one heading, as slices of the source.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub(super) id: PhaseId,
    pub(super) opened: Opened,
    pub(super) level: u8,
    pub(super) line: u32,
    pub(super) title: Title<'a>,
    pub(super) struck: bool,
    pub(super) checkbox: Option<bool>,
    pub(super) goal: Option<&'a str>,
    pub(super) plan_count: Status,
    pub(super) status: Option<Value<'a>>,
    /// Where the texts of this section start; they end where those of the next one start.
    pub(super) starts: Starts,
}

/// The texts of all sections, one after another, so that a section needs no lists of its own.
#[derive(Debug, Default)]
pub(super) struct Texts<'a> {
    pub(super) depends_on: Vec<Value<'a>>,
    pub(super) requirements: Vec<Value<'a>>,
    pub(super) criteria: Vec<Value<'a>>,
    pub(super) plans: Vec<PlanBox<'a>>,
    /// The lines that may say in other words what a phase depends on.
    pub(super) prerequisites: Vec<u32>,
    /// The lines that may say in other words that a phase is done, with the place of its section.
    pub(super) completions: Vec<(u32, PhaseId)>,
    /// The lines of labels that are nearly ones that matter.
    pub(super) misspelled: Vec<u32>,
}

/// Places in [`Texts`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Starts {
    pub(super) depends_on: u32,
    pub(super) requirements: u32,
    pub(super) criteria: u32,
    pub(super) plans: u32,
}

impl Texts<'_> {
    /// Makes room for the texts of that many sections.
    pub(super) fn sized_for(sections: usize) -> Self {
        Self {
            depends_on: Vec::with_capacity(sections),
            criteria: Vec::with_capacity(sections * 2),
            ..Self::default()
        }
    }

    /// Where the next section's texts will start.
    pub(super) fn ends(&self) -> Starts {
        Starts {
            depends_on: place(self.depends_on.len()),
            requirements: place(self.requirements.len()),
            criteria: place(self.criteria.len()),
            plans: place(self.plans.len()),
        }
    }
}

/// A piece of text and the line it starts on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    pub(super) text: &'a str,
    pub(super) line: u32,
}

/// A plan or task with a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanBox<'a> {
    pub(super) text: &'a str,
    pub(super) ticked: bool,
    pub(super) line: u32,
}

/// Where in a section the reader is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    mode: Mode,
    /// Whether a blank line came since the last line of the current value.
    gap: bool,
    /// Where a bold text started that its line did not close.
    open_bold: Option<usize>,
    /// Whether the last line belongs to a criterion that stands outside of the list of criteria.
    in_stray: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Free,
    In(Field),
}

impl<'a> Section<'a> {
    /// Takes a subheading such as `### Success Criteria`.
    pub(super) fn take_label(cursor: &mut Cursor, field: Field) {
        *cursor = Cursor { mode: Mode::In(field), ..Cursor::default() };
    }

    /// Tells whether a box in a list here is a plan's rather than a phase's.
    pub(super) fn expects_plans(cursor: &Cursor) -> bool {
        matches!(cursor.mode, Mode::In(Field::Plans | Field::Criteria))
    }

    /// Tells whether a list item here names a phase that this one needs.
    pub(super) fn lists_phases(cursor: &Cursor) -> bool {
        cursor.mode == Mode::In(Field::DependsOn)
    }

    /// Takes an empty line.
    pub(super) fn take_blank(cursor: &mut Cursor) {
        cursor.gap = true;
        cursor.open_bold = None;
    }

    /// Tells whether a list item here is certainly a criterion and nothing else.
    pub(super) fn is_in_criteria(cursor: &Cursor) -> bool {
        cursor.mode == Mode::In(Field::Criteria) && cursor.open_bold.is_none()
    }
}

/// Adds lines to the section that is open.
pub(super) struct Writer<'w, 'a> {
    pub(super) source: &'a str,
    pub(super) section: &'w mut Section<'a>,
    pub(super) texts: &'w mut Texts<'a>,
    pub(super) cursor: &'w mut Cursor,
}

impl<'a> Writer<'_, 'a> {
    /// Takes a line that is neither a heading nor a table row nor code, and its list item if it is
    /// one. Says whether nothing was lost: a line that names a check must be part of a criterion.
    pub(super) fn take(
        &mut self,
        line: Line<'a>,
        item: Option<Item<'a>>,
        names_check: bool,
    ) -> bool {
        if !names_check {
            self.take_line(line, item);
            return true;
        }
        let before = self.criteria_extent();
        self.take_line(line, item);
        self.criteria_extent() != before
    }

    /// How many criteria there are and how long the last one is.
    fn criteria_extent(&self) -> (usize, usize) {
        let criteria = &self.texts.criteria;
        (criteria.len(), criteria.last().map_or(0, |last| last.text.len()))
    }

    fn take_line(&mut self, line: Line<'a>, item: Option<Item<'a>>) {
        let follows_stray = std::mem::take(&mut self.cursor.in_stray) && !self.cursor.gap;
        let body = line::without_indent(line.text);
        let joined = self.cursor.open_bold.take();
        if joined.is_none()
            && let Some((field, text)) = field::only_label(body)
        {
            self.set(field, text, line.number);
            self.cursor.mode = Mode::In(field);
            self.cursor.gap = false;
            return;
        }
        let indent = line.text.len() - body.len();
        let text = joined.map_or(body, |start| &self.source[start..line.start + line.text.len()]);
        let starred = line.starred || joined.is_some();
        let piece = Piece { text, number: line.number, indent, starred, follows_stray };
        match item {
            Some(item) if joined.is_none() => self.take_item(item, piece),
            _ => self.take_text(piece),
        }
        if starred && let Some(open) = field::open_bold(text) {
            self.cursor.open_bold = Some(offset_of(self.source, text) + open);
        }
        self.cursor.gap = false;
    }

    fn take_item(&mut self, item: Item<'a>, piece: Piece<'a>) {
        let criteria = self.cursor.mode == Mode::In(Field::Criteria);
        if let Some(box_) = item.checkbox
            && (!criteria || looks_like_plan(item.text))
        {
            self.texts.plans.push(PlanBox {
                text: item.text,
                ticked: box_.is_ticked(),
                line: piece.number,
            });
            if check::is_named(item.text) {
                self.take_stray(Value { text: item.text, line: piece.number });
            }
            return;
        }
        let nested_in_plans = self.cursor.mode == Mode::In(Field::Plans) && piece.indent >= 2;
        let mut label = None;
        if piece.starred {
            label = field::bold_label(item.text, 0).filter(|label| label.field != Field::Other);
        }
        if label.is_none() && !criteria {
            label = field::bare_label(item.text);
        }
        match label {
            Some(label) if label.start == 0 && !nested_in_plans => {
                self.take_fields(item.text, label, piece.number);
            }
            Some(label) if criteria => {
                let text = item.text[..label.start].trim_end();
                self.texts.criteria.push(Value { text, line: piece.number });
                self.take_fields(item.text, label, piece.number);
            }
            _ => self.take_plain_item(item.text, piece.number),
        }
    }

    fn take_plain_item(&mut self, text: &'a str, line: u32) {
        let value = Value { text, line };
        match self.cursor.mode {
            Mode::In(Field::Criteria) => self.texts.criteria.push(value),
            Mode::In(_) | Mode::Free if check::is_named(text) => self.take_stray(value),
            Mode::In(Field::Requirements) if !self.cursor.gap || !self.has_requirements() => {
                self.texts.requirements.push(value);
            }
            Mode::In(Field::DependsOn) => {
                let unfinished = self.last_need().is_none_or(|last| is_unfinished(last.text));
                if unfinished || !self.cursor.gap {
                    self.texts.depends_on.push(value);
                }
            }
            Mode::In(Field::Goal) if self.section.goal.is_none() => self.section.goal = Some(text),
            Mode::In(_) | Mode::Free => {}
        }
    }

    /// Takes an item that names its check as a criterion, wherever in the phase it stands.
    fn take_stray(&mut self, value: Value<'a>) {
        self.texts.criteria.push(value);
        self.cursor.in_stray = true;
    }

    fn take_text(&mut self, piece: Piece<'a>) {
        let text = piece.text;
        let criteria = self.cursor.mode == Mode::In(Field::Criteria);
        let mut label = None;
        if piece.starred {
            label = field::bold_label(text, 0);
        }
        while criteria && label.is_some_and(|l| l.field == Field::Other && l.start > 0) {
            label = label.and_then(|l| field::bold_label(text, l.value));
        }
        let label = label.or_else(|| field::bare_label(text)).or_else(|| field::dotted_label(text));
        let start = label.map_or(text.len(), |label| label.start);
        if start > 0 {
            let lead = text[..start].trim_end();
            self.continue_value(Piece { text: lead, ..piece });
        }
        if let Some(label) = label {
            self.take_fields(text, label, piece.number);
        }
    }

    /// Adds a line to the value that it continues, if it continues one.
    fn continue_value(&mut self, piece: Piece<'a>) {
        let source = self.source;
        let gap = self.cursor.gap;
        let wraps = !gap || piece.indent > 0;
        let end = offset_of(source, piece.text) + piece.text.len();
        // A bold text that was left open may end before the value that it would continue.
        let longer = |value: &'a str| source.get(offset_of(source, value)..end).unwrap_or(value);
        match self.cursor.mode {
            Mode::In(_) | Mode::Free if piece.follows_stray => {
                if let Some(last) = self.texts.criteria.last_mut() {
                    last.text = longer(last.text);
                }
                self.cursor.in_stray = true;
            }
            Mode::In(Field::Criteria) if wraps => {
                let first = self.section.starts.criteria as usize;
                if let Some(last) = self.texts.criteria[first..].last_mut() {
                    last.text = longer(last.text);
                }
            }
            Mode::In(Field::Goal) if !gap || self.section.goal.is_none() => {
                let goal = self.section.goal.map_or(piece.text, longer);
                self.section.goal = Some(goal);
            }
            Mode::In(Field::Requirements) if !gap => {
                let first = self.section.starts.requirements as usize;
                match self.texts.requirements[first..].last_mut() {
                    Some(last) => last.text = longer(last.text),
                    None => self.texts.requirements.push(piece.value()),
                }
            }
            Mode::In(Field::DependsOn) => match self.last_need() {
                None => self.texts.depends_on.push(piece.value()),
                Some(last) if last.text.is_empty() => *last = piece.value(),
                Some(last) if !gap && is_unfinished(last.text) => last.text = longer(last.text),
                Some(last)
                    if depends::is_plain_list(piece.text) && (!gap || is_unfinished(last.text)) =>
                {
                    self.texts.depends_on.push(piece.value());
                }
                Some(_) => self.cursor.mode = Mode::Free,
            },
            Mode::In(Field::Plans) => {}
            Mode::In(_) | Mode::Free => {
                self.cursor.mode = Mode::Free;
                if piece.text.len() <= STATUS_BYTES_MAX && status::read(piece.text) == Status::Done
                {
                    self.texts.completions.push((piece.number, self.section.id));
                }
            }
        }
    }

    /// Takes the values of all labels of a line, from the first one on.
    fn take_fields(&mut self, text: &'a str, first: Label, number: u32) {
        let mut next = Some(first);
        while let Some(label) = next {
            let (value, after) = field::value_until_label(text, label.value);
            self.set(label.field, value, number);
            self.cursor.mode = Mode::In(label.field);
            next = after;
        }
    }

    fn set(&mut self, field: Field, text: &'a str, line: u32) {
        let value = Value { text, line };
        if field == Field::Goal && field::holds_dependency(text) {
            self.texts.prerequisites.push(line);
        }
        match field {
            Field::Goal if self.section.goal.is_none() && !text.is_empty() => {
                self.section.goal = Some(text);
            }
            Field::DependsOn => self.texts.depends_on.push(value),
            Field::Requirements if !self.has_requirements() && !text.is_empty() => {
                self.texts.requirements.push(value);
            }
            Field::Criteria if !text.is_empty() => self.set_criteria(value),
            Field::Plans if self.section.plan_count == Status::Blank => {
                self.section.plan_count = plan_count(text);
            }
            Field::Status if self.section.status.is_none() && !text.is_empty() => {
                self.section.status = Some(value);
            }
            Field::Misspelled => self.texts.misspelled.push(line),
            Field::Prerequisite if field::names_phases(text) && !words::says_nothing(text) => {
                self.texts.prerequisites.push(line);
            }
            Field::Completion if field::tells_completion(text) => {
                self.texts.completions.push((line, self.section.id));
            }
            Field::Prerequisite
            | Field::Completion
            | Field::Goal
            | Field::Requirements
            | Field::Criteria
            | Field::Plans
            | Field::Status
            | Field::Other => {}
        }
    }

    /// Takes criteria that stand on the line of their label: one, or `(1) …; (2) …`.
    fn set_criteria(&mut self, value: Value<'a>) {
        let mut rest = value.text;
        let mut number = 1_u32;
        if !rest.starts_with("(1)") {
            self.texts.criteria.push(value);
            return;
        }
        while !rest.is_empty() {
            let opening = format!("({number})");
            let following = format!("({})", number + 1);
            let body = rest.strip_prefix(opening.as_str()).unwrap_or(rest);
            let end = body.find(following.as_str()).unwrap_or(body.len());
            let text = body[..end].trim().trim_end_matches([';', ',']).trim_end();
            self.texts.criteria.push(Value { text, line: value.line });
            rest = &body[end..];
            number += 1;
        }
    }

    fn last_need(&mut self) -> Option<&mut Value<'a>> {
        self.texts.depends_on[self.section.starts.depends_on as usize..].last_mut()
    }

    fn has_requirements(&self) -> bool {
        self.texts.requirements.len() > self.section.starts.requirements as usize
    }
}

/// A piece of a line with what its place says.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    number: u32,
    indent: usize,
    starred: bool,
    follows_stray: bool,
}

impl<'a> Piece<'a> {
    fn value(self) -> Value<'a> {
        Value { text: self.text, line: self.number }
    }
}

/// A place among the texts; a file of less than 4 GiB has fewer of them than that.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Where a slice of the source starts in it.
pub(super) fn offset_of(source: &str, slice: &str) -> usize {
    (slice.as_ptr() as usize).saturating_sub(source.as_ptr() as usize)
}

/// Tells whether a dependency value must go on in the next line.
fn is_unfinished(text: &str) -> bool {
    let text = text.trim_end();
    let open = text.matches(['(', '（']).count() > text.matches([')', '）']).count();
    text.is_empty()
        || open
        || text.ends_with([',', '，', '、', '+', '&', '/'])
        || text.ends_with(" and")
}

/// `01-01-PLAN.md`, `` `28-01` ``, `**02-01**`: the name of a plan.
fn looks_like_plan(text: &str) -> bool {
    let text = text.trim_start_matches(['`', '*', '[', '_']);
    let token = text
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '`' | '*' | ']'))
        .next()
        .unwrap_or("");
    token.contains("PLAN")
        || (token.contains('-') && token.starts_with(|c: char| c.is_ascii_digit()))
}

/// Reads `3/3 plans complete`, `3 plans (3/3 complete)`, `4 of 4 complete`.
fn plan_count(text: &str) -> Status {
    let lower = text.to_ascii_lowercase();
    let Some((before, after)) = lower.split_once('/').or_else(|| lower.split_once(" of ")) else {
        return Status::Blank;
    };
    let (before, after) = (before.trim_end(), after.trim_start());
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let have = &before[before.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
    let (have, want) = (have.parse::<u32>(), after[..after.len() - rest.len()].parse::<u32>());
    let (Ok(have), Ok(want)) = (have, want) else {
        return Status::Blank;
    };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("plans").or_else(|| rest.strip_prefix("plan")).unwrap_or(rest);
    let complete = rest.trim_start().starts_with("complete");
    if have == want && want > 0 && complete {
        Status::Done
    } else if complete {
        Status::Open
    } else {
        Status::Blank
    }
}
