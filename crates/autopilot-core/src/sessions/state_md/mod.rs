//! `STATE.md`: keys between two lines of dashes, then text for people.
//!
//! The keys are a small part of YAML that agents can write by hand: scalars, lists in brackets, and one level of a list
//! of mappings. What is not of that form is not read at all, rather than half.

mod document;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod write;

pub use document::{Document, Entry, Field, Fields};
pub use scalar::Scalar;
