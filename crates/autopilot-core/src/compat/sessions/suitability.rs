//! Whether a loop may start without asking.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{answered, argument, number},
    },
    sessions::suitability::{Autonomy, CONFIDENCE_FLOOR, Evidence, Reported, Runs, judge},
};

/// Judges what is known.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let given = argument(case, 0);
    let found = judge(&Evidence {
        autonomy: given["autonomy"].as_str().and_then(Autonomy::named),
        confidence: given["confidence"].as_f64().unwrap_or(0.0),
        floor: floor(&given["confidenceFloor"]),
        runs: runs(&given["recentRuns"]),
        ci: reported(&given["ci"], &given["ci"]["status"]),
        resources: reported(&given["resourceVerdict"], &given["resourceVerdict"]),
    });
    let told = json!({
        "suitable": found.is_suitable,
        "confidence": found.confidence,
        "rationale": found.rationale,
        "warnings": found.warnings,
    });
    answered(case, Ok(told))
}

fn floor(said: &Value) -> f64 {
    let floor = if said.is_null() { CONFIDENCE_FLOOR } else { number(said) };
    if (0.0..=1.0).contains(&floor) { floor } else { CONFIDENCE_FLOOR }
}

fn runs(said: &Value) -> Runs {
    let Some(runs) = said.as_array() else {
        return Runs::Unreadable;
    };
    let is_killed = |run: &&Value| !run["kill_switch"].is_null();
    Runs::Counted { count: runs.len(), killed: runs.iter().filter(is_killed).count() }
}

fn reported(whole: &Value, word: &Value) -> Reported {
    match word.as_str() {
        Some(word) => Reported::word(word),
        None if whole.is_null() => Reported::Absent,
        None => Reported::Malformed,
    }
}
