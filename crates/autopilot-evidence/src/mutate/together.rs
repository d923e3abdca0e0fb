//! Every value of a change at once: whatever a test looks at, it is among them.
//!
//! A test of a table looks at some of its entries. One entry that is another shows nothing where the test looks at the next
//! one; when all of them are others, only a test that looks at none stays green.

use super::{
    candidate::{Candidate, Rank, short},
    language::Language,
    mutant::Mutant,
    pick,
};

/// How many values are changed at once.
const VALUES_MAX: usize = 20_000;

/// Which of the constants of a change become others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The values: names stay, so that they are found.
    Values,
    /// The names by which values are found, and lines as a whole.
    Names,
    /// What is returned, where code does something: it could fall over other constants.
    Results,
}

/// Changes everything of a kind in the changed lines; `None` where there are not at least two.
pub fn together(path: &str, now: &str, changed: &[usize], part: Part) -> Option<Mutant> {
    let (lines, mut found) = pick::found(path, now, changed)?;
    let is_code = Language::of(path, now).is_code();
    found.retain(|candidate| {
        let is_line = candidate.rank == Rank::Removal;
        let is_name = is_line || is_key(now, candidate.end);
        let is_constant = candidate.rank == Rank::Literal || (is_line && !is_code);
        let is_meant = match part {
            Part::Values => is_constant && !is_name,
            Part::Names => is_constant && is_name,
            Part::Results => candidate.rank == Rank::Returned,
        };
        is_meant && !candidate.is_reluctant
    });
    found.sort_by_key(|candidate| (candidate.start, candidate.end));
    let mut to = String::new();
    let (mut first, mut end, mut count) = (None, 0, 0);
    for candidate in &found {
        if (first.is_some() && candidate.start < end) || count == VALUES_MAX {
            continue;
        }
        if first.is_none() {
            first = Some(candidate);
            end = candidate.start;
        }
        to.push_str(now.get(end..candidate.start)?);
        to.push_str(&candidate.to);
        end = candidate.end;
        count += 1;
    }
    let first = first.filter(|_| count > 1)?;
    let kind = match part {
        Part::Values => "values",
        Part::Names => "names",
        Part::Results => "results",
    };
    let what = format!("{count} {kind} became others, `{}` first", shown(now, first));
    let range = (first.start, end);
    Mutant::new(now, lines.line_of(first.start), Candidate::told(range, to, what, Rank::Literal))
}

fn shown(now: &str, candidate: &Candidate) -> String {
    short(now.get(candidate.start..candidate.end).unwrap_or_default())
}

/// Tells whether what ends here is the name of what follows.
fn is_key(now: &str, end: usize) -> bool {
    let rest = now.get(end..).unwrap_or_default();
    let rest = rest.trim_start_matches(['"', '\'', ' ', ']']);
    (rest.starts_with(':') && !rest.starts_with("::")) || rest.starts_with("=>")
}
