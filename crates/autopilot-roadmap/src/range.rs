//! Reads what phases a person asks for: `3`, `3-7`, `3,5,8`, `all`, `next`.

use thiserror::Error;

use super::{
    model::Roadmap,
    phase_id::{Before, PhaseId},
};

/// The most phases that an error lists.
const LISTED_MAX: usize = 40;

/// A selection that cannot be followed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SelectionError {
    /// The text is not a selection.
    #[error("cannot read `{part}` as a phase selection; available phases: {available}")]
    Unreadable {
        /// The part that was not understood.
        part: String,
        /// The phases there are.
        available: String,
    },
    /// A phase does not exist.
    #[error("no phase `{id}` in this roadmap; available phases: {available}")]
    Unknown {
        /// The id asked for.
        id: PhaseId,
        /// The phases there are.
        available: String,
    },
    /// A range holds no phase, or its end comes before its start.
    #[error("the range `{first}-{last}` holds no phase; available phases: {available}")]
    EmptyRange {
        /// The start of the range.
        first: PhaseId,
        /// The end of the range.
        last: PhaseId,
        /// The phases there are.
        available: String,
    },
    /// `next`, and every phase that is left waits for another one.
    #[error(
        "every phase that is left waits for another one, so none can be next; available phases: {available}"
    )]
    NoNext {
        /// The phases there are.
        available: String,
    },
    /// The roadmap has no phase at all.
    #[error("this roadmap has no phases")]
    NoPhases,
}

/// Gives the phases that a selection names, each once, in roadmap order.
///
/// `all` is every phase, finished or not. `next` is the first unfinished phase whose dependencies
/// are finished, and none when all are. A range takes every phase between its ends, inserted ones too: `3-5` holds `3.1`.
pub fn select(spec: &str, roadmap: &Roadmap) -> Result<Vec<PhaseId>, SelectionError> {
    if roadmap.phases.is_empty() {
        return Err(SelectionError::NoPhases);
    }
    let spec = spec.trim();
    if spec.eq_ignore_ascii_case("all") {
        let live = roadmap.phases.iter().filter(|phase| !phase.duplicate);
        return Ok(live.map(|phase| phase.id).collect());
    }
    if spec.eq_ignore_ascii_case("next") {
        return next(roadmap);
    }
    let mut chosen = vec![false; roadmap.phases.len()];
    for part in spec.split(',') {
        choose(part.trim(), roadmap, &mut chosen)?;
    }
    let phases = roadmap.phases.iter().zip(chosen);
    Ok(phases.filter(|(_, chosen)| *chosen).map(|(phase, _)| phase.id).collect())
}

fn next(roadmap: &Roadmap) -> Result<Vec<PhaseId>, SelectionError> {
    let is_complete = |place: usize| roadmap.phases[place].complete;
    let mut open = (0..roadmap.graph().len()).filter(|place| !is_complete(*place)).peekable();
    if open.peek().is_none() {
        return Ok(Vec::new());
    }
    match open.find(|place| roadmap.graph().dependencies(*place).all(is_complete)) {
        Some(place) => Ok(vec![roadmap.phases[place].id]),
        None => Err(SelectionError::NoNext { available: available(roadmap) }),
    }
}

fn choose(part: &str, roadmap: &Roadmap, chosen: &mut [bool]) -> Result<(), SelectionError> {
    let unreadable = || SelectionError::Unreadable {
        part: part.chars().filter(|c| !c.is_control()).take(40).collect(),
        available: available(roadmap),
    };
    let (first, rest) = read_id(part).ok_or_else(unreadable)?;
    let rest = rest.trim_start();
    if rest.is_empty() {
        chosen[place_of(first, roadmap)?] = true;
        return Ok(());
    }
    let end = ["..", "-", "–", "—"]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))
        .ok_or_else(unreadable)?;
    let (last, rest) = read_id(end.trim_start()).ok_or_else(unreadable)?;
    if !rest.trim().is_empty() {
        return Err(unreadable());
    }
    choose_range([first, last], roadmap, chosen)
}

