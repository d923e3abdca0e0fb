//! What of a change could be broken at all, to see whether a check looks at it.

use super::Source;
use crate::mutate::{
    Part, Promise, changed_lines, is_code, is_prose, mutants, says_the_same, test_lines, together,
    worth_mutating,
};

/// How many mutants are looked at before a file is said to have none that tell something.
const LOOKED_AT_MAX: usize = 40;

/// What a change of a file is, the weightiest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stake {
    /// Tests beside the code, comments, layout: nothing that could be broken has changed.
    Nothing,
    /// Declarations, imports, types, logs, what is gone, what is no text: it is there or not.
    Bare,
    /// Words for people and settings of tools, which tests are seldom about.
    Words,
    /// Data, templates, settings.
    Data,
    /// Code that does something.
    Code,
}

/// Tells what is at stake with a change of a file.
pub fn stake(source: &Source) -> Stake {
    let Source { path, before, now } = source;
    if !worth_mutating(path) {
        return Stake::Bare;
    }
    if is_prose(path, now) {
        return Stake::Words;
    }
    let lines = changed_lines(before.as_deref(), now);
    if !is_code(path, now) {
        let has_values = together(path, now, &lines, Part::Values).is_some()
            || !mutants(path, now, &lines, 1).is_empty();
        return if has_values { Stake::Data } else { Stake::Bare };
    }
    if before.as_deref().is_some_and(|before| says_the_same(path, before, now)) {
        return Stake::Nothing;
    }
    let tells = |promise: Promise| promise != Promise::Aside;
    if mutants(path, now, &lines, LOOKED_AT_MAX).iter().any(|mutant| tells(mutant.promise)) {
        return Stake::Code;
    }
    let tests = test_lines(path, now);
    let blank = |line: &usize| {
        now.lines().nth(line.saturating_sub(1)).is_none_or(|line| line.trim().is_empty())
    };
    let is_all_tests = !lines.is_empty()
        && lines.iter().all(|line| tests.binary_search(line).is_ok() || blank(line));
    if is_all_tests { Stake::Nothing } else { Stake::Bare }
}

/// Tells whether a change of a file adds examples to its comments that are run as tests.
pub fn brings_examples(source: &Source) -> bool {
    let lines = changed_lines(source.before.as_deref(), &source.now);
    let text: Vec<&str> = source.now.lines().collect();
    lines.iter().filter_map(|line| text.get(line - 1)).any(|line| {
        let bare = line.trim_start();
        let is_fence = ["/// ```", "//! ```", "/// ~~~"].iter().any(|open| bare.starts_with(open));
        bare.starts_with(">>> ") || bare.starts_with("iex> ") || is_fence
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_stake(path: &str, before: Option<&str>, now: &str) -> Stake {
        let (before, now) = (before.map(str::to_owned), now.to_owned());
        stake(&Source { path: path.to_owned(), before, now })
    }

    #[test]
    fn code_that_does_something_is_told_from_what_only_looks_like_it() {
        let python = "def add(a, b):\n    return a + b\n";
        let rust = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n";
        let cases: [(&str, Option<&str>, String, Stake); 21] = [
            ("a.py", None, python.to_owned(), Stake::Code),
            ("a.py", Some(python), python.replace("a + b", "b + a"), Stake::Code),
            ("a.py", Some(python), python.replace("a, b", "a: int, b: int"), Stake::Bare),
            ("a.py", Some(python), format!("# adds\n{python}"), Stake::Nothing),
            ("a.py", Some(python), python.replace("a, b", "a,b"), Stake::Nothing),
            ("a.py", Some(python), format!("import os\n{python}"), Stake::Bare),
            ("a.py", Some(python), String::new(), Stake::Bare),
            (
                "a.py",
                Some(python),
                format!("{python}\n\ndef test_add():\n    assert add(1, 2) == 3\n"),
                Stake::Nothing,
            ),
            (
                "a.py",
                Some(python),
                python.replace("    return", "    log.info(\"adds\")\n    return"),
                Stake::Bare,
            ),
            (
                "a.rs",
                Some(rust),
                format!(
                    "{rust}\n#[cfg(test)]\nmod tests {{\n    #[test]\n    fn adds() {{\n        assert_eq!(super::add(1, 2), 3);\n    }}\n}}\n"
                ),
                Stake::Nothing,
            ),
            ("a.rs", None, "pub struct Point {\n    pub x: i32,\n}\n".to_owned(), Stake::Bare),
            ("a.ts", None, "export interface Point {\n  x: number;\n}\n".to_owned(), Stake::Bare),
            ("a.py", None, "LIMITS = {\"a\": 1, \"b\": 2}\n".to_owned(), Stake::Code),
            ("a.json", None, "{\"a\": 1, \"b\": [2, 3]}\n".to_owned(), Stake::Data),
            ("a.csv", None, "name,price\npear,3\n".to_owned(), Stake::Data),
            ("a.html", None, "<p>Hello</p>\n".to_owned(), Stake::Data),
            ("Dockerfile", None, "FROM alpine:3\nRUN true\n".to_owned(), Stake::Data),
            ("README.md", None, "# Hello\n".to_owned(), Stake::Words),
            (".gitignore", None, "/target\n".to_owned(), Stake::Words),
            ("a.png", None, "x".to_owned(), Stake::Bare),
            ("Cargo.lock", None, "version = 4\n".to_owned(), Stake::Bare),
        ];
        for (path, before, now, expected) in cases {
            assert_eq!(at_stake(path, before, &now), expected, "{path}:\n{now}");
        }
    }

    #[test]
    fn examples_that_are_run_are_tests() {
        let source = |now: &str| Source {
            path: "a.py".to_owned(),
            before: Some("def f():\n    pass\n".to_owned()),
            now: now.to_owned(),
        };
        assert!(brings_examples(&source(
            "def f():\n    \"\"\"\n    >>> f()\n    \"\"\"\n    pass\n"
        )));
        assert!(!brings_examples(&source("def f():\n    return 1\n")));
    }
}
