//! Puts a phase into a roadmap: at its end, or after another one.

use super::{
    super::{
        comment,
        depends::{self, Doubt, Needed},
        line,
        marks::Change,
        model::Roadmap,
        parse::parse,
        phase_id::PhaseId,
        status::{self, Status},
        table::{Columns, NewRow},
        title,
    },
    EditError, Edited, applied, canonical,
    fields::{Fields, Values},
    file::File,
    new_phase::{NewPhase, TO_BE_PLANNED},
    opening::Opening,
    outline::Outline,
    read_back::{Expected, is_put},
    tables,
};

/// The mark of a phase that came between two others.
const INSERTED: &str = " *(INSERTED)*";

/// Adds a phase after all others; its id is the next whole number.
///
/// What the file has is kept to: list line, section, rows of tables and the line that tells the order are written where
/// there are others of their kind, in the same style. A file without any phase gets all of them. Every other byte
/// stays as it is, and the result is read again before it is given.
pub fn add_phase(text: &str, state: Option<&str>, phase: &NewPhase) -> Result<Edited, EditError> {
    let before = parse(text);
    let id = next_number(text, &before);
    put(text, state, &before, Draft::new(id, phase, Vec::new(), &before)?)
}

/// Inserts a phase after another one; its id is the next decimal of that one's number.
///
/// What is not said yet is `[To be planned]`, and it depends on the phase that it comes after unless it is said otherwise.
pub fn insert_phase(
    text: &str,
    state: Option<&str>,
    after: PhaseId,
    phase: &NewPhase,
) -> Result<Edited, EditError> {
    let before = parse(text);
    if before.phase(after).is_none() {
        return Err(EditError::NoSuchPhase(after));
    }
    let (id, family) = next_decimal(after, &before)?;
    let mut phase = phase.clone();
    phase.depends_on.get_or_insert_with(|| format!("Phase {after} (inserted after it)"));
    put(text, state, &before, Draft::new(id, &phase, family, &before)?)
}

/// A phase with everything that is written about it.
pub(super) struct Draft {
    pub(super) id: PhaseId,
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) goal: String,
    pub(super) criteria: Vec<String>,
    pub(super) needs: String,
    needed: Vec<PhaseId>,
    /// The phases that it comes after, the nearest first; none when it is added at the end.
    family: Vec<PhaseId>,
    pub(super) mark: &'static str,
}

impl Draft {
    fn new(
        id: PhaseId,
        phase: &NewPhase,
        family: Vec<PhaseId>,
        roadmap: &Roadmap,
    ) -> Result<Self, EditError> {
        let name = title::clean(&phase.name);
        if name.is_empty() {
            return Err(EditError::NoName);
        }
        let or_stub = |text: &Option<String>| {
            let text = title::clean(text.as_deref().unwrap_or_default());
            if text.is_empty() { TO_BE_PLANNED.to_owned() } else { text }
        };
        let goal = or_stub(&phase.goal);
        let summary = match &phase.summary {
            Some(summary) => title::clean(summary),
            None => first_sentence(&goal).to_owned(),
        };
        let (needs, needed) = needs(phase.depends_on.as_deref().unwrap_or("Nothing"), roadmap)?;
        Ok(Self {
            id,
            name,
            summary,
            goal,
            criteria: phase.criteria.iter().map(|text| title::clean(text)).collect(),
            needs,
            needed,
            mark: if family.is_empty() { "" } else { INSERTED },
            family,
        })
    }

    pub(super) fn values(&self) -> Values<'_> {
        Values {
            id: self.id,
            name: &self.name,
            mark: self.mark,
            goal: &self.goal,
            needs: &self.needs,
            criteria: &self.criteria,
        }
    }

    pub(super) fn row(&self, is_alone: bool) -> NewRow<'_> {
        let goal = if self.goal == TO_BE_PLANNED { "" } else { &self.goal };
        let mark = if is_alone { "" } else { self.mark };
        NewRow { id: self.id, name: &self.name, mark, goal, needs: &self.needs, is_alone }
    }
}

