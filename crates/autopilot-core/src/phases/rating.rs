//! What a rating is held to. The engine cannot tell whether a score is deserved, but it can tell whether its reasons are there.
//!
//! A score of 7 or more names a line of a file that is there; more than 7 has a reason besides. What is both run and
//! traced gets more than 7 only where both hold. The total is computed again, by the weights of the criteria.

use crate::{
    evidence::{Criterion, places},
    input::AgentReport,
    phases::{Active, Phase, brief::all_criteria, checks::named_checks, traced::is_unproven},
    returns::{Rating, Score, ScoreRow},
    roadmap::Task,
};

/// From here on a score needs a line of a file that is there.
const EVIDENCE_FROM: f64 = 7.0;

/// The shortest text by which a row is known that says more or less than its criterion.
const TEXT_CHARS_MIN: usize = 8;

/// The score of a rating: the mean of its rows, by the weights of the criteria that they are about.
pub(super) fn score(phase: &Phase, active: &Active, rating: &Rating) -> Option<Score> {
    let criteria = all_criteria(phase, active);
    let weight =
        |at: usize| criterion_of(rating, at, &criteria).map_or(100, |one| one.weight.hundredths());
    let rows = rating.scorecard.iter().enumerate();
    Score::weighted(rows.map(|(at, row)| (row.score, weight(at))))
}

/// Why a rating cannot count.
pub(super) fn unfounded(
    phase: &Phase,
    active: &Active,
    rating: &Rating,
    report: &AgentReport,
) -> Option<String> {
    bad_score(phase, active, rating).or_else(|| {
        let criteria = all_criteria(phase, active);
        let rows = rating.scorecard.iter().enumerate();
        let mut objections = rows.filter_map(|(at, row)| {
            let criterion = criterion_of(rating, at, &criteria);
            let why = without_evidence(row, report)
                .or_else(|| without_reason(row))
                .or_else(|| half_held(row, criterion?, phase, active))?;
            Some(format!("the row `{}` with the score {} {why}", row.criterion, row.score))
        });
        objections.next()
    })
}

/// The stated score must be the mean of its own scorecard.
fn bad_score(phase: &Phase, active: &Active, rating: &Rating) -> Option<String> {
    let Some(mean) = score(phase, active, rating) else {
        return Some("the scorecard has no usable score".to_owned());
    };
    if rating.scorecard.iter().any(|row| Score::floor(row.score).is_none()) {
        return Some("a score lies outside 0 to 10".to_owned());
    }
    let stated = Score::floor(rating.alignment_score);
    (stated != Some(mean)).then(|| {
        format!(
            "the stated score {} is not the mean {mean} of its scorecard",
            rating.alignment_score
        )
    })
}

fn without_evidence(row: &ScoreRow, report: &AgentReport) -> Option<String> {
    let is_there = || texts(row).flat_map(places).any(|place| report.seen.places.contains(&place));
    (row.score >= EVIDENCE_FROM && !is_there()).then(|| {
        "names no line of a file that is there; put one into its `evidence`, such as `src/lamp.rs:12`"
            .to_owned()
    })
}

fn without_reason(row: &ScoreRow) -> Option<String> {
    let has_reason = row.justification.as_deref().is_some_and(|why| !why.trim().is_empty());
    (row.score > EVIDENCE_FROM && !has_reason).then(|| "has no `justification`".to_owned())
}

/// Of what is both run and traced, or traced alone, nothing may be missing.
fn half_held(
    row: &ScoreRow,
    criterion: &Criterion,
    phase: &Phase,
    active: &Active,
) -> Option<String> {
    if row.score <= EVIDENCE_FROM || criterion.traced.is_none() {
        return None;
    }
    if texts(row).any(is_unproven) {
        return Some("says itself that it could not be followed to its end".to_owned());
    }
    (criterion.command.is_some() && !holds(criterion, phase, active))
        .then(|| "is about a command that does not go well".to_owned())
}

/// Whether the engine saw the command of a criterion go well when it last ran everything.
fn holds(criterion: &Criterion, phase: &Phase, active: &Active) -> bool {
    let none = std::collections::BTreeMap::new();
    let id = phase.spec.id;
    let own = named_checks(&id.to_string(), phase.spec.criteria.iter(), &none);
    let of_task = |task: &Task| named_checks(&format!("{id}/{}", task.id), task.checks(), &none);
    let all = own.into_iter().chain(active.tasks.iter().flat_map(of_task));
    let mut names = all.filter(|check| check.criterion == *criterion).map(|check| check.name);
    names.any(|name| {
        let mut results = active.checked.iter();
        results.any(|result| result.name == name && result.verdict.is_passed())
    })
}

fn texts(row: &ScoreRow) -> impl Iterator<Item = &str> {
    row.evidence.iter().map(String::as_str).chain(row.justification.as_deref())
}

/// The criterion that a row is about: by its text, else by its place where there is a row for each.
fn criterion_of<'a>(
    rating: &Rating,
    at: usize,
    criteria: &'a [Criterion],
) -> Option<&'a Criterion> {
    let row = plain(&rating.scorecard.get(at)?.criterion);
    let is_same = |one: &&Criterion| plain(&one.text) == row;
    let is_long = |text: &str| text.chars().count() >= TEXT_CHARS_MIN;
    let is_in = |one: &&Criterion| {
        let text = plain(&one.text);
        is_long(&text) && row.contains(&text) || is_long(&row) && text.contains(&row)
    };
    let by_place = || criteria.get(at).filter(|_| rating.scorecard.len() == criteria.len());
    let longest = || criteria.iter().filter(is_in).max_by_key(|one| one.text.len());
    criteria.iter().find(is_same).or_else(longest).or_else(by_place)
}

/// The letters and digits of a text: raters copy words and not how they are set.
fn plain(text: &str) -> String {
    let clean = text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}
