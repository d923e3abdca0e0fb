//! The detectors: whether a loop may go on.

use crate::rails::population::{Corrupt, failures, holds};

/// What a check says about going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Nothing speaks against it.
    Continue,
    /// Halt, and tell a person.
    Halt,
}

impl Signal {
    fn halt_if(reached: bool) -> Self {
        if reached { Self::Halt } else { Self::Continue }
    }
}

/// Why a check or a record was refused, with the exit code of the shell library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    code: u8,
    text: Vec<u8>,
}

impl Refusal {
    /// An argument that cannot be meant; the text ends with the argument in quotes.
    pub fn usage(before: &str, argument: &[u8]) -> Self {
        Self { code: 2, text: [before.as_bytes(), argument, b"'"].concat() }
    }

    /// A refusal with a code and a whole text.
    pub fn of(code: u8, text: impl Into<Vec<u8>>) -> Self {
        Self { code, text: text.into() }
    }

    /// A log that cannot be trusted.
    fn corrupt(corrupt: Corrupt, log: &[u8]) -> Self {
        let Corrupt { rows, fingerprints } = corrupt;
        let told = format!(
            "audit log corruption — {rows} FAIL row(s) but {fingerprints} well-formed fingerprint(s): '"
        );
        Self { code: 3, text: [told.as_bytes(), log, b"'"].concat() }
    }

    /// The exit code.
    pub const fn code(&self) -> u8 {
        self.code
    }

    /// What to say, as bytes: arguments need not be text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// An audit log and where it is.
#[derive(Clone, Copy, Debug)]
pub struct AuditLog<'a> {
    /// The path, for messages.
    pub path: &'a [u8],
    /// What is in it; a log that is not there yet holds nothing.
    pub text: &'a [u8],
}

impl<'a> AuditLog<'a> {
    /// The fingerprints of failed iterations, in order.
    ///
    /// # Errors
    /// Refuses a log that cannot be trusted.
    pub fn failures(&self, step: Option<&[u8]>) -> Result<Vec<&'a [u8]>, Refusal> {
        failures(self.text, step).map_err(|corrupt| Refusal::corrupt(corrupt, self.path))
    }

    /// Whether the last two failures were the same.
    ///
    /// # Errors
    /// Refuses a log that cannot be trusted.
    pub fn sameness(&self, step: Option<&[u8]>) -> Result<Signal, Refusal> {
        let failures = self.failures(step)?;
        let repeats = matches!(failures.as_slice(), [.., before, last] if before == last);
        Ok(Signal::halt_if(repeats))
    }

    /// Whether a failure repeats within the last `window` ones.
    ///
    /// # Errors
    /// Refuses a window that is no number and a log that cannot be trusted.
    pub fn stuck(&self, window: &[u8], step: Option<&[u8]>) -> Result<Signal, Refusal> {
        if !is_digits(window) {
            return Err(Refusal::usage("invalid window: '", window));
        }
        let failures = self.failures(step)?;
        let window = usize::try_from(wrapped(window)).unwrap_or(usize::MAX);
        let Some(from) = failures.len().checked_sub(window) else {
            return Ok(Signal::Continue);
        };
        let mut last = failures[from..].to_vec();
        last.sort_unstable();
        Ok(Signal::halt_if(last.windows(2).any(|pair| pair[0] == pair[1])))
    }

    /// How many lines hold anything.
    pub fn lines(&self) -> usize {
        self.text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
    }
}

/// Whether a loop has been tried as often as it may be.
///
/// # Errors
/// Refuses what is no number.
pub fn max_iterations(current: &[u8], max: &[u8]) -> Result<Signal, Refusal> {
    let number = |name: &str, digits: &[u8]| {
        let number = std::str::from_utf8(digits).ok().filter(|_| is_digits(digits));
        number
            .and_then(|digits| digits.parse::<i64>().ok())
            .ok_or_else(|| Refusal::usage(&format!("invalid {name}: '"), digits))
    };
    let current = number("current", current)?;
    Ok(Signal::halt_if(current >= number("max", max)?))
}

/// Whether a log holds as many lines as were written into it; `None` is a log that is not there.
///
/// # Errors
/// Refuses what is no number, and tells what is wrong with the log.
pub fn log_integrity(path: &[u8], text: Option<&[u8]>, expected: &[u8]) -> Result<(), Refusal> {
    if !is_digits(expected) {
        return Err(Refusal::usage("invalid expected-lines: '", expected));
    }
    let expected = wrapped(expected);
    let told = match text {
        None if expected == 0 => return Ok(()),
        None => format!("audit log missing but {expected} line(s) were recorded: '"),
        Some(text) => {
            let lines = AuditLog { path, text }.lines();
            if i64::try_from(lines) == Ok(expected) {
                return Ok(());
            }
            format!("audit log has {lines} line(s), expected {expected}: '")
        }
    };
    Err(Refusal::of(1, [told.as_bytes(), path, b"'"].concat()))
}

