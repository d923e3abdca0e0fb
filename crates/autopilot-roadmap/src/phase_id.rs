//! The id of a phase: small, ordered the way people count, safe in paths and git refs.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// The longest id that is accepted; real ones have at most seven characters.
pub const PHASE_ID_BYTES_MAX: usize = 23;

/// The normalised id of a phase, such as `3`, `2.1`, `3a`, `H.1`, `m9-01` or `-1`.
///
/// It holds ASCII letters, digits, single dots and single hyphens only, so it can be a path
/// component or a part of a git ref as it stands. Leading zeros are dropped (`07.1` is `7.1`). The
/// order is the one people count in: `2 < 2.1 < 3 < 3a < 10`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PhaseId {
    /// The characters, zeros after them, and their number in the last byte.
    bytes: [u8; PHASE_ID_BYTES_MAX + 1],
}

/// A text that is not the id of a phase.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{raw}` is not a phase id (such as `3`, `2.1`, `3a` or `H.1`)")]
pub struct PhaseIdError {
    raw: String,
}

/// How much of the context says that an id follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// The word "Phase" stands right before it.
    Keyword,
    /// Nothing does: only shapes that cannot be anything else are ids.
    Nothing,
}

impl PhaseId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        // Only ASCII is ever stored, so the fallback is never taken.
        std::str::from_utf8(&self.bytes[..self.length()]).unwrap_or("")
    }

    /// The id when it is a plain number.
    pub fn as_number(&self) -> Option<u64> {
        self.as_str().parse().ok()
    }

    /// Reads an id at the start of `text` and says how many bytes it took.
    pub(super) fn scan(text: &str, before: Before) -> Option<(Self, usize)> {
        let bytes = text.as_bytes();
        if let Some(found) = scan_plain_number(bytes) {
            return Some(found);
        }
        let length = match bytes.first()? {
            b'0'..=b'9' => scan_number(bytes, 0)?,
            b'-' if before == Before::Keyword => {
                bytes.get(1).filter(|byte| byte.is_ascii_digit())?;
                scan_number(bytes, 1)?
            }
            byte if byte.is_ascii_alphabetic() => scan_lettered(bytes, before)?,
            _ => return None,
        };
        let ends =
            bytes.get(length).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_');
        if !ends {
            return None;
        }
        Some((Self::normalised(&bytes[..length])?, length))
    }

    /// The id with its last number replaced, for expanding ranges such as `3.1..3.4`.
    pub(super) fn with_tail(prefix: &str, tail: &str) -> Option<Self> {
        Self::normalised(format!("{prefix}{tail}").as_bytes())
    }

    /// The id with zeros before its first number, as files write it that count `01`, `02`.
    pub(super) fn padded(&self, digits_min: usize) -> String {
        let digits = digits_at(self.as_str().as_bytes(), 0);
        format!("{}{self}", "0".repeat(digits_min.saturating_sub(digits)))
    }

    /// A key under which ids that differ only in case or in padding are equal (`3A`, `3a`; `m9-1`,
    /// `m9-01`).
    pub(super) fn loose_key(&self) -> String {
        let mut key = String::with_capacity(self.length());
        let mut rest = self.as_str();
        while let Some(first) = rest.chars().next() {
            let (chunk, after) = rest.split_at(chunk_length(rest.as_bytes()));
            if first.is_ascii_digit() {
                key.push_str(significant(chunk));
            } else {
                key.push(first.to_ascii_lowercase());
            }
            rest = after;
        }
        key
    }

    /// Words of the id, for hashing.
    pub(super) fn words(&self) -> [u64; 3] {
        let word = |at: usize| {
            let mut eight = [0_u8; 8];
            eight.copy_from_slice(&self.bytes[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        [word(0), word(8), word(16)]
    }

    fn normalised(raw: &[u8]) -> Option<Self> {
        let (sign, number): (&[u8], &[u8]) = match raw.first()? {
            b'-' => (b"-", &raw[1..]),
            _ => (b"", raw),
        };
        let zeros = number.iter().take_while(|byte| **byte == b'0').count();
        let next_is_digit = number.get(zeros).is_some_and(u8::is_ascii_digit);
        let number = match zeros {
            0 => number,
            _ if next_is_digit => &number[zeros..],
            _ => &number[zeros - 1..],
        };
        let length = sign.len() + number.len();
        if length > PHASE_ID_BYTES_MAX {
            return None;
        }
        let mut bytes = [0; PHASE_ID_BYTES_MAX + 1];
        bytes[..sign.len()].copy_from_slice(sign);
        bytes[sign.len()..length].copy_from_slice(number);
        bytes[PHASE_ID_BYTES_MAX] = u8::try_from(length).ok()?;
        Some(Self { bytes })
    }

    fn length(&self) -> usize {
        usize::from(self.bytes[PHASE_ID_BYTES_MAX])
    }
}

impl FromStr for PhaseId {
    type Err = PhaseIdError;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        match Self::scan(raw, Before::Keyword) {
            Some((id, length)) if length == raw.len() => Ok(id),
            _ => Err(PhaseIdError {
                raw: raw.chars().filter(|c| !c.is_control()).take(40).collect(),
            }),
        }
    }
}

impl Ord for PhaseId {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut left, mut right) = (self.as_str(), other.as_str());
        while !left.is_empty() && !right.is_empty() {
            let (a, left_rest) = left.split_at(chunk_length(left.as_bytes()));
            let (b, right_rest) = right.split_at(chunk_length(right.as_bytes()));
            match compare_chunks(a, b) {
                Ordering::Equal => (left, right) = (left_rest, right_rest),
                unequal @ (Ordering::Less | Ordering::Greater) => return unequal,
            }
        }
        left.len().cmp(&right.len()).then_with(|| self.as_str().cmp(other.as_str()))
    }
}

