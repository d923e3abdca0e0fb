//! The queue of issues: who works on what, and how finished work comes together.
//!
//! [`lease`] says who may work on something, [`merges`] brings it in one after another. [`scripts`] gives both the
//! arguments, words and exit codes of the shell scripts that they replace.

pub mod lease;
pub mod merges;
pub mod scripts;
