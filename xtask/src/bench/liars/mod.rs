//! `cargo xtask bench liars [NAME]`: agents that lie, through the real program, beside what is really done.

mod agent;
mod case;
mod cases;
mod caught;
mod cost;
mod kit;
mod play;
mod report;
mod tools;
mod verdict;

pub(super) use report::run;