/// Writes a draft into both files, in the first way that reads back as what was meant.
fn put(
    text: &str,
    state: Option<&str>,
    before: &Roadmap,
    draft: Draft,
) -> Result<Edited, EditError> {
    let source = comment::blanked(text);
    let file = File::read(&source);
    let expected = Expected {
        id: draft.id,
        name: &draft.name,
        goal: Some(draft.goal.as_str()),
        criteria: &draft.criteria,
        needed: &draft.needed,
    };
    let ways: Vec<String> = if before.phases.is_empty() {
        vec![canonical::with_phase(text, &file, &draft)]
    } else {
        let forms = [Labels::OfTheFile, Labels::Usual];
        let dashes = [Dash::OfTheFile, Dash::Usual, Dash::Nothing];
        let ways = forms.iter().flat_map(|form| dashes.iter().map(move |dash| (form, dash)));
        ways.map(|(form, dash)| applied(text, changes(&file, &draft, form, dash))).collect()
    };
    let roadmap = ways.into_iter().find(|edited| is_put(before, &parse(edited.as_str()), expected));
    let roadmap =
        roadmap.ok_or_else(|| EditError::Misread { id: draft.id, name: draft.name.clone() })?;
    let state = state.map(|state| state_with(state, &draft));
    Ok(Edited { id: draft.id, name: draft.name, roadmap, state })
}

/// Which labels a new section has.
enum Labels {
    OfTheFile,
    Usual,
}

/// What sets the summary of a list line apart.
enum Dash {
    OfTheFile,
    Usual,
    Nothing,
}

fn changes(file: &File<'_>, draft: &Draft, form: &Labels, dash: &Dash) -> Vec<Change> {
    let entry = list_line(file, draft, dash);
    let section = section(file, draft, form);
    let is_alone = entry.is_none() && section.is_none();
    let mut changes: Vec<Change> = entry.into_iter().chain(section).collect();
    changes.extend(rows(file, draft, is_alone));
    changes.extend(order(file, draft));
    changes
}

fn list_line(file: &File<'_>, draft: &Draft, dash: &Dash) -> Option<Change> {
    let entries = file.entries();
    let neighbour = draft.family.iter().find_map(|id| entries.iter().rfind(|entry| entry.0 == *id));
    let earlier = entries.iter().filter(|(id, _)| *id < draft.id && !draft.family.is_empty());
    // Finished milestones are often folded away; a new phase does not belong there.
    let is_folded = |line: usize| file.outline.lines[line].depth > 0;
    let last = entries.iter().max_by_key(|(_, line)| (!is_folded(*line), *line));
    let (_, line) = neighbour.or_else(|| earlier.max_by_key(|(id, _)| *id)).or(last)?;
    let text = file.outline.lines[*line].text;
    let body = line::without_indent(text);
    let item = line::item(body)?;
    let opening = Opening::read(item.text)?;
    let dash = match dash {
        Dash::OfTheFile => file_dash(file, &entries, *line),
        Dash::Usual => Some(" - "),
        Dash::Nothing => None,
    };
    let summary = dash.map(|dash| format!("{dash}{}", draft.summary)).unwrap_or_default();
    let bullet = next_bullet(text, item);
    let written =
        format!("{bullet}{}{}{summary}", opening.write(draft.id, &draft.name), draft.mark);
    Some(file.after(file.item(*line).end - 1, &written))
}

