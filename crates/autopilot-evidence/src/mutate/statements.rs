//! Statements that do not happen, and functions that do nothing.

use super::{
    candidate::{Candidate, Rank, short},
    code::{Code, Place},
    functions::Function,
    language::Language,
    lex::Kind,
    values::{Value, value_of},
    words::MUTATED,
};

/// Words with which no statement begins that can be taken out.
const KEPT: [&str; 36] = [
    "return", "if", "else", "elif", "for", "while", "do", "switch", "case", "match", "try",
    "catch", "except", "finally", "let", "const", "var", "val", "def", "fn", "func", "fun",
    "function", "class", "import", "from", "use", "yield", "raise", "throw", "break", "continue",
    "defer", "go", "end", "with",
];

/// All statements and functions in changed lines.
pub(super) fn candidates(code: &Code<'_>, found: &mut Vec<Candidate>) {
    for first in (0..code.tokens.len()).filter(|at| code.is_first_on_line(*at)) {
        if code.lines.is_changed(code.line(first)) && code.language != Language::Sql {
            remove(code, first, found);
        }
    }
    for function in &code.functions {
        empty(code, function, found);
    }
}

fn remove(code: &Code<'_>, first: usize, found: &mut Vec<Candidate>) {
    let last = code.last_on_line(first);
    let end = if code.is_mark(last, ";") { last.saturating_sub(1) } else { last };
    if code.kind(first) != Some(Kind::Word)
        && !code.is_mark(first, "@")
        && !code.is_mark(first, "*")
    {
        return;
    }
    let has_end = code.is_mark(last, ";") || code.language.ends_by_line();
    let in_place = code.function_at(first).is_some() || !code.language.is_typed();
    let is_call = is_call(code, first, end);
    let is_assignment = is_assignment(code, first, end);
    let is_alone = has_end && in_place && end > first && stands_alone(code, first, last);
    if KEPT.contains(&code.word(first)) || !is_alone || !(is_call || is_assignment) {
        return;
    }
    let statement = code.slice(first, last);
    let to = match code.language {
        Language::Python => "pass".to_owned(),
        Language::Ruby | Language::Elixir => "nil".to_owned(),
        Language::Rust | Language::Go | Language::Swift => format!("if false {{ {statement} }}"),
        Language::C => format!("if (0) {{ {statement} }}"),
        _ => format!("if (false) {{ {statement} }}"),
    };
    let what = format!("`{}` does not happen", short(statement));
    code.offer(first, Candidate::told(code.range(first, last), to, what, Rank::Removal), found);
}

/// Tells whether a line is one whole statement.
fn stands_alone(code: &Code<'_>, first: usize, last: usize) -> bool {
    let is_balanced = (first..=last).all(|at| match code.word(at) {
        "(" | "[" | "{" | ")" | "]" | "}" if code.kind(at) == Some(Kind::Mark) => {
            code.partner(at).is_some_and(|other| other >= first && other <= last)
        }
        ";" => at == last,
        _ => true,
    });
    let ends = |at: usize| {
        let is_mark = code.kind(at) == Some(Kind::Mark);
        if code.language.ends_by_line() {
            !is_mark || matches!(code.word(at), ";" | "{" | "}" | ")" | "]" | ":" | "!!")
        } else {
            is_mark && matches!(code.word(at), ";" | "{" | "}")
        }
    };
    let follows =
        first == 0 || ends(first - 1) || code.places.get(first - 1) == Some(&Place::Closed);
    let goes_on = matches!(
        code.word(last + 1),
        "." | "?." | "+" | "-" | "*" | "&&" | "||" | "?" | "|>" | "??" | "="
    ) && code.language != Language::Python;
    let is_item = !code.is_mark(last, ";") && is_in_list(code, first);
    // The lines of a document would become code.
    let has_document = (first..=last)
        .any(|at| code.kind(at) == Some(Kind::Opaque) && code.word(at).starts_with("<<"));
    is_balanced && follows && !goes_on && !is_item && !has_document
}

