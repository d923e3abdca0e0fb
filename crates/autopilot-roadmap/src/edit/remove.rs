//! Takes a phase out of a roadmap.

use std::ops::Range;

use super::{
    super::{
        comment, marks::Change, model::Roadmap, parse::parse, phase_id::PhaseId, table::Columns,
    },
    EditError, Edited, applied,
    file::File,
    outline::Outline,
    read_back::is_removed,
    tables,
};

/// What to do when other phases depend on the one that is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependents {
    /// Nothing is changed, and they are named.
    Refuse,
    /// What they say stays as it is; the phase that they name is then no phase of the file.
    LeaveThem,
}

/// Removes a phase: its lines in the list, its sections, its rows, its place in the order.
///
/// Nothing is numbered anew, and every other byte stays as it is. The result is read again before it is given.
pub fn remove_phase(
    text: &str,
    state: Option<&str>,
    id: PhaseId,
    dependents: Dependents,
) -> Result<Edited, EditError> {
    let before = parse(text);
    let mut all = before.phases.iter().chain(&before.excluded);
    let Some(phase) = all.find(|phase| phase.id == id) else {
        return Err(EditError::NoSuchPhase(id));
    };
    if before.phases.iter().any(|phase| phase.id == id && phase.duplicate) {
        return Err(EditError::Twice(id));
    }
    let by = needed_by(&before, id);
    if dependents == Dependents::Refuse && !by.is_empty() {
        return Err(EditError::Needed { id, by });
    }
    let source = comment::blanked(text);
    let file = File::read(&source);
    let roadmap = kept_end(text, applied(text, changes(&file, id)));
    if !is_removed(&before, &parse(roadmap.as_str()), id) {
        return Err(EditError::Entangled { id, line: phase.line() });
    }
    let state = state.map(|state| kept_end(state, state_without(state, id)));
    Ok(Edited { id, name: phase.name.to_string(), roadmap, state })
}

/// The phases that depend on a phase, in the order of the roadmap.
pub fn needed_by(roadmap: &Roadmap, id: PhaseId) -> Vec<PhaseId> {
    let phases =
        roadmap.phases.iter().filter(|phase| phase.id != id && phase.depends_on.contains(&id));
    phases.map(|phase| phase.id).collect()
}

fn changes(file: &File<'_>, id: PhaseId) -> Vec<Change> {
    let mut changes = Vec::new();
    let entries = file.entries();
    for (_, line) in entries.iter().filter(|entry| entry.0 == id) {
        changes.push(file.without(file.item(*line)));
    }
    for (_, at) in file.sections().iter().filter(|section| section.0 == id) {
        changes.push(file.without(with_gap(file, file.section(*at))));
    }
    let rows = file.tables.iter().flat_map(|table| &table.rows);
    for (_, line) in rows.filter(|row| row.0 == id) {
        changes.push(file.without(*line..line + 1));
    }
    for chain in &file.chains {
        changes.extend(chain.position(id).and_then(|at| chain.without(at)));
    }
    changes
}

/// A section with what sets it apart from the section before, else from the block after it.
fn with_gap(file: &File<'_>, lines: Range<usize>) -> Range<usize> {
    let before = file.outline.without_gap(0, lines.start);
    let follows_another = file.sections().iter().any(|(_, at)| file.section(*at).end == before);
    let next = (lines.end..file.outline.lines.len()).find(|line| !file.outline.is_gap(*line));
    match next {
        Some(next) if !follows_another => lines.start..next,
        Some(_) | None => before..lines.end,
    }
}

/// The state without the rows of a phase in tables that tell the status of each.
fn state_without(state: &str, id: PhaseId) -> String {
    let outline = Outline::of(state);
    let tables = tables::find(&outline, |header| Columns::read(header).filter(Columns::has_status));
    let rows = tables.iter().flat_map(|table| &table.rows).filter(|row| row.0 == id);
    let changes = rows.map(|(_, line)| {
        let bytes = outline.bytes(&(*line..line + 1));
        Change { start: bytes.start, end: bytes.end, with: String::new() }
    });
    applied(state, changes.collect())
}

/// The edited text, without a line end at its end where there was none before.
fn kept_end(text: &str, mut edited: String) -> String {
    let is_ended = |text: &str| text.ends_with(['\n', '\r']);
    while !is_ended(text) && is_ended(&edited) {
        edited.pop();
    }
    edited
}
