//! A line of the list of phases: `- [x] **Phase 3: Name** - what it is about`.

use super::{
    head::Head,
    phase_id::PhaseId,
    status::{self, Status},
    title,
};

/// A line of a phase list.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) id: PhaseId,
    pub(super) name: &'a str,
    pub(super) line: u32,
    pub(super) ticked: Option<bool>,
    /// Where the mark in the box stands in the source.
    pub(super) box_at: Option<usize>,
    pub(super) inserted: bool,
    pub(super) struck: bool,
    /// What signs and tails of the line say.
    pub(super) status: Status,
    /// Whether the line has a box and sets its name clearly apart.
    pub(super) certain: bool,
}

impl<'a> Entry<'a> {
    /// Takes a list line apart.
    pub(super) fn read(id: PhaseId, number: u32, head: &Head<'a>) -> Self {
        let bold_end = if head.bold_open { head.rest.find(head.bold_mark) } else { None };
        let (raw, after) = match bold_end {
            Some(at) => (&head.rest[..at], &head.rest[at + 2..]),
            None if head.bold && !head.bold_open && head.rest.starts_with('(') => ("", head.rest),
            None => {
                let (name, after) = split_struck(head.rest, head.struck);
                let cut = title::before_description(name);
                (cut, if after.is_empty() { &name[cut.len()..] } else { after })
            }
        };
        let (raw, _) = split_struck(raw, head.struck);
        let mut title = title::read(raw);
        title.add_note(head.note);
        let end = title::read(after);
        let lead = after.trim_start_matches(|c: char| c.is_whitespace() || "~*-–—:".contains(c));
        let dropped = status::read(lead) == Status::Dropped
            || status::read(first_bold(lead)) == Status::Dropped;
        Self {
            id,
            name: title.name,
            line: number,
            ticked: None,
            box_at: None,
            inserted: title.inserted || end.inserted || lead.starts_with("(INSERTED"),
            struck: head.struck || title.struck,
            status: [title.status, if dropped { Status::Dropped } else { end.status }, head.sign]
                .into_iter()
                .find(|status| *status != Status::Blank)
                .unwrap_or(Status::Blank),
            certain: false,
        }
    }
}

/// Splits a struck title where the strike ends.
pub(super) fn split_struck(text: &str, struck: bool) -> (&str, &str) {
    if !struck {
        return (text, "");
    }
    match text.find("~~") {
        Some(at) => (text[..at].trim_end_matches(['*', '_']), &text[at + 2..]),
        None => (text, ""),
    }
}

fn first_bold(text: &str) -> &str {
    text.split("**").next().unwrap_or(text)
}
