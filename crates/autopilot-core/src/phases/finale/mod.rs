//! What is looked at once no phase is left to do: whether the phases work together, and whether the result is what the
//! roadmap asked for.
//!
//! Those who look can only object. What they miss is given to an executor as a task, checked like any other work, and
//! looked at again; what stays is told, and the run is not done.

mod decide;
mod owed;
mod stage;
mod state;

pub(super) use decide::{begin, decide, expects, gave_up, unusable};
pub(super) use owed::owed;
pub use stage::FinaleStage;
pub use state::{Closing, Finale, FinaleFact, Gap};
