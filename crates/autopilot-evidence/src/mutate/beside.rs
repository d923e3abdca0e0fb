//! Tests that stand in the same file as the code: to break them shows nothing.

use super::{
    code::Code,
    context::statement_end,
    functions::{self, Function},
    language::Language,
    lex::Kind,
};

/// First words of calls that declare tests in scripts.
const DECLARE: [&str; 9] =
    ["describe", "it", "test", "suite", "specify", "context", "beforeEach", "afterEach", "bench"];
/// How far an attribute may stand from the body it belongs to.
const ITEM_HEAD_TOKENS_MAX: usize = 200;
/// Words in the block of a module that is run by itself, by which that block is a test.
const SELF_TESTS: [&str; 8] =
    ["assert", "unittest", "doctest", "pytest", "testmod", "selftest", "self_test", "run_tests"];

/// The tokens of all tests, from the first to the last of each.
pub(super) fn tests(code: &Code<'_>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in 0..code.tokens.len() {
        let is_first = code.is_first_on_line(at);
        match code.language {
            Language::Rust => found.extend(attributed(code, at)),
            Language::Java | Language::Kotlin if is_first => found.extend(annotated(code, at)),
            Language::Python if is_first => found.extend(python_block(code, at)),
            Language::Ruby if is_first => found.extend(ruby_block(code, at)),
            Language::JavaScript | Language::TypeScript if is_first => {
                found.extend(script_call(code, at));
            }
            _ => {}
        }
    }
    let functions = code.functions.iter().filter(|function| is_test(code, function));
    found.extend(functions.map(|function| (function.head.0, function.body.1)));
    found
}

/// Tells whether a function is a test by its name.
fn is_test(code: &Code<'_>, function: &Function) -> bool {
    let keyword = |at: &usize| matches!(code.word(*at), "def" | "func" | "function");
    let Some(name) = (function.head.0..function.head.1).find(keyword).map(|at| code.word(at + 1))
    else {
        return false;
    };
    let head = || code.slice(function.head.0, function.head.1);
    match code.language {
        Language::Python => name == "test" || name.starts_with("test_"),
        Language::Go => {
            name.starts_with("Example") || (name != "(" && head().contains("*testing."))
        }
        Language::Php => name
            .strip_prefix("test")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')),
        _ => false,
    }
}

/// `#[test]` and `#[cfg(test)]` with what they belong to; `#![cfg(test)]` belongs to the rest of the file.
fn attributed(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    let is_inner = code.is_mark(at + 1, "!");
    let open = if is_inner { at + 2 } else { at + 1 };
    if !code.is_mark(at, "#") || !code.is_mark(open, "[") {
        return None;
    }
    let close = code.past(open) - 1;
    let said: String = code.slice(open, close).split_whitespace().collect();
    let is_condition = said.starts_with("[cfg(")
        && !said.contains("not(")
        && !said.contains("any(")
        && said.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "test");
    let name = said.trim_start_matches('[').split(['(', ']']).next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or_default();
    let is_test = name == "test"
        || name.ends_with("_test")
        || name == "test_case"
        || name == "bench"
        || matches!(name, "rstest" | "proptest" | "quickcheck" | "googletest");
    if !(is_condition || is_test) {
        return None;
    }
    if is_inner {
        return Some((at, code.tokens.len().saturating_sub(1)));
    }
    let end = (close + ITEM_HEAD_TOKENS_MAX).min(code.tokens.len());
    let body = (close + 1..end).find(|at| matches!(code.word(*at), "{" | ";"))?;
    Some((at, code.past(body) - 1))
}

/// `@Test` with its method.
fn annotated(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    let names = ["Test", "ParameterizedTest", "RepeatedTest", "Property"];
    if !code.is_mark(at, "@") || !names.contains(&code.word(at + 1)) {
        return None;
    }
    let end = (at + ITEM_HEAD_TOKENS_MAX).min(code.tokens.len());
    let body = (at..end).find(|at| code.is_mark(*at, "{"))?;
    Some((at, code.past(body) - 1))
}

/// A class of tests, or the block of a module that is run by itself where that tests.
fn python_block(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    let colon = (at..code.tokens.len())
        .take(ITEM_HEAD_TOKENS_MAX)
        .find(|colon| code.is_mark(*colon, ":") && code.partner(*colon).is_none())?;
    let end = || functions::indented_end(code, at, colon);
    if code.is_word(at, "class") {
        let is_test =
            code.word(at + 1).starts_with("Test") || code.slice(at, colon).contains("TestCase");
        return end().filter(|_| is_test).map(|end| (at, end));
    }
    if !(code.is_word(at, "if") && code.is_word(at + 1, "__name__")) {
        return None;
    }
    let end = end()?;
    let tests = (colon..=end).any(|at| SELF_TESTS.contains(&code.word(at)));
    tests.then_some((at, end))
}

/// A class of tests, a suite, or what happens where the file is run by itself.
fn ruby_block(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    let line = || code.slice(at, code.last_on_line(at));
    let is_test = match code.word(at) {
        "class" => ["Minitest", "Test::Unit", "TestCase"].iter().any(|name| line().contains(name)),
        "if" => code.word(at + 1) == "__FILE__",
        "RSpec" | "describe" => line().ends_with("do"),
        _ => false,
    };
    let depth = code.indent(at).len();
    let is_end =
        |other: &usize| code.is_first_on_line(*other) && code.indent(*other).len() <= depth;
    let end = (code.last_on_line(at) + 1..code.tokens.len()).find(is_end);
    end.filter(|end| is_test && code.is_word(*end, "end")).map(|end| (at, end))
}

/// `describe("…", …)`, `it("…", …)`, `test.each(…)("…", …)`, and `if (import.meta.vitest) { … }`.
fn script_call(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    if code.is_word(at, "if") && code.is_mark(at + 1, "(") {
        let close = code.partner(at + 1)?;
        let is_own = code.slice(at + 1, close).contains("import.meta.vitest");
        return is_own.then(|| (at, code.past(close + 1) - 1));
    }
    if !DECLARE.contains(&code.word(at)) || code.kind(at) != Some(Kind::Word) {
        return None;
    }
    let mut open = at + 1;
    while code.is_mark(open, ".") {
        open += 2;
    }
    let is_named = code.kind(open + 1) == Some(Kind::Text);
    let is_around = code.word(at).ends_with("Each");
    let is_table = open > at + 1 && code.is_mark(open, "(");
    (code.is_mark(open, "(") && (is_named || is_around || is_table))
        .then(|| (at, statement_end(code, at)))
}
