//! The names of the tests that an output tells to have failed.

/// More names than this are not kept.
const NAMES_MAX: usize = 2_000;
/// A longer name is cut.
const NAME_CHARS_MAX: usize = 200;

/// The tests that failed, sorted, each once.
pub fn failing_tests(output: &str) -> Vec<String> {
    let names = output
        .lines()
        .filter_map(|line| failed(line.trim()))
        .map(|name| name.trim().chars().take(NAME_CHARS_MAX).collect::<String>());
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names.truncate(NAMES_MAX);
    names
}

fn failed(line: &str) -> Option<&str> {
    of_cargo(line)
        .or_else(|| of_go(line))
        .or_else(|| of_tap(line))
        .or_else(|| of_pytest(line))
        .or_else(|| of_unittest(line))
        .or_else(|| of_marks(line))
}

/// `test calc::adds ... FAILED`
fn of_cargo(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// `--- FAIL: TestAdds (0.00s)`
fn of_go(line: &str) -> Option<&str> {
    line.strip_prefix("--- FAIL: ")?.split_whitespace().next()
}

/// `not ok 3 - adds`
fn of_tap(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("not ok ")?;
    Some(rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches([' ', '-']))
        .filter(|name| !name.is_empty())
        .or(Some(rest))
}

/// `FAILED tests/test_a.py::test_adds - AssertionError`, `tests/test_a.py::test_adds FAILED  [ 50%]`
fn of_pytest(line: &str) -> Option<&str> {
    let is_name = |name: &&str| name.contains("::");
    for word in ["FAILED ", "ERROR "] {
        if let Some(rest) = line.strip_prefix(word) {
            return rest.split(" - ").next().filter(is_name);
        }
    }
    let (name, _) = line.split_once(" FAILED")?;
    Some(name).filter(is_name)
}

/// `FAIL: test_adds (tests.Calc)`, and what a plain script may print: `FAIL: adds`
fn of_unittest(line: &str) -> Option<&str> {
    line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: "))
}

/// `✕ adds (3 ms)`, `✖ adds`
fn of_marks(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('✕').or_else(|| line.strip_prefix('✖'))?;
    // How long it took is another each time.
    Some(
        rest.rsplit_once(" (")
            .filter(|(_, time)| time.ends_with("s)"))
            .map_or(rest, |(name, _)| name),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_tests_are_told_by_the_runners_that_people_use() {
        let cases: [(&str, &[&str]); 8] = [
            ("test b ... FAILED\ntest a ... ok\ntest a::c ... FAILED", &["a::c", "b"]),
            ("--- FAIL: TestX (0.00s)\n--- PASS: TestY (0.1s)", &["TestX"]),
            ("ok 1 - a\nnot ok 2 - b c\nnot ok 3", &["3", "b c"]),
            (
                "FAILED t/a.py::b - boom\nt/a.py::c FAILED [ 5%]\nt/a.py::d PASSED",
                &["t/a.py::b", "t/a.py::c"],
            ),
            ("FAIL: test_a (m.C)\nERROR: test_b (m.C)", &["test_a (m.C)", "test_b (m.C)"]),
            ("  ✕ adds (3 ms)\n  ✓ subtracts", &["adds"]),
            ("FAILED (failures=1)\nall is lost", &[]),
            ("test a ... FAILED\ntest a ... FAILED", &["a"]),
        ];
        for (output, expected) in cases {
            assert_eq!(failing_tests(output), expected, "{output}");
        }
    }
}
