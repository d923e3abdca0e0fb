//! ctest.

use super::{
    summary::runs,
    tally::{Counts, digits, leading_number},
    text::{Output, is_gap},
};

/// From `Test project …` to `100% tests passed, 0 tests failed out of 3` and `Total Test time`.
///
/// A test that says it was skipped is counted by ctest among those that passed. It is named twice: on
/// its own line, and in the list after the summary; either may be missing.
pub(super) fn ctest(output: &Output<'_>) -> Option<Counts> {
    let mut sum: Option<Counts> = None;
    for run in runs(&output.lines, |line| line.starts_with("Test project ")) {
        match summary(run) {
            Some(counts) => sum = Some(sum.unwrap_or_default().plus(counts)),
            None if run.iter().any(|line| is_gap(line)) => {}
            None => return None,
        }
    }
    sum
}

fn summary(run: &[&str]) -> Option<Counts> {
    let found = run.iter().enumerate().rev().find_map(|(at, line)| {
        let [_, time, ..] = run.get(at + 1..)? else {
            return None;
        };
        time.strip_prefix("Total Test time (real) =")?;
        Some((at, outcome(line)?))
    });
    let Some((at, (failed, total))) = found else {
        let nothing = run.contains(&"No tests were found!!!");
        return nothing.then(Counts::default);
    };
    let (before, after) = run.split_at_checked(at)?;
    let own_lines = before.iter().filter(|line| is_skipped_line(line)).count();
    let listed = after.iter().filter(|line| is_skipped_entry(line)).count();
    let skipped = u64::try_from(own_lines.max(listed)).unwrap_or(u64::MAX);
    Some(Counts::of_total(total, failed, skipped.min(total)))
}

/// `67% tests passed, 1 tests failed out of 3`.
fn outcome(line: &str) -> Option<(u64, u64)> {
    let (_, rest) = leading_number(line)?;
    let rest = rest.strip_prefix("% tests passed, ")?;
    let (failed, rest) = leading_number(rest)?;
    Some((failed, digits(rest.strip_prefix(" tests failed out of ")?)?))
}

/// `3/4 Test #3: hours ......***Skipped   0.00 sec`.
fn is_skipped_line(line: &str) -> bool {
    let place = leading_number(line.trim_start())
        .and_then(|(_, rest)| leading_number(rest.strip_prefix('/')?))
        .map(|(_, rest)| rest.trim_start());
    place.is_some_and(|rest| rest.starts_with("Test ") && rest.contains("***Skipped "))
}

/// `3 - hours (Skipped)`.
fn is_skipped_entry(line: &str) -> bool {
    let entry = leading_number(line.trim_start());
    entry.is_some_and(|(_, rest)| rest.starts_with(" - ") && rest.ends_with(" (Skipped)"))
}
