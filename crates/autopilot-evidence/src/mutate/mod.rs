//! Small mutations of changed lines, with which the engine shows that a check can go red.
//!
//! Start at [`mutants`]. Invariant: any text goes in, and what comes out differs from it in changed
//! lines only. A file that is not understood gives few mutants or none, never a wrong place.

#![cfg_attr(
    not(test),
    expect(
        clippy::wildcard_enum_match_arm,
        reason = "most languages lack what one of them has; the rest is the usual case"
    )
)]

mod arithmetic;
mod beside;
mod candidate;
mod code;
mod compare;
mod context;
mod diff;
mod dynamic;
mod functions;
mod language;
mod lex;
mod lines;
mod literals;
mod mutant;
mod parts;
mod pick;
mod returns;
mod same;
mod shell;
mod shell_words;
mod statements;
mod strings;
#[cfg(test)]
mod tests;
mod text;
mod together;
mod values;
mod words;
mod worth;

pub use diff::changed_lines;
pub use mutant::{Mutant, Promise};
pub use parts::{TestPart, code_functions, test_functions, test_parts};
pub use pick::mutants;
pub use same::{says_the_same, test_lines};
pub use together::{Part, together};
pub use worth::{is_code, is_prose, worth_mutating};
