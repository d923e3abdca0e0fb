//! What is true of every mutant, whatever the text.

use proptest::prelude::*;

use super::super::{changed_lines, mutants};

const PATHS: [&str; 24] = [
    "a.rs", "a.py", "a.js", "a.tsx", "a.go", "a.java", "a.kt", "a.c", "a.cpp", "a.cs", "a.rb",
    "a.php", "a.swift", "a.ex", "a.sh", "a.sql", "a.json", "a.toml", "a.yaml", "a.html", "a.css",
    "a.md", "a.lua", "Makefile",
];

/// Pieces of code that open what they do not close, and characters of more than one byte.
const PIECES: [&str; 78] = [
    "if ", "else", "return ", "x", "y.z", "fn ", "def ", "func ", "f(", ")", "(", "{", "}", "[",
    "]", "<", ">", " < ", " > ", "==", "!=", "&&", "||", "+", " - ", "*", "/", "%", "=", ";", ":",
    ",", ".", "\"", "'", "`", "\"\"\"", "'''", "//", "/*", "*/", "#", "#[", "#{", "${", "\\(",
    "\\", "r#\"", "<<EOF", "<<~X", "<<<E", "EOF", "->", "=>", "::", "ä", "日本", "🎉", "\n", "\n",
    "\n    ", "\r\n", "\t", " ", "1", "0", "255", "1.5", "true", "None", "echo ", "[ ", " ]",
    "end", "do\n", "<?php ", "<!--", "-->",
];

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60);
    prop_oneof![4 => pieces.prop_map(|pieces| pieces.concat()), 1 => "\\PC{0,80}"]
}

/// The text before and after the lines that a mutation of a line may touch.
fn around(now: &str, first: usize, last: usize) -> (String, String) {
    let pieces: Vec<&str> = now.split_inclusive('\n').collect();
    (pieces[..first - 1].concat(), pieces[last..].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_mutant_differs_from_the_file_in_changed_lines_only(
        now in text(),
        path in prop::sample::select(&PATHS[..]),
        some in prop::collection::vec(any::<bool>(), 16),
    ) {
        let changed: Vec<usize> = changed_lines(None, &now)
            .into_iter()
            .filter(|line| some[line % some.len()])
            .collect();
        let found = mutants(path, &now, &changed, 9);
        prop_assert!(found.len() <= 9);
        prop_assert_eq!(&found, &mutants(path, &now, &changed, 9));
        for mutant in &found {
            let mutated = mutant.apply(&now);
            prop_assert_ne!(&mutated, &now);
            let last = mutant.line + mutant.from.matches('\n').count();
            for line in mutant.line..=last {
                prop_assert!(changed.contains(&line), "{:?} touches line {}", mutant, line);
            }
            let (before, after) = around(&now, mutant.line, last);
            prop_assert!(mutated.starts_with(&before) && mutated.ends_with(&after), "{:?}", mutant);
            prop_assert!(!mutant.from.is_empty(), "{:?}", mutant);
        }
    }

    #[test]
    fn lines_that_are_not_changed_are_in_the_base(
        base in prop::collection::vec("[a-c]{0,1}", 0..12),
        now in prop::collection::vec("[a-c]{0,1}", 0..12),
    ) {
        let changed = changed_lines(Some(&base.join("\n")), &now.join("\n"));
        let new = now.join("\n");
        let kept: Vec<&str> = new
            .lines()
            .enumerate()
            .filter(|(at, _)| !changed.contains(&(at + 1)))
            .map(|(_, line)| line)
            .collect();
        let joined = base.join("\n");
        let mut left = joined.lines();
        prop_assert!(kept.iter().all(|line| left.any(|old| old == *line)), "{:?}", kept);
    }
}

#[test]
fn hostile_files_take_no_long_time() {
    for piece in [
        "`${",
        "\"\\\"",
        "((((",
        "r#\"",
        "f(x) { ",
        "/*",
        "<<EOF\n",
        "if a < b {\n",
        "<p>",
        "{\n",
        "def f():\n ",
        "#[test]\n",
        "return (\n",
    ] {
        let now = format!("{}\n", piece.repeat(4_000)).replace("EOF\n<<", "EOF\n\n<<");
        let now =
            now.as_bytes().chunks(100).map(String::from_utf8_lossy).collect::<Vec<_>>().join("\n");
        for path in PATHS {
            assert!(mutants(path, &now, &changed_lines(None, &now), 3).len() <= 3);
        }
    }
}
