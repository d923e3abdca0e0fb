//! What an agent left that is not part of its work, or counts for nothing.

use autopilot_core::{
    input::{Fate, LeftOut},
    phases::{Phase, Status},
};

use crate::{Styled, Tone, files};

/// How many files are named in one line.
const NAMES_SHOWN_MAX: usize = 5;

/// What a person should look at; what can be made again is only in the log.
pub(super) fn left_out_line(left_out: &LeftOut) -> Option<Styled> {
    let LeftOut { key, fate, first, .. } = left_out;
    let what = files(left_out.files, left_out.bytes);
    let step = &key.step;
    let text = match fate {
        Fate::OnDisk { place } => format!(
            "[ !! ] {step}: {what} from `{first}` on are too much to be kept in git; they stay in {place}"
        ),
        Fate::OnlyKept => format!(
            "[ !! ] {step}: {what} from `{first}` on are kept, but are not part of the work"
        ),
        Fate::NotTheirs => {
            format!(
                "[ !! ] {step}: its edits of {} have no effect: {}",
                named(left_out),
                NOT_THEIRS
            )
        }
        Fate::Rebuildable => return None,
    };
    Some(Styled::new(Tone::Warning, text))
}

/// Why an edit of a plan or paper counts for nothing.
const NOT_THEIRS: &str = "only the engine writes papers there, and only its planner a plan";

fn named(left_out: &LeftOut) -> String {
    match left_out.files {
        0 | 1 => format!("`{}`", left_out.first),
        files => format!("{files} files from `{}` on", left_out.first),
    }
}

/// Edits of protected files that count for nothing as long as nobody accepts them.
pub(super) fn pending_text(phase: &Phase) -> Option<String> {
    let Status::Active(active) = &phase.status else { return None };
    let names: Vec<String> =
        active.pending().map(|request| format!("`{}`", request.edit.path)).collect();
    let (shown, more) = names.split_at(names.len().min(NAMES_SHOWN_MAX));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    (!names.is_empty()).then(|| {
        format!(
            "edits of {}{more} have no effect: the work is judged by these files as they were",
            shown.join(", ")
        )
    })
}
