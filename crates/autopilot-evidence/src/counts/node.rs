//! node's own test runner, with its `spec` and its `tap` reporter.

use super::{
    tally::{Counts, digits},
    text::Output,
};

/// The keys of the summary, in their order. Old versions know no suites.
const KEYS: [&str; 8] =
    ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo", "duration_ms"];

/// What a file is called that node runs as a test.
const ENDINGS: [&str; 6] = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

/// `ℹ tests 4` to `ℹ duration_ms 44.2`, or the same with `#`.
///
/// A file in which no test was run, because it has none or because none matches the filter, is
/// counted by node as one test that passed. Such a test has the name of the file, and is taken off here.
///
/// Where output was left out, only as many tests count as are seen to have passed.
///
/// There is no line at the start of a run, so of several runs only the last one counts.
pub(super) fn node_test(output: &Output<'_>) -> Option<Counts> {
    let mut last = None;
    let (mut files, mut tests) = (0_u64, 0_u64);
    for (at, line) in output.lines.iter().enumerate() {
        if let Some(name) = passed(line) {
            let is_file = ENDINGS.iter().any(|ending| name.ends_with(ending));
            files = files.saturating_add(u64::from(is_file));
            tests = tests.saturating_add(u64::from(!is_file));
        } else if let Some(counts) = output.lines.get(at..).and_then(summary) {
            let passed = counts.passed.saturating_sub(files);
            let passed = if output.cut { passed.min(tests) } else { passed };
            last = Some(Counts { passed, ..counts });
            (files, tests) = (0, 0);
        }
    }
    last
}

/// Reads a summary that starts at the first line.
///
/// What a file prints without a newline stands before it on that line, unless it is quoted as in TAP.
fn summary(lines: &[&str]) -> Option<Counts> {
    let first = lines.first()?;
    let first = first.rfind("ℹ tests ").and_then(|at| first.get(at..)).unwrap_or(first);
    let lead = ["ℹ ", "# "].into_iter().find(|lead| first.starts_with(lead))?;
    let mut lines = lines.iter().skip(1);
    let mut numbers = [0_u64; KEYS.len()];
    let mut line = first;
    for (key, number) in KEYS.iter().zip(&mut numbers) {
        let (found, value) = line.strip_prefix(lead)?.split_once(' ')?;
        match (found == *key, *key) {
            (true, "duration_ms") => *number = 0,
            (true, _) => {
                *number = digits(value)?;
                line = lines.next()?;
            }
            (false, "suites") => {}
            (false, _) => return None,
        }
    }
    let [tests, _, passed, failed, cancelled, skipped, todo, _] = numbers;
    let counts =
        Counts::new(passed, failed.saturating_add(cancelled), skipped.saturating_add(todo));
    (counts.executed().saturating_add(counts.skipped) == tests).then_some(counts)
}

/// The name of a test that passed: `✔ empty.test.js (52.2ms)` and `ok 2 - empty.test.js`.
fn passed(line: &str) -> Option<&str> {
    match line.rsplit_once("✔ ") {
        Some((_, rest)) => rest.rsplit_once(" (").map(|(name, _)| name),
        None => line.trim_start().strip_prefix("ok ")?.split_once(" - ").map(|(_, name)| name),
    }
}
