//! The embedded agent: plays a script instead of asking a model.
//!
//! It is a real child process (a hidden subcommand of the program), so everything around it is tested for
//! real. This module holds the script's format and how its stream is read; the player is in the engine.

mod adapter;
mod returns;
mod script;

pub use adapter::{SCRIPT_ENV, ScriptedAgent};
pub use returns::default_return;
pub use script::{Action, BadScript, Moment, Script};
