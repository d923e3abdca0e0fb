//! Which rows of an audit log the detectors look at.

use crate::rails::{check::is_word_byte, line::escaped};

/// Rows and fingerprints do not match: the log cannot be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupt {
    /// Rows that say that an iteration failed.
    pub rows: usize,
    /// Fingerprints in them that are well formed.
    pub fingerprints: usize,
}

/// The fingerprints of the failed iterations of a log in order, of one step or of all.
///
/// Rows are chosen by their text. A row that passed never counts; a row that failed and does not hold exactly one
/// fingerprint makes the log worthless, since nobody can tell any more whether it repeats.
///
/// # Errors
/// Tells how many rows and fingerprints there are if these are not as many.
pub fn failures<'a>(log: &'a [u8], step: Option<&[u8]>) -> Result<Vec<&'a [u8]>, Corrupt> {
    const FAILED: &[u8] = b"\"verdict\":\"FAIL\"";
    let of_step = step.map(|step| [b"\"step\":\"", escaped(step).as_slice(), b"\""].concat());
    let mut rows = 0;
    let mut found = Vec::new();
    for line in log.split(|byte| *byte == b'\n').filter(|line| holds(line, FAILED)) {
        if of_step.as_deref().is_some_and(|wanted| !holds(line, wanted)) {
            continue;
        }
        rows += 1;
        found.extend(fingerprints(line));
    }
    if rows == found.len() { Ok(found) } else { Err(Corrupt { rows, fingerprints: found.len() }) }
}

/// Every well-formed fingerprint in a line.
fn fingerprints(line: &[u8]) -> Vec<&[u8]> {
    const KEY: &[u8] = b"\"fingerprint\":\"";
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = position(rest, KEY) {
        rest = &rest[at + KEY.len()..];
        let end = rest.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(rest.len());
        if end > 0 && rest.get(end) == Some(&b'"') {
            found.push(&rest[..end]);
        }
        rest = &rest[end..];
    }
    found
}

/// Whether a text holds another one, which is not empty.
pub(crate) fn holds(text: &[u8], wanted: &[u8]) -> bool {
    position(text, wanted).is_some()
}

fn position(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failed_rows_of_the_step_are_looked_at() {
        let log = b"{\"step\":\"a\",\"verdict\":\"FAIL\",\"fingerprint\":\"1\"}\n\
                    {\"step\":\"ab\",\"verdict\":\"FAIL\",\"fingerprint\":\"2\"}\n\
                    {\"step\":\"a\",\"verdict\":\"PASS\",\"fingerprint\":\"\"}\n\
                    {\"step\":\"a\",\"verdict\":\"FAIL\",\"fingerprint\":\"3\"}";
        assert_eq!(failures(log, Some(b"a")).unwrap(), [b"1", b"3"]);
        assert_eq!(failures(log, None).unwrap(), [b"1", b"2", b"3"]);
    }

    #[test]
    fn a_failed_row_without_exactly_one_fingerprint_is_corruption() {
        let rows: [&[u8]; 4] = [
            b"{\"verdict\":\"FAIL\"}",
            b"{\"verdict\":\"FAIL\",\"fingerprint\":\"\"}",
            b"{\"verdict\":\"FAIL\",\"fingerprint\":\"abc",
            b"{\"verdict\":\"FAIL\",\"fingerprint\":\"a\"}{\"verdict\":\"FAIL\",\"fingerprint\":\"b\"}",
        ];
        for row in rows {
            assert!(failures(row, None).is_err(), "{}", String::from_utf8_lossy(row));
        }
    }
}
