//! Returned values, changed to others of their type.

use super::{
    candidate::{Candidate, Rank, short},
    code::Code,
    dynamic,
    functions::Function,
    language::Language,
    lex::Kind,
    values::{Value, other_value, value_of},
};

/// Words with which no value ends a function.
const NO_VALUES: [&str; 16] = [
    "end", "else", "elsif", "if", "unless", "while", "for", "case", "when", "rescue", "ensure",
    "return", "raise", "begin", "do", "loop",
];

/// All returned values in changed lines.
pub(super) fn candidates(code: &Code<'_>, found: &mut Vec<Candidate>) {
    for at in 0..code.tokens.len() {
        if code.is_word(at, "return") && code.lines.is_changed(code.line(at)) {
            let function = code.function_at(at);
            if let Some((first, last)) = returned(code, at) {
                offer(code, function, first, last, found);
            } else {
                multiline(code, at, found);
            }
        }
    }
    if code.language.is_script() {
        for at in (0..code.tokens.len()).filter(|at| code.is_mark(*at, "=>")) {
            if let Some((first, last)) = after_arrow(code, at) {
                offer(code, None, first, last, found);
            }
        }
    }
    for function in &code.functions {
        if let Some((first, last)) = tail(code, function) {
            offer(code, Some(function), first, last, found);
        }
    }
}

fn offer(
    code: &Code<'_>,
    function: Option<&Function>,
    first: usize,
    last: usize,
    found: &mut Vec<Candidate>,
) {
    let written =
        function.and_then(|function| function.returns).map(|(first, last)| code.slice(first, last));
    let value = written.map_or(Value::Unknown, |written| value_of(code.language, written));
    if !is_literal(code, first, last)
        && matches!(value, Value::Unknown | Value::Maybe | Value::List)
        && otherwise(code, first, last, found)
    {
        return;
    }
    let changed = match (code.language, written) {
        (Language::Go, written) => go_values(code, written.unwrap_or_default(), first, last),
        (language, Some(written)) => {
            other_value(code, value_of(language, written), first, last).map(|to| (first, last, to))
        }
        (
            Language::Php
            | Language::JavaScript
            | Language::Python
            | Language::Ruby
            | Language::Elixir
            | Language::TypeScript,
            None,
        ) => other_value(code, Value::Unknown, first, last).map(|to| (first, last, to)),
        (_, None) => None,
    };
    if let Some((first, last, to)) = changed {
        let candidate = Candidate::replace(code.text, code.range(first, last), to, Rank::Returned);
        code.offer(first, candidate, found);
    }
}

/// The value of `(…) => value`, where it is on one line.
fn after_arrow(code: &Code<'_>, arrow: usize) -> Option<(usize, usize)> {
    let first = arrow + 1;
    let mut at = first;
    while !matches!(code.word(at), "" | ";" | "," | ")" | "]" | "}")
        && code.line(at) == code.line(arrow)
    {
        at = code.past(at);
    }
    let last = at.checked_sub(1).filter(|last| *last >= first)?;
    let goes_on =
        matches!(code.word(at), "." | "?." | "+" | "-" | "*" | "&&" | "||" | "??" | "?" | ":");
    let is_whole = code.line(last) == code.line(arrow)
        && (code.kind(last) != Some(Kind::Mark) || matches!(code.word(last), ")" | "]" | "}"));
    let has_text =
        (first..=last).any(|at| code.kind(at) == Some(Kind::Text) && code.word(at).contains('\n'));
    (is_whole && !goes_on && !has_text && !code.is_mark(first, "{")).then_some((first, last))
}

/// Whether a value is one that is written down as it is.
fn is_literal(code: &Code<'_>, first: usize, last: usize) -> bool {
    first == last
        && (matches!(code.kind(first), Some(Kind::Number | Kind::Text))
            || matches!(code.word(first), "true" | "false" | "True" | "False"))
}

/// Another value of the same type, whatever that is; says whether the language has a way.
fn otherwise(code: &Code<'_>, first: usize, last: usize, found: &mut Vec<Candidate>) -> bool {
    let expression = code.slice(first, last);
    let Some(to) = dynamic::other(code.language, expression) else { return false };
    let what = format!("`{}` became another value of its type", short(expression));
    code.offer(first, Candidate::told(code.range(first, last), to, what, Rank::Returned), found);
    true
}