/// Tells whether a line stands inside of parentheses or brackets: a value there is no statement.
fn is_in_list(code: &Code<'_>, first: usize) -> bool {
    let mut at = first;
    for _ in 0..200 {
        let Some(before) = at.checked_sub(1) else { return false };
        match (code.partner(before), code.word(before)) {
            (Some(open), ")" | "]" | "}") if open < before => at = open,
            (_, "(" | "[") => return true,
            (_, "{") => return code.language == Language::Python,
            _ => at = before,
        }
    }
    false
}

fn is_call(code: &Code<'_>, first: usize, end: usize) -> bool {
    let begin = if matches!(code.word(first), "await") { first + 1 } else { first };
    let is_own = matches!(code.word(begin), "super" | "this") && code.is_mark(begin + 1, "(");
    let is_named = !is_own && matches!(code.word(begin + 1), "(" | "." | "::" | "->" | "!" | "?.");
    let ends_with_call =
        code.is_mark(end, ")") || (code.language == Language::Rust && code.is_mark(end, "?"));
    is_named && ends_with_call && assigns(code, first, end).is_none()
}

/// The place of the mark that assigns.
fn assigns(code: &Code<'_>, first: usize, end: usize) -> Option<usize> {
    let mut at = first;
    while at <= end {
        if code.kind(at) == Some(Kind::Mark)
            && matches!(
                code.word(at),
                "=" | "+=" | "-=" | "*=" | "/=" | ":=" | "|=" | "&=" | ".=" | "||="
            )
        {
            return Some(at);
        }
        at = code.past(at);
    }
    None
}

/// Tells whether code falls over its own feet without a statement that gives a name or a field its first value; a test
/// that looks at nothing would notice that as well.
fn is_needed(code: &Code<'_>, first: usize, mark: usize) -> bool {
    let is_in_place = code.word(mark) != "=" || (first..mark).any(|at| code.is_mark(at, "["));
    let is_field = (first..mark).any(|at| matches!(code.word(at), "." | "->" | "@"));
    let builds = |function: &Function| {
        (function.head.0..function.head.1).any(|at| {
            matches!(code.word(at), "__init__" | "constructor" | "initialize" | "__construct")
        })
    };
    let is_later = is_field && code.function_at(first).is_some_and(|function| !builds(function));
    !code.language.is_typed() && !is_in_place && !is_later
}

fn is_assignment(code: &Code<'_>, first: usize, end: usize) -> bool {
    let Some(mark) = assigns(code, first, end).filter(|mark| *mark > first && *mark < end) else {
        return false;
    };
    // Two words in a row declare; so do a type and a pattern.
    let declares = (first..mark).any(|at| {
        let is_word = |at: usize| code.kind(at) == Some(Kind::Word);
        matches!(code.word(at), ":" | "," | "<") || (at > first && is_word(at) && is_word(at - 1))
    });
    let is_part = (first..mark).any(|at| matches!(code.word(at), "." | "[" | "->" | "*"));
    let is_step = code.word(mark + 1) == "1" && code.word(mark) != "=";
    // A variable that gets its first value here would be used without one.
    let may_be_first =
        code.language.is_typed() && !is_part && matches!(code.word(mark), "=" | ":=");
    // A constructor owes each field a value.
    let is_owed = code.word(first) == "this"
        && code.function_at(first).is_some_and(|function| function.returns.is_none())
        && matches!(code.language, Language::Java | Language::CSharp | Language::Cpp);
    let is_kept = declares || is_owed || is_step || may_be_first || is_needed(code, first, mark);
    !is_kept && code.word(mark) != ":="
}

