//! PHPUnit.

use super::{
    summary::runs,
    tally::{ANY, Bucket, Counts, Sums, Words, labelled, leading_number, numbered},
    text::Output,
};

const OK: &Words = &[
    ("test", Bucket::Passed),
    ("tests", Bucket::Passed),
    ("assertion", Bucket::Other),
    ("assertions", Bucket::Other),
];

const ISSUES: &Words = &[
    ("Tests", Bucket::Total),
    ("Errors", Bucket::Failed),
    ("Failures", Bucket::Failed),
    ("Skipped", Bucket::Skipped),
    ("Incomplete", Bucket::Skipped),
    // Assertions, and what tests did besides: warnings, deprecations, notices, risks.
    (ANY, Bucket::Other),
];

/// Up to version 9 a class without tests is a test that gives a warning.
const NO_TESTS: &str = "No tests found in class \"";

/// From `PHPUnit 13.4.5 by …` to `OK (2 tests, 3 assertions)` or `Tests: 4, Assertions: 1, Skipped: 1.`
pub(super) fn phpunit(output: &Output<'_>) -> Option<Counts> {
    let starts =
        |line: &str| line.starts_with("PHPUnit ") && line.contains(" by Sebastian Bergmann");
    let mut sum = Counts::default();
    for run in runs(&output.lines, starts) {
        let counts = run.iter().rev().find_map(|line| summary(line))?;
        let empty = match run.iter().filter(|line| line.starts_with(NO_TESTS)).count() {
            // What the warnings were may be in what was left out.
            0 if output.cut => run.iter().rev().find_map(|line| warnings(line)).unwrap_or(0),
            classes => u64::try_from(classes).unwrap_or(u64::MAX),
        };
        sum = sum.plus(Counts { passed: counts.passed.saturating_sub(empty), ..counts });
    }
    Some(sum)
}

fn summary(line: &str) -> Option<Counts> {
    if line == "No tests executed!" {
        return Some(Counts::default());
    }
    if let Some(numbers) = line.strip_prefix("OK (").and_then(|rest| rest.strip_suffix(')')) {
        return numbered(numbers, ", ", OK).and_then(Sums::counts);
    }
    let numbers = line.strip_suffix('.')?;
    if !numbers.starts_with("Tests: ") || !numbers.contains(", Assertions: ") {
        return None;
    }
    labelled(numbers, ", ", ISSUES).and_then(Sums::counts)
}

fn warnings(line: &str) -> Option<u64> {
    let (_, rest) = line.strip_prefix("Tests: ")?.split_once(", Warnings: ")?;
    leading_number(rest).map(|(warnings, _)| warnings)
}
