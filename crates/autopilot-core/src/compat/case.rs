//! What goes into a case and what comes out, in the loose types of the programs that made them.

use serde_json::{Value, json};

use crate::{compat::Case, sessions::number};

/// What an earlier program threw.
pub(crate) struct Thrown {
    name: &'static str,
    message: String,
}

impl Thrown {
    pub(crate) fn new(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, message: message.into() }
    }
}

/// An argument of the function; one that is absent is null.
pub(crate) fn argument(case: &Case, at: usize) -> &Value {
    case.get("args").and_then(|arguments| arguments.get(at)).unwrap_or(&Value::Null)
}

/// The name of the function, where a file holds cases of several.
pub(crate) fn function(case: &Case) -> &str {
    case.get("fn").and_then(Value::as_str).unwrap_or_default()
}

/// The case with what came out.
pub(crate) fn answered(case: &Case, answer: Result<Value, Thrown>) -> Case {
    let (key, value) = match answer {
        Ok(value) => ("ok", value),
        Err(Thrown { name, message }) => ("err", json!({"name": name, "message": message})),
    };
    let mut done = case.clone();
    done.insert(key.to_owned(), value);
    done
}

/// The refusal of a function that no file of this kind knows.
pub(crate) fn unknown(case: &Case) -> Result<Value, Thrown> {
    Err(Thrown::new("ReferenceError", format!("{} is not defined", function(case))))
}

/// The number that a value is taken for where one is wanted.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::Null => 0.0,
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::Number(number) => number.as_f64().unwrap_or(f64::NAN),
        Value::String(text) => number::read(text),
        Value::Array(_) | Value::Object(_) => f64::NAN,
    }
}

/// The count that a value is taken for; what is none counts nothing.
pub(crate) fn count(value: &Value) -> u64 {
    whole(number(value))
}

/// The count that a value is, if it is a number.
pub(crate) fn known_count(value: &Value) -> Option<u64> {
    value.as_f64().map(whole)
}

/// A count as JSON has it: a part of one is one, and less than nothing is nothing.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what does not fit is brought to the nearest that does"
)]
pub(crate) fn whole(number: f64) -> u64 {
    number.ceil() as u64
}

/// Milliseconds, or none, as JSON has them.
#[expect(
    clippy::cast_possible_truncation,
    reason = "what does not fit is brought to the nearest that does"
)]
pub(crate) fn ms(value: &Value) -> i64 {
    number(value) as i64
}

/// The texts of a list; what is no text is not in it.
pub(crate) fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}
