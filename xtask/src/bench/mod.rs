//! `cargo xtask bench`: what we do beside the least it could cost, in one run.

pub(crate) mod facts;
pub(crate) mod journal;
pub(crate) mod measure;
mod unsynced;