/// The bullet of a list line with an open box, and with the next number where it has one.
fn next_bullet(text: &str, item: line::Item<'_>) -> String {
    let body = line::without_indent(text);
    let indent = text.len() - body.len();
    let mut bullet = text[..text.len() - item.text.len()].to_owned();
    if let Some(found) = item.checkbox {
        let at = indent + found.offset;
        bullet.replace_range(at..at + found.mark.len_utf8(), " ");
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    if let Ok(number) = body[..digits].parse::<u32>() {
        bullet.replace_range(indent..indent + digits, &(number.saturating_add(1)).to_string());
    }
    bullet
}

/// What lines of the list put before their summaries, the nearest line first; `None` when they have none.
fn file_dash(file: &File<'_>, entries: &[(PhaseId, usize)], near: usize) -> Option<&'static str> {
    let mut lines: Vec<usize> = entries.iter().map(|(_, line)| *line).collect();
    lines.sort_by_key(|line| line.abs_diff(near));
    lines.into_iter().find_map(|line| {
        let (_, after) = Opening::split(file.outline.lines[line].text)?;
        let dashes = [" - ", " -- ", " — ", " – ", ": "];
        let found = dashes.into_iter().filter_map(|dash| Some((after.find(dash)?, dash)));
        // A colon opens a summary only right after the name; elsewhere it is a part of it.
        let (at, dash) = found.filter(|(at, dash)| *dash != ": " || *at == 0).min()?;
        let summary = &after[at + dash.len()..];
        let is_status = matches!(status::read(summary), Status::Done | Status::Dropped)
            || status::is_date(summary);
        (!is_status && !summary.trim().is_empty()).then_some(dash)
    })
}

fn section(file: &File<'_>, draft: &Draft, form: &Labels) -> Option<Change> {
    let sections = file.sections();
    let line_of = |at: usize| file.found.sections[at].line;
    let neighbour =
        draft.family.iter().find_map(|id| sections.iter().rfind(|found| found.0 == *id));
    let (_, at) = neighbour.or_else(|| sections.iter().max_by_key(|(_, at)| line_of(*at)))?;
    let lines = file.section(*at);
    let fields = Fields::of(file, *at);
    let fields = match form {
        Labels::OfTheFile => fields,
        Labels::Usual => fields.with_usual_labels(),
    };
    let mut block: Vec<String> = gap_before(file, &sections, lines.start);
    block.extend(fields.write(draft.values()));
    Some(file.after(lines.end - 1, &block.join(file.outline.line_end)))
}

/// What sets sections apart: the lines before one of them that follows another.
fn gap_before(file: &File<'_>, sections: &[(PhaseId, usize)], near: usize) -> Vec<String> {
    let mut ends: Vec<_> = sections.iter().map(|(_, at)| file.section(*at)).collect();
    ends.sort_by_key(|lines| lines.start.abs_diff(near));
    let gap = ends.iter().find_map(|lines| {
        let before = (0..lines.start).rev().find(|line| !file.outline.is_gap(*line))? + 1;
        ends.iter().any(|other| other.end == before).then_some(before..lines.start)
    });
    match gap {
        Some(gap) => gap.map(|line| file.outline.lines[line].text.to_owned()).collect(),
        None => vec![String::new()],
    }
}

fn rows(file: &File<'_>, draft: &Draft, is_alone: bool) -> Vec<Change> {
    let last = file.groups.iter().rfind(|group| !group.duplicate).map(|group| group.id);
    let beside = |table: &tables::Table| -> Option<usize> {
        match draft.family.is_empty() {
            true => last.and_then(|id| table.line_of(id)).map(|_| table.last_line()),
            false => draft.family.iter().find_map(|id| table.line_of(*id)),
        }
    };
    let mut places: Vec<(&tables::Table, usize)> =
        file.tables.iter().filter_map(|table| Some((table, beside(table)?))).collect();
    if places.is_empty() {
        let last = file.tables.iter().rfind(|table| !table.rows.is_empty());
        places.extend(last.map(|table| (table, table.last_line())));
    }
    let row = |(table, line): (&tables::Table, usize)| {
        file.after(line, &table.row(&file.outline, line, draft.row(is_alone)))
    };
    places.into_iter().map(row).collect()
}

/// After the one that it was inserted after, or after the last phase that it needs; else at the end. One that was
/// inserted after a phase without a place in the order has none either.
fn order(file: &File<'_>, draft: &Draft) -> Option<Change> {
    let places = |chain: &super::chain::Chain<'_>| {
        let needed = draft.needed.iter().filter_map(|id| chain.position(*id)).max();
        draft.family.iter().find_map(|id| chain.position(*id)).or(needed)
    };
    let near = file.chains.iter().rev().find(|chain| places(chain).is_some());
    let chain = near.or(file.chains.last().filter(|_| draft.family.is_empty()))?;
    chain.with(draft.id.as_str(), places(chain))
}

/// The state with a row for the phase, where it has a table with a status for each.
fn state_with(state: &str, draft: &Draft) -> String {
    let outline = Outline::of(state);
    let tables = tables::find(&outline, |header| Columns::read(header).filter(Columns::has_status));
    let near = tables.iter().find_map(|table| {
        draft.family.iter().find_map(|id| table.line_of(*id)).map(|line| (table, line))
    });
    let Some((table, line)) =
        near.or_else(|| tables.last().map(|table| (table, table.last_line())))
    else {
        return state.to_owned();
    };
    let row = NewRow { mark: "", is_alone: true, ..draft.row(true) };
    let row = table.row(&outline, line, row);
    let file_end = &outline.lines[line];
    let is_ended = file_end.start + file_end.text.len() < file_end.end;
    let line_end = outline.line_end;
    let with = if is_ended { format!("{row}{line_end}") } else { format!("{line_end}{row}") };
    applied(state, vec![Change { start: file_end.end, end: file_end.end, with }])
}

/// The next whole number after all that the file names as phases.
fn next_number(text: &str, roadmap: &Roadmap) -> PhaseId {
    let source = comment::blanked(text);
    let file = File::read(&source);
    let phases = roadmap.phases.iter().chain(&roadmap.excluded).map(|phase| phase.id);
    let rows = file.found.rows.iter().flat_map(|row| [row.first, row.last]);
    let highest = phases.chain(rows).filter_map(|id| id.as_number()).max().unwrap_or(0);
    // An id has room for every number.
    PhaseId::with_tail("", &highest.saturating_add(1).to_string()).expect("a number is an id")
}

/// The next decimal of a phase's number, and the phases with that number, the last first.
fn next_decimal(after: PhaseId, roadmap: &Roadmap) -> Result<(PhaseId, Vec<PhaseId>), EditError> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let base = after.as_str().split('.').next().unwrap_or_default();
    if !after.as_str().split('.').all(is_number) {
        return Err(EditError::NotNumbered(after));
    }
    let decimal = |id: &PhaseId| -> Option<u64> {
        let tail = id.as_str().strip_prefix(base)?.strip_prefix('.')?;
        tail.split('.').next()?.parse().ok()
    };
    let all = roadmap.phases.iter().chain(&roadmap.excluded).map(|phase| phase.id);
    let highest = all.filter_map(|id| decimal(&id)).max().unwrap_or(0);
    let id = PhaseId::with_tail(base, &format!(".{}", highest.saturating_add(1)));
    let mut family: Vec<PhaseId> = roadmap
        .phases
        .iter()
        .map(|phase| phase.id)
        .filter(|id| id.as_str() == base || decimal(id).is_some())
        .collect();
    family.sort_unstable();
    family.reverse();
    id.map(|id| (id, family)).ok_or(EditError::NotNumbered(after))
}

