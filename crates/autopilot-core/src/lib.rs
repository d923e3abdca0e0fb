//! Decides what a run does next.
//!
//! Start at [`run::decide`]: what happened goes in, facts come out. [`run::Run::apply`] folds facts into a
//! state, [`run::owed`] derives from a state what must be done in the world. That is all there is; live view,
//! resume, replay and simulation are uses of these three functions.
//!
//! Invariant: nothing here reads a clock, a file, the environment or chance, and nothing here depends on
//! another crate of this project. Time, ids and outcomes come in as data; effects go out as data.

// Matches on facts, inputs and stages stay exhaustive: a new variant must be thought about everywhere.
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

pub use autopilot_evidence::{self as evidence, time};
pub use autopilot_roadmap as roadmap;

pub mod budget;
pub mod certificate;
pub mod compat;
pub mod effect;
pub mod fact;
pub mod id;
pub mod input;
pub mod issue;
pub mod measure;
pub mod phases;
pub mod policy;
pub mod project;
pub mod rails;
pub mod report;
pub mod returns;
pub mod role;
pub mod run;
pub mod sessions;
#[cfg(test)]
mod story;
