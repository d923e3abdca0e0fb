//! The lines of the audit log and of the red evidence, to the byte.

use serde::{Deserialize, Serialize};

use crate::rails::check::{Refusal, is_digits, is_word, wrapped};

/// Why a loop was halted, as far as the audit log tells it.
///
/// Failures of the loop itself (a pin that could not be written, a log that could not be appended to) are no
/// findings about the work and leave no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HaltReason {
    /// The step has been tried as often as it may be.
    MaxIterations,
    /// Two failures in a row were the same.
    Sameness,
    /// Failures repeat within a window.
    Stuck,
    /// What the phase rests on was changed while it ran.
    AnchorDrift,
    /// The log does not hold the lines that were written into it.
    LogIntegrity,
    /// Everything is green and nobody ever saw it red.
    GateUnverifiable,
}

impl HaltReason {
    /// All of them, in the order in which people are told of them.
    pub const ALL: [Self; 6] = [
        Self::MaxIterations,
        Self::Sameness,
        Self::Stuck,
        Self::AnchorDrift,
        Self::LogIntegrity,
        Self::GateUnverifiable,
    ];

    /// The name in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MaxIterations => "MAX_ITERATIONS",
            Self::Sameness => "sameness-detector",
            Self::Stuck => "stuck",
            Self::AnchorDrift => "ac-drift",
            Self::LogIntegrity => "log-integrity",
            Self::GateUnverifiable => "gate-unverifiable",
        }
    }

    /// The reason of that name.
    pub fn named(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name().as_bytes() == name)
    }
}

/// One try of a step, as it is told to be logged.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a> {
    /// Its number, in decimal digits.
    pub number: &'a [u8],
    /// The step.
    pub step: &'a [u8],
    /// `PASS` or `FAIL`.
    pub verdict: &'a [u8],
    /// What it came to.
    pub fingerprint: &'a [u8],
}

impl Iteration<'_> {
    /// The line of this iteration.
    ///
    /// # Errors
    /// Refuses a number that is none and a fingerprint that could not be found again.
    pub fn line(&self, timestamp: &str) -> Result<Vec<u8>, Refusal> {
        if !is_digits(self.number) {
            return Err(Refusal::usage("invalid iteration: '", self.number));
        }
        if !is_word(self.fingerprint) {
            return Err(Refusal::usage("invalid fingerprint: '", self.fingerprint));
        }
        let number = wrapped(self.number).to_string();
        Ok([
            b"{\"iteration\":",
            number.as_bytes(),
            b",\"step\":\"",
            &escaped(self.step),
            b"\",\"verdict\":\"",
            &escaped(self.verdict),
            b"\",\"fingerprint\":\"",
            self.fingerprint,
            &stamped(timestamp),
        ]
        .concat())
    }
}

/// The line that ends a loop. The digest is JSON already and is put in as it is.
pub fn halt(step: &[u8], reason: HaltReason, digest: &[u8], timestamp: &str) -> Vec<u8> {
    let tail = format!(",\"timestamp\":\"{timestamp}\"}}\n");
    [
        b"{\"outcome\":\"HALT\",\"step\":\"",
        escaped(step).as_slice(),
        b"\",\"reason\":\"",
        reason.name().as_bytes(),
        b"\",\"findings_digest\":",
        digest,
        tail.as_bytes(),
    ]
    .concat()
}

/// The line that says that tests were seen red at a commit.
pub fn red(commit: &[u8], implementation: Option<&[u8]>, file: &[u8], timestamp: &str) -> Vec<u8> {
    let implementation = implementation
        .map(|commit| [b"\",\"impl_sha\":\"".as_slice(), commit].concat())
        .unwrap_or_default();
    [
        b"{\"step\":\"red\",\"commit\":\"",
        commit,
        &implementation,
        b"\",\"at_file\":\"",
        &escaped(file),
        &stamped(timestamp),
    ]
    .concat()
}

/// The end of a line whose last value is a text.
fn stamped(timestamp: &str) -> Vec<u8> {
    format!("\",\"timestamp\":\"{timestamp}\"}}\n").into_bytes()
}

/// Text inside a JSON string: control characters are spaces, everything that is not ASCII stays.
pub(crate) fn escaped(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            b'\\' | b'"' => escaped.extend([b'\\', *byte]),
            0..=0x1f | 0x7f => escaped.push(b' '),
            other => escaped.push(*other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_its_plain_form_and_wraps_like_a_machine_word() {
        let line = |number: &[u8]| {
            let iteration = Iteration { number, step: b"s", verdict: b"FAIL", fingerprint: b"f" };
            String::from_utf8(iteration.line("T").unwrap()).unwrap()
        };
        assert!(line(b"007").starts_with("{\"iteration\":7,"));
        assert!(line(b"18446744073709551617").starts_with("{\"iteration\":1,"));
        assert!(line(b"9223372036854775808").starts_with("{\"iteration\":-9223372036854775808,"));
    }

    #[test]
    fn what_would_break_a_line_is_escaped_or_refused() {
        assert_eq!(escaped(b"a\"b\\c\n\x7f"), b"a\\\"b\\\\c  ");
        let iteration = Iteration { number: b"1", step: b"", verdict: b"", fingerprint: b"a\"" };
        assert_eq!(iteration.line("T").unwrap_err().text(), b"invalid fingerprint: 'a\"'");
    }
}
