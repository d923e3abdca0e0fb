//! How many tests a command executed, read from what it printed.
//!
//! Start at [`runner_of`], which tells whether a command is a test command, and [`count`], which
//! reads its output. Invariant: an answer is never more than what the output states; where a format
//! shows that something is missing, or where two readings are possible, there is no answer.

mod cmake;
mod command;
mod detect;
mod dotnet;
mod elixir;
mod go;
mod go_json;
mod javascript;
mod junit;
mod jvm;
mod names;
mod node;
mod pattern;
mod php;
mod programs;
mod python;
mod ruby;
mod runner;
mod rust;
mod shell;
mod summary;
mod swift;
mod tally;
mod tap;
mod test_spec;
mod text;
mod xml;

pub(super) use command::{
    COMMAND_BYTES_MAX, DEPTH_MAX, base_name, is_shell, shell_line, unwrapped,
};
pub use command::{echoed, runner_of};
pub use detect::count;
pub use names::{missing, names};
pub use pattern::{PATTERN_BYTES_MAX, Pattern, PatternError};
pub use runner::Runner;
pub(super) use shell::commands;
pub use tally::Counts;
pub use test_spec::is_test_spec;
