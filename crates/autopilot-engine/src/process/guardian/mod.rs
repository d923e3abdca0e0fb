//! One small process per run that owns all children, so that none outlives the run. Where commands are to have a network of
//! their own, a second one, a child of the first, is in that network.

mod begin;
mod client;
#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod offline;
mod server;
mod spawn;
mod watch;

pub(super) use client::{ChildCommand, Supervised};
pub use client::{Guardian, GuardianSpec, find_program, wait_until_gone};
pub use server::guardian_main;

/// The process name of a guardian: not `autopilot`, so that `pkill autopilot` does not hit it.
pub(super) const NAME: &str = "ap-guardian";
