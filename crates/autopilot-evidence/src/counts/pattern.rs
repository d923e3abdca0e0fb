//! A project's own pattern for the number of tests.

use regex_lite::{Captures, Regex, RegexBuilder};
use thiserror::Error;

use super::{
    tally::{Counts, digits},
    text::{Output, plain},
};

/// The longest pattern that is compiled.
pub const PATTERN_BYTES_MAX: usize = 1_000;

/// How large a compiled pattern may be; it bounds the time that reading an output takes.
const COMPILED_BYTES_MAX: usize = 256 << 10;

/// The groups that have a meaning by their name.
const EXECUTED: &str = "executed";
const PASSED: &str = "passed";
const FAILED: &str = "failed";
const SKIPPED: &str = "skipped";

/// Finds the number of executed tests in a line of output.
///
/// The number is the group `executed`, or `passed` and `failed` together, or the first group. Groups `failed`
/// and `skipped` may be there besides. Of several lines that match, the last one counts.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
}

/// Why a text is no pattern for a number of tests.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatternError {
    /// There is nothing in it.
    #[error("the pattern is empty")]
    Empty,
    /// It is longer than [`PATTERN_BYTES_MAX`].
    #[error("the pattern has {bytes} bytes, at most {PATTERN_BYTES_MAX} are allowed")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// It is no regular expression.
    #[error("the pattern `{pattern}` is no regular expression: {reason}")]
    Invalid {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It says where a line matches and not where the number is.
    #[error(
        "the pattern `{pattern}` has no group for the number of executed tests, such as `(\\d+)`"
    )]
    NoGroup {
        /// The pattern.
        pattern: String,
    },
}

impl Pattern {
    /// Compiles a pattern.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        if pattern.trim().is_empty() {
            return Err(PatternError::Empty);
        }
        if pattern.len() > PATTERN_BYTES_MAX {
            return Err(PatternError::TooLong { bytes: pattern.len() });
        }
        let regex =
            RegexBuilder::new(pattern).size_limit(COMPILED_BYTES_MAX).build().map_err(|error| {
                PatternError::Invalid { pattern: pattern.to_owned(), reason: error.to_string() }
            })?;
        let names: Vec<&str> = regex.capture_names().flatten().collect();
        let only_besides = regex.captures_len() - 1 == names.len()
            && names.iter().all(|name| matches!(*name, FAILED | SKIPPED));
        if regex.captures_len() < 2 || only_besides {
            return Err(PatternError::NoGroup { pattern: pattern.to_owned() });
        }
        Ok(Self { regex })
    }

    /// Returns the text of the pattern.
    pub fn as_str(&self) -> &str {
        self.regex.as_str()
    }

    /// Reads how many tests an output tells of; `None` where no line matches.
    ///
    /// Each whole line is looked at by itself, without colours.
    pub fn count(&self, output: &str) -> Option<Counts> {
        let text = plain(output);
        let output = Output::new(&text);
        let captures = output.lines.iter().rev().find_map(|line| self.regex.captures(line))?;
        let counts = counts(&captures)?;
        Some(if output.cut { counts.or_more() } else { counts })
    }
}

fn counts(captures: &Captures<'_>) -> Option<Counts> {
    let named = |name: &str| captures.name(name).map(|found| digits(found.as_str()));
    let failed = named(FAILED).unwrap_or(Some(0))?;
    let skipped = named(SKIPPED).unwrap_or(Some(0))?;
    if let Some(passed) = named(PASSED) {
        return Some(Counts::new(passed?, failed, skipped));
    }
    let executed = match named(EXECUTED) {
        Some(executed) => executed?,
        None => digits(captures.get(1)?.as_str())?,
    };
    Some(Counts::new(executed.saturating_sub(failed), failed, skipped))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pattern: &str, output: &str) -> Option<Counts> {
        Pattern::new(pattern).unwrap().count(output)
    }

    #[test]
    fn the_number_is_taken_from_the_last_line_that_matches() {
        let output = "99 checks done\nnoise\n\u{1b}[1m12\u{1b}[m checks done\n";
        assert_eq!(read(r"^(\d+) checks done$", output), Some(Counts::new(12, 0, 0)));
        assert_eq!(read(r"^(?<executed>\d+) checks", output), Some(Counts::new(12, 0, 0)));
        assert_eq!(read(r"^(\d+) checks", "nothing\n"), None);
        assert_eq!(read(r"^(\w+) checks", "many checks\n"), None);
        assert_eq!(read(r"^(\d+) checks", "12 checks done"), None, "the line may have been cut");
    }

    #[test]
    fn named_groups_say_more() {
        let output = "run 9, bad 2, left 4\n";
        assert_eq!(
            read(r"run (?<executed>\d+), bad (?<failed>\d+), left (?<skipped>\d+)", output),
            Some(Counts::new(7, 2, 4))
        );
        assert_eq!(
            read(r"run (?<passed>\d+), bad (?<failed>\d+)", output),
            Some(Counts::new(9, 2, 0))
        );
    }

    #[test]
    fn what_is_no_pattern_is_said_clearly() {
        let error = |pattern: &str| Pattern::new(pattern).unwrap_err().to_string();
        assert_eq!(error(" "), "the pattern is empty");
        assert!(error(&"x".repeat(2_000)).contains("2000 bytes"));
        assert!(error("(").starts_with("the pattern `(` is no regular expression: "));
        assert!(error("done").contains("has no group"));
        assert!(error(r"(?<skipped>\d+) left").contains("has no group"));
        assert!(error(r"(\d{1000}){1000}").contains("no regular expression"));
    }
}
