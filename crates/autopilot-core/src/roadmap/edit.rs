//! Edits that keep a roadmap's own style.

use super::{build, phase_id::PhaseId};

/// Statuses that may be replaced; anything else was written by someone who meant it.
const REPLACED: &[&str] = &["not started", "in progress", "planned"];

/// Marks a phase as complete: ticks the boxes of its list lines and sets its table row to
/// "Complete".
///
/// Every other byte stays as it is. `None` when the file has no such phase or nothing to change.
pub fn mark_complete(text: &str, id: PhaseId) -> Option<String> {
    let marks = build::marks(text, id)?;
    let mut changes: Vec<(usize, usize, String)> = Vec::new();
    for at in &marks.boxes {
        let mark = text.get(*at..)?.chars().next()?;
        if !matches!(mark, 'x' | 'X') {
            changes.push((*at, at + mark.len_utf8(), "x".to_owned()));
        }
    }
    if let Some((start, end)) = marks.status_cell {
        let cell = text.get(start..end)?;
        if let Some(replacement) = completed_cell(cell) {
            changes.push((start, end, replacement));
        }
    }
    if changes.is_empty() {
        return None;
    }
    changes.sort_unstable();
    let mut edited = String::with_capacity(text.len() + 8);
    let mut from = 0;
    for (start, end, replacement) in changes {
        edited.push_str(&text[from..start]);
        edited.push_str(&replacement);
        from = end;
    }
    edited.push_str(&text[from..]);
    Some(edited)
}

/// The cell with its status replaced, as wide as before so that the table stays aligned.
fn completed_cell(cell: &str) -> Option<String> {
    let status = cell.trim();
    if !REPLACED.contains(&status.to_lowercase().as_str()) {
        return None;
    }
    let lead = cell.len() - cell.trim_start().len();
    let mut replacement = cell[..lead].to_owned();
    replacement.push_str("Complete");
    let width = cell.chars().count();
    while replacement.chars().count() < width {
        replacement.push(' ');
    }
    if !replacement.ends_with(' ') && cell.ends_with(' ') {
        replacement.push(' ');
    }
    Some(replacement)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::roadmap::parse;

    const ROADMAP: &str = "# R\r\n\r\n- [x] **Phase 1: Base** - done\r\n\
        - [ ] **Phase 2: Next** - with a [ ] in it\r\n\r\n\
        | Phase | Plans | Status | Completed |\r\n|---|---|---|---|\r\n\
        | 1. Base | 1/1 | Complete | today |\r\n| 2. Next | 0/1 | Not started | - |\r\n";

    fn id(text: &str) -> PhaseId {
        text.parse().unwrap()
    }

    #[test]
    fn the_box_and_the_row_of_the_phase_change_and_nothing_else() {
        let edited = mark_complete(ROADMAP, id("2")).unwrap();
        let expected = ROADMAP
            .replace("- [ ] **Phase 2", "- [x] **Phase 2")
            .replace("| Not started |", "| Complete    |");
        assert_eq!(edited, expected);
        assert!(parse(&edited).phase(id("2")).unwrap().complete);
    }

    #[test]
    fn a_phase_that_is_done_or_missing_changes_nothing() {
        assert_eq!(mark_complete(ROADMAP, id("1")), None);
        assert_eq!(mark_complete(ROADMAP, id("9")), None);
        assert_eq!(mark_complete("### Phase 3: Heading only\n", id("3")), None);
    }

    #[test]
    fn a_status_that_someone_wrote_by_hand_is_kept() {
        let text = "- [ ] Phase 1: A\n\n| Phase | Status |\n|--|--|\n| 1. A | Blocked by law |\n";
        let edited = mark_complete(text, id("1")).unwrap();
        assert!(edited.contains("- [x] Phase 1") && edited.contains("Blocked by law"));
    }

    #[test]
    fn a_partial_mark_and_a_box_in_the_middle_of_the_file_without_final_newline_are_ticked() {
        assert_eq!(
            mark_complete("  * [~] Phase 7: A", id("7")).as_deref(),
            Some("  * [x] Phase 7: A")
        );
    }

    proptest! {
        #[test]
        fn marking_twice_is_marking_once(open in prop::collection::vec(any::<bool>(), 1..8)) {
            let mut text = String::from("## Phases\n");
            for (at, open) in open.iter().enumerate() {
                let mark = if *open { ' ' } else { 'x' };
                text.push_str(&format!("- [{mark}] **Phase {at}: N{at}** - d\n"));
            }
            for (at, open) in open.iter().enumerate() {
                let edited = mark_complete(&text, id(&at.to_string()));
                prop_assert_eq!(edited.is_some(), *open);
                if let Some(edited) = edited {
                    prop_assert_eq!(edited.len(), text.len());
                    prop_assert_eq!(mark_complete(&edited, id(&at.to_string())), None);
                }
            }
        }
    }
}
