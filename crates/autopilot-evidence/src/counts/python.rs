//! pytest and unittest.

use super::{
    summary::{Missing, last_of_each},
    tally::{Bucket, Counts, Sums, Words, labelled, leading_number, numbered},
    text::Output,
};

const PYTEST: &Words = &[
    ("passed", Bucket::Passed),
    ("failed", Bucket::Failed),
    ("error", Bucket::Failed),
    ("errors", Bucket::Failed),
    ("skipped", Bucket::Skipped),
    // A test that is known to fail shows nothing by failing.
    ("xfailed", Bucket::Skipped),
    ("xpassed", Bucket::Passed),
    ("deselected", Bucket::Other),
    ("warning", Bucket::Other),
    ("warnings", Bucket::Other),
    ("rerun", Bucket::Other),
    // Parts of a test that is counted by itself.
    ("subtests passed", Bucket::Other),
    ("subtests failed", Bucket::Other),
    ("subtests skipped", Bucket::Other),
];

const UNITTEST: &Words = &[
    ("failures", Bucket::Failed),
    ("errors", Bucket::Failed),
    ("unexpected successes", Bucket::Failed),
    ("skipped", Bucket::Skipped),
    ("expected failures", Bucket::Skipped),
];

/// How long the rule above unittest's summary is.
const RULE_CHARS: usize = 70;

/// `===== 3 passed, 1 skipped in 0.05s =====`, and the same without the rule after `-q`.
pub(super) fn pytest(output: &Output<'_>) -> Option<Counts> {
    last_of_each(&output.lines, starts_pytest, Missing::Refuse, |lines| {
        let line = lines.first()?;
        let framed = line.starts_with('=') && line.ends_with('=');
        let text = if framed { line.trim_matches('=').trim() } else { line };
        let (numbers, time) = text.rsplit_once(" in ")?;
        if !is_duration(time) {
            return None;
        }
        if numbers == "no tests ran" {
            return Some(Counts::default());
        }
        numbered(numbers, ", ", PYTEST).and_then(Sums::counts)
    })
}

fn starts_pytest(line: &str) -> bool {
    line.starts_with('=')
        && line.ends_with('=')
        && line.trim_matches('=').trim() == "test session starts"
}

/// `0.05s`, `75.31s (0:01:15)`, and `0.05 seconds` of old versions.
fn is_duration(text: &str) -> bool {
    let seconds = text.split_once(" (").map_or(text, |(seconds, _)| seconds);
    let number = seconds.strip_suffix(" seconds").or_else(|| seconds.strip_suffix('s'));
    number.is_some_and(|number| number.parse::<f64>().is_ok())
}

/// A rule, `Ran 4 tests in 0.001s`, an empty line, `OK (skipped=1)`.
///
/// There is no line at the start of a run, so of several runs only the last one counts.
pub(super) fn unittest(output: &Output<'_>) -> Option<Counts> {
    last_of_each(
        &output.lines,
        |_| false,
        Missing::Refuse,
        |lines| {
            let [rule, ran, "", status, ..] = lines else {
                return None;
            };
            if rule.len() != RULE_CHARS || !rule.bytes().all(|byte| byte == b'-') {
                return None;
            }
            let (tests, rest) = leading_number(ran.strip_prefix("Ran ")?)?;
            if !rest.starts_with(" test") || !rest.contains(" in ") {
                return None;
            }
            let details = match status.split_once(" (") {
                Some(("OK" | "FAILED" | "NO TESTS RAN", details)) => details.strip_suffix(')')?,
                None if matches!(*status, "OK" | "FAILED" | "NO TESTS RAN") => "skipped=0",
                _ => return None,
            };
            let sums = labelled(details, ", ", UNITTEST)?.counts()?;
            Some(Counts::of_total(tests, sums.failed, sums.skipped))
        },
    )
}
