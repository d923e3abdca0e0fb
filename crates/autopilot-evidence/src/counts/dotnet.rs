//! `dotnet test`, with VSTest, with the terminal logger, and with Microsoft.Testing.Platform.

use std::collections::BTreeMap;

use super::{
    summary::{Missing, last_of_each},
    tally::{Bucket, Counts, Sums, Words, digits, labelled},
    text::Output,
};

const WORDS: &Words = &[
    ("Failed", Bucket::Failed),
    ("failed", Bucket::Failed),
    ("Passed", Bucket::Passed),
    ("succeeded", Bucket::Passed),
    ("Skipped", Bucket::Skipped),
    ("skipped", Bucket::Skipped),
    ("Total", Bucket::Total),
    ("total", Bucket::Total),
];

/// How many lines the block of the platform may have.
const PLATFORM_LINES_MAX: usize = 8;

/// Adds up the projects that VSTest names, else takes the one summary of the whole run.
pub(super) fn dotnet_test(output: &Output<'_>) -> Option<Counts> {
    if output.lines.iter().any(|line| started(line).is_some() || vstest_line(line).is_some()) {
        return vstest(output);
    }
    last_of_each(
        &output.lines,
        |_| false,
        Missing::Refuse,
        |lines| terminal(lines).or_else(|| platform(lines)),
    )
}

/// Each project that was started must have ended, and nothing else.
fn vstest(output: &Output<'_>) -> Option<Counts> {
    let mut started_files: BTreeMap<&str, u64> = BTreeMap::new();
    for file in output.lines.iter().filter_map(|line| started(line)) {
        *started_files.entry(file).or_default() += 1;
    }
    let any = !started_files.is_empty();
    let mut open: u64 = started_files.values().sum();
    let mut sum: Option<Counts> = None;
    for (at, line) in output.lines.iter().enumerate() {
        let counts = match vstest_line(line) {
            // A file that was never started is one that a test made up.
            Some((file, _)) if any && !started_files.contains_key(file) => continue,
            Some((_, counts)) => counts,
            None => match output.lines.get(at..).and_then(vstest_block) {
                Some(counts) => counts,
                None if line.starts_with("No test is available in ")
                    || line.starts_with("No test matches the given testcase filter ") =>
                {
                    Counts::default()
                }
                None => continue,
            },
        };
        sum = Some(sum.unwrap_or_default().plus(counts));
        if any {
            open = open.checked_sub(1)?;
        }
    }
    if open == 0 || output.cut { sum } else { None }
}

/// `Test run for /project/bin/Debug/net8.0/Lamp.dll (.NETCoreApp,Version=v8.0)`: the name of the file.
fn started(line: &str) -> Option<&str> {
    let (path, _) = line.strip_prefix("Test run for ")?.rsplit_once(" (")?;
    path.rsplit(['/', '\\']).next()
}

/// `Passed!  - Failed:     0, Passed:     2, Skipped:     1, Total:     3, Duration: 8 ms - Lamp.dll (net8.0)`.
fn vstest_line(line: &str) -> Option<(&str, Counts)> {
    let rest = ["Passed!", "Failed!", "Skipped!"]
        .iter()
        .find_map(|lead| line.strip_prefix(lead))?
        .trim_start()
        .strip_prefix("- ")?;
    let (numbers, rest) = rest.split_once(", Duration: ")?;
    let (_, file) = rest.split_once(" - ")?;
    let file = file.split_once(" (").map_or(file, |(file, _)| file);
    Some((file, labelled(numbers, ", ", WORDS).and_then(Sums::counts)?))
}

/// `Test Run Successful.`, `Total tests: 3`, `     Passed: 2`, …, ` Total time: 0.5 Seconds`.
fn vstest_block(lines: &[&str]) -> Option<Counts> {
    let [status, total, rest @ ..] = lines else {
        return None;
    };
    if !status.starts_with("Test Run ") {
        return None;
    }
    let total = digits(total.strip_prefix("Total tests: ")?)?;
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for line in rest.iter().take(4) {
        match line.trim_start().split_once(": ")? {
            ("Passed", number) => passed = digits(number)?,
            ("Failed", number) => failed = digits(number)?,
            ("Skipped", number) => skipped = digits(number)?,
            ("Total time", _) => {
                let counts = Counts::new(passed, failed, skipped);
                let stated = counts.executed().saturating_add(skipped);
                return (stated == total).then_some(counts);
            }
            _ => return None,
        }
    }
    None
}

/// `Test summary: total: 3, failed: 0, succeeded: 2, skipped: 1, duration: 1.0s`.
fn terminal(lines: &[&str]) -> Option<Counts> {
    let (numbers, _) = lines.first()?.strip_prefix("Test summary: ")?.split_once(", duration: ")?;
    labelled(numbers, ", ", WORDS).and_then(Sums::counts)
}

/// `Test run summary: Passed!` and one number on each line, up to the duration.
fn platform(lines: &[&str]) -> Option<Counts> {
    let (first, rest) = lines.split_first()?;
    first.strip_prefix("Test run summary: ")?;
    let mut numbers: Vec<&str> = Vec::new();
    for line in rest.iter().take(PLATFORM_LINES_MAX) {
        let line = line.trim_start();
        if line.starts_with("duration: ") {
            return labelled(&numbers.join(", "), ", ", WORDS).and_then(Sums::counts);
        }
        if WORDS.iter().any(|(word, _)| line.starts_with(word)) {
            numbers.push(line);
        }
    }
    None
}
