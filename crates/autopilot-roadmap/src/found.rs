//! What a walk over a roadmap collects.

use super::{
    depends::Needed,
    entry::Entry,
    phase_id::PhaseId,
    problem::Problem,
    section::{PlanBox, Section, Starts, Texts, Value},
    table::Row,
};

/// What a walk over the text found, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Found<'a> {
    pub(super) sections: Vec<Section<'a>>,
    pub(super) texts: Texts<'a>,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) rows: Vec<Row<'a>>,
    /// Rows of tables that stand in a phase and may be about anything.
    pub(super) inner_rows: Vec<Row<'a>>,
    /// Lines that name several phases as a declaration would.
    pub(super) several: Vec<Several<'a>>,
    /// Lines that mention a phase in a way that may be meant as a declaration.
    pub(super) mentions: Vec<Mention<'a>>,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Found<'a> {
    /// Makes room for as many sections as a text of that length usually has, to save on moving them. Short
    /// ones count, since room that is not used costs next to nothing.
    pub(super) fn sized_for(source: &str) -> Self {
        const BYTES_PER_SECTION: usize = 192;
        const ROOM_MAX: usize = 1 << 16;
        let room = (source.len() / BYTES_PER_SECTION).min(ROOM_MAX);
        Self {
            sections: Vec::with_capacity(room),
            texts: Texts::sized_for(room),
            ..Self::default()
        }
    }

    /// The dependency values of a section.
    pub(super) fn depends_on(&self, section: usize) -> &[Value<'a>] {
        let (from, to) = self.range(section);
        &self.texts.depends_on[from.depends_on as usize..to.depends_on as usize]
    }

    /// The requirements of a section.
    pub(super) fn requirements(&self, section: usize) -> &[Value<'a>] {
        let (from, to) = self.range(section);
        &self.texts.requirements[from.requirements as usize..to.requirements as usize]
    }

    /// The criteria of a section.
    pub(super) fn criteria(&self, section: usize) -> &[Value<'a>] {
        let (from, to) = self.range(section);
        &self.texts.criteria[from.criteria as usize..to.criteria as usize]
    }

    /// The plans of a section.
    pub(super) fn plans(&self, section: usize) -> &[PlanBox<'a>] {
        let (from, to) = self.range(section);
        &self.texts.plans[from.plans as usize..to.plans as usize]
    }

    fn range(&self, section: usize) -> (Starts, Starts) {
        let next = self.sections.get(section + 1);
        let end = next.map_or_else(|| self.texts.ends(), |next| next.starts);
        (self.sections[section].starts, end)
    }
}

/// A line that could have been meant as several phases.
#[derive(Debug)]
pub(super) struct Several<'a> {
    pub(super) needed: Vec<Needed>,
    /// Whether its box is ticked.
    pub(super) ticked: bool,
    pub(super) line: u32,
    pub(super) text: &'a str,
}

impl Several<'_> {
    /// Tells whether it names a phase.
    pub(super) fn names(&self, id: PhaseId) -> bool {
        self.needed.iter().any(|needed| match *needed {
            Needed::Phase(named) => named == id,
            Needed::Range(first, last) => (first..=last).contains(&id),
            Needed::AllPrevious | Needed::Previous => false,
        })
    }
}

/// A line that could have been meant as a phase.
#[derive(Debug)]
pub(super) struct Mention<'a> {
    pub(super) id: PhaseId,
    pub(super) line: u32,
    pub(super) text: &'a str,
    /// Whether it says that the phase is done.
    pub(super) done: bool,
}
