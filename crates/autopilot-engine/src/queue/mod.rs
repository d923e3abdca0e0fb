//! The queue of issues: who works on what, and how finished work comes together.
//!
//! [`lease`] says who may work on something, [`drain`] has it worked on, [`merges`] brings it in one after another.
//! [`scripts`] gives them the arguments, words and exit codes of the shell scripts that they replace.

pub mod drain;
pub mod lease;
pub mod merges;
pub mod scripts;
