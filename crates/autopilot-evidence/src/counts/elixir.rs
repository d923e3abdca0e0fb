//! ExUnit.

use super::{
    summary::{Missing, last_of_each},
    tally::{ANY, Bucket, Counts, Sums, Words, digits, numbered},
    text::{Output, without_parentheses},
};

/// Up to version 1.19: `1 doctest, 3 tests, 0 failures, 1 skipped`.
const OLD: &Words = &[
    ("failure", Bucket::Failed),
    ("failures", Bucket::Failed),
    // Its preparation failed.
    ("invalid", Bucket::Failed),
    ("skipped", Bucket::Skipped),
    // Left out by a filter; counted among the tests all the same.
    ("excluded", Bucket::Skipped),
    // Tests, doctests, properties, and what else a project calls its tests.
    (ANY, Bucket::Total),
];

/// From version 1.20 on, after the first number: `3 passed (1 doctest, 2 tests), 1 skipped`.
const NEW: &Words = &[
    ("tests", Bucket::Other),
    ("skipped", Bucket::Skipped),
    ("invalid", Bucket::Failed),
    ("excluded", Bucket::Skipped),
];

/// `Finished in …` and the line after it, for each application of an umbrella.
pub(super) fn ex_unit(output: &Output<'_>) -> Option<Counts> {
    let announced = |line: &str| line.starts_with("Running ExUnit with seed: ");
    if output.lines.iter().any(|line| announced(line)) {
        last_of_each(&output.lines, announced, Missing::Refuse, summary)
    } else {
        // Before version 1.15 only an umbrella tells where a run starts, and compiling looks the same.
        last_of_each(&output.lines, |line| line.starts_with("==> "), Missing::PassOver, summary)
    }
}

fn summary(lines: &[&str]) -> Option<Counts> {
    match lines {
        [time, "", numbers, ..] if time.starts_with("Finished in ") => {
            new(numbers.strip_prefix("Result: ")?)
        }
        // RSpec says the same of its examples.
        [time, numbers, ..]
            if time.starts_with("Finished in ")
                && numbers.contains(" failure")
                && !numbers.contains(" example") =>
        {
            numbered(numbers, ", ", OLD).and_then(Sums::counts)
        }
        _ => None,
    }
}

/// `3 passed, 1 skipped`, `1/2 passed` and `0 tests`.
fn new(text: &str) -> Option<Counts> {
    let text = without_parentheses(text);
    let (first, rest) = text.split_once(", ").map_or((text.as_str(), "0 tests"), |parts| parts);
    let (passed, failed) = match first.split_once(' ')? {
        (number, "passed") => match number.split_once('/') {
            Some((passed, run)) => {
                let passed = digits(passed)?;
                (passed, digits(run)?.checked_sub(passed)?)
            }
            None => (digits(number)?, 0),
        },
        ("0", "tests") => (0, 0),
        _ => return None,
    };
    let others = numbered(rest, ", ", NEW)?.counts()?;
    Some(Counts::new(passed, failed, 0).plus(others))
}
