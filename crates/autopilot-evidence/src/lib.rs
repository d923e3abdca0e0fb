//! Criteria, what they expect, and what an observation proves.
//!
//! Start at [`Criterion::parse`] and [`judge_check`]. Invariant: what cannot be read or was not
//! observed to its end never counts as passed.

mod canary;
mod check;
mod commit;
pub mod counts;
mod criterion;
mod ending;
mod executed;
mod expectation;
mod judge;
mod ledger;
pub mod mutate;
mod pipe;
mod place;
mod proof;
pub mod protect;
pub mod sim;
pub mod time;
mod trace;

pub use canary::{
    Aim, Bite, Break, Canary, Source, Stake, aimed, brings_examples, is_not_loaded,
    may_judge_itself, stake,
};
pub use check::{Check, CheckKind, CheckResult, OUTPUT_CHARS_MAX, argv, passed_percent};
pub use commit::CommitId;
pub use criterion::{CRITERION_BYTES_MAX, Criterion, Method, Weight};
pub use executed::{
    Judged, asked_to_go_on, asked_to_name_tests, cannot_have_passed, judge_check, may_go_uncounted,
    may_run_tests, runs_tests,
};
pub use expectation::{Comparison, Expectation};
pub use judge::{Observed, Verdict, judge};
pub use ledger::{Entry, Fewer, Standing, Waiver, ledger, objections};
pub use place::{PLACES_MAX, Place, places, places_in};
pub use proof::{Proof, proof_of};
pub use trace::Trace;
