//! The few mutants that promise most, spread over the changed lines.

use super::{
    arithmetic, candidate::Candidate, code::Code, compare, language::Language, lines::Lines,
    literals, mutant::Mutant, returns, shell, statements, text, worth::is_opaque,
};

/// Longer lines are data or minified, and are left alone.
const CODE_LINE_BYTES_MAX: usize = 500;
/// A paragraph may be one line.
const TEXT_LINE_BYTES_MAX: usize = 5000;
/// A whole file of data may be one line.
const DATA_LINE_BYTES_MAX: usize = 1 << 20;
/// How many mutants one line gives at most.
const PER_LINE_MAX: usize = 2;

/// Gives at most `max` mutants of the changed lines, those that promise most first.
///
/// Lines are counted from one. The same input gives the same mutants in the same order.
pub fn mutants(path: &str, now: &str, changed: &[usize], max: usize) -> Vec<Mutant> {
    let Some((lines, found)) = found(path, now, changed).filter(|_| max > 0) else {
        return Vec::new();
    };
    let mutant = |candidate: Candidate| {
        let line = lines.line_of(candidate.start);
        Mutant::new(now, line, candidate)
    };
    pick(found, &lines, max).into_iter().filter_map(mutant).collect()
}

/// Everything that could be mutated, in lines that are not too long; `None` where the file is no text of a person's.
pub(super) fn found(path: &str, now: &str, changed: &[usize]) -> Option<(Lines, Vec<Candidate>)> {
    let language = Language::of(path, now);
    let is_code = language.is_code() || language == Language::Shell;
    if is_opaque(now, is_code) {
        return None;
    }
    let line_bytes_max = match language {
        _ if is_code => CODE_LINE_BYTES_MAX,
        Language::Json => DATA_LINE_BYTES_MAX,
        _ => TEXT_LINE_BYTES_MAX,
    };
    let lines = Lines::new(now, changed);
    let short: Vec<usize> = lines
        .changed()
        .filter(|line| {
            let (start, end) = lines.range(*line);
            end - start <= line_bytes_max
        })
        .collect();
    let lines = Lines::new(now, &short);
    let mut found = candidates(now, language, &lines);
    found.retain(|candidate| {
        lines.covers(candidate.start, candidate.end)
            // What goes over the end of a line would touch the next one.
            && now
                .get(candidate.start..candidate.end)
                .is_some_and(|from| from != candidate.to && !from.ends_with('\n'))
    });
    Some((lines, found))
}

fn candidates(now: &str, language: Language, lines: &Lines) -> Vec<Candidate> {
    let mut found = Vec::new();
    if language == Language::Shell {
        shell::candidates(now, lines, &mut found);
    } else if language.is_code() {
        let code = Code::new(now, language, lines);
        compare::candidates(&code, &mut found);
        returns::candidates(&code, &mut found);
        arithmetic::candidates(&code, &mut found);
        literals::candidates(&code, &mut found);
        statements::candidates(&code, &mut found);
        if language == Language::Sql && found.is_empty() {
            text::candidates(now, language, lines, &mut found);
        }
    } else {
        text::candidates(now, language, lines, &mut found);
    }
    found
}

/// Takes the best of each line before the second of any.
fn pick(mut found: Vec<Candidate>, lines: &Lines, max: usize) -> Vec<Candidate> {
    found.sort_by_key(|candidate| {
        (
            lines.line_of(candidate.start),
            candidate.is_reluctant,
            candidate.rank,
            candidate.start,
            candidate.end,
        )
    });
    let mut ranked = Vec::new();
    let (mut line, mut round, mut end) = (0, 0, 0);
    for candidate in found {
        let here = lines.line_of(candidate.start);
        round = if here == line { round + 1 } else { 0 };
        // Two mutations of one place would often say the same.
        let is_again = here == line && candidate.start < end;
        line = here;
        end = if is_again { end } else { candidate.end };
        if round < PER_LINE_MAX && !is_again {
            ranked.push((candidate.is_reluctant, round, candidate.rank, candidate));
        } else if is_again {
            round -= 1;
        }
    }
    ranked.sort_by_key(|(is_reluctant, round, rank, candidate)| {
        (*is_reluctant, *round, *rank, candidate.start)
    });
    let mut picked = Vec::new();
    let mut rest = ranked.as_slice();
    while picked.len() < max
        && let Some((is_reluctant, round, rank, _)) = rest.first()
    {
        let group = rest
            .partition_point(|other| (other.0, other.1, other.2) <= (*is_reluctant, *round, *rank));
        let wanted = group.min(max - picked.len());
        // Evenly spaced: one part of the change may be what the check looks at.
        picked.extend((0..wanted).map(|nth| rest[nth * group / wanted].3.clone()));
        rest = &rest[group..];
    }
    picked
}
