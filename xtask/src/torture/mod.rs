//! `cargo xtask torture`: long runs against disks that fail.

pub(crate) mod journal;
