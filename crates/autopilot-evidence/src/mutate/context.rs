//! Which places of a file are left alone, and which are taken only when there is no other.

use super::{
    beside,
    code::{Code, Place},
    functions,
    language::Language,
    lex::Kind,
};

/// Words that begin an import, or name the file's own place.
const IMPORTS: [&str; 13] = [
    "import",
    "use",
    "from",
    "include",
    "require",
    "require_relative",
    "require_once",
    "include_once",
    "package",
    "namespace",
    "using",
    "extern",
    "alias",
];

/// Words that begin the head of a type, or a type without code.
const TYPES: [&str; 14] = [
    "struct",
    "enum",
    "trait",
    "impl",
    "interface",
    "class",
    "protocol",
    "extension",
    "template",
    "typedef",
    "object",
    "record",
    "union",
    "defmodule",
];

/// Words that may stand before those words.
const BEFORE_TYPES: [&str; 16] = [
    "pub",
    "export",
    "default",
    "public",
    "private",
    "protected",
    "internal",
    "abstract",
    "final",
    "sealed",
    "static",
    "open",
    "data",
    "unsafe",
    "declare",
    "partial",
];

/// First words of calls that write to a log.
const LOGS: [&str; 17] = [
    "log", "logger", "logging", "tracing", "console", "slog", "debug", "info", "warn", "warning",
    "trace", "eprintln", "eprint", "NSLog", "Logger", "Log", "_logger",
];

/// Calls whose text is for people.
const MESSAGES: [&str; 16] = [
    "expect",
    "Error",
    "TypeError",
    "RangeError",
    "ValueError",
    "RuntimeError",
    "Errorf",
    "New",
    "bail",
    "anyhow",
    "panic",
    "fatalError",
    "Exception",
    "RuntimeException",
    "IllegalArgumentException",
    "unreachable",
];

/// How many tokens one statement may have.
const STATEMENT_TOKENS_MAX: usize = 1000;

/// Gives each token its place.
pub(super) fn places(code: &Code<'_>) -> Vec<Place> {
    let mut places = vec![Place::Open; code.tokens.len()];
    for function in &code.functions {
        close_head(code, function.head, &mut places);
    }
    for at in 0..code.tokens.len() {
        if code.is_first_on_line(at) {
            by_first_word(code, at, &mut places);
        }
        by_token(code, at, &mut places);
    }
    // They may be nested however deep, so each token is closed once.
    let mut tests = beside::tests(code);
    tests.sort_unstable();
    let mut past = 0;
    for (first, last) in tests {
        let end = (last + 1).min(places.len());
        places.get_mut(first.max(past)..end).unwrap_or_default().fill(Place::Closed);
        past = past.max(end);
    }
    places
}

fn mark(places: &mut [Place], first: usize, last: usize, place: Place) {
    let last = last.min(places.len().saturating_sub(1));
    let is_known = |at: usize| places.get(at).is_some_and(|known| *known >= place);
    // What is nested in a long part was marked with it; marking it again at each depth would take long.
    if last > first + STATEMENT_TOKENS_MAX && is_known(first) && is_known(last) {
        return;
    }
    for known in places.iter_mut().take(last + 1).skip(first) {
        *known = place.max(*known);
    }
}

/// A head holds names and types; in some languages also values that are taken when none is given.
fn close_head(code: &Code<'_>, head: (usize, usize), places: &mut [Place]) {
    let has_values = !code.language.is_typed();
    for (at, place) in places.iter_mut().enumerate().take(head.1 + 1).skip(head.0) {
        let is_value = has_values && code.before(at) == "=" && code.kind(at) != Some(Kind::Mark);
        if code.language == Language::Elixir && code.is_word(at, "when") {
            return;
        }
        if !is_value {
            *place = Place::Closed;
        }
    }
}

