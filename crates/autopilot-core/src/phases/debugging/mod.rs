//! A debug session: somebody reports a fault, a debugger looks for the cause round by round, and the engine sees whether
//! it is gone.
//!
//! It is a run without phases. Every round is an agent's step of its own, and what a round found out is a fact: whoever
//! goes on, after a crash too, begins with what was to be done next. What was noticed at the beginning never changes
//! afterwards, what was found and disproved is only added to.

mod decide;
mod file;
mod owed;
mod stage;
mod state;

pub(super) use decide::{answered, decide, expects, gave_up, may_ask, proceed, unusable};
pub(super) use owed::owed;
pub use stage::DebugStage;
pub use state::{DebugEnd, DebugFact, DebugGoal, DebugSession, DebugSpec, Noted};
