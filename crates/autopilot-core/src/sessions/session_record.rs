//! The record of one session, a line of `sessions.jsonl`: what is written must hold, what is read is put into form.
//!
//! Records carry keys of many programs and times. Those that are not known here pass through untouched.

use serde_json::{Map, Value};

use crate::sessions::{clock, number::Plain, select::SessionType};

/// The version that new records get.
pub const SCHEMA_VERSION: u64 = 2;

/// Keys of older records, and what they are called now.
const ALIASES: [(&str, &str); 13] = [
    ("type", "session_type"),
    ("mode", "session_type"),
    ("closed_issues", "issues_closed"),
    ("new_issues", "issues_created"),
    ("issues_filed", "issues_created"),
    ("issues_planned", "planned_issues"),
    ("files_changed", "total_files_changed"),
    ("snapshots", "snapshots_created"),
    ("learnings", "learnings_added"),
    ("waves_total", "total_waves"),
    ("waves_completed", "total_waves"),
    ("head_ref", "branch"),
    ("isolation_override", "isolation"),
];

const REQUIRED: [&str; 9] = [
    "session_id",
    "session_type",
    "started_at",
    "completed_at",
    "total_waves",
    "waves",
    "agent_summary",
    "total_agents",
    "total_files_changed",
];

const AGENT_COUNTS: [&str; 4] = ["complete", "partial", "failed", "spiral"];

/// What a key may hold where it is there.
#[derive(Clone, Copy)]
enum Rule {
    Object,
    Text,
    NonEmptyText,
    Time,
    Amount,
    FiniteAmount,
    Count,
    Numbers,
    OneOf(&'static [&'static str]),
}

const OPTIONAL: [(&str, Rule); 24] = [
    ("effectiveness", Rule::Object),
    ("discovery_stats", Rule::Object),
    ("review_stats", Rule::Object),
    ("platform", Rule::Text),
    ("branch", Rule::Text),
    ("base_branch", Rule::Text),
    ("notes", Rule::Text),
    ("autopilot_run_id", Rule::Text),
    ("duration_seconds", Rule::Amount),
    ("issues_closed", Rule::Numbers),
    ("issues_created", Rule::Numbers),
    ("agent_identity", Rule::NonEmptyText),
    ("worktree_path", Rule::NonEmptyText),
    ("parent_run_id", Rule::NonEmptyText),
    ("lease_acquired_at", Rule::Time),
    ("lease_ttl_seconds", Rule::FiniteAmount),
    ("expected_cost_tier", Rule::OneOf(&["quick", "standard", "deep"])),
    ("total_token_input", Rule::FiniteAmount),
    ("total_token_output", Rule::FiniteAmount),
    ("subagents_with_tokens", Rule::Count),
    ("status", Rule::OneOf(&["completed", "abandoned"])),
    ("open_questions_asked", Rule::Count),
    ("open_questions_answered", Rule::Count),
    ("stagnation_events", Rule::Count),
];

/// Why a record is none, in the words that its writers know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(pub String);

type Checked = Result<(), Invalid>;

/// Puts a record that was read into form: older keys get their present names beside them, and a record without a
/// version is of version 0.
pub fn normalise(record: &Map<String, Value>) -> Map<String, Value> {
    let mut formed = record.clone();
    for (old, new) in ALIASES {
        if let Some(value) = formed.get(old).cloned() {
            formed.entry(new).or_insert(value);
        }
    }
    formed.entry("schema_version").or_insert(Value::from(0));
    formed
}

/// Checks a record that is to be written, and gives it its version if it has none.
///
/// # Errors
/// Says the first thing that is wrong with it.
pub fn validate(record: &Value) -> Result<Map<String, Value>, Invalid> {
    let Some(record) = record.as_object() else {
        return Err(Invalid("session must be an object".to_owned()));
    };
    version(record)?;
    for key in REQUIRED {
        ensure(record.contains_key(key), || format!("session missing required field: {key}"))?;
    }
    identity(record)?;
    times(record)?;
    waves(record)?;
    agents(record)?;
    for (key, rule) in OPTIONAL {
        if let Some(value) = record.get(key) {
            optional(key, rule, value)?;
        }
    }
    let mut valid = record.clone();
    let version = valid.entry("schema_version").or_insert(Value::Null);
    if version.is_null() {
        *version = Value::from(SCHEMA_VERSION);
    }
    Ok(valid)
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Invalid(otherwise())) }
}