/// A function that returns before it does anything: nothing, or what its type has for nothing.
fn empty(code: &Code<'_>, function: &Function, found: &mut Vec<Candidate>) {
    let (open, close) = function.body;
    let written = function.returns.map(|(first, last)| code.slice(first, last));
    let has_types =
        matches!(code.language, Language::Java | Language::CSharp | Language::Cpp | Language::C);
    if close <= open + 1 || (written.is_none() && (has_types || returns_value(code, function))) {
        return;
    }
    let what = "the function does nothing".to_owned();
    if matches!(code.language, Language::Python | Language::Ruby) {
        let is_doc = |at: usize| {
            code.kind(at) == Some(Kind::Text)
                && code.is_first_on_line(at)
                && code.is_last_on_line(at)
        };
        let first = if is_doc(open + 1) { open + 2 } else { open + 1 };
        let returns_nothing =
            written.is_none_or(|written| value_of(code.language, written) == Value::Nothing);
        if first < close
            && code.is_first_on_line(first)
            && code.line(first) > code.line(open)
            && !code.is_word(first, "pass")
            && returns_nothing
        {
            let nothing =
                if code.language == Language::Python { "return None" } else { "return nil" };
            let to = format!("{nothing}\n{}{}", code.indent(first), code.word(first));
            code.offer(
                first,
                Candidate::told(code.range(first, first), to, what, Rank::Body),
                found,
            );
        }
        return;
    }
    let Some(leave) = leaving(code.language, written) else { return };
    if code.is_mark(open, "{") {
        let range = code.range(open, open);
        code.offer(
            open + 1,
            Candidate::told(range, format!("{{ {leave}"), what, Rank::Body),
            found,
        );
    }
}

/// Tells whether a function without a type says that it returns something.
fn returns_value(code: &Code<'_>, function: &Function) -> bool {
    (function.body.0..function.body.1).any(|at| {
        code.is_word(at, "return")
            && code.line(at + 1) == code.line(at)
            && !matches!(code.word(at + 1), ";" | "}")
            && code.function_at(at).is_some_and(|inner| inner.body == function.body)
    })
}

/// The statement with which a function is left at once. One that fails would show only that it is called.
fn leaving(language: Language, written: Option<&str>) -> Option<String> {
    let value = written.map_or(Value::Nothing, |written| value_of(language, written));
    if value != Value::Nothing {
        return empty_value(language, written.unwrap_or_default());
    }
    let leave = match language {
        Language::Rust => "if true { return; }",
        Language::Go | Language::Swift => "if true { return }",
        Language::Kotlin => "if (true) return\n",
        Language::Java | Language::Cpp | Language::CSharp => "if (true) return;",
        Language::C => "if (1) return;",
        Language::JavaScript | Language::Php | Language::TypeScript => "return;",
        _ => return None,
    };
    Some(leave.to_owned())
}

/// Returns what a type has for nothing; `None` where that is not sure to compile.
fn empty_value(language: Language, written: &str) -> Option<String> {
    if language == Language::Go {
        return go_zero(written);
    }
    let zero = match (language, value_of(language, written)) {
        (Language::Rust, Value::Fallible(inner)) => {
            let is_plain = !matches!(
                value_of(language, inner),
                Value::Unknown | Value::Fallible(_) | Value::Borrowed
            );
            return is_plain.then(|| "if true { return Ok(Default::default()); }".to_owned());
        }
        (Language::Rust, Value::Unknown | Value::Borrowed | Value::Nothing) => return None,
        (Language::Rust, Value::Text | Value::List) if written.starts_with('&') => return None,
        (Language::Rust, _) => "Default::default()",
        (_, Value::Truth) => "false",
        (Language::Swift | Language::Kotlin, Value::Whole) => "0",
        (Language::Java | Language::Cpp | Language::CSharp, Value::Whole | Value::Real) => "0",
        (Language::Swift | Language::Kotlin | Language::Java | Language::CSharp, Value::Text) => {
            "\"\""
        }
        _ => return None,
    };
    Some(match language {
        Language::Rust | Language::Swift => format!("if true {{ return {zero}; }}"),
        Language::Kotlin => format!("if (true) return {zero}\n"),
        _ => format!("if (true) return {zero};"),
    })
}

/// Every type of Go has a value for nothing.
fn go_zero(written: &str) -> Option<String> {
    let inside = written.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if inside.is_some_and(|inside| inside.contains(['(', '{', '['])) {
        return None;
    }
    let types: Vec<&str> = inside.unwrap_or(written).split(',').map(str::trim).collect();
    // Results with names are what they are when nothing was done.
    if inside.is_some() && types.iter().any(|one| one.contains(' ')) {
        return Some("if true { return }".to_owned());
    }
    let names: Vec<String> = (0..types.len()).map(|at| format!("{MUTATED}{at}")).collect();
    let declared: String =
        names.iter().zip(&types).map(|(name, one)| format!("var {name} {one}; ")).collect();
    Some(format!("if true {{ {declared}return {} }}", names.join(", ")))
}
