//! Numbers of fixed width, as they stand in headers.
//!
//! Reading is strict: there is one spelling of each number, so a changed byte is never the same number.

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Writes `value` in decimal, filled with zeros from the left.
///
/// The caller has checked that it fits, so nothing is cut off.
pub(crate) fn put_decimal(into: &mut [u8], mut value: u64) {
    for digit in into.iter_mut().rev() {
        *digit = HEX[(value % 10) as usize];
        value /= 10;
    }
    debug_assert_eq!(value, 0, "the limits keep every number within its field");
}

/// Reads a decimal number that fills `digits`, and nothing else.
#[inline]
pub(crate) fn decimal(digits: &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    let mut stray = false;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        stray |= digit > 9;
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    (!stray).then_some(value)
}

/// Writes bytes as lowercase hexadecimal digits; `DIGITS` is twice their number.
#[inline]
pub(crate) fn hex<const BYTES: usize, const DIGITS: usize>(bytes: &[u8; BYTES]) -> [u8; DIGITS] {
    const { assert!(DIGITS == 2 * BYTES) };
    let mut text = [0; DIGITS];
    for (pair, byte) in text.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_spelling() {
        let mut text = [0; 4];
        put_decimal(&mut text, 42);
        assert_eq!(&text, b"0042");
        assert_eq!(decimal(&text), Some(42));
        for stray in [b" 042", b"+042", b"0x42", b"00\x004", b"004/", b"004:"] {
            assert_eq!(decimal(stray), None, "{stray:?}");
        }
    }

    #[test]
    fn hexadecimal_is_lowercase() {
        assert_eq!(&hex::<2, 4>(&[0x0f, 0xa0]), b"0fa0");
    }
}
