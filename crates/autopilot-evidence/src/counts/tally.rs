//! The numbers that a summary states, and what its words mean.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How many tests a command executed, and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Executed and as expected.
    pub passed: u64,
    /// Executed and not as expected; errors count too.
    pub failed: u64,
    /// Not executed, though the tool knew them: skipped, ignored, pending, to be written.
    pub skipped: u64,
    /// Whether there may have been more: the tool does not say how many, or output was left out.
    pub at_least: bool,
}

impl Counts {
    /// Returns how many tests were executed.
    pub fn executed(&self) -> u64 {
        self.passed.saturating_add(self.failed)
    }

    /// Tells whether there were tests and not one of them was executed.
    pub fn is_skipped_only(&self) -> bool {
        self.executed() == 0 && self.skipped > 0
    }

    pub(super) const fn new(passed: u64, failed: u64, skipped: u64) -> Self {
        Self { passed, failed, skipped, at_least: false }
    }

    /// Counts of a tool that states all tests, and of these what did not pass.
    pub(super) fn of_total(total: u64, failed: u64, skipped: u64) -> Self {
        let passed = total.saturating_sub(failed.saturating_add(skipped));
        Self::new(passed, failed, skipped)
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed.saturating_add(other.passed),
            failed: self.failed.saturating_add(other.failed),
            skipped: self.skipped.saturating_add(other.skipped),
            at_least: self.at_least || other.at_least,
        }
    }

    pub(super) fn or_more(self) -> Self {
        Self { at_least: true, ..self }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = if self.at_least { "at least " } else { "" };
        write!(f, "{lead}{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// What a number in a summary is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bucket {
    Passed,
    Failed,
    Skipped,
    /// All tests, whatever became of them.
    Total,
    /// Nothing that is counted: assertions, warnings, tests that were left out by a filter.
    Other,
}

/// The words of a tool's summary. A word that is not listed makes a line no summary.
pub(super) type Words = [(&'static str, Bucket)];

/// Stands in [`Words`] for every word that is not listed.
pub(super) const ANY: &str = "*";

/// The numbers of one summary, before they are checked against each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    passed: Option<u64>,
    failed: u64,
    skipped: u64,
    total: Option<u64>,
}

impl Sums {
    fn add(&mut self, bucket: Bucket, number: u64) {
        let more = |sum: Option<u64>| Some(sum.unwrap_or(0).saturating_add(number));
        match bucket {
            Bucket::Passed => self.passed = more(self.passed),
            Bucket::Failed => self.failed = self.failed.saturating_add(number),
            Bucket::Skipped => self.skipped = self.skipped.saturating_add(number),
            Bucket::Total => self.total = more(self.total),
            Bucket::Other => {}
        }
    }

    /// The counts, unless the numbers contradict each other.
    pub(super) fn counts(self) -> Option<Counts> {
        match (self.passed, self.total) {
            (passed, None) => Some(Counts::new(passed.unwrap_or(0), self.failed, self.skipped)),
            (None, Some(total)) => Some(Counts::of_total(total, self.failed, self.skipped)),
            (Some(passed), Some(total)) => {
                let counts = Counts::new(passed, self.failed, self.skipped);
                (counts.executed().saturating_add(counts.skipped) == total).then_some(counts)
            }
        }
    }
}

/// Reads `3 passed, 1 failed`: numbers before their words.
pub(super) fn numbered(text: &str, separator: &str, words: &Words) -> Option<Sums> {
    let mut sums = Sums::default();
    for part in text.split(separator) {
        let (number, word) = part.trim().split_once(' ')?;
        sums.add(bucket_of(word.trim(), words)?, digits(number)?);
    }
    Some(sums)
}

/// Reads `Failures: 1, Skipped: 2` and `failures=1, skipped=2`: numbers after their words.
pub(super) fn labelled(text: &str, separator: &str, words: &Words) -> Option<Sums> {
    let mut sums = Sums::default();
    for part in text.split(separator) {
        let (word, number) = part.trim().rsplit_once([':', '='])?;
        sums.add(bucket_of(word.trim(), words)?, digits(number.trim())?);
    }
    Some(sums)
}

fn bucket_of(word: &str, words: &Words) -> Option<Bucket> {
    words.iter().find(|(known, _)| *known == word || *known == ANY).map(|(_, bucket)| *bucket)
}

/// A whole number and nothing else.
pub(super) fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// The number that a text starts with, and what follows it.
pub(super) fn leading_number(text: &str) -> Option<(u64, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(length)?;
    Some((digits(number)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &Words = &[
        ("passed", Bucket::Passed),
        ("failed", Bucket::Failed),
        ("skipped", Bucket::Skipped),
        ("total", Bucket::Total),
    ];

    #[test]
    fn numbers_that_contradict_each_other_are_no_counts() {
        let read = |text| numbered(text, ", ", WORDS).and_then(Sums::counts);
        assert_eq!(read("2 passed, 1 failed, 3 total"), Some(Counts::new(2, 1, 0)));
        assert_eq!(read("2 passed, 1 failed, 4 total"), None);
        assert_eq!(read("1 failed, 4 total"), Some(Counts::new(3, 1, 0)));
        assert_eq!(read("2 passed, 1 dreamed"), None);
        assert_eq!(read("99999999999999999999999 passed"), None);
    }

    #[test]
    fn skipped_only_is_told_from_nothing_at_all() {
        assert!(Counts::new(0, 0, 1).is_skipped_only());
        assert!(!Counts::new(0, 0, 0).is_skipped_only());
        assert!(!Counts::new(0, 1, 1).is_skipped_only());
        assert_eq!(
            Counts::new(1, 2, 3).or_more().to_string(),
            "at least 1 passed, 2 failed, 3 skipped"
        );
    }
}
