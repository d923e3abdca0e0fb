//! Edits that keep a roadmap's own style.

mod canonical;
mod chain;
mod fields;
mod file;
mod new_phase;
mod opening;
mod outline;
mod put;
mod read_back;
mod remove;
mod tables;

use thiserror::Error;

use super::{
    marks::{self, Change, Marks},
    model::{Phase, Roadmap},
    parse::parse,
    phase_id::PhaseId,
};
pub use new_phase::{Lack, NewPhase, TO_BE_PLANNED};
pub use put::{add_phase, insert_phase};
pub use remove::{Dependents, needed_by, remove_phase};

/// A roadmap, and the state beside it, with a phase more or less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The phase that was put in or taken out.
    pub id: PhaseId,
    /// Its name.
    pub name: String,
    /// The whole text of the roadmap.
    pub roadmap: String,
    /// The whole text of the state, where there is one.
    pub state: Option<String>,
}

/// Why a phase cannot be put in or taken out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// The file has no such phase.
    #[error("the roadmap has no phase `{0}`")]
    NoSuchPhase(PhaseId),
    /// Two phases have the same id.
    #[error("phase `{0}` exists twice in the roadmap, so it is not clear which one is meant")]
    Twice(PhaseId),
    /// A phase has no number of which there could be a decimal.
    #[error("phase `{0}` has no number, so there is no decimal for a phase after it")]
    NotNumbered(PhaseId),
    /// Other phases depend on it.
    #[error("phase `{id}` is needed by {}", named(.by))]
    Needed {
        /// The phase.
        id: PhaseId,
        /// Those that depend on it.
        by: Vec<PhaseId>,
    },
    /// The new phase has no name.
    #[error("the new phase has no name")]
    NoName,
    /// The new phase would depend on something that is no phase.
    #[error("the new phase would depend on phase `{0}`, which the roadmap does not have")]
    NoSuchDependency(PhaseId),
    /// What the new phase depends on names no phase.
    #[error("`{0}` names no phase that the new one could depend on")]
    UnreadableDependency(String),
    /// The new phase would be read as something else.
    #[error("phase `{id}` (`{name}`) would be read as something else than what was given")]
    Misread {
        /// Its id.
        id: PhaseId,
        /// Its name.
        name: String,
    },
    /// The lines of a phase hold what other phases are read from.
    #[error(
        "line {line}: phase `{id}` cannot be taken out without changing what is read of others"
    )]
    Entangled {
        /// The phase.
        id: PhaseId,
        /// The line that declares it.
        line: u32,
    },
}

fn named(phases: &[PhaseId]) -> String {
    let names: Vec<String> = phases.iter().map(|id| format!("phase `{id}`")).collect();
    names.join(", ")
}

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
