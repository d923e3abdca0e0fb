//! What an agent is told of an issue.

use serde::Serialize;

use crate::issue::{AcceptanceCriterion, Route};

/// What an agent is told of an issue, before it becomes a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IssueBrief {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// The directory of its documents.
    pub directory: String,
    /// The way it takes.
    pub route: Route,
    /// What must hold.
    pub criteria: Vec<AcceptanceCriterion>,
    /// The tests that are to be looked at, for who checks them.
    pub tests: Vec<String>,
    /// The command that runs the acceptance tests.
    pub acceptance: String,
    /// How often the test failed, of how many runs, before anything was done.
    pub reproduced: Option<(u32, u32)>,
    /// How often a test that sometimes fails is run.
    pub runs: u32,
    /// Whether tests were seen red already, which may not change any more.
    pub is_repair: bool,
}
