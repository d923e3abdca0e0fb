//! Criteria, what they expect, and what an observation proves.
//!
//! Start at [`Criterion::parse`] and [`judge`]. Invariant: what cannot be read or was not
//! observed to its end never counts as passed.

mod check;
pub mod counts;
mod criterion;
mod ending;
mod expectation;
mod judge;

pub use check::{CheckResult, OUTPUT_CHARS_MAX, all_passed, findings, passed_percent};
pub use criterion::{CRITERION_BYTES_MAX, Criterion, Method, Weight};
pub use expectation::{Comparison, Expectation};
pub use judge::{Observed, Verdict, judge};
