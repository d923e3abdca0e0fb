//! `cargo xtask torture`: the real program and its parts under everything that can go wrong, for a long time.

pub(crate) mod fuzz;
pub(crate) mod journal;
pub(crate) mod kills;
pub(crate) mod signals;
pub(crate) mod starts;
mod terminal;
mod trace;
mod world;
