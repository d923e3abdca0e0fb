//! Arithmetic operators, swapped.

use super::{
    candidate::{Candidate, Rank},
    code::Code,
    language::Language,
    lex::Kind,
};

/// Words of C before a star that is no product.
const C_TYPES: [&str; 14] = [
    "int", "char", "void", "const", "struct", "unsigned", "signed", "long", "short", "float",
    "double", "auto", "static", "size_t",
];

/// All arithmetic operators in changed lines.
pub(super) fn candidates(code: &Code<'_>, found: &mut Vec<Candidate>) {
    for at in 0..code.tokens.len() {
        if !code.lines.is_changed(code.line(at)) || code.kind(at) != Some(Kind::Mark) {
            continue;
        }
        if let Some(to) = other(code, at) {
            let candidate =
                Candidate::replace(code.text, code.range(at, at), to.to_owned(), Rank::Arithmetic);
            code.offer(at, candidate.reluctant(is_step(code, at)), found);
        }
    }
}

fn other(code: &Code<'_>, at: usize) -> Option<&'static str> {
    let adds_texts = code.language == Language::Sql || touches_text(code, at);
    let to = match code.word(at) {
        "+" if !adds_texts => "-",
        "-" => "+",
        "*" => "+",
        "/" => "*",
        "%" if !adds_texts => "*",
        "**" => "*",
        "//" if code.language == Language::Python => "*",
        "+=" if !adds_texts => "-=",
        "-=" => "+=",
        "*=" => "+=",
        "/=" => "*=",
        _ => return None,
    };
    let is_between = at > 0 && code.is_operand_end(at - 1) && code.is_operand_start(at + 1);
    let (before, after) = code.spacing(at);
    let fits = is_between && before == after && !is_type(code, at);
    (fits && !(matches!(code.word(at), "*" | "**") && is_pointer(code, at))).then_some(to)
}

/// Tells whether an operator of a typed language may join texts; subtracting them would not compile.
fn touches_text(code: &Code<'_>, at: usize) -> bool {
    let (first, last) = (code.first_on_line(at), code.last_on_line(at));
    let is_near =
        |other: usize| other >= first && other <= last && code.kind(other) == Some(Kind::Text);
    if !code.language.is_typed() {
        return is_near(at + 1) || (at > 0 && is_near(at - 1));
    }
    let returns = code.function_at(at).and_then(|function| function.returns);
    let says_text =
        returns.is_some_and(|(first, last)| code.slice(first, last).to_lowercase().contains("str"));
    says_text || (first..=last.min(first + 200)).any(is_near) || matches!(code.word(at + 1), "&")
}

/// `dyn A + Send`, `T: A + 'a`: names of types, not values.
fn is_type(code: &Code<'_>, at: usize) -> bool {
    let is_camel = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.contains(|c: char| c.is_ascii_lowercase())
    };
    let is_path = |at: usize| {
        code.is_mark(at + 1, "::") || code.is_mark(at + 1, "(") || code.is_mark(at + 1, ".")
    };
    code.language == Language::Rust
        && ((is_camel(code.word(at + 1)) && !is_path(at + 1))
            || is_camel(code.before(at))
            || code.word(at + 1).starts_with('\'')
            || code.before(at).starts_with('\''))
}

/// Tells whether a star declares or follows a pointer, or spreads arguments.
fn is_pointer(code: &Code<'_>, at: usize) -> bool {
    let first = code.first_on_line(at);
    let has_pointers =
        matches!(code.language, Language::C | Language::Cpp | Language::CSharp | Language::Go);
    C_TYPES.contains(&code.before(at))
        || matches!(code.word(at + 1), "," | ")" | "*" | "&")
        || (has_pointers && at == first + 1)
        || (code.language == Language::Sql
            && !(code.kind(at - 1) == Some(Kind::Number)
                || code.kind(at + 1) == Some(Kind::Number)))
}

/// `i += 1`: a loop that counts the other way may not end.
fn is_step(code: &Code<'_>, at: usize) -> bool {
    matches!(code.word(at), "+=" | "-=") && code.word(at + 1) == "1"
}
