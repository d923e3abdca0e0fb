//! The names of the tests that ran, where their runner tells them.

use std::collections::BTreeMap;

/// More names than this are not kept.
const NAMES_MAX: usize = 2_000;

/// The names of the tests that an output tells to have been executed, each without the modules around it: a test may be
/// moved. Empty where they are not told, or too many.
pub fn names(output: &str) -> Vec<String> {
    let mut names: Vec<String> = output.lines().filter_map(name).map(str::to_owned).collect();
    if names.len() > NAMES_MAX {
        names.clear();
    }
    names.sort_unstable();
    names
}

/// Those of the first that are not among the second, as often as they are missing.
pub fn missing<'a>(before: &'a [String], now: &[String]) -> Vec<&'a str> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for name in now {
        *left.entry(name).or_default() += 1;
    }
    let mut missing = Vec::new();
    for name in before {
        match left.get_mut(name.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            Some(_) | None => missing.push(name.as_str()),
        }
    }
    missing
}

fn name(line: &str) -> Option<&str> {
    of_cargo(line).or_else(|| of_go(line)).or_else(|| of_pytest(line))
}

/// `test calc::tests::subtracts ... ok`; examples in documents have no name of their own.
fn of_cargo(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let ran = matches!(result.split_whitespace().next(), Some("ok" | "FAILED"));
    let plain = name.split(" - should panic").next().unwrap_or(name).trim();
    (ran && !plain.contains(' ')).then(|| last(plain))
}

/// `--- PASS: TestSub (0.00s)`; what a test runs within itself is its own matter.
fn of_go(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("--- PASS: ").or_else(|| line.strip_prefix("--- FAIL: "))?;
    rest.split_whitespace().next()
}

/// `tests/test_sub.py::test_sub PASSED`, as `pytest -v` tells it.
fn of_pytest(line: &str) -> Option<&str> {
    let (name, result) = line.split_once(' ')?;
    let ran = matches!(result.split_whitespace().next(), Some("PASSED" | "FAILED" | "ERROR"));
    (ran && name.contains(".py::")).then(|| last(name))
}

fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_by_cargo_go_and_pytest() {
        let output = "running 3 tests\ntest calc::tests::subtracts ... ok\ntest adds ... FAILED\n\
                      test later ... ignored\ntest it_panics - should panic ... ok\ntest src/lib.rs - sub (line 3) ... ok\n\
                      === RUN   TestSub\n--- PASS: TestSub (0.00s)\n    --- PASS: TestSub/one (0.00s)\n--- FAIL: TestAdd (0.00s)\n\
                      --- SKIP: TestNo (0.00s)\ntests/test_a.py::TestA::test_b PASSED [ 50%]\ntests/test_a.py::test_c SKIPPED\n";
        let expected = ["TestAdd", "TestSub", "adds", "it_panics", "subtracts", "test_b"];
        assert_eq!(names(output), expected);
        assert_eq!(names("2 passed in 0.01s\n"), Vec::<String>::new());
    }

    #[test]
    fn what_ran_before_and_does_not_now_is_missing_as_often_as_it_ran() {
        let owned =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let before = owned(&["a", "a", "b"]);
        assert_eq!(missing(&before, &owned(&["a", "b", "c"])), ["a"]);
        assert_eq!(missing(&before, &owned(&["a", "a", "b", "c"])), Vec::<&str>::new());
    }
}
