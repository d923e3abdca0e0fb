//! Whether a certificate agrees with itself: its ledger follows from its results.

use super::{Certificate, Certified, Difference, Seen, sources::plain};
use crate::{
    evidence::{Bite, CheckKind, Entry, Fewer, Standing, argv, cannot_have_passed, ledger},
    phases::{Accepted, USABLE_SCORE_MIN},
    returns::Recommendation,
};

/// The first place in which a certificate contradicts itself.
///
/// What a command shows decides where its check stands, and a phase is complete only if every check stands or is
/// waived. A document in which this is otherwise was not written by the program, whatever its hash.
pub fn coherent(certificate: &Certificate) -> Option<Difference> {
    let checks = certificate.checks.iter().enumerate();
    checks
        .flat_map(|(at, check)| {
            let place = |field: &str| format!("`/certificate/checks/{at}/{field}`");
            let impossible = |check: &Certified, side: &str, seen: Option<&Seen>| {
                let why = seen.filter(|seen| seen.verdict.is_passed()).and_then(|seen| {
                    cannot_have_passed(&check.criterion, seen.exit_code, seen.counts)
                })?;
                let at = place(&format!("{side}/verdict"));
                Some(Difference::at(at, "another one", format!("passed, with {why}")))
            };
            [
                words(check).map(|(wanted, got)| Difference::at(place("argv"), wanted, got)),
                impossible(check, "base", check.base.as_ref()),
                impossible(check, "result", Some(&check.result)),
                standing(certificate, check)
                    .map(|(wanted, got)| Difference::at(place("standing"), wanted, got)),
                stands(check).map(|(wanted, got)| Difference::at(place("waived"), wanted, got)),
            ]
        })
        .flatten()
        .next()
        .or_else(|| criteria(certificate))
        .or_else(|| reviews(certificate))
        .or_else(|| named_twice(certificate))
}

fn words(check: &Certified) -> Option<(String, String)> {
    let command = check.criterion.command.as_deref().unwrap_or_default();
    let wanted = argv(command);
    (wanted.as_slice() != check.argv).then(|| (format!("{wanted:?}"), format!("{:?}", check.argv)))
}

fn standing(certificate: &Certificate, check: &Certified) -> Option<(String, String)> {
    let (base, result) = check.results();
    let granted = certificate.rules.accepted.iter().any(Accepted::is_granted);
    let fewer = if granted { Fewer::Accepted } else { Fewer::Refused };
    let entries = ledger(base.as_slice(), &[result], fewer, |_| None);
    let wanted = entries.into_iter().next()?.standing;
    (wanted != check.standing).then(|| (format!("{wanted:?}"), format!("{:?}", check.standing)))
}

fn stands(check: &Certified) -> Option<(String, String)> {
    let entry = Entry {
        name: check.name.clone(),
        kind: check.kind,
        standing: check.standing.clone(),
        waived: check.waived.clone(),
    };
    let why = match (&check.standing, &check.bite) {
        (Standing::Broken(why) | Standing::Open(why), _) if !entry.stands() => why.clone(),
        (Standing::New, Some(Bite::Green { .. })) if check.waived.is_none() => {
            "it stays green with the work broken".to_owned()
        }
        (Standing::New | Standing::Held | Standing::Broken(_) | Standing::Open(_), _) => {
            return None;
        }
    };
    Some(("a person's word".to_owned(), format!("none, and the check does not count: {why}")))
}

/// Every criterion with a command is checked under its name, nothing else bears such a name, and what is judged by reading is
/// told to be.
fn criteria(certificate: &Certificate) -> Option<Difference> {
    let id = certificate.phase.id;
    let criteria = certificate.criteria.iter().enumerate();
    let mut traced = criteria.clone().filter(|(_, criterion)| criterion.traced.is_some());
    if let Some((at, _)) = traced.find(|(_, one)| !certificate.judged.contains(&one.text)) {
        let place = format!("`/certificate/criteria/{at}`");
        return Some(Difference::at(place, "told as judged", "nothing"));
    }
    for (at, criterion) in criteria.filter(|(_, criterion)| criterion.command.is_some()) {
        let name = format!("{id}/{}", at + 1);
        let check = certificate
            .checks
            .iter()
            .find(|check| check.name == name && check.kind == CheckKind::Criterion);
        let place = || format!("`/certificate/criteria/{at}`");
        let Some(check) = check else {
            return Some(Difference::at(place(), format!("a check `{name}`"), "none"));
        };
        if plain(&check.criterion) != plain(criterion) {
            let command = |criterion: &crate::evidence::Criterion| {
                format!(
                    "{:?} ({:?})",
                    criterion.command.as_deref().unwrap_or_default(),
                    criterion.expect
                )
            };
            let (wanted, got) = (command(criterion), command(&check.criterion));
            return Some(Difference::at(place(), wanted, got));
        }
    }
    None
}

/// Nobody completes a phase over the objection of those who judge it.
fn reviews(certificate: &Certificate) -> Option<Difference> {
    let reviews = &certificate.reviews;
    let place = |field: &str| format!("`/certificate/reviews/{field}`");
    if reviews.verified == Some(false) {
        return Some(Difference::at(place("verified"), "true", "false"));
    }
    if let Some(judged) = reviews.judged.filter(|judged| *judged != Recommendation::Proceed) {
        return Some(Difference::at(place("judged"), "proceed", judged.name()));
    }
    let least = USABLE_SCORE_MIN.min(reviews.pass_score);
    (reviews.score < least).then(|| {
        Difference::at(place("score"), format!("at least {least}"), reviews.score.to_string())
    })
}

fn named_twice(certificate: &Certificate) -> Option<Difference> {
    let mut names: Vec<&str> = certificate.checks.iter().map(|check| check.name.as_str()).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1])?;
    Some(Difference::at(
        "`/certificate/checks`",
        "one check of each name",
        format!("two `{}`", twice[0]),
    ))
}
