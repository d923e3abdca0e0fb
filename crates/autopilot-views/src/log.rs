//! What happened, one line for each fact.

use autopilot_core::fact::{Fact, Record};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::{clean, clean_json, time_of_day};

/// Longer lines are cut: the whole fact is in `--json`.
const DETAIL_CHARS_MAX: usize = 160;

/// A fact as a line: its number, when, what.
pub fn log_line(sequence: u64, record: &Record, zone: &TimeZone) -> String {
    let (kind, detail) = told(&record.fact);
    let detail: String = clean(&detail).chars().take(DETAIL_CHARS_MAX).collect();
    format!("{sequence:>6}  {}  {kind:<14} {detail}", time_of_day(record.at, zone))
        .trim_end()
        .to_owned()
}

/// A fact as one line of JSON: the record as it stands in the journal, with its number.
pub fn log_json(sequence: u64, record: &Record) -> String {
    let fact = serde_json::to_value(&record.fact).unwrap_or(Value::Null);
    let line = json!({"seq": sequence, "v": record.v, "at_ms": record.at.as_ms(), "fact": fact});
    clean_json(&line.to_string())
}

fn told(fact: &Fact) -> (String, String) {
    match fact {
        Fact::Submitted(given) => ("submitted".to_owned(), given.run.to_string()),
        Fact::Started { key } => ("started".to_owned(), key.to_string()),
        Fact::Ended { key, end, spent, model: _ } => {
            ("ended".to_owned(), format!("{key} {} {} tok", tagged(end).1, spent.tokens))
        }
        Fact::Strays(strays) => {
            let (key, count, names) = (&strays.key, strays.count, strays.names.join(", "));
            let leak = if strays.leaky { "; an output stayed open" } else { "" };
            ("strays".to_owned(), format!("{key} {count} ended: {names}{leak}"))
        }
        Fact::Denied(denied) => {
            ("denied".to_owned(), format!("{} {}", denied.key, denied.tried.join("; ")))
        }
        Fact::Phase { phase, fact } => {
            let (kind, detail) = tagged(fact);
            (kind, format!("{phase} {detail}"))
        }
        other => tagged(other),
    }
}

/// The name and the content of a fact, as they are written.
fn tagged(value: &impl serde::Serialize) -> (String, String) {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object
            .into_iter()
            .next()
            .map(|(kind, content)| {
                let detail = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
                (kind, detail)
            })
            .unwrap_or_default(),
        Ok(Value::String(kind)) => (kind.clone(), kind),
        _ => Default::default(),
    }
}
