//! How a file describes a phase below its heading, so that a new description looks like the others.

use std::ops::Range;

use super::{
    super::{
        field, line,
        phase_id::PhaseId,
        section::Opened,
        words::{self, Field},
    },
    file::File,
    new_phase::TO_BE_PLANNED,
    opening::Opening,
};

/// The labels that a description of ours has, in the usual form and order.
const USUAL: [(Field, &str); 4] = [
    (Field::Goal, "**Goal**:"),
    (Field::DependsOn, "**Depends on**:"),
    (Field::Criteria, "**Success Criteria** (what must be TRUE):"),
    (Field::Plans, "**Plans**:"),
];

/// How a section is written.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    /// What stands before the title: `### `.
    lead: String,
    /// Whether the heading is a bold line, which nothing may follow.
    is_bold_line: bool,
    opening: Opening,
    /// Whether an empty line follows the heading.
    is_heading_apart: bool,
    /// Whether empty lines stand between the labels.
    are_labels_apart: bool,
    labels: Vec<(Field, String)>,
    criterion: Bullet,
}

/// What opens a criterion.
#[derive(Clone, Debug)]
enum Bullet {
    /// `  1. `: what stands before and after the number.
    Number(String, String),
    /// `- `, `- [ ] `.
    Same(String),
}

/// What the fields of a new phase hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values<'a> {
    pub(super) id: PhaseId,
    pub(super) name: &'a str,
    /// A mark that follows the name.
    pub(super) mark: &'a str,
    pub(super) goal: &'a str,
    pub(super) needs: &'a str,
    pub(super) criteria: &'a [String],
}

impl Fields {
    /// The form of a roadmap that has no phase yet.
    pub(super) fn usual() -> Self {
        Self {
            lead: "### ".to_owned(),
            is_bold_line: false,
            opening: Opening::plain(),
            is_heading_apart: false,
            are_labels_apart: false,
            labels: USUAL.map(|(field, label)| (field, label.to_owned())).to_vec(),
            criterion: Bullet::Number("  ".to_owned(), ". ".to_owned()),
        }
    }

    /// The form of a section of the file.
    pub(super) fn of(file: &File<'_>, at: usize) -> Self {
        let section = &file.found.sections[at];
        let lines = file.section(at);
        let heading = file.outline.lines[lines.start].text;
        let title = heading.trim_start().trim_start_matches('#').trim_start();
        let is_bold_line = section.opened == Opened::BoldText;
        let mut lead = heading[..heading.len() - title.len()].to_owned();
        if section.checkbox.is_some() {
            lead.push_str("[ ] ");
        }
        let usual = if is_bold_line { Opening::default() } else { Opening::plain() };
        let found = labels(file, lines.start + 1..lines.end);
        let are_labels_apart = match found.as_slice() {
            [(_, _, first), (_, _, second), ..] => {
                (*first..*second).any(|line| file.outline.is_blank(line))
            }
            _ => false,
        };
        let first = found.first().map_or(lines.start + 1, |(_, _, line)| *line);
        let criterion = file.found.criteria(at).first();
        let criterion =
            criterion.map(|value| file.outline.lines[file.outline.place(value.line)].text);
        Self {
            lead,
            is_bold_line,
            opening: Opening::read(title).unwrap_or(usual),
            is_heading_apart: first < lines.end && file.outline.is_blank(lines.start + 1),
            are_labels_apart,
            labels: found.into_iter().map(|(field, label, _)| (field, label)).collect(),
            criterion: criterion.and_then(Bullet::read).unwrap_or_else(|| Self::usual().criterion),
        }
    }

    /// The same heading with the labels of the usual form.
    pub(super) fn with_usual_labels(&self) -> Self {
        let Self { lead, is_bold_line, opening, .. } = self.clone();
        Self { lead, is_bold_line, opening, ..Self::usual() }
    }

