//! Puts together what list, headings and tables say about each phase.

mod order;

use std::collections::BTreeMap;

use super::{
    depends::Needed,
    entry::Entry,
    found::Found,
    index::IdIndex,
    phase_id::PhaseId,
    problem::{Problem, ProblemKind, excerpt},
    section::{Opened, Section},
    status::Status,
    table::Row,
};

/// Rows for ranges of phases beyond this many are not applied; real tables have one or two.
const RANGE_ROWS_MAX: usize = 100;

/// Everything that was said about one phase; the numbers are places in [`Found`].
#[derive(Debug)]
pub(super) struct Group {
    pub(super) id: PhaseId,
    pub(super) entry: Option<u32>,
    pub(super) section: Option<u32>,
    pub(super) row: Option<u32>,
    pub(super) duplicate: bool,
    /// More of the same, which few phases have.
    more: Option<Box<More>>,
}

#[derive(Debug, Default)]
struct More {
    entries: Vec<u32>,
    sections: Vec<u32>,
}

impl Group {
    fn new(id: PhaseId) -> Self {
        Self { id, entry: None, section: None, row: None, duplicate: false, more: None }
    }

    /// All list lines of the phase.
    pub(super) fn entries(&self) -> impl Iterator<Item = usize> + '_ {
        let more = self.more.iter().flat_map(|more| &more.entries);
        self.entry.iter().chain(more).map(|at| *at as usize)
    }

    /// All sections of the phase.
    pub(super) fn sections(&self) -> impl Iterator<Item = usize> + '_ {
        let more = self.more.iter().flat_map(|more| &more.sections);
        self.section.iter().chain(more).map(|at| *at as usize)
    }
}

/// The groups in roadmap order, those with an id that an earlier one has at the end, and the places
/// of the others by id.
pub(super) fn group(found: &mut Found<'_>) -> (Vec<Group>, IdIndex) {
    let accepted = Accepted::of(found);
    let mut groups = Grouping::sized_for(found.entries.len().max(found.sections.len()));
    for (at, entry) in found.entries.iter().enumerate() {
        if accepted.entry(entry) {
            groups.add_entry(found, at, entry.id);
        }
    }
    for (at, section) in found.sections.iter().enumerate() {
        if accepted.section(section) {
            groups.add_section(found, at, section.id);
        }
    }
    groups.add_loose_sections(found);
    groups.add_loose_entries(found, &accepted);
    groups.sort(found);
    groups.add_rows(found);
    groups.note_leftovers(found, &accepted);
    found.problems.append(&mut groups.problems);
    let mut all = groups.first;
    all.append(&mut groups.again);
    (all, groups.index)
}

/// Which sorts of lines declare phases in this file.
struct Accepted {
    uncertain_entries: bool,
    odd_levels: bool,
    bold_text: bool,
}

impl Accepted {
    fn of(found: &Found<'_>) -> Self {
        let opened = |sort: Opened| found.sections.iter().any(|section| section.opened == sort);
        let headings = opened(Opened::Heading) || opened(Opened::LooseHeading);
        let list = found.entries.iter().any(|entry| entry.certain);
        Self {
            uncertain_entries: !headings && !list,
            odd_levels: !headings && !list,
            bold_text: !headings,
        }
    }

    fn entry(&self, entry: &Entry<'_>) -> bool {
        entry.certain || entry.struck || self.uncertain_entries
    }

    fn section(&self, section: &Section<'_>) -> bool {
        match section.opened {
            Opened::Heading => true,
            Opened::LooseHeading => false,
            Opened::OddLevel => self.odd_levels,
            Opened::BoldText => self.bold_text,
        }
    }
}

struct Grouping {
    index: IdIndex,
    first: Vec<Group>,
    /// Other phases under an id that is taken, found again by id and name.
    again: Vec<Group>,
    again_by_name: BTreeMap<(PhaseId, String), usize>,
    problems: Vec<Problem>,
}

