//! Numbers, truths, texts and characters, changed to others.

use super::{
    candidate::{Candidate, Rank},
    code::Code,
    language::Language,
    lex::{Kind, Token},
    words::{broken, other_character, other_number},
};

/// Macros whose text is read when the program is built.
const READ_AT_BUILD: [&str; 6] =
    ["env", "option_env", "include_str", "include_bytes", "include", "concat"];

/// All literals in changed lines.
pub(super) fn candidates(code: &Code<'_>, found: &mut Vec<Candidate>) {
    for at in 0..code.tokens.len() {
        if !code.lines.is_changed(code.line(at)) || is_in_loop_head(code, at) {
            continue;
        }
        let other = match code.kind(at) {
            Some(Kind::Number) => number(code, at),
            Some(Kind::Word) => truth(code.word(at)).map(str::to_owned),
            Some(Kind::Text) => text(code, at),
            Some(Kind::Opaque | Kind::Mark) | None => None,
        };
        if let Some(other) = other {
            let token = trimmed(code.text, code.tokens[at]);
            let candidate = in_place(code.text, &token, other);
            code.offer(at, candidate.reluctant(is_label(code, at)), found);
        }
    }
}

/// Tells whether a token says how often a loop runs. One that runs too often fails by itself, and so shows nothing about
/// a test that only calls it.
fn is_in_loop_head(code: &Code<'_>, at: usize) -> bool {
    let first = code.first_on_line(at);
    (first..at).any(|word| {
        matches!(code.word(word), "while" | "until" | "for") && code.kind(word) == Some(Kind::Word)
    }) && !(first..at)
        .any(|mark| matches!(code.word(mark), "{" | "do" | "then") || ends_head(code, mark))
}

/// The colon after which the body of a loop stands on the same line.
fn ends_head(code: &Code<'_>, at: usize) -> bool {
    code.language == Language::Python && code.is_mark(at, ":") && code.partner(at).is_none()
}

/// A text of several lines without the ends of its last ones, which belong to what follows.
fn trimmed(text: &str, token: Token) -> Token {
    let (start, end) = token.inner;
    let inside = text.get(start..end).unwrap_or_default();
    let length = if inside.contains('\n') { inside.trim_end().len() } else { inside.len() };
    Token { inner: (start, start + length), ..token }
}

/// Puts another inside into a literal; an empty one is replaced with its quotes.
pub(super) fn in_place(text: &str, token: &Token, other: String) -> Candidate {
    let (start, end) = token.inner;
    if start < end {
        return Candidate::replace(text, token.inner, other, Rank::Literal);
    }
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let to = [part(token.start..start), &other, part(end..token.end)].concat();
    Candidate::replace(text, (token.start, token.end), to, Rank::Literal)
}

fn number(code: &Code<'_>, at: usize) -> Option<String> {
    let is_field = code.before(at) == "." && code.spacing(at) == (false, code.spacing(at).1);
    let is_length = code.language == Language::Rust && code.before(at) == ";";
    let is_go_length = code.before(at) == "["
        && code.is_mark(at + 1, "]")
        && code.kind(at + 2) == Some(Kind::Word);
    if is_field || is_length || (is_go_length && code.language == Language::Go) {
        return None;
    }
    other_number(code.word(at))
}

fn truth(word: &str) -> Option<&'static str> {
    match word {
        "true" => Some("false"),
        "false" => Some("true"),
        "True" => Some("False"),
        "False" => Some("True"),
        "TRUE" => Some("FALSE"),
        "FALSE" => Some("TRUE"),
        _ => None,
    }
}

fn text(code: &Code<'_>, at: usize) -> Option<String> {
    let token = code.tokens.get(at)?;
    let inside = code.text.get(token.inner.0..token.inner.1)?;
    let quote = code.text.get(..token.inner.0)?.chars().next_back()?;
    let has_characters = matches!(
        code.language,
        Language::Rust
            | Language::Go
            | Language::Java
            | Language::Kotlin
            | Language::C
            | Language::Cpp
            | Language::CSharp
    );
    if quote == '\'' && has_characters {
        return other_character(inside).map(str::to_owned);
    }
    let is_macro = code.before(at) == "(" && at > 2 && code.is_mark(at - 2, "!");
    if is_macro && READ_AT_BUILD.contains(&code.word(at - 3)) {
        return None;
    }
    // Code falls over a name that it does not find, whoever looks.
    let is_name = code.before(at) == "[" && code.is_mark(at + 1, "]");
    // A prefix such as `b` makes the length of a text a part of its type.
    let is_bytes = code.language == Language::Rust && code.word(at).starts_with('b');
    let is_in_list = at < 2 || !code.is_operand_end(at - 2);
    if is_bytes || (is_name && !is_in_list) {
        return None;
    }
    Some(broken(if inside.contains('\n') { inside.trim_end() } else { inside }))
}

/// A label of a branch, an index, a step: another value may not compile or may not end.
fn is_label(code: &Code<'_>, at: usize) -> bool {
    let (before, next) = (code.before(at), code.word(at + 1));
    let is_pattern = code.language == Language::Rust
        && (matches!(next, "=>" | "|" | "..=" | "..") || matches!(before, "..=" | "|"));
    let is_index = before == "[" && next == "]" && code.language.is_typed();
    let is_step = matches!(before, "+=" | "-=");
    before == "case" || is_pattern || is_index || is_step
}
