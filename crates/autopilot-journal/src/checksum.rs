//! The checksum of records and snapshots: XXH64, as sixteen hexadecimal digits.
//!
//! It sees chance damage; whoever changes a record on purpose is seen by the hash chain. It needs no search for
//! the processor's abilities, which on a virtual machine costs more than reading a small journal.

use std::hash::Hasher;

use twox_hash::XxHash64;

use crate::digits;

/// How many bytes a written checksum has.
pub(crate) const CHECKSUM_BYTES: usize = 16;

const SEED: u64 = 0;

/// Gives the checksum of some bytes.
#[inline]
pub(crate) fn of(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    digits::hex(&XxHash64::oneshot(SEED, bytes).to_be_bytes())
}

/// Gives the checksum of two runs of bytes, as if they were one.
pub(crate) fn of_both(first: &[u8], second: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut hasher = XxHash64::with_seed(SEED);
    hasher.write(first);
    hasher.write(second);
    digits::hex(&hasher.finish().to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_function() {
        // The reference implementation's result for no bytes.
        assert_eq!(&of(b""), b"ef46db3751d8e999");
        assert_eq!(of(b"abcdef"), of_both(b"abc", b"def"));
    }
}