impl Grouping {
    fn sized_for(phases: usize) -> Self {
        Self {
            index: IdIndex::sized_for(phases),
            first: Vec::with_capacity(phases),
            again: Vec::new(),
            again_by_name: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    fn place(&mut self, id: PhaseId) -> usize {
        let (place, new) = self.index.add(id);
        if new {
            self.first.push(Group::new(id));
        }
        place
    }

    fn add_entry(&mut self, found: &Found<'_>, at: usize, id: PhaseId) {
        let place = self.place(id);
        let entry = &found.entries[at];
        let group = &mut self.first[place];
        let Some(known) = group.entry else {
            group.entry = Some(as_u32(at));
            return;
        };
        let known = &found.entries[known as usize];
        // A struck line beside a live one is only a note about it.
        let same = are_alike(known.name, entry.name) || known.struck || entry.struck;
        if same {
            group.more.get_or_insert_default().entries.push(as_u32(at));
        } else {
            self.again(id, entry.name).entry.get_or_insert(as_u32(at));
        }
        self.note_again(id, entry.name, [known.line, entry.line], same);
    }

    fn add_section(&mut self, found: &Found<'_>, at: usize, id: PhaseId) {
        let place = self.place(id);
        let section = &found.sections[at];
        let group = &mut self.first[place];
        let Some(known) = group.section else {
            group.section = Some(as_u32(at));
            return;
        };
        let known = &found.sections[known as usize];
        let listed = group.entry.map(|entry| found.entries[entry as usize].name);
        let name = section.title.name;
        let same = are_alike(known.title.name, name)
            || (listed.is_some_and(|listed| are_alike(listed, name))
                && listed.is_some_and(|listed| are_alike(listed, known.title.name)));
        if same {
            group.more.get_or_insert_default().sections.push(as_u32(at));
        } else {
            self.again(id, name).section.get_or_insert(as_u32(at));
        }
        self.note_again(id, name, [known.line, section.line], same);
    }

    /// The other phase of that id and name.
    fn again(&mut self, id: PhaseId, name: &str) -> &mut Group {
        let key = (id, words_of(name).join(" "));
        let place = *self.again_by_name.entry(key).or_insert_with(|| {
            self.again.push(Group { duplicate: true, ..Group::new(id) });
            self.again.len() - 1
        });
        &mut self.again[place]
    }

    fn note_again(&mut self, id: PhaseId, name: &str, lines: [u32; 2], same: bool) {
        let [first, second] = lines;
        let what = if same {
            format!("phase `{id}` is described twice, first on line {first}; both are read as one")
        } else {
            format!(
                "phase `{id}` exists twice: here as `{}`, first on line {first}; \
                 only the first can run until one of them gets another id",
                excerpt(name)
            )
        };
        self.problems.push(Problem::new(second, ProblemKind::DuplicateId, what));
    }

    /// A heading without a separator describes a phase when no better heading does.
    fn add_loose_sections(&mut self, found: &Found<'_>) {
        for (at, section) in found.sections.iter().enumerate() {
            if section.opened == Opened::LooseHeading {
                let place = self.place(section.id);
                self.first[place].section.get_or_insert(as_u32(at));
            }
        }
    }

    /// A box without a separator after the id belongs to a phase when a heading gives it the same name.
    fn add_loose_entries(&mut self, found: &Found<'_>, accepted: &Accepted) {
        for (at, entry) in found.entries.iter().enumerate() {
            let loose = entry.ticked.is_some() && !entry.name.is_empty() && !accepted.entry(entry);
            let Some(place) = self.index.get(entry.id).filter(|_| loose) else {
                continue;
            };
            let group = &mut self.first[place];
            let name = group.section.map_or("", |at| found.sections[at as usize].title.name);
            if !name.is_empty() && are_alike(name, entry.name) {
                group.entry.get_or_insert(as_u32(at));
            }
        }
    }

    /// Puts phases that only have a heading where they stand among the other headings, as long as these are
    /// in the order of the list.
    fn sort(&mut self, found: &Found<'_>) {
        if self.first.is_empty() || self.first.iter().all(|group| group.section.is_none()) {
            return;
        }
        let keys = order::keys(found, &self.first);
        if keys.is_sorted() {
            return;
        }
        let mut sorted: Vec<_> = keys.into_iter().zip(std::mem::take(&mut self.first)).collect();
        sorted.sort_by_key(|(key, _)| *key);
        self.index = IdIndex::sized_for(sorted.len());
        for (_, group) in sorted {
            self.index.add(group.id);
            self.first.push(group);
        }
    }

    fn add_rows(&mut self, found: &Found<'_>) {
        let only_tables = self.first.is_empty();
        let mut ranges = Vec::new();
        for (at, row) in found.rows.iter().enumerate() {
            if row.first != row.last {
                ranges.push(at);
                continue;
            }
            let known = self.index.get(row.first);
            if let Some(place) = known.or_else(|| only_tables.then(|| self.place(row.first))) {
                self.set_row(found, place, at);
            } else {
                let what = format!(
                    "the table has a row for `{}`, which is no phase of this file",
                    row.first
                );
                self.problems.push(Problem::new(row.number, ProblemKind::UnknownTableRow, what));
            }
        }
        self.add_ranges(found, ranges);
    }

    /// Gives the rows that stand for several phases to those that have no row of their own.
    fn add_ranges(&mut self, found: &Found<'_>, mut ranges: Vec<usize>) {
        for at in ranges.split_off(ranges.len().min(RANGE_ROWS_MAX)).into_iter().take(1) {
            let what = format!(
                "only {RANGE_ROWS_MAX} rows for ranges of phases are read; this one is not"
            );
            self.problems.push(Problem::new(found.rows[at].number, ProblemKind::TooMuch, what));
        }
        for at in ranges {
            let row = &found.rows[at];
            let mut known = false;
            for group in &mut self.first {
                if (row.first..=row.last).contains(&group.id) {
                    known = true;
                    group.row.get_or_insert(as_u32(at));
                }
            }
            if !known {
                let what = format!(
                    "the table has a row for `{}` to `{}`, none of which is a phase of this file",
                    row.first, row.last
                );
                self.problems.push(Problem::new(row.number, ProblemKind::UnknownTableRow, what));
            }
        }
    }

    /// Of several rows of one phase the one that says "done" counts, else the first with a status.
    fn set_row(&mut self, found: &Found<'_>, place: usize, at: usize) {
        let weight = |row: &Row<'_>| match row.status {
            Status::Done => 2,
            Status::Open | Status::Dropped | Status::Unclear => 1,
            Status::Blank => 0,
        };
        let old = &mut self.first[place].row;
        match *old {
            Some(known) if weight(&found.rows[known as usize]) >= weight(&found.rows[at]) => {}
            _ => *old = Some(as_u32(at)),
        }
    }

    /// Reports lines that may be meant as a phase when nothing declares it.
    fn note_leftovers(&mut self, found: &Found<'_>, accepted: &Accepted) {
        let lines = found.mentions.iter().map(|mention| (mention.id, mention.line, mention.text));
        let entries = found
            .entries
            .iter()
            .filter(|entry| !accepted.entry(entry))
            .map(|entry| (entry.id, entry.line, entry.name));
        let sections = found
            .sections
            .iter()
            .filter(|section| !accepted.section(section) && section.opened != Opened::LooseHeading)
            .map(|section| (section.id, section.line, section.title.name));
        let mut problems = Vec::new();
        for (id, line, text) in lines.chain(entries).chain(sections) {
            if self.index.get(id).is_none() {
                problems.push(Problem::new(
                    line,
                    ProblemKind::Unreadable,
                    format!(
                        "`{}` mentions phase `{id}`, but is neither a heading nor a list line of one",
                        excerpt(text)
                    ),
                ));
            }
        }
        self.problems.append(&mut problems);
        self.note_several(found);
    }

    /// Reports lines that name several phases of which some are declared nowhere.
    fn note_several(&mut self, found: &Found<'_>) {
        for several in &found.several {
            let known = several.needed.iter().all(|needed| match *needed {
                Needed::Phase(id) => self.index.get(id).is_some(),
                Needed::Range(first, last) => {
                    self.index.get(first).is_some() && self.index.get(last).is_some()
                }
                Needed::AllPrevious | Needed::Previous => true,
            });
            if !known {
                let what = format!(
                    "`{}` names several phases, of which some are declared nowhere; give each a heading or a \
                     list line of its own",
                    excerpt(several.text)
                );
                self.problems.push(Problem::new(several.line, ProblemKind::Unreadable, what));
            }
        }
    }
}

/// A place in a list; a file of less than 4 GiB has fewer lines than that.
fn as_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Tells whether two names mean one phase: one has at least half of the other's words.
fn are_alike(left: &str, right: &str) -> bool {
    let (left, right) = (words_of(left), words_of(right));
    if left.is_empty() || right.is_empty() {
        return true;
    }
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let shared = short.iter().filter(|word| long.contains(word)).count();
    shared * 2 >= short.len()
}

/// The words of a name in lower case, a bounded number of them.
fn words_of(name: &str) -> Vec<String> {
    const WORDS_MAX: usize = 40;
    name.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .map(str::to_lowercase)
        .collect()
}
