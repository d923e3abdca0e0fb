//! What a project is built, checked and tested with, told from its manifests.
//!
//! Start at [`detect`]: names and texts of the files at the root go in, a [`Project`] comes out.

mod detect;
mod manifests;
mod node;
mod overrides;
mod python;
mod targets;
#[cfg(test)]
mod tests;

pub use detect::{Commands, Ecosystem, Project, Root, detect};
pub use overrides::{Source, Sourced, settle};
