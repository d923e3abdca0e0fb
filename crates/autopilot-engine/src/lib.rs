//! Carries out what the core decided: the only crate that starts processes or touches git.
//!
//! Start at [`drive`], the loop, and at [`driver`], the interface above it; [`local`] is the driver of this
//! machine. Invariant: no agent process outlives the run that started it, no work of an agent is removed
//! before it is kept, and nothing here decides what a run does.

pub mod book;
pub mod certificates;
pub mod demo;
pub mod drive;
pub mod driver;
pub mod error;
pub mod git;
pub mod hash;
pub mod home;
pub mod local;
mod private;
pub mod process;
pub mod prompt;
pub mod queue;
pub mod rails;
mod scribe;
mod scripted;
pub mod sessions;
pub mod transcript;
pub mod verify;
pub mod work;

pub use scripted::scripted_agent_main;
