//! Usage lines in other forms than agreed: what they tell counts all the same, else no budget would hold.

use serde_json::{Map, Value};

use crate::Usage;

/// Keys that may stand beside a usage in a line that is nothing but a usage line.
const COMPANIONS: [&str; 10] =
    ["usage", "limit", "model", "text", "type", "event", "time", "timestamp", "ts", "id"];

/// What a line tells of a usage.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing.
    Nothing,
    /// A usage, and maybe a limit.
    Usage { usage: Usage, limit: Option<Value> },
    /// A usage beside other things; the line may be the return.
    Beside(Usage),
    /// It is a usage line, and not all of it can be read.
    Unread(Usage),
}

/// Reads a line that is no event as it was agreed.
pub(crate) fn told(line: &[u8]) -> Told {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return Told::Nothing;
    }
    let Ok(Value::Object(mut object)) = serde_json::from_slice(line) else {
        let begins = line[1..].trim_ascii_start().starts_with(b"\"usage\"");
        let is_meant = begins && line.ends_with(b"}");
        return if is_meant { Told::Unread(Usage::default()) } else { Told::Nothing };
    };
    let is_usage_line = object.keys().all(|key| COMPANIONS.contains(&key.as_str()));
    let (usage, is_read) = match object.get("usage") {
        None => return Told::Nothing,
        Some(Value::Null) => (Usage::default(), true),
        Some(Value::Object(usage)) => read(usage),
        Some(_) => (Usage::default(), false),
    };
    match (is_usage_line, is_read) {
        (true, true) => Told::Usage { usage, limit: object.remove("limit") },
        (true, false) => Told::Unread(usage),
        (false, _) if usage != Usage::default() => Told::Beside(usage),
        (false, _) => Told::Nothing,
    }
}

/// The numbers of a usage, and whether all that it should tell was read.
fn read(usage: &Map<String, Value>) -> (Usage, bool) {
    let of = |key: &str| usage.get(key).map(number);
    let (tokens, micro_usd) = (of("tokens"), of("micro_usd"));
    let is_unread = matches!(tokens, Some(None)) || matches!(micro_usd, Some(None));
    let is_other = tokens.is_none() && micro_usd.is_none() && !usage.is_empty();
    let value = |told: Option<Option<u64>>| told.flatten().unwrap_or(0);
    let usage = Usage { tokens: value(tokens), micro_usd: value(micro_usd), ..Usage::default() };
    (usage, !is_unread && !is_other)
}

/// A number as a count: rounded up, at least 0, and at most what can be counted.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Null => Some(0),
        Value::Number(number) => number.as_u64().or_else(|| number.as_f64().map(whole)),
        Value::String(text) => {
            let text = text.trim();
            text.parse()
                .ok()
                .or_else(|| text.parse().ok().filter(|number: &f64| number.is_finite()).map(whole))
        }
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The conversion stops at 0 and at the largest count, which is what is wanted.
fn whole(number: f64) -> u64 {
    number.ceil() as u64
}
