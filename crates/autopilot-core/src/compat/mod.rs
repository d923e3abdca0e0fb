//! The functions of earlier programs, by the name and in the form of the files of cases that were made with them.
//!
//! A case is a JSON object. What it holds goes in; [`complete`] gives it back with what comes out.

mod case;
mod log_replay;
mod sessions;

use serde_json::{Map, Value};

use crate::issue;

/// A case.
pub type Case = Map<String, Value>;

/// Completes a case.
type Complete = fn(&Case) -> Case;

/// What there is, by name.
const FUNCTIONS: [(&str, Complete); 18] = [
    ("atdd-real-log-replay", log_replay::complete),
    ("atdd-workflow", issue::replay::play),
    ("dep-graph", sessions::stories::graph),
    ("evaluate", sessions::resources::complete),
    ("kill-post", sessions::kill::after),
    ("kill-pre", sessions::kill::before),
    ("misc", sessions::misc::complete),
    ("multi", sessions::stories::coordinate),
    ("multi-parse-flags", sessions::flags::several),
    ("parse-flags", sessions::flags::one),
    ("recommendations", sessions::recommendations::complete),
    ("run-loop", sessions::run_loop::complete),
    ("select-mode", sessions::select::complete),
    ("session-schema", sessions::schema::complete),
    ("state-md", sessions::state::complete),
    ("suitability", sessions::suitability::complete),
    ("wave-resource-gate", sessions::waves::resource_gate),
    ("wave-sizing", sessions::waves::sizing),
];

/// The names there are.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// The function of that name.
pub fn complete(name: &str) -> Option<Complete> {
    FUNCTIONS.iter().find_map(|(known, function)| (*known == name).then_some(*function))
}