/// Chooses every phase between two ends; the ends must exist.
fn choose_range(
    ends: [PhaseId; 2],
    roadmap: &Roadmap,
    chosen: &mut [bool],
) -> Result<(), SelectionError> {
    let [first, last] = ends;
    place_of(first, roadmap)?;
    place_of(last, roadmap)?;
    let mut any = false;
    for (phase, chosen) in roadmap.phases.iter().zip(chosen) {
        if !phase.duplicate && (first..=last).contains(&phase.id) {
            *chosen = true;
            any = true;
        }
    }
    if any {
        Ok(())
    } else {
        Err(SelectionError::EmptyRange { first, last, available: available(roadmap) })
    }
}

/// Reads an id, with or without the word "phase" before it.
fn read_id(text: &str) -> Option<(PhaseId, &str)> {
    let text = super::words::phase_word(text).map_or(text, |length| text[length..].trim_start());
    PhaseId::scan(text, Before::Keyword).map(|(id, length)| (id, &text[length..]))
}

fn place_of(id: PhaseId, roadmap: &Roadmap) -> Result<usize, SelectionError> {
    let loose = || {
        let key = id.loose_key();
        roadmap.phases.iter().position(|phase| phase.id.loose_key() == key)
    };
    roadmap
        .position(id)
        .or_else(loose)
        .ok_or_else(|| SelectionError::Unknown { id, available: available(roadmap) })
}

fn available(roadmap: &Roadmap) -> String {
    let live = roadmap.phases.iter().filter(|phase| !phase.duplicate);
    let mut ids: Vec<String> = live.map(|phase| phase.id.to_string()).collect();
    if ids.len() > LISTED_MAX {
        let more = ids.len() - LISTED_MAX;
        ids.truncate(LISTED_MAX);
        ids.push(format!("… ({more} more)"));
    }
    ids.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const ROADMAP: &str = "- [x] Phase 1: A\n- [ ] Phase 2: B\n- [ ] Phase 2.1: C\n\
        - [ ] Phase 3: D\n- [ ] Phase 3a: E\n- [ ] Phase H.1: F\n- [ ] Phase 10: G\n\
        ### Phase 2: B\n**Depends on**: Phase 3\n";

    fn selected(spec: &str) -> String {
        match select(spec, &parse(ROADMAP)) {
            Ok(ids) => ids.iter().map(PhaseId::to_string).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn selections_are_given_in_roadmap_order_each_phase_once() {
        for (spec, expected) in [
            ("3", "3"),
            ("03", "3"),
            ("2-3", "2 2.1 3"),
            ("3-10", "3 3a 10"),
            ("10,1,1", "1 10"),
            ("1, 2.1-3a", "1 2.1 3 3a"),
            ("H.1", "H.1"),
            ("h.1", "H.1"),
            ("phase 3", "3"),
            ("1..2", "1 2"),
            ("all", "1 2 2.1 3 3a H.1 10"),
            ("ALL", "1 2 2.1 3 3a H.1 10"),
            ("next", "2.1"),
        ] {
            assert_eq!(selected(spec), expected, "{spec}");
        }
    }

    #[test]
    fn what_cannot_be_followed_says_why_and_what_there_is() {
        const ALL: &str = "available phases: 1, 2, 2.1, 3, 3a, H.1, 10";
        for (spec, expected) in [
            ("9", "no phase `9` in this roadmap; "),
            ("1-9", "no phase `9` in this roadmap; "),
            ("3-1", "the range `3-1` holds no phase; "),
            ("", "cannot read `` as a phase selection; "),
            ("1,,2", "cannot read `` as a phase selection; "),
            ("first", "cannot read `first` as a phase selection; "),
            ("1-2-3", "cannot read `1-2-3` as a phase selection; "),
            ("1 2", "cannot read `1 2` as a phase selection; "),
        ] {
            assert_eq!(selected(spec), format!("{expected}{ALL}"), "{spec}");
        }
        let none = parse("# nothing");
        assert_eq!(select("all", &none), Err(SelectionError::NoPhases));
    }

    #[test]
    fn next_is_nothing_when_all_is_complete_and_refused_when_all_that_is_left_waits() {
        let done = parse("- [x] Phase 1: A\n");
        assert_eq!(select("next", &done), Ok(Vec::new()));
        let circle = parse(
            "## Phase 1: A\n**Depends on**: Phase 2\n## Phase 2: B\n**Depends on**: Phase 1\n",
        );
        assert!(matches!(select("next", &circle), Err(SelectionError::NoNext { .. })));
    }
}