    /// The lines of a new section.
    pub(super) fn write(&self, values: Values<'_>) -> Vec<String> {
        let Values { id, name, mark, .. } = values;
        let heading = match self.is_bold_line {
            true => self.opening.write(id, &format!("{name}{}", mark.replace('*', ""))),
            false => self.opening.write(id, name) + mark,
        };
        let mut lines = vec![format!("{}{heading}", self.lead)];
        let blank = |is_wanted: bool| is_wanted.then(String::new);
        lines.extend(blank(self.is_heading_apart));
        for (place, (field, label)) in self.all_labels().into_iter().enumerate() {
            lines.extend(blank(self.are_labels_apart && place > 0));
            match field {
                Field::Goal => lines.push(format!("{label} {}", values.goal)),
                Field::DependsOn => lines.push(format!("{label} {}", values.needs)),
                Field::Criteria => {
                    lines.push(label);
                    let items = values.criteria.iter().enumerate();
                    lines.extend(items.map(|(at, text)| self.criterion.write(at + 1, text)));
                    if values.criteria.is_empty() {
                        lines.push(self.criterion.write(1, TO_BE_PLANNED));
                    }
                }
                Field::Status => lines.push(format!("{label} Not started")),
                Field::Requirements | Field::Plans => lines.push(format!("{label} TBD")),
                Field::Prerequisite | Field::Completion | Field::Misspelled | Field::Other => {}
            }
        }
        lines
    }

    /// The labels of the file, and those without which a phase says nothing.
    fn all_labels(&self) -> Vec<(Field, String)> {
        let mut labels = self.labels.clone();
        let lead = labels.first().map_or("", |(_, label)| {
            let at =
                label.find("**").unwrap_or_else(|| label.len() - line::without_indent(label).len());
            &label[..at]
        });
        let lead = lead.to_owned();
        let is_inside = labels.first().is_some_and(|(_, label)| label.contains(":**"));
        for (place, (field, label)) in USUAL[..3].iter().enumerate() {
            if labels.iter().any(|(known, _)| known == field) {
                continue;
            }
            let label = match is_inside {
                true => label.replacen("**:", ":**", 1),
                false => (*label).to_owned(),
            };
            labels.insert(place.min(labels.len()), (*field, format!("{lead}{label}")));
        }
        labels
    }
}

impl Bullet {
    fn read(text: &str) -> Option<Self> {
        let body = line::without_indent(text);
        let item = line::item(body)?;
        let opening = &text[..text.len() - item.text.len()];
        if !item.numbered {
            let mark = item.checkbox.map(|found| text.len() - body.len() + found.offset);
            let mut opening = opening.to_owned();
            if let Some(at) = mark {
                let length = opening[at..].chars().next().map_or(0, char::len_utf8);
                opening.replace_range(at..at + length, " ");
            }
            return Some(Self::Same(opening));
        }
        let digits = body.bytes().take_while(u8::is_ascii_digit).count();
        let indent = text.len() - body.len();
        let after = &opening[indent + digits..];
        // A box behind a number is a plan's.
        let after = if item.checkbox.is_some() { ". " } else { after };
        Some(Self::Number(text[..indent].to_owned(), after.to_owned()))
    }

    fn write(&self, number: usize, text: &str) -> String {
        match self {
            Self::Number(before, after) => format!("{before}{number}{after}{text}"),
            Self::Same(opening) => format!("{opening}{text}"),
        }
    }
}

/// The labels of some lines, each kind once, with their lines.
fn labels(file: &File<'_>, lines: Range<usize>) -> Vec<(Field, String, usize)> {
    let mut labels: Vec<(Field, String, usize)> = Vec::new();
    for at in lines {
        let line = &file.outline.lines[at];
        let Some((field, label)) = Some(line).filter(|line| !line.is_quiet).and_then(|line| {
            if line.level.is_some() { heading_label(line.text) } else { label_of(line.text) }
        }) else {
            continue;
        };
        let is_ours = !matches!(
            field,
            Field::Prerequisite | Field::Completion | Field::Misspelled | Field::Other
        );
        // `**Plans**:` counts them, and `Plans:` opens their list.
        if is_ours && labels.iter().all(|(known, ..)| *known != field) {
            labels.push((field, label, at));
        }
    }
    labels
}

/// `#### Success Criteria`: a heading that is a label.
fn heading_label(text: &str) -> Option<(Field, String)> {
    let label = text.trim_start_matches(['#', ' ']).trim_end_matches([':', ' ']);
    let field = words::field_of(label);
    (field == Field::Criteria).then(|| (field, text.trim_end().to_owned()))
}

/// The label that opens a line, up to its value.
fn label_of(text: &str) -> Option<(Field, String)> {
    let body = line::without_indent(text);
    let inner = line::item(body).map_or(body, |item| item.text);
    let label = field::bold_label(inner, 0)
        .filter(|label| label.start == 0)
        .or_else(|| field::bare_label(inner).filter(|label| label.field != Field::Other))?;
    let end = text.len() - inner.len() + label.value;
    Some((label.field, text[..end].trim_end().to_owned()))
}
