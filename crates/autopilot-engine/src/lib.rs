//! Carries out what the core decided: the only crate that starts processes or touches git.
//!
//! Start at [`process::run`] for a child and at [`git::Project::open`] for a repository. Invariant: no
//! agent process outlives the run that started it, and no work of an agent is removed before it is
//! kept.

pub mod git;
pub mod process;
