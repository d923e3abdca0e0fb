//! What the machine has left, and how many agents that is enough for.
//!
//! [`evaluate`] judges a [`Snapshot`]. One elevated signal is reported and no more; only two that agree, or one that is
//! beyond doubt, hold work back.

mod evaluate;
mod probe;
mod snapshot;
mod verdict;

pub use evaluate::{Evaluation, Share, evaluate};
pub use probe::{elapsed_minutes, pressure_free_pct, swap_used_mb, zombies};
pub use snapshot::{Snapshot, Thresholds};
pub use verdict::{Axis, Verdict};
