//! `cargo xtask torture`: the real program and its parts under everything that can go wrong, for a long time.

mod fuzz;
mod journal;
mod kills;
mod long;
mod power_cuts;
mod rows;
mod sample;
mod signals;
mod starts;
mod trace;
mod world;

pub(crate) use rows::run;
