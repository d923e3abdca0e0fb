//! Collects what stands under the heading of one phase.

use super::{
    field::{self, Label},
    line::{self, Item, Line},
    phase_id::PhaseId,
    status::Status,
    title::Title,
    words::Field,
};

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
    pub(super) level: usize,
    pub(super) line: u32,
    pub(super) title: Title<'a>,
    pub(super) struck: bool,
    pub(super) checkbox: Option<bool>,
    pub(super) goal: Option<&'a str>,
    pub(super) depends_on: Vec<Value<'a>>,
    pub(super) requirements: Vec<Value<'a>>,
    pub(super) criteria: Vec<Value<'a>>,
    pub(super) plans: Vec<PlanBox<'a>>,
    pub(super) plan_count: Status,
    pub(super) status: Option<Value<'a>>,
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
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Free,
    In(Field),
}

impl<'a> Section<'a> {
    /// Takes a line that is neither a heading nor a table row nor code.
    pub(super) fn take(&mut self, source: &'a str, cursor: &mut Cursor, line: Line<'a>) {
        let body = line.text.trim_start();
        if body.is_empty() {
            cursor.gap = true;
            cursor.open_bold = None;
            return;
        }
        let indent = line.text.len() - body.len();
        let (text, joined) = match cursor.open_bold.take() {
            Some(start) => (&source[start..line.start + line.text.len()], true),
            None => (body, false),
        };
        match line::item(body) {
            Some(item) if !joined => self.take_item(cursor, item, line.number, indent),
            _ => self.take_text(
                source,
                cursor,
                Piece {
                    text,
                    number: line.number,
                    indent,
                },
            ),
        }
        if let Some(open) = field::open_bold(text) {
            cursor.open_bold = Some(offset_of(source, text) + open);
        }
        cursor.gap = false;
    }

    /// Takes a subheading such as `### Success Criteria`.
    pub(super) fn take_label(&mut self, cursor: &mut Cursor, field: Field) {
        *cursor = Cursor {
            mode: Mode::In(field),
            gap: false,
            open_bold: None,
        };
    }

    /// Tells whether a box in a list here is a plan's rather than a phase's.
    pub(super) fn expects_plans(&self, cursor: &Cursor) -> bool {
        matches!(cursor.mode, Mode::In(Field::Plans | Field::Criteria))
    }

    fn take_item(&mut self, cursor: &mut Cursor, item: Item<'a>, number: u32, indent: usize) {
        let criteria = cursor.mode == Mode::In(Field::Criteria);
        let nested_in_plans = cursor.mode == Mode::In(Field::Plans) && indent >= 2;
        let label = field::bold_label(item.text, 0)
            .filter(|label| label.field != Field::Other)
            .or_else(|| field::bare_label(item.text).filter(|_| !criteria));
        if let Some(box_) = item.checkbox
            && (!criteria || looks_like_plan(item.text))
        {
            self.plans.push(PlanBox {
                text: item.text,
                ticked: box_.is_ticked(),
                line: number,
            });
            return;
        }
        match label {
            Some(label) if label.start == 0 && !nested_in_plans => {
                self.take_fields(cursor, item.text, label, number);
            }
            Some(label) if criteria => {
                let text = item.text[..label.start].trim_end();
                self.criteria.push(Value { text, line: number });
                self.take_fields(cursor, item.text, label, number);
            }
            _ => self.take_plain_item(cursor, item.text.trim_end(), number),
        }
    }

    fn take_plain_item(&mut self, cursor: &mut Cursor, text: &'a str, line: u32) {
        match cursor.mode {
            Mode::In(Field::Criteria) => self.criteria.push(Value { text, line }),
            Mode::In(Field::Requirements) if !cursor.gap || self.requirements.is_empty() => {
                self.requirements.push(Value { text, line });
            }
            Mode::In(Field::DependsOn) if is_unfinished(self.depends_on.last()) || !cursor.gap => {
                self.depends_on.push(Value { text, line });
            }
            Mode::In(Field::Goal) if self.goal.is_none() => self.goal = Some(text),
            Mode::In(_) | Mode::Free => {}
        }
    }

    fn take_text(&mut self, source: &'a str, cursor: &mut Cursor, piece: Piece<'a>) {
        let text = piece.text;
        let criteria = cursor.mode == Mode::In(Field::Criteria);
        let mut label = field::bold_label(text, 0);
        while criteria && label.is_some_and(|l| l.field == Field::Other && l.start > 0) {
            label = label.and_then(|l| field::bold_label(text, l.value));
        }
        let label = label
            .or_else(|| field::bare_label(text))
            .or_else(|| field::dotted_label(text));
        let start = label.map_or(text.len(), |label| label.start);
        if start > 0 {
            let lead = text[..start].trim_end();
            self.continue_value(
                source,
                cursor,
                Piece {
                    text: lead,
                    ..piece
                },
            );
        }
        if let Some(label) = label {
            self.take_fields(cursor, text, label, piece.number);
        }
    }

