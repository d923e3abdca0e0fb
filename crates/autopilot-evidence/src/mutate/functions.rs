//! Where functions are, and what they say they return.

use super::{
    code::Code,
    language::{Blocks, Language},
    lex::Kind,
};

/// A function with a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    /// The tokens of its head: from its first word to the one that opens its body.
    pub(super) head: (usize, usize),
    /// The tokens of its body: the opening one (a brace, a colon, the last of the head) and the last one.
    pub(super) body: (usize, usize),
    /// The tokens of its return type, where it names one.
    pub(super) returns: Option<(usize, usize)>,
}

/// Words before a parenthesis that is no list of parameters.
const NO_FUNCTIONS: [&str; 16] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "with",
    "when",
    "synchronized",
    "using",
    "lock",
    "fixed",
    "foreach",
    "match",
    "elseif",
    "return",
    "guard",
];

/// Words that may stand between parameters and body.
const AFTER_PARAMETERS: [&str; 10] = [
    "const", "override", "noexcept", "final", "throws", "rethrows", "async", "mutable", "volatile",
    "where",
];

/// Words before a return type that are no part of it.
const MODIFIERS: [&str; 22] = [
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "abstract",
    "virtual",
    "override",
    "inline",
    "async",
    "extern",
    "constexpr",
    "synchronized",
    "sealed",
    "unsafe",
    "partial",
    "new",
    "readonly",
    "explicit",
    "native",
    "default",
];

/// How many tokens a head may have.
const HEAD_TOKENS_MAX: usize = 200;

/// All functions, by where their bodies begin.
pub(super) fn find(code: &Code<'_>) -> Vec<Function> {
    let mut found = match code.language.blocks() {
        Blocks::Indent => indented(code),
        Blocks::Ends => ended(code),
        Blocks::Braces => braced(code),
    };
    found.sort_by_key(|function| function.body.0);
    found
}

fn braced(code: &Code<'_>) -> Vec<Function> {
    let mut found = Vec::new();
    for at in 0..code.tokens.len() {
        let word = code.word(at);
        let has_keyword = match code.language {
            Language::Rust => word == "fn",
            Language::Go | Language::Swift => word == "func",
            Language::Kotlin => word == "fun",
            Language::JavaScript | Language::TypeScript | Language::Php => word == "function",
            _ => false,
        };
        if has_keyword {
            found.extend(after_keyword(code, at));
        } else if word == "{"
            && !matches!(
                code.language,
                Language::Rust | Language::Go | Language::Swift | Language::Kotlin
            )
        {
            found.extend(before_brace(code, at));
        }
    }
    found
}

/// `fn name(…) -> Type {`: from the word to the brace.
fn after_keyword(code: &Code<'_>, keyword: usize) -> Option<Function> {
    let mut at = keyword + 1;
    let mut parameters = None;
    let mut arrow = None;
    let end = keyword + HEAD_TOKENS_MAX;
    while at < end {
        let is_type_brace = matches!(code.before(at), "interface" | "struct");
        match code.word(at) {
            "" | ";" | "}" | "=" => return None,
            "{" if !is_type_brace => break,
            "(" => {
                // Go has receivers before names, and results after parameters.
                let is_parameters = parameters.is_none()
                    || (code.language == Language::Go
                        && code.kind(at - 1) == Some(Kind::Word)
                        && arrow.is_none());
                if is_parameters {
                    parameters = Some(at);
                }
                at = code.past(at);
                if is_parameters && code.language == Language::Go {
                    arrow = (code.kind(at) != Some(Kind::Word) || !code.is_mark(at + 1, "("))
                        .then_some(at);
                }
                continue;
            }
            "->" if matches!(code.language, Language::Rust | Language::Swift) => {
                arrow = arrow.or(Some(at + 1));
            }
            ":" if parameters.is_some()
                && !matches!(code.language, Language::Rust | Language::Go) =>
            {
                arrow = arrow.or(Some(at + 1));
            }
            "where" => {
                let open = (at..end).find(|at| code.is_mark(*at, "{") || code.is_mark(*at, ";"))?;
                let returns = arrow.map(|from| (from, at - 1));
                return function(code, keyword, open, returns);
            }
            _ => {}
        }
        at = code.past(at);
    }
    let returns = arrow.filter(|from| *from < at).map(|from| (from, at - 1));
    function(code, keyword, at, returns)
}

fn function(
    code: &Code<'_>,
    head: usize,
    open: usize,
    returns: Option<(usize, usize)>,
) -> Option<Function> {
    let close = code.partner(open)?;
    let begin = if code.line(head) == code.line(code.first_on_line(head)) {
        code.first_on_line(head)
    } else {
        head
    };
    // A function inside of an expression has a head of its own, without what stands before it.
    let begin = if code.before(head).is_empty() || matches!(code.before(head), "=" | "(" | ",") {
        head
    } else {
        begin
    };
    Some(Function { head: (begin, open), body: (open, close), returns })
}

