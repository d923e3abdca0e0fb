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

use super::{Problem, ProblemKind, Roadmap, mark_complete, parse};

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

#[test]
fn every_phase_of_the_roadmaps_in_this_repository_can_be_marked() {
    for text in [
        include_str!("../../../autopilot/src/demo/ROADMAP.md"),
        include_str!("../../../../fuzz/seeds/roadmap/crlf.md"),
        include_str!("../../../../fuzz/seeds/roadmap/odd.md"),
        include_str!("../../../../fuzz/seeds/roadmap/table.md"),
        include_str!("../../../../fuzz/seeds/roadmap/usual.md"),
    ] {
        assert!(!parse(text).phases.is_empty());
        check_marks(text);
    }
}