impl PartialOrd for PhaseId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for PhaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for PhaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PhaseId({})", self.as_str())
    }
}

impl Serialize for PhaseId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for PhaseId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A number without leading zero and with nothing glued to it, as nine of ten ids are.
#[inline]
fn scan_plain_number(text: &[u8]) -> Option<(PhaseId, usize)> {
    const DIGITS_MAX: usize = 8;
    // The id is put together in words of eight bytes: ones that were just written singly are slow to copy.
    let mut digits = 0_u64;
    let mut length = 0;
    loop {
        let next = text.get(length).copied().unwrap_or(b' ');
        if !next.is_ascii_digit() {
            let glued = next.is_ascii_alphabetic() || matches!(next, b'.' | b'_');
            if length == 0 || glued || text[0] == b'0' {
                return None;
            }
            let mut bytes = [0; PHASE_ID_BYTES_MAX + 1];
            bytes[..DIGITS_MAX].copy_from_slice(&digits.to_le_bytes());
            bytes[16..].copy_from_slice(&((length as u64) << 56).to_le_bytes());
            return Some((PhaseId { bytes }, length));
        }
        if length == DIGITS_MAX {
            return None;
        }
        digits |= u64::from(next) << (8 * length);
        length += 1;
    }
}

/// `3`, `3a`, `3.1c.2`: a number with an optional letter, then the same after each dot.
fn scan_number(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = scan_part(bytes, start)?;
    while bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at = scan_part(bytes, at + 1)?;
    }
    Some(at)
}

fn scan_part(bytes: &[u8], start: usize) -> Option<usize> {
    let digits = digits_at(bytes, start);
    if digits == 0 {
        return None;
    }
    let at = start + digits;
    let letter = bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(at + 1).is_none_or(|next| !next.is_ascii_alphanumeric());
    Some(at + usize::from(letter))
}

/// `H.1`, `m9-01`; after the word "Phase" also `A` and `A1`.
fn scan_lettered(bytes: &[u8], before: Before) -> Option<usize> {
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digit_after_dot =
        bytes.get(letters) == Some(&b'.') && bytes.get(letters + 1).is_some_and(u8::is_ascii_digit);
    if letters == 1 && digit_after_dot {
        return scan_number(bytes, 2);
    }
    let digits = digits_at(bytes, letters);
    let at = letters + digits;
    if letters <= 4 && digits > 0 && bytes.get(at) == Some(&b'-') && digits_at(bytes, at + 1) > 0 {
        return scan_number(bytes, at + 1);
    }
    let short = before == Before::Keyword && letters == 1 && bytes[0].is_ascii_uppercase();
    if !short {
        return None;
    }
    if digits > 0 { scan_number(bytes, 1) } else { Some(1) }
}

