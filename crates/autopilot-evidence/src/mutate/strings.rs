//! Where string and character literals end.

use super::language::Language;

/// A literal on one line is not longer than this; a quote that does not close is a mark.
pub(super) const LITERAL_LINE_BYTES_MAX: usize = 4096;

/// A literal that begins at a place.
pub(super) struct Literal {
    pub(super) end: usize,
    pub(super) inner: (usize, usize),
    pub(super) is_opaque: bool,
}

/// How a literal is read.
#[derive(Clone, Copy)]
struct Rules {
    escapes: bool,
    /// A doubled quote stands for one.
    doubles: bool,
    spans_lines: bool,
    /// What opens code inside of the text.
    code: Option<&'static str>,
}

const PLAIN: Rules = Rules { escapes: true, doubles: false, spans_lines: false, code: None };

/// The literal that begins at a place, if one does.
pub(super) fn literal(text: &str, at: usize, language: Language) -> Option<Literal> {
    let rest = text.get(at..)?;
    let prefix = prefix_length(rest, language);
    let (before, quoted) = rest.split_at_checked(prefix)?;
    let open = at + prefix;
    let first = quoted.bytes().next()?;
    if !matches!(first, b'"' | b'\'' | b'`' | b'#') {
        return None;
    }
    if let Some(found) = raw(text, open, before, language) {
        return Some(found);
    }
    for triple in ["\"\"\"", "'''"] {
        if quoted.starts_with(triple) && has_triple(language, first) {
            let rules = Rules { spans_lines: true, ..rules(language, first, before) };
            return closed(text, open, triple, rules);
        }
    }
    match first {
        b'"' => closed(text, open, "\"", rules(language, first, before)).map(|found| {
            // Quoted names of SQL are no values.
            Literal { is_opaque: language == Language::Sql, ..found }
        }),
        b'\'' if language == Language::Rust => character(text, open),
        b'\'' => closed(text, open, "'", rules(language, first, before)),
        b'`' => closed(text, open, "`", rules(language, first, before)).map(|found| Literal {
            is_opaque: !(language.is_script() || language == Language::Go),
            ..found
        }),
        _ => None,
    }
}

/// How many letters before the quote belong to the literal.
fn prefix_length(rest: &str, language: Language) -> usize {
    let is_prefix = |c: char| match language {
        Language::Rust => matches!(c, 'r' | 'b' | 'c'),
        Language::Python => matches!(c, 'r' | 'R' | 'b' | 'B' | 'u' | 'U' | 'f' | 'F' | 't'),
        Language::C => matches!(c, 'L' | 'u' | 'U' | '8'),
        Language::Cpp => matches!(c, 'L' | 'u' | 'U' | '8' | 'R'),
        Language::CSharp => matches!(c, '@' | '$'),
        Language::Sql => matches!(c, 'E' | 'N' | 'e' | 'n'),
        _ => false,
    };
    let length = rest.chars().take(3).take_while(|c| is_prefix(*c)).count();
    let after = rest[length..].chars().next();
    if matches!(after, Some('"' | '\'')) || (language == Language::Rust && after == Some('#')) {
        length
    } else {
        0
    }
}

fn has_triple(language: Language, quote: u8) -> bool {
    match language {
        Language::Python | Language::Elixir => true,
        Language::Java | Language::Kotlin | Language::CSharp | Language::Swift => quote == b'"',
        _ => false,
    }
}

fn rules(language: Language, quote: u8, prefix: &str) -> Rules {
    let double = quote == b'"';
    let code = match language {
        Language::JavaScript | Language::TypeScript if quote == b'`' => Some("${"),
        Language::Kotlin if double => Some("${"),
        Language::Ruby | Language::Elixir if double => Some("#{"),
        Language::Swift if double => Some("\\("),
        Language::Php if double => Some("{$"),
        _ => None,
    };
    let is_verbatim = language == Language::CSharp && prefix.contains('@');
    let spans =
        matches!(language, Language::Ruby | Language::Elixir | Language::Php | Language::Sql)
            || (quote == b'`')
            || (language == Language::Rust && double)
            || is_verbatim;
    Rules {
        escapes: !(is_verbatim
            || language == Language::Sql
            || (language == Language::Go && quote == b'`')),
        doubles: is_verbatim || language == Language::Sql,
        spans_lines: spans,
        code,
    }
}

