//! Records of sessions.

use serde_json::Value;

use crate::{
    compat::{
        Case,
        case::{Thrown, answered, argument, function, unknown},
    },
    sessions::session_record::{Invalid, normalise, validate},
};

/// Checks a record, or puts it into form.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let given = argument(case, 0);
    let answer = match function(case) {
        "validateSession" => validate(given)
            .map(Value::Object)
            .map_err(|Invalid(why)| Thrown::new("ValidationError", why)),
        // What is no record stays what it is.
        "normalizeSession" => Ok(given
            .as_object()
            .map_or_else(|| given.clone(), |record| Value::Object(normalise(record)))),
        _ => unknown(case),
    };
    answered(case, answer)
}
