//! What the tests stand on: sample projects, the program in them, and what it did.

mod engine;
mod output;
mod processes;
mod project;
mod script;

pub(crate) use engine::Engine;
pub(crate) use output::Output;
pub(crate) use processes::{agents_in, awaited, memory_bytes};
pub(crate) use project::{PROGRAM, Project, Sample, ended_as};
pub(crate) use script::{agent, honest, part, plan, roadmap, sh, sign, until};
