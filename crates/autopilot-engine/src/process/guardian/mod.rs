//! One small process per run that owns all children, so that none outlives the run.

mod client;
mod server;

pub(super) use client::{ChildCommand, Supervised};
pub use client::{Guardian, GuardianSpec, find_program, wait_until_gone};
pub use server::guardian_main;

/// The process name of a guardian: not `autopilot`, so that `pkill autopilot` does not hit it.
pub(super) const NAME: &str = "ap-guardian";
