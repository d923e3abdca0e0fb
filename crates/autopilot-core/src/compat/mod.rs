//! The functions of earlier programs, by the name and in the form of the files of cases that were made with them.
//!
//! A case is a JSON object. What it holds goes in; [`complete`] gives it back with what comes out.

mod log_replay;

use serde_json::{Map, Value};

use crate::issue;

/// A case.
pub type Case = Map<String, Value>;

/// Completes a case.
type Complete = fn(&Case) -> Case;

/// What there is, by name.
const FUNCTIONS: [(&str, Complete); 2] =
    [("atdd-real-log-replay", log_replay::complete), ("atdd-workflow", issue::replay::play)];

/// The names there are.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// The function of that name.
pub fn complete(name: &str) -> Option<Complete> {
    FUNCTIONS.iter().find_map(|(known, function)| (*known == name).then_some(*function))
}