/// `r#"…"#`, `R"x(…)x"`, `#"…"#`.
fn raw(text: &str, open: usize, prefix: &str, language: Language) -> Option<Literal> {
    let rest = text.get(open..)?;
    let hashes = rest.bytes().take_while(|byte| *byte == b'#').count();
    let close = match language {
        Language::Rust if prefix.contains('r') => format!("\"{}", "#".repeat(hashes)),
        Language::Swift if hashes > 0 => format!("\"{}", "#".repeat(hashes)),
        Language::Cpp if prefix.contains('R') => {
            let name = rest.get(1..)?.split('(').next()?;
            return (name.len() <= 16).then(|| {
                let start = open + name.len() + 2;
                until(text, start, &format!("){name}\""))
            });
        }
        _ => return None,
    };
    let start = open + hashes + 1;
    (rest.as_bytes().get(hashes) == Some(&b'"')).then(|| until(text, start, &close))
}

fn until(text: &str, start: usize, close: &str) -> Literal {
    match text.get(start..).and_then(|rest| rest.find(close)) {
        Some(at) => {
            Literal { end: start + at + close.len(), inner: (start, start + at), is_opaque: false }
        }
        None => Literal { end: text.len(), inner: (start, start), is_opaque: true },
    }
}

/// `'a'` and `'\n'`, but not the lifetime `'a`.
fn character(text: &str, open: usize) -> Option<Literal> {
    let mut chars = text.get(open + 1..)?.chars();
    let first = chars.next()?;
    if first == '\\' {
        return closed(text, open, "'", PLAIN);
    }
    if chars.next() == Some('\'') && first != '\'' {
        let end = open + 1 + first.len_utf8();
        return Some(Literal { end: end + 1, inner: (open + 1, end), is_opaque: false });
    }
    // A lifetime goes to the end of its name.
    let name: usize = text[open + 1..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum();
    Some(Literal { end: open + 1 + name, inner: (open, open), is_opaque: true })
}

/// Looks for the end of a literal that opens at a place; one that may span lines and does not close takes the rest.
fn closed(text: &str, open: usize, quote: &'static str, rules: Rules) -> Option<Literal> {
    let start = open + quote.len();
    match quoted_end(text, start, quote, rules) {
        Some(end) => {
            Some(Literal { end: end + quote.len(), inner: (start, end), is_opaque: false })
        }
        None if rules.spans_lines => {
            Some(Literal { end: text.len(), inner: (start, start), is_opaque: true })
        }
        None => None,
    }
}

/// What a scan is inside of.
enum Inside {
    Text(&'static str),
    Code { level: usize },
}

/// Goes over the text once, however its parts are nested.
fn quoted_end(text: &str, start: usize, quote: &'static str, rules: Rules) -> Option<usize> {
    let bytes = text.as_bytes();
    let opening = rules.code.unwrap_or_default();
    let (open, close) = if opening.ends_with('(') { (b'(', b')') } else { (b'{', b'}') };
    let mut stack = vec![Inside::Text(quote)];
    let mut at = start;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if !rules.spans_lines && (rest[0] == b'\n' || at - start > LITERAL_LINE_BYTES_MAX) {
            return None;
        }
        let is_root = stack.len() == 1;
        match stack.last_mut()? {
            Inside::Text(_) if !opening.is_empty() && rest.starts_with(opening.as_bytes()) => {
                stack.push(Inside::Code { level: 1 });
                at += opening.len();
            }
            Inside::Text(quote) if rest.starts_with(quote.as_bytes()) => {
                if rules.doubles && rest.get(1) == rest.first() {
                    at += 2;
                } else if is_root {
                    return Some(at);
                } else {
                    at += quote.len();
                    stack.pop();
                }
            }
            Inside::Text(_) if rest[0] == b'\\' && rules.escapes => at += 2,
            // An apostrophe that does not close on its line was none.
            Inside::Text("'") if rest[0] == b'\n' && !is_root => {
                stack.pop();
                at += 1;
            }
            Inside::Code { level } if rest[0] == close => {
                *level -= 1;
                if *level == 0 {
                    stack.pop();
                }
                at += 1;
            }
            Inside::Code { level } if rest[0] == open => {
                *level += 1;
                at += 1;
            }
            Inside::Code { .. } => {
                let quotes = ["\"", "'", "`"];
                let found = quotes.into_iter().find(|quote| rest.starts_with(quote.as_bytes()));
                stack.extend(found.map(Inside::Text));
                at += 1;
            }
            Inside::Text(_) => at += 1,
        }
    }
    None
}