fn digits_at(bytes: &[u8], start: usize) -> usize {
    bytes.get(start..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count())
}

/// The length of the run of digits at the start, or 1.
fn chunk_length(bytes: &[u8]) -> usize {
    digits_at(bytes, 0).max(1)
}

fn significant(digits: &str) -> &str {
    let cut = digits.trim_start_matches('0');
    if cut.is_empty() { "0" } else { cut }
}

fn compare_chunks(a: &str, b: &str) -> Ordering {
    let numeric = |chunk: &str| chunk.as_bytes()[0].is_ascii_digit();
    if numeric(a) && numeric(b) {
        let (a, b) = (significant(a), significant(b));
        return a.len().cmp(&b.len()).then_with(|| a.cmp(b));
    }
    a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(text: &str) -> PhaseId {
        text.parse().unwrap()
    }

    #[test]
    fn ids_of_the_known_shapes_are_read_without_leading_zeros() {
        for (raw, expected) in [
            ("3", "3"),
            ("007", "7"),
            ("0", "0"),
            ("00", "0"),
            ("2.1", "2.1"),
            ("07.3.1", "7.3.1"),
            ("5.5.9.1", "5.5.9.1"),
            ("3a", "3a"),
            ("20A", "20A"),
            ("3.1c.2", "3.1c.2"),
            ("H.1", "H.1"),
            ("G.2c", "G.2c"),
            ("m9-01", "m9-01"),
            ("999.1", "999.1"),
            ("-1", "-1"),
            ("A", "A"),
            ("264", "264"),
            ("12345678", "12345678"),
            ("1234567890", "1234567890"),
        ] {
            assert_eq!(id(raw).as_str(), expected, "{raw}");
        }
    }

    #[test]
    fn anything_that_could_leave_its_directory_or_break_a_ref_is_refused() {
        for raw in [
            "",
            ".",
            "..",
            "3..1",
            "3/1",
            "../3",
            "3.",
            "3 ",
            "a b",
            "Details",
            "3.lock",
            "-",
            "--1",
            "3\u{0}",
            "v1.0",
            "{N}",
            "１",
            "123456789012345678901234",
        ] {
            assert!(raw.parse::<PhaseId>().is_err(), "{raw:?}");
        }
    }

    #[test]
    fn the_order_is_the_one_people_count_in() {
        let mut ids = ["10", "3a", "2.10", "H.1", "2", "-1", "3", "2.2", "0", "3.1"].map(id);
        ids.sort_unstable();
        let shown: Vec<_> = ids.iter().map(PhaseId::as_str).collect();
        assert_eq!(shown, ["-1", "0", "2", "2.2", "2.10", "3", "3.1", "3a", "10", "H.1"]);
    }

    #[test]
    fn loose_keys_forgive_case_and_padding_only() {
        assert_eq!(id("3A").loose_key(), id("3a").loose_key());
        assert_eq!(id("m9-01").loose_key(), id("M9-1").loose_key());
        assert_ne!(id("3").loose_key(), id("3a").loose_key());
    }

    proptest! {
        #[test]
        fn a_shown_id_reads_back_as_itself(raw in "-?[0-9]{1,4}[a-z]?(\\.[0-9]{1,2}[a-z]?){0,2}") {
            let first = id(&raw);
            prop_assert_eq!(id(first.as_str()), first);
        }

        #[test]
        fn scanning_never_panics_and_never_takes_more_than_there_is(raw in ".{0,40}") {
            if let Some((read, length)) = PhaseId::scan(&raw, Before::Keyword) {
                prop_assert!(length <= raw.len());
                prop_assert!(read.as_str().bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-'));
            }
        }
    }
}
