//! What a record is called: its sequence and its hash.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::digits;

/// The number of a record: 1 for the first one, then without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(u64);

impl Sequence {
    /// The sequence of the first record of every journal.
    pub const FIRST: Self = Self(1);

    /// Names the record with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Gives the number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Names the record `count` places further on.
    pub(crate) const fn plus(self, count: u64) -> Self {
        Self(self.0.saturating_add(count))
    }

    /// Names the record `count` places before.
    pub(crate) const fn minus(self, count: u64) -> Self {
        Self(self.0.saturating_sub(count))
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The SHA-256 of a record as it lies on disk: header, payload and line end.
///
/// Each record carries the hash of the one before it, so one hash vouches for everything up to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RecordHash([u8; 32]);

impl RecordHash {
    /// What the first record carries, since nothing comes before it.
    pub const GENESIS: Self = Self([0; 32]);

    /// Hashes the bytes of one record.
    pub(crate) fn of(record: &[u8]) -> Self {
        Self(Sha256::digest(record).into())
    }

    /// Writes the hash as 64 lowercase hexadecimal digits.
    pub(crate) fn to_hex(self) -> [u8; 64] {
        digits::hex(&self.0)
    }
}

impl fmt::Display for RecordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for RecordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
