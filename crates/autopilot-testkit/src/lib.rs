//! Builds sandboxes and simulated worlds for the tests.
//!
//! Start at [`sim::play`] for a whole run in a simulated world, at [`repository::Sandbox`] for a real
//! repository, at [`program::Project`] for the real program in one and at [`model::ModelServer`] for a model that real agents talk to. Invariant: nothing that ships depends on this crate.

pub mod model;
pub mod processes;
pub mod program;
pub mod repository;
pub mod sim;
