//! A disk in memory that fails and crashes on request: for tests, here and in other crates.
//!
//! Start at [`FaultyDisk`], a [`Storage`](crate::Storage) that keeps apart what a power cut would
//! leave and what it would not. [`crashes::torture`] drives the shipped journal over it, and counts
//! what was lost.

mod chance;
pub mod crashes;
mod disk;
mod image;

pub use self::{
    chance::Chance,
    disk::{Fault, FaultyDisk, Lasting},
};