fn version(record: &Map<String, Value>) -> Checked {
    let Some(version) = record.get("schema_version") else {
        return Ok(());
    };
    let is_known = [0.0, 1.0, 2.0, 3.0].into_iter().any(|known| version.as_f64() == Some(known));
    ensure(is_known, || {
        format!("schema_version must be one of [0 (legacy), 1, 2, 3], got: {}", said(version))
    })
}

fn identity(record: &Map<String, Value>) -> Checked {
    ensure(is_filled(&record["session_id"]), || {
        "session_id must be a non-empty string".to_owned()
    })?;
    let kind = &record["session_type"];
    let is_known = kind.as_str().is_some_and(|kind| SessionType::named(kind).is_some());
    ensure(is_known, || {
        let known = SessionType::ALL.map(SessionType::name).join("|");
        format!("session_type must be one of {known}, got: {}", said(kind))
    })
}

fn times(record: &Map<String, Value>) -> Checked {
    let (start, end) = (&record["started_at"], &record["completed_at"]);
    let started = time("started_at", start, "must be an ISO timestamp string")?;
    let completed = time("completed_at", end, "must be an ISO timestamp string")?;
    ensure(completed >= started, || {
        format!("completed_at ({}) must be >= started_at ({})", said(end), said(start))
    })
}

fn time(key: &str, value: &Value, no_text: &str) -> Result<i64, Invalid> {
    let text = value.as_str().ok_or_else(|| Invalid(format!("{key} {no_text}")))?;
    let ms = clock::read(text)
        .ok_or_else(|| Invalid(format!("{key} is not a parsable timestamp: {text}")))?;
    ensure(clock::is_canonical(text), || {
        format!("{key} must match ISO-8601 UTC ms format (YYYY-MM-DDTHH:MM:SS[.SSS]Z), got: {text}")
    })?;
    Ok(ms)
}

fn waves(record: &Map<String, Value>) -> Checked {
    amount("total_waves", &record["total_waves"])?;
    let waves = &record["waves"];
    let list = waves.as_array();
    let list =
        list.ok_or_else(|| Invalid(format!("waves must be an array, got: {}", kind(waves))))?;
    for (at, wave) in list.iter().enumerate() {
        ensure(wave.is_object(), || format!("waves[{at}] must be an object"))?;
        let number = wave.get("wave");
        let is_number = number.and_then(Value::as_f64).is_some_and(|number| number >= 1.0);
        ensure(is_number, || {
            let said = number.map_or_else(|| "undefined".to_owned(), said);
            format!("waves[{at}].wave must be a number >= 1, got: {said}")
        })?;
        let is_role = wave.get("role").is_some_and(is_filled);
        ensure(is_role, || format!("waves[{at}].role must be a non-empty string"))?;
    }
    Ok(())
}

fn agents(record: &Map<String, Value>) -> Checked {
    let summary = record["agent_summary"].as_object();
    let summary = summary.ok_or_else(|| Invalid("agent_summary must be an object".to_owned()))?;
    for key in AGENT_COUNTS {
        let count = summary.get(key);
        let missing = || Invalid(format!("agent_summary missing required field: {key}"));
        amount(&format!("agent_summary.{key}"), count.ok_or_else(missing)?)?;
    }
    amount("total_agents", &record["total_agents"])?;
    amount("total_files_changed", &record["total_files_changed"])
}

fn amount(key: &str, value: &Value) -> Checked {
    ensure(is_amount(value), || {
        format!("{key} must be a non-negative number, got: {}", said(value))
    })
}

