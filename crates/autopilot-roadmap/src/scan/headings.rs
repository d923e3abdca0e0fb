//! How a walk takes headings.

use super::{
    super::{
        head::{self, Head, Separated},
        line::Line,
        phase_id::PhaseId,
        section::{Cursor, Opened, Section},
        words::{self, Field},
    },
    Place, Walker,
};

impl<'a> Walker<'a> {
    pub(super) fn take_heading(&mut self, line: Line<'a>, body: &'a str) {
        let text = body.trim_start_matches('#');
        let level = match u8::try_from(body.len() - text.len()) {
            Ok(level) if level <= 6 => level,
            _ => {
                self.take_text(line, body);
                return;
            }
        };
        let text = text.trim();
        match head::read(text) {
            Some(head) => self.take_phase_heading(line, level, text, head),
            None => self.take_other_heading(line, level, text),
        }
    }

    fn take_phase_heading(&mut self, line: Line<'a>, level: u8, text: &'a str, head: Head<'a>) {
        self.below_progress = false;
        let Ok(id) = head.id else {
            self.note_unreadable(line.number, text);
            self.end_section(level);
            return;
        };
        let clearly = head.separated == Separated::Clearly;
        if !clearly && is_letter(id) {
            self.take_other_heading(line, level, text);
            return;
        }
        let nested = self.cursor.is_some()
            && self.found.sections.last().is_some_and(|open| open.id == id && open.level < level);
        if nested {
            return;
        }
        let opened = match level {
            2..=4 if clearly => Opened::Heading,
            2..=4 => Opened::LooseHeading,
            _ => Opened::OddLevel,
        };
        let place = Place { number: line.number, opened, level };
        self.open_section(id, place, &head);
    }

    fn take_other_heading(&mut self, line: Line<'a>, level: u8, text: &'a str) {
        if self.take_labelled_heading(line, level, text) {
            return;
        }
        let label = text.trim_end_matches([':', '：', ' ', '#']);
        let label = label.split(['(', '（']).next().unwrap_or(label).trim();
        let field = words::field_of(label.trim_matches('*'));
        if field == Field::Misspelled {
            self.found.texts.misspelled.push(line.number);
        }
        if let (Some(cursor), Some(section)) = (&mut self.cursor, self.found.sections.last())
            && field != Field::Other
            && field != Field::Status
            && level >= section.level
        {
            Section::take_label(cursor, field);
            return;
        }
        self.below_progress = words::is_about_progress(text);
        if self.below_progress {
            self.cursor = None;
        } else {
            self.end_section(level);
        }
        self.note_heading(line, text);
    }

    /// Takes a heading inside of a phase that is a label with its value: `#### Depends on: Phase 1`.
    fn take_labelled_heading(&mut self, line: Line<'a>, level: u8, text: &'a str) -> bool {
        let inside = self.cursor.is_some()
            && self.found.sections.last().is_some_and(|section| level > section.level);
        let Some((label, value)) = text.split_once([':', '：']).filter(|_| inside) else {
            return false;
        };
        let known = matches!(
            words::field_of(label.trim_matches(['*', ' '])),
            Field::DependsOn
                | Field::Status
                | Field::Goal
                | Field::Prerequisite
                | Field::Completion
        );
        if !known || value.trim().is_empty() {
            return false;
        }
        let start =
            line.start + line.text.len() - line.text.trim_start_matches(['#', ' ', '\t']).len();
        self.take_in_section(Line { start, text, ..line }, None);
        true
    }

    fn end_section(&mut self, level: u8) {
        if self.found.sections.last().is_some_and(|open| level <= open.level) {
            self.cursor = None;
        } else if let Some(cursor) = &mut self.cursor {
            *cursor = Cursor::default();
        }
    }
}

fn is_letter(id: PhaseId) -> bool {
    id.as_str().len() == 1 && id.as_number().is_none()
}