/// A dependency value as it is written, and the phases that it names.
fn needs(text: &str, roadmap: &Roadmap) -> Result<(String, Vec<PhaseId>), EditError> {
    let text = title::clean(text);
    let bare: Result<Vec<PhaseId>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let text = match bare {
        Ok(ids) => ids.iter().map(|id| format!("Phase {id}")).collect::<Vec<_>>().join(", "),
        Err(_) => text,
    };
    let mut needed = Vec::new();
    if let Some(Doubt::NoPhase | Doubt::Empty) = depends::read(&text, &mut needed) {
        return Err(EditError::UnreadableDependency(text));
    }
    let mut ids = Vec::new();
    for needed in needed {
        match needed {
            Needed::Phase(id) if roadmap.phase(id).is_none() => {
                return Err(EditError::NoSuchDependency(id));
            }
            Needed::Phase(id) => ids.push(id),
            Needed::Range(first, last) => {
                let phases = roadmap.phases.iter().map(|phase| phase.id);
                ids.extend(phases.filter(|id| (first..=last).contains(id)));
            }
            Needed::AllPrevious => ids.extend(roadmap.phases.iter().map(|phase| phase.id)),
            Needed::Previous => ids.extend(roadmap.phases.last().map(|phase| phase.id)),
        }
    }
    Ok((text, ids))
}

fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").map_or(text.len(), |at| at);
    text[..end].trim_end_matches('.')
}
