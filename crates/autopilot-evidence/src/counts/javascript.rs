//! jest, vitest and mocha.

use super::{
    summary::{Missing, last_of_each},
    tally::{Bucket, Counts, Sums, Words, leading_number, numbered},
    text::Output,
};

const JEST: &Words = &[
    ("passed", Bucket::Passed),
    ("failed", Bucket::Failed),
    ("skipped", Bucket::Skipped),
    ("pending", Bucket::Skipped),
    ("todo", Bucket::Skipped),
    ("total", Bucket::Total),
];

const VITEST: &Words = &[
    ("passed", Bucket::Passed),
    ("expected fail", Bucket::Passed),
    ("failed", Bucket::Failed),
    ("skipped", Bucket::Skipped),
    ("todo", Bucket::Skipped),
];

/// How many lines after vitest's line of tests its summary may go on.
const VITEST_LINES_MAX: usize = 6;

/// `Test Suites:`, `Tests:`, `Snapshots:` and `Time:` in a row.
///
/// There is no line at the start of a run, so of several runs only the last one counts.
pub(super) fn jest(output: &Output<'_>) -> Option<Counts> {
    let read = |lines: &[&str]| {
        let [suites, tests, snapshots, time, ..] = lines else {
            return None;
        };
        if !suites.starts_with("Test Suites: ")
            || !snapshots.starts_with("Snapshots: ")
            || !time.starts_with("Time: ")
        {
            return None;
        }
        numbered(tests.strip_prefix("Tests: ")?.trim(), ", ", JEST).and_then(Sums::counts)
    };
    last_of_each(&output.lines, |_| false, Missing::Refuse, read)
        .or_else(|| nothing_found(output, "No tests found, exiting with code "))
}

/// From ` RUN  v4.1.12` to `Duration`, with `Tests  2 passed | 1 skipped (3)` in between.
pub(super) fn vitest(output: &Output<'_>) -> Option<Counts> {
    let starts =
        |line: &str| ["RUN  v", "DEV  v"].iter().any(|lead| line.trim_start().starts_with(lead));
    last_of_each(&output.lines, starts, Missing::Refuse, |lines| {
        let [files, tests, rest @ ..] = lines else {
            return None;
        };
        if files.starts_with("No test files found, exiting with code ") {
            return Some(Counts::default());
        }
        let tests = tests.trim_start().strip_prefix("Tests  ")?.trim();
        let ends = |line: &&&str| line.trim_start().starts_with("Duration  ");
        if !files.trim_start().starts_with("Test Files  ")
            || rest.iter().take(VITEST_LINES_MAX).find(ends).is_none()
        {
            return None;
        }
        if tests == "no tests" {
            return Some(Counts::default());
        }
        let (numbers, total) = tests.strip_suffix(')')?.rsplit_once(" (")?;
        let counts = numbered(numbers, " | ", VITEST).and_then(Sums::counts)?;
        let (total, "") = leading_number(total)? else {
            return None;
        };
        (counts.executed().saturating_add(counts.skipped) == total).then_some(counts)
    })
}

/// `  3 passing (5ms)`, perhaps `  1 pending` and `  1 failing`, and an empty line.
///
/// Without the empty line it is not certain that nothing failed. There is no line at the start of a
/// run, so of several runs only the last one counts.
pub(super) fn mocha(output: &Output<'_>) -> Option<Counts> {
    last_of_each(
        &output.lines,
        |_| false,
        Missing::Refuse,
        |lines| {
            let (first, rest) = lines.split_first()?;
            let (passed, time) = leading_number(first.strip_prefix("  ")?)?;
            let time = time.strip_prefix(" passing (")?.strip_suffix(')')?;
            leading_number(time)?;
            let (mut failed, mut skipped) = (0, 0);
            for line in rest.iter().take(3) {
                if line.is_empty() {
                    return Some(Counts::new(passed, failed, skipped));
                }
                match leading_number(line.strip_prefix("  ")?)? {
                    (number, " pending") => skipped = number,
                    (number, " failing") => failed = number,
                    _ => return None,
                }
            }
            None
        },
    )
}

/// An answer of zero, for a tool that says in so many words that there was nothing to run.
fn nothing_found(output: &Output<'_>, lead: &str) -> Option<Counts> {
    let said = output.lines.iter().any(|line| line.starts_with(lead));
    said.then(Counts::default)
}
