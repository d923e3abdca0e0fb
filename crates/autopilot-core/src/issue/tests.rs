//! What holds for every issue.

mod gates;
mod rails;
mod routes;
mod runs;
mod tampering;
mod world;

use serde_json::json;

use self::world::{World, edit, honest, spec};
use super::*;
use crate::{
    effect::Effect,
    fact::{Ending, Fact},
    id::{AgentName, CommitId, GateId},
    input::{Answer, Event, FailureClass},
    role::Role,
    run::{Standing, owed},
    story::failed,
};

/// A world in which every round fails in its own way.
fn never_the_same() -> Vec<Vec<&'static str>> {
    [
        vec!["a", "b", "c"],
        vec!["a", "b"],
        vec!["a", "c"],
        vec!["b", "c"],
        vec!["a"],
        vec!["b"],
        vec!["c"],
        vec!["d"],
    ]
    .to_vec()
}