/// The last token of the statement that begins at a token.
pub(super) fn statement_end(code: &Code<'_>, first: usize) -> usize {
    let mut at = first;
    while at < code.tokens.len() && at < first + STATEMENT_TOKENS_MAX {
        if code.is_mark(at, ";") {
            return at;
        }
        let last = code.past(at) - 1;
        let goes_on = code.kind(last) == Some(Kind::Mark)
            && !matches!(code.word(last), ")" | "]" | "}" | "?" | "!" | "*");
        if code.language.ends_by_line() && code.is_last_on_line(last) && !goes_on {
            return last;
        }
        at = last + 1;
    }
    at.min(code.tokens.len().saturating_sub(1))
}

/// The token before the brace or the end of a head.
fn head_end(code: &Code<'_>, first: usize) -> usize {
    let mut at = first;
    while at < code.tokens.len()
        && at < first + STATEMENT_TOKENS_MAX
        && !matches!(code.word(at), "{" | ";" | "=")
    {
        if code.language.ends_by_line() && code.is_last_on_line(at) && code.word(at) != "," {
            return at;
        }
        at = code.past(at);
    }
    at.min(code.tokens.len().saturating_sub(1))
}

fn by_first_word(code: &Code<'_>, first: usize, places: &mut [Place]) {
    let mut at = first;
    while BEFORE_TYPES.contains(&code.word(at)) {
        at = code.past(at);
        if code.is_mark(at, "(") {
            at = code.past(at);
        }
    }
    let word = code.word(at);
    let next = code.word(at + 1);
    let is_value = matches!(next, "=" | "." | "+=");
    if (IMPORTS.contains(&word) && !is_value) || is_type_statement(code, at) {
        mark(places, first, statement_end(code, at), Place::Closed);
    } else if TYPES.contains(&word) && !is_value {
        mark(places, first, head_end(code, at), Place::Closed);
    } else if word == "macro_rules" {
        mark(places, first, code.past(at + 3) - 1, Place::Closed);
    } else if code.language == Language::Sql
        && matches!(word.to_uppercase().as_str(), "CREATE" | "ALTER" | "DROP")
    {
        mark(places, first, first, Place::Closed);
    } else if word == "if" && next == "__name__" {
        let colon = code.last_on_line(at);
        let end = functions::indented_end(code, at, colon).unwrap_or(colon);
        mark(places, first, colon, Place::Closed);
        mark(places, first, end, Place::Reluctant);
    } else if is_assertion(code, at) {
        // The opposite of what the code takes for granted ends it wherever it is run, whoever looks.
        mark(places, first, statement_end(code, at), Place::Closed);
    } else if is_log(code, at) {
        mark(places, first, statement_end(code, at), Place::Reluctant);
    } else if matches!(word, "raise" | "throw" | "panic" | "fail" | "die") {
        let end = statement_end(code, at);
        for at in (at..=end).filter(|at| code.kind(*at) == Some(Kind::Text)) {
            mark(places, at, at, Place::Reluctant);
        }
    }
}

/// Tells whether a statement holds types and nothing else.
fn is_type_statement(code: &Code<'_>, at: usize) -> bool {
    let is_shape = code.language == Language::TypeScript && code.word(at) == "interface";
    is_shape || (code.word(at) == "type" && code.kind(at + 1) == Some(Kind::Word))
}

fn is_assertion(code: &Code<'_>, at: usize) -> bool {
    let receiver = matches!(code.word(at), "self" | "Assert" | "t" | "Assertions")
        && code.is_mark(at + 1, ".");
    let word = code.word(if receiver { at + 2 } else { at }).to_lowercase();
    let is_call = ["(", "!", "."].contains(&code.word(at + 1)) || code.language == Language::Python;
    let by_name =
        ["assert", "debug_assert", "static_assert", "xctassert", "invariant", "precondition"];
    let by_tester = receiver
        && code.word(at) == "t"
        && ["error", "fatal"].iter().any(|name| word.starts_with(name));
    by_tester
        || (is_call && by_name.iter().any(|name| word.starts_with(name)))
        || (word == "expect" && code.is_mark(at + 1, "("))
}

