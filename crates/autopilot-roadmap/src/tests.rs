//! Whole roadmaps, in the shapes that real ones have; the words are ours.

mod criteria;
mod declared;
mod dependencies;
mod hostile;
mod lost;
mod problems;
mod status;
mod tricky;
mod unnoticed;

use super::{
    Dependents, EditError, Edited, NewPhase, PhaseId, Problem, ProblemKind, Roadmap, add_phase,
    insert_phase, mark_complete, parse, remove_phase,
};

/// One line for each phase: `[x] id: name <- what it needs`.
fn shown(text: &str) -> Vec<String> {
    shown_of(&parse(text))
}

fn shown_of(roadmap: &Roadmap) -> Vec<String> {
    let phases = roadmap.phases.iter().map(|phase| {
        let mark = if phase.complete { 'x' } else { ' ' };
        let mut line = format!("[{mark}] {}: {}", phase.id, phase.name);
        if !phase.depends_on.is_empty() {
            let needs: Vec<_> = phase.depends_on.iter().map(|id| id.as_str()).collect();
            line.push_str(" <- ");
            line.push_str(&needs.join(", "));
        }
        line
    });
    phases.collect()
}

/// The kinds of the problems with their lines.
fn problems(text: &str) -> Vec<(u32, ProblemKind)> {
    let roadmap = parse(text);
    roadmap.problems.iter().map(|p| (p.line, p.kind)).collect()
}

/// Checks what a text is read as, with either line end and with and without a last one, and that each
/// of its phases can be marked complete.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(text), expected, "{text}");
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(shown(&crlf), expected, "with CRLF: {text}");
    assert_eq!(shown(text.trim_end()), expected, "without last newline: {text}");
    for text in [text, &crlf, text.trim_end()] {
        check_marks(text);
        check_phases(text);
    }
}

/// Checks that marking a phase makes it complete and changes nothing else, and marking it again nothing.
#[track_caller]
fn check_marks(text: &str) {
    let before = parse(text);
    for (place, phase) in before.phases.iter().enumerate().filter(|(_, phase)| !phase.duplicate) {
        let edited = mark_complete(text, phase.id).unwrap_or_else(|why| panic!("{why}: {text}"));
        assert_eq!(mark_complete(&edited, phase.id).as_ref(), Ok(&edited), "twice: {text}");
        assert_eq!(edited.ends_with('\n'), text.ends_with('\n'));
        assert_eq!(edited.matches('\r').count(), text.matches('\r').count());
        let after = parse(&edited);
        let mut wanted = shown_of(&before);
        wanted[place] = wanted[place].replacen("[ ]", "[x]", 1);
        assert_eq!(shown_of(&after), wanted, "{edited}");
        // Marking a phase that counts as complete settles what its marks disagree about, and what a row that is
        // not read may say.
        let unread = format!("may say that phase `{}` is done", phase.id);
        let settled = |problem: &&Problem| {
            let agreed = phase.conflict && problem.kind == ProblemKind::StatusConflict;
            !agreed && !problem.message.contains(&unread)
        };
        let others = |roadmap: &Roadmap| -> Vec<Problem> {
            roadmap.problems.iter().filter(settled).cloned().collect()
        };
        assert_eq!(others(&after), others(&before), "{edited}");
    }
}

/// Checks that a phase can be put in and taken out again, byte for byte, and that all others are as they were.
///
/// What cannot be edited without changing what is read of others is refused; nothing else may be.
#[track_caller]
fn check_phases(text: &str) {
    let before = parse(text);
    if before.phases.is_empty() {
        return;
    }
    let new = NewPhase::from_text("Fog sensor - when to sound it");
    let added = add_phase(text, None, &new).unwrap_or_else(|why| panic!("{why}: {text}"));
    check_put(text, &added);
    for phase in before.phases.iter().filter(|phase| !phase.duplicate) {
        match insert_phase(text, None, phase.id, &new) {
            Ok(inserted) => check_put(text, &inserted),
            Err(EditError::NotNumbered(_) | EditError::Misread { .. }) => {}
            Err(why) => panic!("{why}: {text}"),
        }
        match remove_phase(text, None, phase.id, Dependents::LeaveThem) {
            Ok(removed) => {
                let after = parse(&removed.roadmap);
                assert_eq!(
                    others(&before, phase.id),
                    others(&after, phase.id),
                    "{}",
                    removed.roadmap
                );
                assert!(after.phase(phase.id).is_none(), "{}", removed.roadmap);
            }
            Err(EditError::Twice(_) | EditError::Entangled { .. }) => {}
            Err(why) => panic!("{why}: {text}"),
        }
    }
}

#[track_caller]
fn check_put(text: &str, put: &Edited) {
    let (before, after) = (parse(text), parse(&put.roadmap));
    let phase = after.phase(put.id).unwrap_or_else(|| panic!("{}", put.roadmap));
    assert_eq!((phase.name.as_str(), phase.complete), ("Fog sensor", false), "{}", put.roadmap);
    assert_eq!(others(&before, put.id), others(&after, put.id), "{}", put.roadmap);
    let ends = |text: &str| (text.contains("\r\n"), text.replace("\r\n", "").contains('\n'));
    assert!(ends(&put.roadmap) == ends(text) || !text.contains('\n'), "{}", put.roadmap);
    let removed = remove_phase(&put.roadmap, None, put.id, Dependents::LeaveThem);
    assert_eq!(removed.map(|removed| removed.roadmap).as_deref(), Ok(text), "{}", put.roadmap);
}

/// What is read of all phases but one, by id.
fn others(roadmap: &Roadmap, id: PhaseId) -> Vec<String> {
    let mut phases = roadmap.phases.clone();
    phases.retain(|phase| phase.id != id);
    for phase in &mut phases {
        phase.depends_on.retain(|needed| needed.loose_key() != id.loose_key());
    }
    let mut shown = shown_of(&Roadmap { phases, ..Roadmap::default() });
    shown.sort_unstable();
    shown
}

#[test]
fn every_phase_of_the_roadmaps_in_this_repository_can_be_marked() {
    for text in [
        include_str!("../../autopilot/src/demo/ROADMAP.md"),
        include_str!("../../../fuzz/seeds/roadmap/crlf.md"),
        include_str!("../../../fuzz/seeds/roadmap/odd.md"),
        include_str!("../../../fuzz/seeds/roadmap/table.md"),
        include_str!("../../../fuzz/seeds/roadmap/usual.md"),
    ] {
        assert!(!parse(text).phases.is_empty());
        check_marks(text);
        check_phases(text);
    }
}