/// Whether what a phase rests on is what was pinned. Line ends after the pin do not count.
///
/// # Errors
/// Refuses a missing pin and a fingerprint that is none.
pub fn pin(path: &[u8], pinned: Option<&[u8]>, current: &[u8]) -> Result<Signal, Refusal> {
    let Some(mut pinned) = pinned else {
        return Err(Refusal::usage("missing AC pin: '", path));
    };
    if !is_word(current) {
        return Err(Refusal::usage("invalid current AC fp: '", current));
    }
    while let Some(shorter) = pinned.strip_suffix(b"\n") {
        pinned = shorter;
    }
    Ok(Signal::halt_if(pinned != current))
}

/// Whether the evidence holds a record that tests were seen red at a commit.
pub fn was_seen_red(evidence: &[u8], commit: &[u8]) -> bool {
    let wanted = [b"\"commit\":\"", commit, b"\""].concat();
    evidence
        .split(|byte| *byte == b'\n')
        .any(|line| holds(line, b"\"step\":\"red\"") && holds(line, &wanted))
}

/// Whether a text is a fingerprint or a commit's name: letters, digits and `. _ : -`, and not nothing.
pub fn is_word(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| is_word_byte(*byte))
}

pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._:-".contains(&byte)
}

pub(crate) fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// The value of decimal digits in a machine word, the way a shell counts: what is too large wraps around.
pub(crate) fn wrapped(digits: &[u8]) -> i64 {
    digits
        .iter()
        .fold(0_i64, |value, digit| value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(fingerprints: &str) -> Vec<u8> {
        let row = |name: char| {
            format!("{{\"step\":\"s\",\"verdict\":\"FAIL\",\"fingerprint\":\"{name}\"}}\n")
        };
        fingerprints.chars().map(row).collect::<String>().into_bytes()
    }

    #[test]
    fn sameness_looks_at_the_last_two_failures() {
        let cases = [
            ("", Signal::Continue),
            ("a", Signal::Continue),
            ("aab", Signal::Continue),
            ("baa", Signal::Halt),
        ];
        for (rows, expected) in cases {
            let log = AuditLog { path: b"l", text: &log(rows) };
            assert_eq!(log.sameness(None), Ok(expected), "{rows}");
        }
    }

    #[test]
    fn stuck_looks_at_a_window_that_must_be_full() {
        let cases = [
            ("aba", "3", Signal::Halt),
            ("ab", "3", Signal::Continue),
            ("aabc", "3", Signal::Continue),
            ("aa", "1", Signal::Continue),
            ("aa", "0", Signal::Continue),
            ("aa", "02", Signal::Halt),
        ];
        for (rows, window, expected) in cases {
            let log = AuditLog { path: b"l", text: &log(rows) };
            assert_eq!(log.stuck(window.as_bytes(), None), Ok(expected), "{rows} {window}");
        }
        assert_eq!(AuditLog { path: b"l", text: b"" }.stuck(b"-1", None).unwrap_err().code(), 2);
    }

    #[test]
    fn a_ceiling_beyond_a_machine_word_is_refused_and_not_wrapped() {
        assert_eq!(max_iterations(b"3", b"4"), Ok(Signal::Continue));
        assert_eq!(max_iterations(b"4", b"4"), Ok(Signal::Halt));
        assert_eq!(max_iterations(b"1", b"9223372036854775808").unwrap_err().code(), 2);
    }

    #[test]
    fn a_log_must_hold_the_lines_that_were_written_into_it() {
        assert_eq!(log_integrity(b"l", None, b"0"), Ok(()));
        assert_eq!(log_integrity(b"l", Some(b"a\n\nb"), b"002"), Ok(()));
        assert_eq!(log_integrity(b"l", Some(b"a\n"), b"2").unwrap_err().code(), 1);
        assert_eq!(log_integrity(b"l", None, b"1").unwrap_err().code(), 1);
    }

    #[test]
    fn a_pin_is_compared_without_its_line_ends() {
        assert_eq!(pin(b"p", Some(b"abc\n\n"), b"abc"), Ok(Signal::Continue));
        assert_eq!(pin(b"p", Some(b" abc\n"), b"abc"), Ok(Signal::Halt));
        assert_eq!(pin(b"p", None, b"").unwrap_err().text(), b"missing AC pin: 'p'");
    }
}
