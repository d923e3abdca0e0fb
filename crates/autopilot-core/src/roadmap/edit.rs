//! Edits that keep a roadmap's own style.

use thiserror::Error;

use super::{
    marks::{self, Change, Marks},
    model::{Phase, Roadmap},
    parse::parse,
    phase_id::PhaseId,
};

/// Why a phase cannot be marked complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MarkError {
    /// The file has no such phase.
    #[error("the roadmap has no phase `{0}` that could be marked complete")]
    NoSuchPhase(PhaseId),
    /// The phase was struck out or given up.
    #[error("phase `{0}` is struck out or abandoned in the roadmap and cannot be marked complete")]
    Excluded(PhaseId),
    /// The phase has no place where a mark would be read.
    #[error(
        "line {line} has no place where phase `{id}` could be marked complete: no box, no status and \
         no name"
    )]
    NoPlace {
        /// The phase.
        id: PhaseId,
        /// The line that declares it.
        line: u32,
    },
}

/// Marks a phase as complete and gives the whole text back, unchanged where it is marked already.
///
/// Whatever says that the phase is open is changed: boxes are ticked, the cells, status lines and
/// signs that say so say the opposite. Where that is not enough, as with a phase that is nothing but a
/// heading, a `✅` is added. Every other byte stays as it is, and the result is read again before it
/// is given: the phase is complete in it and all others are as they were.
pub fn mark_complete(text: &str, id: PhaseId) -> Result<String, MarkError> {
    let before = parse(text);
    let Some(phase) = before.phase(id) else {
        let excluded = before.excluded.iter().any(|phase| phase.id == id);
        return Err(if excluded { MarkError::Excluded(id) } else { MarkError::NoSuchPhase(id) });
    };
    let Marks { open, added } = marks::find(text, id).unwrap_or_default();
    let holds = |edited: &String| says_so(&before, &parse(edited.as_str()), id);
    let with_open = std::iter::once([].as_slice())
        .chain(added.iter().map(Vec::as_slice))
        .map(|more| applied(text, [open.as_slice(), more].concat()));
    // In a file with odd emphasis a change of what is there may say more than it should.
    let without_open = added.iter().map(|more| applied(text, more.clone()));
    if phase.complete {
        return Ok(with_open.take(1).find(holds).unwrap_or_else(|| text.to_owned()));
    }
    let edited = with_open.chain(without_open).find(holds);
    edited.ok_or(MarkError::NoPlace { id, line: phase.line() })
}

/// The text with changes, of which none may touch what another one touches.
fn applied(text: &str, mut changes: Vec<Change>) -> String {
    changes.sort_unstable();
    changes.dedup();
    let mut edited = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for change in changes.into_iter().filter(|change| change.end <= text.len()) {
        if change.start < from {
            continue;
        }
        edited.push_str(&text[from..change.start]);
        edited.push_str(&change.with);
        from = change.end;
    }
    edited.push_str(&text[from..]);
    edited
}

/// Tells whether the phase is complete now and nothing else is different.
fn says_so(before: &Roadmap, after: &Roadmap, id: PhaseId) -> bool {
    let marked = before.position(id);
    after.phase(id).is_some_and(|phase| phase.complete)
        && before.phases.len() == after.phases.len()
        && before.excluded == after.excluded
        && before.phases.iter().zip(&after.phases).enumerate().all(|(place, (before, after))| {
            if Some(place) == marked {
                without_marks(before) == without_marks(after)
            } else {
                before == after
            }
        })
}

fn without_marks(phase: &Phase) -> Phase {
    Phase { complete: false, checkbox: None, status: None, conflict: false, ..phase.clone() }
}

#[cfg(test)]
mod tests;
