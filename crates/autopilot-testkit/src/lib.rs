//! Builds sandboxes and simulated worlds for the tests.

pub mod processes;
pub mod repository;
