//! Maven's Surefire and Failsafe, and Gradle.

use super::{
    summary::runs,
    tally::{Bucket, Counts, Sums, Words, labelled, numbered},
    text::{Output, is_gap},
};

const SUREFIRE: &Words = &[
    ("Tests run", Bucket::Total),
    ("Failures", Bucket::Failed),
    ("Errors", Bucket::Failed),
    ("Skipped", Bucket::Skipped),
    // Passed at last; they are among the tests that were run.
    ("Flakes", Bucket::Other),
];

const GRADLE: &Words = &[
    ("test completed", Bucket::Total),
    ("tests completed", Bucket::Total),
    ("failed", Bucket::Failed),
    ("skipped", Bucket::Skipped),
];

/// From ` T E S T S` to the line after `Results:`, for each module.
pub(super) fn surefire(output: &Output<'_>) -> Option<Counts> {
    let starts = |line: &str| content(line) == "T E S T S";
    if !output.lines.iter().any(|line| starts(line)) {
        return without_tests(output);
    }
    let mut sum: Option<Counts> = None;
    for run in runs(&output.lines, starts) {
        match results(run) {
            Some(counts) => sum = Some(sum.unwrap_or_default().plus(counts)),
            None if run.iter().any(|line| is_gap(line)) => {}
            None => return None,
        }
    }
    sum
}

/// The last line of numbers that follows `Results:`; those of single classes tell their time.
fn results(run: &[&str]) -> Option<Counts> {
    let mut last = None;
    let mut wanted = false;
    for line in run.iter().map(|line| content(line)) {
        if matches!(line, "Results:" | "Results :") {
            wanted = true;
        } else if wanted
            && line.starts_with("Tests run: ")
            && let Some(counts) = labelled(line, ", ", SUREFIRE).and_then(Sums::counts)
        {
            last = Some(counts);
            wanted = false;
        }
    }
    last
}

/// A build that came to its end and in which the plugin had nothing to run.
fn without_tests(output: &Output<'_>) -> Option<Counts> {
    let any = |is_it: fn(&str) -> bool| output.lines.iter().any(|line| is_it(content(line)));
    let both = any(|line| {
        line.starts_with("--- surefire:") || line.starts_with("--- maven-surefire-plugin:")
    }) && any(|line| matches!(line, "BUILD SUCCESS" | "BUILD FAILURE"));
    (both && !output.cut).then(Counts::default)
}

/// A line without Maven's mark of its weight.
fn content(line: &str) -> &str {
    ["[INFO]", "[WARNING]", "[ERROR]"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
        .trim()
}

/// Gradle tells how many tests there were only when one failed.
///
/// Else they are counted where the build names each of them (`testLogging`). A build that ran tests
/// and names none gives no answer.
pub(super) fn gradle(output: &Output<'_>) -> Option<Counts> {
    let ended = |line: &str| {
        line.starts_with("BUILD SUCCESSFUL in ") || line.starts_with("BUILD FAILED in ")
    };
    if !output.lines.iter().any(|line| ended(line)) {
        return None;
    }
    let (mut sum, mut named): (Option<Counts>, Counts) = (None, Counts::default());
    let (mut ran, mut idle) = (false, false);
    for line in &output.lines {
        if let Some(counts) = line
            .contains(" completed, ")
            .then(|| numbered(line, ", ", GRADLE).and_then(Sums::counts))
            .flatten()
        {
            // What was named so far is among these.
            sum = Some(sum.unwrap_or_default().plus(counts));
            named = Counts::default();
        } else if let Some(counts) = named_test(line) {
            named = named.plus(counts);
        } else {
            match test_task(line) {
                Some(true) => ran = true,
                Some(false) => idle = true,
                None => {}
            }
        }
    }
    let any_named = named != Counts::default();
    match (sum, any_named) {
        (Some(sum), _) => Some(sum.plus(named)),
        (None, true) => Some(named),
        (None, false) => (idle && !ran && !output.cut).then(Counts::default),
    }
}

/// `LampTest > turns() PASSED`, with the names of nested classes in between.
fn named_test(line: &str) -> Option<Counts> {
    let (name, ending) = line.rsplit_once(' ')?;
    if line.starts_with([' ', '>', ':']) || !name.contains(" > ") {
        return None;
    }
    match ending {
        "PASSED" => Some(Counts::new(1, 0, 0)),
        "FAILED" => Some(Counts::new(0, 1, 0)),
        "SKIPPED" => Some(Counts::new(0, 0, 1)),
        _ => None,
    }
}

/// Whether a line is about a task of tests, and whether that ran any: `> Task :app:test UP-TO-DATE`.
fn test_task(line: &str) -> Option<bool> {
    let task = line.strip_prefix("> Task ").unwrap_or(line).strip_prefix(':')?;
    let (path, outcome) = task.split_once(' ').unwrap_or((task, ""));
    let name = path.rsplit(':').next().unwrap_or(path);
    let is_test = name == "test" || name.ends_with("Test");
    let ran = !matches!(outcome, "NO-SOURCE" | "UP-TO-DATE" | "SKIPPED" | "FROM-CACHE");
    (is_test && !name.starts_with("clean")).then_some(ran)
}
