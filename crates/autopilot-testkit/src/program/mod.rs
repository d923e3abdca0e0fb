//! The program from outside: sample projects, the real binary in them, and what it did.
//!
//! Whatever does not go as a test needs it panics, like all of the testkit.

mod before;
mod end;
mod engine;
mod output;
mod project;
mod script;
mod terminal;

pub use before::Before;
pub use end::{End, check_books, ended_as};
pub use engine::Engine;
pub use output::Output;
pub use project::{Project, Sample};
pub use script::{agent, honest, part, plan, roadmap, sh, sign, until};
pub use terminal::Terminal;
