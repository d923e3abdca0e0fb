//! `swift test`: XCTest and Swift Testing, one after the other in one output.

use super::{
    summary::runs,
    tally::{Counts, leading_number},
    text::{Output, is_gap},
};

/// The suites that hold all others.
const OUTERMOST: [&str; 2] = ["Test Suite 'All tests' ", "Test Suite 'Selected tests' "];

/// Adds up what both have to say.
pub(super) fn swift_test(output: &Output<'_>) -> Option<Counts> {
    let xctest = each(output, is_outermost_start, xctest);
    let testing = each(output, is_testing_start, |run| testing(run, output.cut));
    match (xctest, testing) {
        (Found::Cut, _) | (_, Found::Cut) => None,
        (Found::Nothing, Found::Nothing) => None,
        (Found::Counts(xctest), Found::Counts(testing)) => Some(xctest.plus(testing)),
        (Found::Counts(counts), Found::Nothing) => Some(counts),
        // With `--parallel` XCTest says only what it starts, so there is more than this, or there is nothing to say.
        (Found::Nothing, Found::Counts(counts)) => {
            let parallel = output.lines.iter().any(|line| is_parallel(line));
            match (parallel, counts.executed()) {
                (false, _) => Some(counts),
                (true, 0) => None,
                (true, _) => Some(counts.or_more()),
            }
        }
    }
}

enum Found {
    Nothing,
    Cut,
    Counts(Counts),
}

/// Adds up runs, each of which must have its summary.
fn each(
    output: &Output<'_>,
    starts: impl Fn(&str) -> bool + Copy,
    read: impl Fn(&[&str]) -> Option<Counts>,
) -> Found {
    if !output.lines.iter().any(|line| starts(line)) {
        // The start may be in what was left out.
        return match read(&output.lines) {
            Some(counts) if output.cut => Found::Counts(counts),
            _ => Found::Nothing,
        };
    }
    let mut sum = Counts::default();
    for run in runs(&output.lines, starts) {
        match read(run) {
            Some(counts) => sum = sum.plus(counts),
            None if run.iter().any(|line| is_gap(line)) => {}
            None => return Found::Cut,
        }
    }
    Found::Counts(sum)
}

fn is_outermost_start(line: &str) -> bool {
    OUTERMOST
        .iter()
        .any(|suite| line.strip_prefix(suite).is_some_and(|rest| rest.starts_with("started at ")))
}

fn is_testing_start(line: &str) -> bool {
    marked(line) == Some("Test run started.")
}

/// `[3/3] Testing LampTests.LampTests/testTurns`.
fn is_parallel(line: &str) -> bool {
    line.starts_with('[') && line.contains("] Testing ")
}

/// `Test Suite 'All tests' passed at …`, and `Executed 3 tests, with 1 test skipped and 0 failures (…) in …`.
///
/// Failures are those of assertions, of which a test may have many; tests that failed have a line each.
fn xctest(run: &[&str]) -> Option<Counts> {
    let (at, tests, skipped, failures) = run.iter().enumerate().rev().find_map(|(at, line)| {
        let ended = OUTERMOST.iter().find_map(|suite| line.strip_prefix(suite))?;
        if !ended.starts_with("passed at ") && !ended.starts_with("failed at ") {
            return None;
        }
        let (tests, rest) =
            leading_number(run.get(at + 1)?.trim_start().strip_prefix("Executed ")?)?;
        let rest = rest.strip_prefix(" test")?;
        let rest = rest.strip_prefix('s').unwrap_or(rest).strip_prefix(", with ")?;
        let (numbers, _) = rest.split_once(" (")?;
        let (skipped, failures) = match numbers.split_once(" skipped and ") {
            Some((skipped, failures)) => (leading_number(skipped)?.0, failures),
            None => (0, numbers),
        };
        Some((at, tests, skipped, leading_number(failures)?.0))
    })?;
    let lines = run.get(..at)?.iter();
    let failed =
        lines.filter(|line| line.starts_with("Test Case '") && line.contains("' failed (")).count();
    let failed = match u64::try_from(failed).unwrap_or(u64::MAX) {
        0 => failures,
        failed => failed.min(failures),
    };
    let executed = tests.saturating_sub(skipped);
    Some(Counts::of_total(tests, failed.min(executed), skipped.min(tests)))
}

/// `✔ Test run with 4 tests in 1 suite passed after 0.003 seconds.` Tests that were skipped are among them.
///
/// Only lines of their own tell which were skipped, so where output was left out only those count that
/// are seen to have passed.
fn testing(run: &[&str], cut: bool) -> Option<Counts> {
    let (at, tests) = run.iter().enumerate().rev().find_map(|(at, line)| {
        let (tests, rest) = leading_number(marked(line)?.strip_prefix("Test run with ")?)?;
        let ended = rest.contains(" passed after ") || rest.contains(" failed after ");
        (ended && rest.starts_with(" test")).then_some((at, tests))
    })?;
    let mut seen = Counts::default();
    for line in run.get(..at)? {
        let Some(test) = marked(line).and_then(|rest| rest.strip_prefix("Test ")) else {
            continue;
        };
        if test.ends_with(" skipped.") || test.contains(" skipped: ") {
            seen.skipped = seen.skipped.saturating_add(1);
        } else if test.contains(" failed after ") {
            seen.failed = seen.failed.saturating_add(1);
        } else if test.contains(" passed after ") {
            seen.passed = seen.passed.saturating_add(1);
        }
    }
    let skipped = seen.skipped.min(tests);
    let counts = Counts::of_total(tests, seen.failed.min(tests - skipped), skipped);
    let passed = if cut { counts.passed.min(seen.passed) } else { counts.passed };
    Some(Counts { passed, ..counts })
}

/// A line after its mark, which is one sign and a space; the sign differs between systems.
fn marked(line: &str) -> Option<&str> {
    let (mark, rest) = line.split_once(' ')?;
    (mark.chars().count() == 1 && !mark.is_ascii()).then_some(rest.trim_start())
}
