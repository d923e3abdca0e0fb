//! Where to break code that tests are said to test.

use std::collections::BTreeSet;

use crate::mutate::{
    Mutant, Part, Promise, changed_lines, is_code, mutants, test_lines, together, worth_mutating,
};

/// How many mutants of one file are looked at.
const PER_FILE_MAX: usize = 40;
/// How many files of one way to break the work are named.
const TOLD_MAX: usize = 3;
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

/// A file and what is changed in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The file.
    pub path: String,
    /// What is changed in it.
    pub mutant: Mutant,
}

/// One way to break the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// What is broken, at least one file.
    pub breaks: Vec<Break>,
}

impl Aim {
    /// What is broken, for people.
    pub fn what(&self) -> String {
        let told: Vec<String> = self
            .breaks
            .iter()
            .take(TOLD_MAX)
            .map(|one| format!("{}:{}: {}", one.path, one.mutant.line, one.mutant.what))
            .collect();
        match self.breaks.len().saturating_sub(TOLD_MAX) {
            0 => told.join(", "),
            more => format!("{}, and so in {more} more files", told.join(", ")),
        }
    }
}

/// A source with where it may be broken.
struct Place<'a> {
    source: &'a Source,
    lines: Vec<usize>,
    /// Those of the lines that stand in something that the tests name.
    named: BTreeSet<usize>,
    singles: Vec<Mutant>,
}

impl<'a> Place<'a> {
    fn new(source: &'a Source, words: &BTreeSet<&str>, max: usize) -> Option<Self> {
        let Source { path, before, now } = source;
        if !worth_mutating(path) {
            return None;
        }
        // What is not new may be broken anywhere; what only lost lines, nowhere.
        let lines = match before {
            Some(before) if before == now => (1..=now.lines().count()).collect(),
            before => changed_lines(before.as_deref(), now),
        };
        let named = named_lines(now, words);
        let mut singles = mutants(path, now, &lines, PER_FILE_MAX);
        let kind = |mutant: &Mutant| (!named.contains(&mutant.line), mutant.promise);
        singles.sort_by_key(kind);
        let singles =
            singles.chunk_by(|a, b| kind(a) == kind(b)).flat_map(|alike| spread(alike, max));
        let singles = singles.cloned().collect();
        Some(Self { source, lines, named, singles })
    }

    /// Whether it holds something else than constants.
    fn has_results(&self) -> bool {
        let is_result = |mutant: &Mutant| mutant.promise == Promise::Result;
        is_code(&self.source.path, &self.source.now) && self.singles.iter().any(is_result)
    }

    /// All constants at once. Where code does something, what it returns, and only where the tests name it: the rest of
    /// the code may fall over it.
    fn together(&self, part: Part) -> Option<Break> {
        let Source { path, now, .. } = self.source;
        let does = self.has_results();
        let part = if does { Part::Results } else { part };
        let is_meant = |line: &&usize| !does || self.named.contains(line);
        let lines: Vec<usize> = self.lines.iter().filter(is_meant).copied().collect();
        together(path, now, &lines, part).map(|mutant| Break { path: path.clone(), mutant })
    }
}

/// Chooses up to `max` ways to break sources: in the lines that are new, or anywhere where none is; what the tests name
/// comes first, and no file twice before every other had its turn.
///
/// One way is to change all values at once. It comes first where there is nothing but constants, of which a test looks at
/// some, and last where there are more ways than may be tried.
pub fn aimed(sources: &[Source], tests: &[String], max: usize) -> Vec<Aim> {
    let own: Vec<String> = sources.iter().map(own_tests).collect();
    let words: BTreeSet<&str> = tests.iter().chain(&own).flat_map(|text| words(text)).collect();
    let places: Vec<Place<'_>> =
        sources.iter().filter_map(|source| Place::new(source, &words, max)).collect();
    let mut aims = singles(&places, &words);
    let all = |part: Part| {
        let breaks: Vec<Break> = places.iter().filter_map(|place| place.together(part)).collect();
        (!breaks.is_empty()).then_some(Aim { breaks })
    };
    if !places.iter().any(Place::has_results) {
        let first: Vec<Aim> = [Part::Values, Part::Names].into_iter().filter_map(all).collect();
        aims.splice(0..0, first);
    } else if let Some(last) = all(Part::Values).filter(|_| max > 1) {
        aims.truncate(max - 1);
        aims.push(last);
    }
    aims.truncate(max);
    aims
}

