//! Test specs of a plan: `tests/task-24-01.sh`, which print a line for each assertion.

use super::{
    tally::{Bucket, Counts, Sums, Words, numbered},
    text::{Output, is_gap},
};

const WORDS: &Words = &[("passed", Bucket::Passed), ("failed", Bucket::Failed)];

/// `PASS: x` and `FAIL: x`, and after them `RESULTS: 2 passed, 0 failed`.
///
/// The last line must state what the lines before it show. Several specs may follow one another.
pub(super) fn test_spec(output: &Output<'_>) -> Option<Counts> {
    let mut sum: Option<Counts> = None;
    let (mut shown, mut is_cut) = (Counts::default(), false);
    for line in &output.lines {
        if line.starts_with("PASS: ") {
            shown.passed += 1;
        } else if line.starts_with("FAIL: ") {
            shown.failed += 1;
        } else if is_gap(line) {
            is_cut = true;
        } else if let Some(numbers) = line.strip_prefix("RESULTS: ") {
            let numbers = Some(numbers).filter(|numbers| numbers.contains(" passed, "))?;
            let stated = numbered(numbers, ", ", WORDS).and_then(Sums::counts)?;
            let is_less = shown.passed <= stated.passed && shown.failed <= stated.failed;
            if shown != stated && !(is_cut && is_less) {
                return None;
            }
            sum = Some(sum.unwrap_or_default().plus(stated));
            (shown, is_cut) = (Counts::default(), false);
        }
    }
    // What is shown after the last line of results was never summed up.
    sum.filter(|_| shown == Counts::default())
}

/// Whether a path is that of a test spec: `.planning/phases/24-lamp/tests/task-24-01.sh`.
pub fn is_test_spec(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let (file, tests, _phase, phases) = (parts.next(), parts.next(), parts.next(), parts.next());
    let is_task = |file: &str| file.starts_with("task-") && file.ends_with(".sh");
    file.is_some_and(is_task) && tests == Some("tests") && phases == Some("phases")
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Counts, Runner, count, runner_of},
        is_test_spec,
    };

    #[test]
    fn e5_a_test_spec_states_at_its_end_what_it_showed_before() {
        for (output, expected) in [
            ("PASS: a\nPASS: b\nRESULTS: 2 passed, 0 failed\n", Some((2, 0))),
            ("PASS: a\nit said x\nFAIL: b\nRESULTS: 1 passed, 1 failed\n", Some((1, 1))),
            ("RESULTS: 0 passed, 0 failed\n", Some((0, 0))),
            (
                "PASS: a\nRESULTS: 1 passed, 0 failed\nFAIL: b\nRESULTS: 0 passed, 1 failed\n",
                Some((1, 1)),
            ),
            ("RESULTS: 9 passed, 0 failed\n", None),
            ("PASS: a\nFAIL: b\nRESULTS: 2 passed, 0 failed\n", None),
            ("PASS: a\nRESULTS: 1 passed, 0 failed\nPASS: b\n", None),
            ("PASS: a\nRESULTS: 1 passed\n", None),
            ("PASS: a\nRESULTS: one passed, 0 failed\n", None),
            ("PASS: a\nPASS: b\n", None),
            ("", None),
        ] {
            let expected = expected.map(|(passed, failed)| Counts::new(passed, failed, 0));
            assert_eq!(count(Some(Runner::TestSpec), output), expected, "{output}");
        }
    }

    #[test]
    fn e5_a_test_spec_is_known_by_its_place() {
        let path = ".planning/phases/24-lamp/tests/task-24-01.sh";
        assert!(is_test_spec(path) && is_test_spec(&format!("/work/x/{path}")));
        for command in [format!("bash {path} 2>&1"), format!("sh -eu {path}"), format!("./{path}")]
        {
            assert_eq!(runner_of(&command), Some(Runner::TestSpec), "{command}");
        }
        for other in
            ["tests/task-1.sh", ".planning/phases/1-x/task-1.sh", "phases/1/tests/task-1.py"]
        {
            assert!(!is_test_spec(other), "{other}");
            assert_eq!(runner_of(&format!("sh {other}")), None, "{other}");
        }
        assert_eq!(runner_of(&format!("cat {path}")), None);
    }
}
