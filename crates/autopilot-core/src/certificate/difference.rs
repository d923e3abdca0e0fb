//! The first place in which two documents differ.

use std::fmt;

use serde::Serialize;

/// Longer texts are cut: the place is what matters.
const SHOWN_CHARS_MAX: usize = 200;

/// A place where something is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Where: a JSON pointer into the document, a commit, a file, a record.
    pub at: String,
    /// What must be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl Difference {
    /// A difference at a place.
    pub fn at(
        at: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self { at: at.into(), expected: expected.into(), found: found.into() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, expected, found } = self;
        write!(f, "{at}: expected {expected}, found {found}")
    }
}

/// The first place in which a document differs from the canonical text that it must be, to the byte.
pub fn difference(expected: &str, found: &[u8]) -> Option<Difference> {
    if expected.as_bytes() == found {
        return None;
    }
    let mut wanted = expected.split('\n');
    let mut got = found.split(|byte| *byte == b'\n');
    let mut line = 0;
    loop {
        let pair = (wanted.next(), got.next());
        match pair {
            (Some(one), Some(other)) if one.as_bytes() == other => line += 1,
            (one, other) => {
                let place = pointer(expected, line);
                return Some(Difference {
                    at: format!("`{place}` (line {})", line + 1),
                    expected: shown(one.map(str::as_bytes)),
                    found: shown(other),
                });
            }
        }
    }
}

/// A line of a document, as it is quoted.
fn shown(line: Option<&[u8]>) -> String {
    match line {
        None => "the end of the document".to_owned(),
        Some([]) => "an empty line".to_owned(),
        Some(line) => {
            let text = String::from_utf8_lossy(line);
            let text = text.trim_start_matches(' ');
            format!("`{}`", text.chars().take(SHOWN_CHARS_MAX).collect::<String>())
        }
    }
}

/// An object or a list that has been opened and not closed.
struct Open {
    name: String,
    /// How many items of a list have been seen; none for an object.
    items: Option<usize>,
}

/// The JSON pointer of what stands on a line of pretty JSON, counted from 0.
fn pointer(text: &str, line: usize) -> String {
    let mut open: Vec<Open> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for text in text.split('\n').take(line + 1) {
        let text = text.trim_start();
        if text.starts_with(['}', ']']) {
            open.pop();
            names = path(&open);
            continue;
        }
        let (name, value) = match open.last_mut() {
            None => (None, text),
            Some(Open { items: Some(items), .. }) => {
                *items += 1;
                (Some((*items - 1).to_string()), text)
            }
            Some(Open { items: None, .. }) => key(text),
        };
        names = path(&open);
        names.extend(name.clone());
        let items = match value {
            "{" => None,
            "[" => Some(0),
            _ => continue,
        };
        // The document itself has no name.
        open.push(Open { name: name.unwrap_or_default(), items });
    }
    names.iter().map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1"))).collect()
}

fn path(open: &[Open]) -> Vec<String> {
    open.iter().skip(1).map(|open| open.name.clone()).collect()
}

/// The key at the start of a line of an object, and what follows it.
fn key(line: &str) -> (Option<String>, &str) {
    let mut texts = serde_json::Deserializer::from_str(line).into_iter::<String>();
    let name = texts.next().and_then(Result::ok);
    let rest = line.get(texts.byte_offset()..).unwrap_or_default();
    (name, rest.strip_prefix(": ").unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"a\": 1,\n  \"b/~\": {\n    \"c\": [\n      \"x\",\n      {\n        \"d\": \"e: {\"\n      \
        }\n    ],\n    \"f\": []\n  }\n}\n";

    #[test]
    fn a_difference_is_named_by_its_pointer() {
        for (from, to, place) in [
            ("1", "2", "`/a` (line 2)"),
            ("\"x\"", "\"y\"", "`/b~1~0/c/0` (line 5)"),
            ("e: {", "e; {", "`/b~1~0/c/1/d` (line 7)"),
            ("[]", "[ ]", "`/b~1~0/f` (line 10)"),
        ] {
            assert!(TEXT.contains(from));
            let changed = TEXT.replacen(from, to, 1);
            let found = difference(TEXT, changed.as_bytes()).expect("it differs");
            assert_eq!(found.at, place, "{from}");
            assert!(found.found.contains(to), "{found}");
        }
        assert_eq!(difference(TEXT, TEXT.as_bytes()), None);
    }

    #[test]
    fn what_is_missing_or_too_much_at_the_end_is_a_difference() {
        let short = difference(TEXT, &TEXT.as_bytes()[..TEXT.len() - 1]).expect("it differs");
        assert_eq!(
            (short.expected.as_str(), short.found.as_str()),
            ("an empty line", "the end of the document")
        );
        let long = difference(TEXT, format!("{TEXT}\n").as_bytes()).expect("it differs");
        assert_eq!(
            (long.expected.as_str(), long.found.as_str()),
            ("the end of the document", "an empty line")
        );
        assert!(difference(TEXT, b"").is_some());
    }
}