/// Puts a few that are evenly spaced first: one part of the change may be what the tests look at.
fn spread(alike: &[Mutant], few: usize) -> Vec<&Mutant> {
    let few = few.min(alike.len());
    let first: BTreeSet<usize> = (0..few).map(|nth| nth * alike.len() / few.max(1)).collect();
    let rest = (0..alike.len()).filter(|at| !first.contains(at));
    first.iter().copied().chain(rest).filter_map(|at| alike.get(at)).collect()
}

/// One small change at a time.
fn singles(places: &[Place<'_>], words: &BTreeSet<&str>) -> Vec<Aim> {
    let mut ranked: Vec<(bool, bool, usize, usize, Aim)> = Vec::new();
    for (file, place) in places.iter().enumerate() {
        let path = &place.source.path;
        let unnamed = usize::from(!words.contains(stem(path)));
        ranked.extend(place.singles.iter().enumerate().map(|(turn, mutant)| {
            let breaks = vec![Break { path: path.clone(), mutant: mutant.clone() }];
            (
                mutant.promise == Promise::Aside,
                !place.named.contains(&mutant.line),
                turn,
                file + unnamed * places.len(),
                Aim { breaks },
            )
        }));
    }
    ranked.sort_by_key(|(aside, stranger, turn, file, _)| (*aside, *stranger, *turn, *file));
    ranked.into_iter().map(|(_, _, _, _, aim)| aim).collect()
}

/// What stands in the tests beside the code of a source.
fn own_tests(source: &Source) -> String {
    let lines: Vec<&str> = source.now.lines().collect();
    let tests = test_lines(&source.path, &source.now);
    let text: Vec<&str> =
        tests.iter().filter_map(|line| lines.get(line.saturating_sub(1)).copied()).collect();
    text.join("\n")
}

/// The lines that stand in something that the tests name, by the nearest definition above.
fn named_lines(text: &str, named: &BTreeSet<&str>) -> BTreeSet<usize> {
    let mut is_named = false;
    let mut found = BTreeSet::new();
    for (at, line) in text.lines().enumerate() {
        is_named = definition(line).map_or(is_named, |name| named.contains(name));
        if is_named {
            found.insert(at + 1);
        }
    }
    found
}

/// The name that a line defines, in most languages.
fn definition(line: &str) -> Option<&str> {
    const KEYWORDS: [&str; 8] = ["fn", "def", "func", "function", "class", "defp", "fun", "const"];
    const BRANCHES: [&str; 7] = ["if", "for", "while", "switch", "catch", "return", "match"];
    if let Some(method) = line.strip_prefix("func (") {
        return words(method.split_once(')')?.1).next();
    }
    if let Some(exported) = line.split_once("exports.").filter(|(_, rest)| rest.contains('=')) {
        return words(exported.1).next();
    }
    let mut found = words(line).skip_while(|word| !KEYWORDS.contains(word));
    if found.next().is_some() {
        return found.next();
    }
    // `name(…) {`, as methods of scripts and functions of shells and of C begin.
    let head = line.trim_end().strip_suffix('{')?.split_once('(')?.0;
    words(head).last().filter(|name| !BRANCHES.contains(name))
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

    fn paths_of(aims: &[Aim]) -> Vec<String> {
        aims.iter().map(|aim| aim.breaks[0].path.clone()).collect()
    }

    #[test]
    fn only_code_is_broken_and_only_where_it_is_new() {
        let base = "def old(a):\n    return a + 1\n";
        let now = format!("{base}\ndef new(a):\n    return a - 1\n");
        let sources = [
            source("calc.py", Some(base), &now),
            source("node_modules/x.js", None, "export const f = (a) => a + 1;\n"),
        ];
        let aims = aimed(&sources, &[], 10);
        assert!(!aims.is_empty());
        for aim in &aims {
            assert_eq!(aim.breaks[0].path, "calc.py");
            assert!(aim.breaks[0].mutant.line > 3, "{}", aim.what());
        }
    }

    #[test]
    fn what_the_tests_name_comes_first() {
        let two = "def first(a):\n    return a + 1\n\n\ndef second(a):\n    return a - 1\n";
        let sources = [source("other.py", Some(two), two), source("calc.py", Some(two), two)];
        let tests = ["from calc import second\nassert second(2) == 1\n".to_owned()];
        let first = aimed(&sources, &tests, 1).remove(0).breaks.remove(0);
        assert_eq!((first.path.as_str(), first.mutant.line), ("calc.py", 6), "{first:?}");
    }

    #[test]
    fn every_file_has_its_turn() {
        let text = "def f(a):\n    return a + 1\n    return a - 2\n";
        let sources = [source("a_file.py", None, text), source("b_file.py", None, text)];
        let paths: Vec<String> = paths_of(&aimed(&sources, &[], 2));
        assert_eq!(paths, ["a_file.py", "b_file.py"]);
    }

    #[test]
    fn constants_are_changed_at_once_and_first() {
        let table: String = (0..30).map(|n| format!("    \"k{n}\": {n},\n")).collect();
        let sources = [source("codes.py", None, &format!("CODES = {{\n{table}}}\n"))];
        let aims = aimed(&sources, &[], 3);
        assert!(aims[0].what().contains("30 values became others"), "{}", aims[0].what());
        assert!(aims[1].what().contains("30 names became others"), "{}", aims[1].what());
        assert_eq!(aims.len(), 3);
    }

    #[test]
    fn the_last_try_changes_all_results_that_the_tests_name() {
        let code: String =
            (0..20).map(|n| format!("def f{n}(a):\n    return a + {n}\n\n\n")).collect();
        let sources = [source("calc.py", None, &code), source("more.py", None, &code)];
        let tests = ["from calc import f3, f17\n".to_owned()];
        let aims = aimed(&sources, &tests, 5);
        assert_eq!(aims.len(), 5);
        let last = &aims[4];
        assert!(last.what().contains("2 results became others"), "{}", last.what());
        assert_eq!(paths_of(std::slice::from_ref(last)), ["calc.py"]);
    }

    #[test]
    fn a_few_are_spread_over_what_is_alike() {
        let code: String = (0..20).map(|n| format!("def f{n}(a):\n    return a + {n}\n")).collect();
        let aims = aimed(&[source("calc.py", None, &code)], &[], 4);
        let lines: Vec<usize> = aims.iter().map(|aim| aim.breaks[0].mutant.line).collect();
        assert_eq!(lines, [2, 12, 22, 32]);
    }

    #[test]
    fn what_only_lost_lines_is_not_broken_elsewhere() {
        let base = "def old(a):\n    return a + 1\n\n\ndef kept(a):\n    return a - 1\n";
        let now = "def kept(a):\n    return a - 1\n";
        assert_eq!(aimed(&[source("calc.py", Some(base), now)], &[], 5), []);
    }

    #[test]
    fn tests_beside_the_code_say_what_they_name() {
        let code = "def one(a):\n    return a + 1\n\n\ndef two(a):\n    return a + 2\n\n\n\
            def test_it():\n    assert two(1) == 3\n";
        let first = aimed(&[source("calc.py", None, code)], &[], 1).remove(0);
        assert_eq!(first.breaks[0].mutant.line, 6, "{}", first.what());
    }
}