fn optional(key: &str, rule: Rule, value: &Value) -> Checked {
    let is_count =
        |value: &Value| is_amount(value) && value.as_f64().is_some_and(|n| n.fract() == 0.0);
    let is_numbers =
        |value: &Value| value.as_array().is_some_and(|all| all.iter().all(Value::is_number));
    // Where the message does not speak of null, null is wrong as well.
    let (holds, wanted) = match rule {
        Rule::Count => (is_count(value), "a non-negative integer, got: ".to_owned() + &said(value)),
        Rule::Numbers => (is_numbers(value), "an array of numbers".to_owned()),
        _ if value.is_null() => return Ok(()),
        Rule::Object => (value.is_object(), "an object or null".to_owned()),
        Rule::Text => (value.is_string(), "a string or null".to_owned()),
        Rule::NonEmptyText => (is_filled(value), "a non-empty string or null".to_owned()),
        Rule::Time => {
            return time(key, value, "must be an ISO 8601 timestamp string or null").map(|_| ());
        }
        Rule::Amount => {
            (is_amount(value), format!("a non-negative number or null, got: {}", said(value)))
        }
        Rule::FiniteAmount => (
            is_amount(value),
            format!("a non-negative finite number or null, got: {}", said(value)),
        ),
        Rule::OneOf(words) => (
            value.as_str().is_some_and(|word| words.contains(&word)),
            format!("one of {} or null, got: {}", words.join("|"), said(value)),
        ),
    };
    ensure(holds, || format!("{key} must be {wanted}"))
}

fn is_filled(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn is_amount(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number >= 0.0)
}

/// The kind of a value, in a word.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => "object",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
    }
}

/// A value in a message, as its writers see it there.
pub(crate) fn said(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => {
            number.as_f64().map_or_else(String::new, |number| Plain(number).to_string())
        }
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let item = |item: &Value| if item.is_null() { String::new() } else { said(item) };
            items.iter().map(item).collect::<Vec<_>>().join(",")
        }
        Value::Object(_) => "[object Object]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record() -> Value {
        json!({
            "session_id": "a",
            "session_type": "feature",
            "started_at": "2026-01-01T00:00:00Z",
            "completed_at": "2026-01-01T01:00:00.000Z",
            "total_waves": 1,
            "waves": [{"wave": 1, "role": "Impl"}],
            "agent_summary": {"complete": 1, "partial": 0, "failed": 0, "spiral": 0},
            "total_agents": 1,
            "total_files_changed": 1,
        })
    }

    #[test]
    fn a_record_that_holds_gets_a_version_and_keeps_everything_else() {
        let mut given = record();
        given["of_another_program"] = json!({"a": [1]});
        let valid = validate(&given).unwrap();
        assert_eq!(valid["schema_version"], SCHEMA_VERSION);
        assert_eq!(valid["of_another_program"], given["of_another_program"]);
    }

    #[test]
    fn the_first_thing_that_is_wrong_is_said() {
        let cases = [
            (
                "session_type",
                json!("evolve"),
                "session_type must be one of feature|deep|housekeeping, got: evolve",
            ),
            ("waves", json!([3]), "waves[0] must be an object"),
            ("waves", json!([{}]), "waves[0].wave must be a number >= 1, got: undefined"),
            (
                "total_agents",
                json!([1, null]),
                "total_agents must be a non-negative number, got: 1,",
            ),
            (
                "open_questions_asked",
                json!(null),
                "open_questions_asked must be a non-negative integer, got: null",
            ),
            ("lease_acquired_at", json!("x"), "lease_acquired_at is not a parsable timestamp: x"),
            ("status", json!(null), ""),
        ];
        for (key, value, message) in cases {
            let mut given = record();
            given[key] = value;
            let said = validate(&given).err().map_or_else(String::new, |Invalid(said)| said);
            assert_eq!(said, message);
        }
        assert!(validate(&json!([])).is_err());
    }

    #[test]
    fn older_keys_never_replace_present_ones() {
        let old = json!({"mode": "deep", "type": "feature", "total_waves": 9, "waves_total": 1});
        let formed = normalise(old.as_object().unwrap());
        assert_eq!(formed["session_type"], "feature");
        assert_eq!(formed["total_waves"], 9);
        assert_eq!(normalise(&formed), formed);
    }
}