fn is_log(code: &Code<'_>, at: usize) -> bool {
    let owner = matches!(code.word(at), "self" | "this") && code.is_mark(at + 1, ".");
    let at = if owner { at + 2 } else { at };
    let is_call = matches!(code.word(at + 1), "." | "::" | "!" | "->");
    // What a program of JavaScript prints is written to the console, too.
    let is_print =
        code.word(at) == "console" && matches!(code.word(at + 2), "log" | "error" | "table");
    is_call && LOGS.contains(&code.word(at)) && (!is_print || code.word(at + 2) == "error")
}

fn by_token(code: &Code<'_>, at: usize, places: &mut [Place]) {
    match code.word(at) {
        "#" if code.is_mark(at + 1, "[")
            || (code.is_mark(at + 1, "!") && code.is_mark(at + 2, "[")) =>
        {
            attribute(code, at, places);
        }
        "@" if code.is_first_on_line(at) => decorator(code, at, places),
        "[" if code.language == Language::CSharp && code.is_first_on_line(at) => {
            let close = code.past(at) - 1;
            if code.is_last_on_line(close) {
                mark(places, at, close, Place::Closed);
            }
        }
        "require" | "import" if code.is_mark(at + 1, "(") => {
            mark(places, at, code.past(at + 1) - 1, Place::Closed);
        }
        "from" if code.language.is_script() && code.kind(at + 1) == Some(Kind::Text) => {
            mark(places, at, at + 1, Place::Closed);
        }
        _ => {}
    }
    if code.kind(at) == Some(Kind::Text) {
        if is_remark(code, at) {
            mark(places, at, at, Place::Closed);
        }
        let callee =
            at.saturating_sub(if code.before(at.saturating_sub(1)) == "!" { 3 } else { 2 });
        if code.before(at) == "(" && MESSAGES.contains(&code.word(callee)) {
            mark(places, at, at, Place::Reluctant);
        }
    }
}

/// A text that is a statement by itself tells people something, or is a directive.
fn is_remark(code: &Code<'_>, at: usize) -> bool {
    let last = if code.is_mark(at + 1, ";") { at + 1 } else { at };
    let is_alone = code.is_first_on_line(at) && code.is_last_on_line(last);
    let follows_statement = at == 0
        || code.kind(at - 1) != Some(Kind::Mark)
        || matches!(code.before(at), ")" | "]" | "}" | ";" | ":");
    match code.language {
        Language::Python => is_alone && follows_statement,
        Language::JavaScript | Language::TypeScript => {
            is_alone && follows_statement && !matches!(code.before(at), ":" | "return")
        }
        _ => false,
    }
}

/// `#[…]`: closed.
fn attribute(code: &Code<'_>, at: usize, places: &mut [Place]) {
    let open = if code.is_mark(at + 1, "[") { at + 1 } else { at + 2 };
    mark(places, at, code.past(open) - 1, Place::Closed);
}

/// `@name(…)`, except where `@name value` gives a module of Elixir a constant, or is a variable of Ruby.
fn decorator(code: &Code<'_>, at: usize, places: &mut [Place]) {
    let docs =
        ["doc", "moduledoc", "typedoc", "spec", "type", "typep", "impl", "behaviour", "callback"];
    match code.language {
        Language::Ruby | Language::Php => {}
        Language::Elixir if docs.contains(&code.word(at + 1)) => {
            mark(places, at, statement_end(code, at), Place::Closed);
        }
        Language::Elixir => mark(places, at, at, Place::Closed),
        _ => {
            let mut end = at + 1;
            while code.is_mark(end + 1, ".") {
                end += 2;
            }
            let last = if code.is_mark(end + 1, "(") { code.past(end + 1) - 1 } else { end };
            mark(places, at, last, Place::Closed);
        }
    }
}
