//! Builds sandboxes and simulated worlds for the tests.
//!
//! Start at [`sim::play`] for a whole run in a simulated world and at [`repository::Sandbox`] for a real
//! repository. Invariant: nothing that ships depends on this crate.

pub mod processes;
pub mod repository;
pub mod sim;
