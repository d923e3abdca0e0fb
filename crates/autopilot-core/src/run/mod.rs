//! A run of any kind: what has been started and ended, spent, asked and answered.
//!
//! The kernel here knows nothing of phases, issues or sessions. It drops stale and double outcomes, keeps
//! early answers, counts tries and money, and holds agents back; what a step means is its machine's.

mod decide;
mod ledger;
mod machine;
mod owed;
mod state;
#[cfg(test)]
mod tests;

pub use decide::decide;
pub use ledger::Ledger;
pub use owed::owed;
pub use state::{Held, NotARun, Run, Standing, Submission, Work, WorkSpec, fold};
