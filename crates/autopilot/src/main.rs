//! `autopilot`: drives coding agents until the work is proven done.
//!
//! Arguments in, a command, an exit code out. Nothing is decided here: commands call the engine and the views.

mod args;
mod commands;
mod config;
mod exit;
mod failure;
mod live;
#[cfg(target_os = "linux")]
mod pow;
mod project;
mod reference;
mod rewrite;
mod ui;
mod usage;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
