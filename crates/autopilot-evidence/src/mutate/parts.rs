//! Tests that stand in the same file as the code, one by one.
//!
//! Only those of Rust: other languages keep theirs in files of their own, or mark them so freely that nobody could tell
//! them apart with certainty.

use std::collections::BTreeSet;

use super::{beside, code::Code, language::Language, lines::Lines};

/// How far the name of an item may stand from its beginning.
const HEAD_TOKENS_MAX: usize = 24;

/// A test, or a block of tests, in a file of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPart<'a> {
    /// What it is called.
    pub name: &'a str,
    /// It as a whole, with the attributes before it.
    pub text: &'a str,
    /// Where it begins and ends, in bytes.
    pub range: (usize, usize),
    /// Whether nothing is around it.
    pub is_at_top: bool,
    /// Whether it is one function.
    pub is_function: bool,
}

impl TestPart<'_> {
    /// Whether two say the same but for layout.
    pub fn says_the_same(&self, other: &TestPart<'_>) -> bool {
        self.text.split_whitespace().eq(other.text.split_whitespace())
    }
}

/// The tests of a file, the outermost of each.
pub fn test_parts<'a>(path: &str, text: &'a str) -> Vec<TestPart<'a>> {
    let mut past = 0;
    let mut parts = all(path, text);
    parts.retain(|part| {
        let is_outermost = part.range.0 >= past;
        past = past.max(part.range.1);
        is_outermost
    });
    parts
}

/// The test functions of a file, wherever they stand.
pub fn test_functions<'a>(path: &str, text: &'a str) -> Vec<TestPart<'a>> {
    let mut parts = all(path, text);
    parts.retain(|part| part.is_function);
    parts
}

/// The names of the functions of a file that are no tests.
pub fn code_functions(path: &str, text: &str) -> BTreeSet<String> {
    let language = Language::of(path, text);
    let lines = Lines::new(text, &[]);
    let code = Code::new(text, language, &lines);
    let tests = test_parts(path, text);
    let is_test = |at: usize| {
        let start = code.tokens.get(at).map_or(0, |token| token.start);
        tests.iter().any(|part| (part.range.0..part.range.1).contains(&start))
    };
    let functions = code.functions.iter().filter(|function| !is_test(function.head.0));
    functions
        .filter_map(|function| name_of(&code, function.head.0))
        .map(|(name, _)| code.word(name).to_owned())
        .collect()
}

/// Every item that is marked as a test, those around others first.
fn all<'a>(path: &str, text: &'a str) -> Vec<TestPart<'a>> {
    let language = Language::of(path, text);
    if language != Language::Rust {
        return Vec::new();
    }
    let lines = Lines::new(text, &[]);
    let code = Code::new(text, language, &lines);
    let mut ranges: Vec<(usize, usize)> = beside::tests(&code)
        .into_iter()
        .filter(|(first, _)| !code.is_mark(first + 1, "!"))
        .map(|(first, last)| (with_attributes(&code, first), last))
        .collect();
    ranges.sort_unstable_by_key(|(first, last)| (*first, usize::MAX - last));
    ranges.dedup();
    let found = ranges.into_iter().filter_map(|(first, last)| found(&code, first, last));
    found.filter_map(|found| found.of(text)).collect()
}

/// Where a test is.
struct Found {
    name: (usize, usize),
    range: (usize, usize),
    is_at_top: bool,
    is_function: bool,
}

impl Found {
    fn of<'a>(&self, text: &'a str) -> Option<TestPart<'a>> {
        let Self { name, range, is_at_top, is_function } = *self;
        let (name, part) = (text.get(name.0..name.1)?, text.get(range.0..range.1)?);
        Some(TestPart { name, text: part, range, is_at_top, is_function })
    }
}

fn found(code: &Code<'_>, first: usize, last: usize) -> Option<Found> {
    let (name, is_function) = name_of(code, first)?;
    let is_around = |at: usize| code.partner(at).is_some_and(|close| close > first);
    Some(Found {
        name: code.range(name, name),
        range: code.range(first, last),
        is_at_top: !(0..first).any(is_around),
        is_function,
    })
}

/// The first token of the attributes before an item.
fn with_attributes(code: &Code<'_>, mut first: usize) -> usize {
    while let Some(open) = first.checked_sub(1).and_then(|close| code.partner(close)) {
        let is_attribute = open > 0 && open < first && code.is_mark(open - 1, "#");
        if !is_attribute || code.word(open) != "[" {
            break;
        }
        first = open - 1;
    }
    first
}

/// The token that names an item, and whether it is a function.
fn name_of(code: &Code<'_>, first: usize) -> Option<(usize, bool)> {
    let mut at = first;
    while code.is_mark(at, "#") {
        at = code.past(at + 1);
    }
    let keyword =
        (at..at + HEAD_TOKENS_MAX).find(|at| matches!(code.word(*at), "mod" | "fn" | "{" | ";"))?;
    match code.word(keyword) {
        "mod" => Some((keyword + 1, false)),
        "fn" => Some((keyword + 1, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "pub fn sub(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[path = \"x.rs\"]\n#[cfg(test)]\nmod more;\n\n\
        mod inner {\n    #[test]\n    fn deep() {\n        assert!(true);\n    }\n}\n\n\
        #[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    #[should_panic]\n    fn subtracts() {\n        \
        assert_eq!(sub(5, 3), 2);\n    }\n}\n";

    #[test]
    fn tests_are_found_with_what_is_said_about_them() {
        let parts = test_parts("src/lib.rs", CODE);
        let names: Vec<(&str, bool)> =
            parts.iter().map(|part| (part.name, part.is_at_top)).collect();
        assert_eq!(names, [("more", true), ("deep", false), ("tests", true)]);
        assert!(parts[0].text.starts_with("#[path") && parts[0].text.ends_with("mod more;"));
        assert!(parts[2].text.ends_with('}') && parts[2].text.contains("subtracts"));
        let functions: Vec<&str> =
            test_functions("src/lib.rs", CODE).iter().map(|part| part.name).collect();
        assert_eq!(functions, ["deep", "subtracts"]);
    }

    #[test]
    fn what_is_no_test_is_a_function_of_the_code() {
        let names: Vec<String> = code_functions("src/lib.rs", CODE).into_iter().collect();
        assert_eq!(names, ["sub"]);
        assert!(test_parts("lib.py", "def test_x():\n    pass\n").is_empty());
    }
}
