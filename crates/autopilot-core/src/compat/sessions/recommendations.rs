//! What a session leaves for the next one.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{Thrown, answered, argument, function, number, unknown},
        sessions::state::fields,
    },
    sessions::{
        number::Plain,
        recommendation::{Left, PRIORITIES_MAX, Situation, advise, precursors},
    },
};

/// Reads a recommendation, makes one, or says what should come before the next session.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let given = argument(case, 0);
    let answer = match function(case) {
        "parseRecommendations" => Ok(read(given)),
        "computeV0Recommendation" => recommend(given),
        "suggestPrecursors" => Ok(suggest(given)),
        _ => unknown(case),
    };
    answered(case, answer)
}

fn read(given: &Value) -> Value {
    let left = given.as_object().and_then(|given| Left::read(&fields(given)));
    left.map_or(Value::Null, |left| {
        let plain = |numbers: Vec<f64>| numbers.into_iter().map(Plain).collect::<Vec<_>>();
        json!({
            "mode": left.mode,
            "priorities": left.priorities.map(plain),
            "carryoverRatio": left.carryover_ratio.map(Plain),
            "completionRate": left.completion_rate.map(Plain),
            "rationale": left.rationale,
        })
    })
}

fn recommend(given: &Value) -> Result<Value, Thrown> {
    let rate = |key: &str| given[key].as_f64().unwrap_or(f64::NAN);
    let advice = advise(rate("completionRate"), rate("carryoverRatio"));
    let advice = advice.ok_or_else(|| {
        let why = "computeV0Recommendation: completionRate and carryoverRatio must be numbers";
        Thrown::new("TypeError", why)
    })?;
    let issues = given["carryoverIssues"].as_array().into_iter().flatten();
    let priorities: Vec<Plain> =
        issues.take(PRIORITIES_MAX).map(|issue| Plain(number(issue))).collect();
    Ok(json!({"mode": advice.mode, "priorities": priorities, "rationale": advice.rationale}))
}

fn suggest(given: &Value) -> Value {
    if !given.is_object() {
        return json!([]);
    }
    let found = precursors(Situation {
        completion_rate: given["completionRate"].as_f64(),
        carryover_ratio: given["carryoverRatio"].as_f64(),
        has_history: given["recentSessions"]
            .as_array()
            .is_some_and(|sessions| !sessions.is_empty()),
        wants_discovery: given["discoveryHint"] == true,
    });
    let told = found.into_iter().map(|precursor| {
        json!({"mode": precursor.mode, "route": precursor.route, "rationale": precursor.rationale})
    });
    told.collect()
}