/// `int name(…) {`, `name(…): Type {` and `(…) => {`: from the brace back.
fn before_brace(code: &Code<'_>, open: usize) -> Option<Function> {
    let mut at = open.checked_sub(1)?;
    let mut returns = None;
    let is_arrow =
        code.is_mark(at, "=>") || (code.language == Language::Java && code.is_mark(at, "->"));
    if is_arrow {
        at = at.checked_sub(1)?;
    }
    while AFTER_PARAMETERS.contains(&code.word(at)) {
        at = at.checked_sub(1)?;
    }
    if !code.is_mark(at, ")") {
        let back = (at.saturating_sub(16)..at).rev().find(|at| {
            code.is_mark(*at, ")") || code.is_mark(*at, ";") || code.is_mark(*at, "{")
        })?;
        let next = code.word(back + 1);
        let is_typed = next == ":" && matches!(code.language, Language::TypeScript | Language::Php);
        let is_throws = next == "throws";
        if !code.is_mark(back, ")") || !(is_typed || is_throws) {
            return is_arrow.then(|| Function {
                head: (at, open),
                body: (open, code.partner(open).unwrap_or(open)),
                returns: None,
            });
        }
        returns = is_typed.then_some((back + 2, at));
        at = back;
    }
    let parameters = code.partner(at)?;
    let name = parameters.checked_sub(1);
    let word = name.map_or("", |name| code.word(name));
    if is_arrow {
        return function(code, parameters, open, returns)
            .map(|found| Function { head: (parameters, open), ..found });
    }
    let name =
        name.filter(|name| code.kind(*name) == Some(Kind::Word) && !NO_FUNCTIONS.contains(&word))?;
    if matches!(code.before(name), "new" | "." | "function" | "=") {
        return None;
    }
    let has_types =
        matches!(code.language, Language::Java | Language::C | Language::Cpp | Language::CSharp);
    let mut first = code.first_on_line(name);
    while has_types
        && first < name
        && (MODIFIERS.contains(&code.word(first)) || code.is_mark(first, "@"))
    {
        first += 1;
    }
    let returns = if has_types { (first < name).then(|| (first, name - 1)) } else { returns };
    Some(Function {
        head: (code.first_on_line(name), open),
        body: (open, code.partner(open)?),
        returns,
    })
}

fn indented(code: &Code<'_>) -> Vec<Function> {
    let mut found = Vec::new();
    for at in 0..code.tokens.len() {
        if !code.is_word(at, "def")
            || !matches!(code.first_on_line(at), first if first == at || code.is_word(first, "async"))
        {
            continue;
        }
        let mut colon = at + 1;
        let mut arrow = None;
        while colon < at + HEAD_TOKENS_MAX && !code.is_mark(colon, ":") && colon < code.tokens.len()
        {
            if code.is_mark(colon, "->") {
                arrow = Some(colon + 1);
            }
            colon = code.past(colon);
        }
        if let Some(last) = indented_end(code, at, colon) {
            let returns = arrow.map(|from| (from, colon - 1));
            found.push(Function {
                head: (code.first_on_line(at), colon),
                body: (colon, last),
                returns,
            });
        }
    }
    found
}

/// The last token of the block that a colon opens.
pub(super) fn indented_end(code: &Code<'_>, head: usize, colon: usize) -> Option<usize> {
    let depth = code.indent(head).len();
    let mut last = None;
    let mut at = colon + 1;
    while at < code.tokens.len() {
        let is_deeper = code.line(at) == code.line(colon)
            || !code.is_first_on_line(at)
            || code.indent(at).len() > depth;
        if !is_deeper {
            break;
        }
        let past = code.past(at);
        last = Some(past - 1);
        at = past;
    }
    last.filter(|last| *last < code.tokens.len())
}

/// `def name … end`, by indentation: what stands less deep than the first word ends it.
fn ended(code: &Code<'_>) -> Vec<Function> {
    let mut found = Vec::new();
    for at in 0..code.tokens.len() {
        if !matches!(code.word(at), "def" | "defp") || !code.is_first_on_line(at) {
            continue;
        }
        let open = code.last_on_line(at);
        if code.language == Language::Elixir && !code.is_word(open, "do") {
            continue;
        }
        let depth = code.indent(at).len();
        let is_end =
            |other: &usize| code.is_first_on_line(*other) && code.indent(*other).len() <= depth;
        let end = (open + 1..code.tokens.len()).find(is_end);
        if let Some(end) = end.filter(|end| code.is_word(*end, "end")) {
            found.push(Function { head: (at, open), body: (open, end), returns: None });
        }
    }
    found
}
