//! Misbehaviour that could be played against a project's own gates, and what came of it.
//!
//! Start at [`breaks`] and [`cheats`], which choose what is played from paths and texts alone, and at [`Report`], which
//! says what was caught. Invariant: the same files, gates and seed give the same plays in the same order.

mod breaks;
mod cheats;
mod files;
mod play;
mod report;
mod spread;
#[cfg(test)]
mod tests;
mod tricks;

pub use breaks::breaks;
pub use cheats::{Cheat, cheats};
pub use files::{Before, File, Scene, is_looked_at};
pub use play::{Change, Lie, Play};
pub use report::{Fate, Gate, Mechanism, Played, Report};
pub use spread::share;
