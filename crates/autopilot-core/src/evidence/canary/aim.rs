//! Where to break code that tests are said to test.

use std::collections::BTreeSet;

use crate::evidence::mutate::{Mutant, changed_lines, is_code, mutants, worth_mutating};

/// How many mutants of one file are looked at.
const PER_FILE_MAX: usize = 40;
/// Shorter words say nothing about what a test is for.
const WORD_CHARS_MIN: usize = 3;

/// A source file that could be broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its path.
    pub path: String,
    /// What it held before, where it was there.
    pub before: Option<String>,
    /// What it holds.
    pub now: String,
}

/// One way to break the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The file.
    pub path: String,
    /// What is changed in it.
    pub mutant: Mutant,
}

impl Aim {
    /// What is broken, for people.
    pub fn what(&self) -> String {
        format!("{}:{}: {}", self.path, self.mutant.line, self.mutant.what)
    }
}

/// Chooses up to `max` ways to break sources: in the lines that are new, or anywhere where none is; what the tests name
/// comes first, and no file twice before every other had its turn.
pub fn aimed(sources: &[Source], tests: &[String], max: usize) -> Vec<Aim> {
    let words: BTreeSet<&str> = tests.iter().flat_map(|text| words(text)).collect();
    let mut ranked: Vec<(usize, usize, bool, Aim)> = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        if !worth_mutating(&source.path) || !is_code(&source.path, &source.now) {
            continue;
        }
        let mut lines = changed_lines(source.before.as_deref(), &source.now);
        if lines.is_empty() {
            lines = (1..=source.now.lines().count()).collect();
        }
        let unnamed = usize::from(!words.contains(stem(&source.path)));
        let mut named: Vec<(bool, Mutant)> =
            mutants(&source.path, &source.now, &lines, PER_FILE_MAX)
                .into_iter()
                .map(|mutant| (!is_named(&source.now, mutant.line, &words), mutant))
                .collect();
        named.sort_by_key(|(unnamed, _)| *unnamed);
        ranked.extend(named.into_iter().enumerate().map(|(turn, (stranger, mutant))| {
            (
                turn,
                file + unnamed * sources.len(),
                stranger,
                Aim { path: source.path.clone(), mutant },
            )
        }));
    }
    ranked.sort_by_key(|(turn, file, stranger, _)| (*stranger, *turn, *file));
    ranked.into_iter().take(max).map(|(_, _, _, aim)| aim).collect()
}

/// Whether a line lies in something that the tests name: the nearest definition above it.
fn is_named(text: &str, line: usize, named: &BTreeSet<&str>) -> bool {
    let above: Vec<&str> = text.lines().take(line).collect();
    let defined = above.iter().rev().find_map(|line| definition(line));
    defined.is_some_and(|name| named.contains(name))
}

/// The name that a line defines, in most languages.
fn definition(line: &str) -> Option<&str> {
    const KEYWORDS: [&str; 8] = ["fn", "def", "func", "function", "class", "defp", "fun", "const"];
    let mut found = words(line).skip_while(|word| !KEYWORDS.contains(word));
    found.next()?;
    found.next()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    if stem.chars().count() < WORD_CHARS_MIN { name } else { stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, before: Option<&str>, now: &str) -> Source {
        Source { path: path.to_owned(), before: before.map(str::to_owned), now: now.to_owned() }
    }

    #[test]
    fn only_code_is_broken_and_only_where_it_is_new() {
        let base = "def old(a):\n    return a + 1\n";
        let now = format!("{base}\ndef new(a):\n    return a - 1\n");
        let sources = [
            source("calc.py", Some(base), &now),
            source("README.md", None, "return a + 1\n"),
            source("node_modules/x.js", None, "export const f = (a) => a + 1;\n"),
        ];
        let aims = aimed(&sources, &[], 10);
        assert!(!aims.is_empty());
        for aim in &aims {
            assert_eq!(aim.path, "calc.py");
            assert!(aim.mutant.line > 3, "{}", aim.what());
        }
    }

    #[test]
    fn what_the_tests_name_comes_first() {
        let two = "def first(a):\n    return a + 1\n\n\ndef second(a):\n    return a - 1\n";
        let sources = [source("other.py", Some(two), two), source("calc.py", Some(two), two)];
        let tests = ["from calc import second\nassert second(2) == 1\n".to_owned()];
        let first = aimed(&sources, &tests, 1).remove(0);
        assert_eq!((first.path.as_str(), first.mutant.line), ("calc.py", 6), "{}", first.what());
    }

    #[test]
    fn every_file_has_its_turn() {
        let text = "def f(a):\n    return a + 1\n    return a - 2\n";
        let sources = [source("a_file.py", None, text), source("b_file.py", None, text)];
        let paths: Vec<String> = aimed(&sources, &[], 2).into_iter().map(|aim| aim.path).collect();
        assert_eq!(paths, ["a_file.py", "b_file.py"]);
    }
}
