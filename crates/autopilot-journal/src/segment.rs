//! Segments: their names, their first line, their making.

use crate::{digits, error::Error, files::Files, ids::Sequence, limits::SEQUENCE_MAX};

/// The first line up to the number; another format gets another version.
const TITLE: &[u8] = b"autopilot-journal 1 ";
const SUFFIX: &str = ".log";
const TORN: &str = ".torn-";
const DIGITS: usize = 12;

/// The length of the first line.
pub(crate) const LINE_BYTES: usize = TITLE.len() + DIGITS + 1;

/// Names the segment whose first record is `first`.
pub(crate) fn name(first: Sequence) -> String {
    let mut digits = [0; DIGITS];
    digits::put_decimal(&mut digits, first.get());
    let mut name = String::with_capacity(DIGITS + SUFFIX.len());
    name.extend(digits.map(char::from));
    name.push_str(SUFFIX);
    name
}

/// Reads what [`name`] made; any other name is not a segment.
pub(crate) fn parse_name(name: &str) -> Option<Sequence> {
    let digits = name.strip_suffix(SUFFIX)?.as_bytes();
    if digits.len() != DIGITS {
        return None;
    }
    let first = digits::decimal(digits)?;
    (1..=SEQUENCE_MAX).contains(&first).then_some(Sequence::new(first))
}

/// Names the file that keeps what is cut off a segment.
pub(crate) fn torn_name(segment: &str, offset: u64, checksum: &str) -> String {
    format!("{segment}{TORN}{offset}-{checksum}")
}

/// Tells whether [`torn_name`] made it.
pub(crate) fn is_torn_name(name: &str) -> bool {
    name.split_once(TORN).is_some_and(|(segment, _)| parse_name(segment).is_some())
}

/// Gives the first line of the segment whose first record is `first`.
pub(crate) fn line(first: Sequence) -> [u8; LINE_BYTES] {
    let mut line = [b'\n'; LINE_BYTES];
    let (title, rest) = line.split_at_mut(TITLE.len());
    title.copy_from_slice(TITLE);
    digits::put_decimal(&mut rest[..DIGITS], first.get());
    line
}

/// Makes a segment without records that lasts, and gives its length.
///
/// It gets its name when its first line is on disk, so a segment without one is never a half-made one.
pub(crate) fn create(files: &Files, first: Sequence) -> Result<u64, Error> {
    files.replace(&name(first), &[&line(first)])?;
    Ok(LINE_BYTES as u64)
}

/// Counts the bytes at the end of a segment that were reserved and not written: a record never ends with zero.
pub(crate) fn unused(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|&&byte| byte == 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_not_segments() {
        assert_eq!(name(Sequence::new(42)), "000000000042.log");
        assert_eq!(parse_name("000000000042.log"), Some(Sequence::new(42)));
        for other in
            ["42.log", "000000000000.log", "000000000042.log.tmp", "lock", "+00000000042.log"]
        {
            assert_eq!(parse_name(other), None, "{other}");
        }
    }

    #[test]
    fn the_first_line_names_version_and_record() {
        assert_eq!(&line(Sequence::new(42)), b"autopilot-journal 1 000000000042\n");
    }
}
