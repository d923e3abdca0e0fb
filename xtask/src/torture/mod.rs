//! `cargo xtask torture`: long runs against disks that fail and against damaged files.

pub(crate) mod fuzz;
pub(crate) mod journal;