    /// Adds a line to the value that it continues, if it continues one.
    fn continue_value(&mut self, source: &'a str, cursor: &mut Cursor, piece: Piece<'a>) {
        let wraps = !cursor.gap || piece.indent > 0;
        let end = offset_of(source, piece.text) + piece.text.len();
        let longer = |value: &'a str| &source[offset_of(source, value)..end];
        match cursor.mode {
            Mode::In(Field::Criteria) if wraps => {
                if let Some(last) = self.criteria.last_mut() {
                    last.text = longer(last.text);
                }
            }
            Mode::In(Field::Goal) if !cursor.gap || self.goal.is_none() => {
                self.goal = Some(self.goal.map_or(piece.text, longer));
            }
            Mode::In(Field::Requirements) if !cursor.gap => match self.requirements.last_mut() {
                Some(last) => last.text = longer(last.text),
                None => self.requirements.push(piece.value()),
            },
            Mode::In(Field::DependsOn) => match self.depends_on.last_mut() {
                Some(last) if !cursor.gap && is_unfinished(Some(last)) && !last.text.is_empty() => {
                    last.text = longer(last.text);
                }
                Some(last) if last.text.is_empty() => *last = piece.value(),
                None => self.depends_on.push(piece.value()),
                Some(_) => cursor.mode = Mode::Free,
            },
            Mode::In(Field::Plans) => {}
            Mode::In(_) | Mode::Free => cursor.mode = Mode::Free,
        }
    }

    /// Takes the values of all labels of a line, from the first one on.
    fn take_fields(&mut self, cursor: &mut Cursor, text: &'a str, first: Label, number: u32) {
        let mut next = Some(first);
        while let Some(label) = next {
            let (value, after) = field::value_until_label(text, label.value);
            self.set(
                label.field,
                Value {
                    text: value,
                    line: number,
                },
            );
            cursor.mode = Mode::In(label.field);
            next = after;
        }
    }

    fn set(&mut self, field: Field, value: Value<'a>) {
        let text = value.text;
        match field {
            Field::Goal if self.goal.is_none() && !text.is_empty() => self.goal = Some(text),
            Field::DependsOn if self.depends_on.is_empty() => self.depends_on.push(value),
            Field::Requirements if self.requirements.is_empty() && !text.is_empty() => {
                self.requirements.push(value);
            }
            Field::Criteria if !text.is_empty() => self.set_criteria(value),
            Field::Plans => self.plan_count = heavier(self.plan_count, plan_count(text)),
            Field::Status if self.status.is_none() && !text.is_empty() => self.status = Some(value),
            Field::Goal
            | Field::DependsOn
            | Field::Requirements
            | Field::Criteria
            | Field::Status
            | Field::Other => {}
        }
    }

    /// Takes criteria that stand on the line of their label: one, or `(1) …; (2) …`.
    fn set_criteria(&mut self, value: Value<'a>) {
        let mut rest = value.text;
        let mut number = 1_u32;
        if !rest.starts_with("(1)") {
            self.criteria.push(value);
            return;
        }
        while !rest.is_empty() {
            let opening = format!("({number})");
            let following = format!("({})", number + 1);
            let body = rest.strip_prefix(opening.as_str()).unwrap_or(rest);
            let end = body.find(following.as_str()).unwrap_or(body.len());
            let text = body[..end].trim().trim_end_matches([';', ',']).trim_end();
            self.criteria.push(Value {
                text,
                line: value.line,
            });
            rest = &body[end..];
            number += 1;
        }
    }
}

/// A piece of a line with what its place says.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    number: u32,
    indent: usize,
}

impl<'a> Piece<'a> {
    fn value(self) -> Value<'a> {
        Value {
            text: self.text,
            line: self.number,
        }
    }
}

/// Where a slice of the source starts in it.
fn offset_of(source: &str, slice: &str) -> usize {
    (slice.as_ptr() as usize).saturating_sub(source.as_ptr() as usize)
}

/// Tells whether a dependency value must go on in the next line.
fn is_unfinished(value: Option<&Value<'_>>) -> bool {
    let Some(value) = value else {
        return true;
    };
    let text = value.text.trim_end();
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

/// Reads `3/3 plans complete`, `3 plans (3/3 complete)`, `4/4 complete`.
fn plan_count(text: &str) -> Status {
    let bytes = text.as_bytes();
    let Some(slash) = text.find('/') else {
        return Status::Blank;
    };
    let before = bytes[..slash]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let after = bytes[slash + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (have, want) = (
        text[slash - before..slash].parse::<u32>(),
        text[slash + 1..slash + 1 + after].parse::<u32>(),
    );
    let (Ok(have), Ok(want)) = (have, want) else {
        return Status::Blank;
    };
    let rest = text[slash + 1 + after..].trim_start();
    let rest = rest
        .strip_prefix("plans")
        .or_else(|| rest.strip_prefix("plan"))
        .unwrap_or(rest);
    let complete = rest
        .trim_start()
        .to_ascii_lowercase()
        .starts_with("complete");
    if have == want && want > 0 && complete {
        Status::Done
    } else if complete {
        Status::Open
    } else {
        Status::Blank
    }
}

fn heavier(old: Status, new: Status) -> Status {
    if old == Status::Blank { new } else { old }
}