/// The tokens between `return` and the end of the statement, where they are on one line.
fn returned(code: &Code<'_>, keyword: usize) -> Option<(usize, usize)> {
    let first = keyword + 1;
    let mut at = first;
    loop {
        let is_out = code.line(at) != code.line(keyword) || matches!(code.word(at), ";" | "}" | "");
        let is_modifier =
            code.language == Language::Ruby && matches!(code.word(at), "if" | "unless");
        if is_out || is_modifier {
            break;
        }
        at = code.past(at);
    }
    let last = at
        .checked_sub(1)
        .filter(|last| *last >= first && code.line(*last) == code.line(keyword))?;
    let goes_on = code.kind(last) == Some(Kind::Mark)
        && !matches!(code.word(last), ")" | "]" | "}" | "?" | "!" | "!!");
    let is_continued = matches!(
        code.word(at),
        "." | "?." | "+" | "-" | "&&" | "||" | "?" | "*" | "??" | "and" | "or" | "|>"
    );
    let is_split = (first..=last).any(|at| {
        code.kind(at) == Some(Kind::Text)
            && code.text[code.tokens[at].start..code.tokens[at].end].contains('\n')
    });
    let is_continued = is_continued && code.language != Language::Python;
    (!goes_on && !is_continued && !is_split).then_some((first, last))
}

/// `return (` with what follows on later lines.
fn multiline(code: &Code<'_>, keyword: usize, found: &mut Vec<Candidate>) {
    let open = keyword + 1;
    let Some(close) = code.partner(open).filter(|close| *close > open) else { return };
    let is_over = code.is_mark(close + 1, ";") || code.is_last_on_line(close);
    let goes_on = matches!(code.word(close + 1), "." | "?." | "?" | "||" | "??");
    if is_over && !goes_on && code.line(open) == code.line(keyword) {
        otherwise(code, open, close, found);
    }
}

/// The value with which a function ends without saying `return`.
fn tail(code: &Code<'_>, function: &Function) -> Option<(usize, usize)> {
    let (open, close) = function.body;
    let last = close.checked_sub(1).filter(|last| *last > open)?;
    let first = match code.language {
        Language::Rust => {
            let first = code.first_on_line(last).max(open + 1);
            let before = code.before(first);
            let is_alone = matches!(before, "{" | ";" | "}")
                && !code.is_mark(last, ";")
                && !code.is_mark(last, "}");
            Some(first).filter(|_| is_alone)?
        }
        Language::Ruby | Language::Elixir => {
            let first = code.first_on_line(last);
            let is_body = first > open
                && code.indent(first) == code.indent(open + 1)
                && code.kind(first) != Some(Kind::Mark);
            let before = first - 1;
            let is_fresh = before == open
                || code.kind(before) != Some(Kind::Mark)
                || matches!(code.word(before), ")" | "]" | "}");
            Some(first).filter(|_| is_body && is_fresh)?
        }
        _ => return None,
    };
    let is_statement = NO_VALUES.contains(&code.word(first))
        || code.is_word(first, "let")
        || code.is_word(first, "match");
    let opens = (first..=last).any(|at| {
        code.partner(at).is_some_and(|other| other < first || other > last)
            || matches!(code.word(at), "do" | "if" | ";")
    });
    (code.line(first) == code.line(last) && !is_statement && !opens).then_some((first, last))
}

/// Go returns several values, and does not compile where a name is left without use.
fn go_values(
    code: &Code<'_>,
    written: &str,
    first: usize,
    last: usize,
) -> Option<(usize, usize, String)> {
    let values = split(code, first, last);
    let types: Vec<&str> = written
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')')
        .split(',')
        .map(str::trim)
        .collect();
    let (value_first, value_last) = *values.first()?;
    let named = types.first().copied().unwrap_or_default();
    let bare = named.rsplit_once(' ').map_or(named, |(_, bare)| bare);
    let expression = code.slice(value_first, value_last);
    if values.len() == types.len() {
        let other = match value_of(Language::Go, bare) {
            value @ (Value::Truth | Value::Whole | Value::Real | Value::Text) => {
                other_value(code, value, value_first, value_last)
            }
            Value::List | Value::Maybe if expression != "nil" => {
                Some(format!("func() {bare} {{ _ = {expression}; return nil }}()"))
            }
            _ => None,
        };
        // Beside an error, the value is not looked at.
        let is_failure =
            values.len() > 1 && values.last().is_some_and(|last| code.is_word(last.0, "err"));
        if let Some(other) = other.filter(|_| !is_failure) {
            return Some((value_first, value_last, other));
        }
    }
    let (error_first, error_last) = *values.last()?;
    let is_error = code.slice(error_first, error_last) == "err";
    is_error.then(|| (error_first, error_last, "nil".to_owned()))
}

/// The expressions between commas.
fn split(code: &Code<'_>, first: usize, last: usize) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (first, first);
    while at <= last {
        if code.is_mark(at, ",") && at > from {
            parts.push((from, at - 1));
            from = at + 1;
        }
        at = code.past(at);
    }
    parts.push((from, last));
    parts
}
