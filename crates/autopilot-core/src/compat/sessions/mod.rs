//! The functions of the program that ran sessions one after another.

pub(super) mod flags;
pub(super) mod kill;
pub(super) mod misc;
pub(super) mod recommendations;
pub(super) mod resources;
pub(super) mod run_loop;
pub(super) mod schema;
pub(super) mod select;
pub(super) mod state;
pub(super) mod stories;
pub(super) mod suitability;
pub(super) mod waves;
