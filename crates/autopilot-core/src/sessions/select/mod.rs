//! Which kind of session comes next, how sure that is, and why.
//!
//! [`choose`] is a function of [`Signals`]: what the last session recommended, how recent ones went, and what was
//! learnt. It always answers; how sure it is says whether the answer may be followed without a person.

mod assemble;
mod choose;
mod mode;
mod pressure;
mod score;
mod signals;

pub use assemble::{LEARNINGS_MAX, SESSIONS_MAX, Sources};
pub use choose::{Alternative, Recommendation, choose};
pub use mode::{Mode, SessionType};
pub use pressure::{Level, Pressure};
pub use signals::{Effectiveness, Learning, Lock, RecentSession, Signals, Tier};
