//! Reading a document.

use crate::sessions::{
    number::is_blank,
    state_md::{Document, Entry, Field, Fields, Scalar},
};

const FENCE: &str = "---";

impl Document {
    /// Reads a document; what has no keys, or keys in another form, is none.
    pub fn parse(text: &str) -> Option<Self> {
        let opened = text.strip_prefix(FENCE)?;
        let opened = opened.strip_prefix("\r\n").or_else(|| opened.strip_prefix('\n'))?;
        let (keys, rest) = opened.split_once("\n---")?;
        let rest = rest.strip_prefix('\r').unwrap_or(rest);
        let rest = rest.strip_prefix('\n').unwrap_or(rest);
        let body = rest.strip_prefix('\n').unwrap_or(rest).to_owned();
        let lines: Vec<&str> = keys
            .split('\n')
            .map(|line| line.trim_end_matches(is_blank))
            .filter(|line| says(line))
            .collect();
        Some(Self { fields: fields(&lines)?, body })
    }
}

/// Whether a line says anything: empty lines and comments do not.
fn says(line: &str) -> bool {
    let line = line.trim_start_matches(is_blank);
    !line.is_empty() && !line.starts_with('#')
}

fn fields(mut lines: &[&str]) -> Option<Fields> {
    let mut fields = Fields::default();
    while let Some((line, rest)) = lines.split_first() {
        if line.starts_with(is_blank) {
            return None;
        }
        let (key, value) = pair(line)?;
        let (field, rest) = match list_indent(rest) {
            Some(indent) if value.is_empty() => {
                let (entries, rest) = entries(rest, indent)?;
                (Field::Entries(entries), rest)
            }
            Some(_) | None => (Field::Scalar(Scalar::read(value)), rest),
        };
        fields.set(key, field);
        lines = rest;
    }
    Some(fields)
}

/// A key and the text of its value.
fn pair(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_matches(is_blank);
    (!key.is_empty()).then(|| (key, value.trim_matches(is_blank)))
}

/// The blanks before the first item, if what comes is an indented list.
fn list_indent<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let line = lines.first()?;
    let item = line.trim_start_matches(is_blank);
    let indent = &line[..line.len() - item.len()];
    (!indent.is_empty() && item.starts_with("- ")).then_some(indent)
}

/// The items of a list, and the lines after it.
fn entries<'a, 'b>(mut lines: &'b [&'a str], indent: &str) -> Option<(Vec<Entry>, &'b [&'a str])> {
    let item = format!("{indent}- ");
    let inner = format!("{indent}  ");
    let mut entries: Vec<Entry> = Vec::new();
    while let Some((line, rest)) = lines.split_first() {
        if let Some(first) = line.strip_prefix(item.as_str()) {
            let (key, value) = pair(first)?;
            let mut entry = Entry::default();
            entry.set(key, Scalar::read(value));
            entries.push(entry);
        } else if let Some(more) = line.strip_prefix(inner.as_str()) {
            if more.starts_with(is_blank) {
                return None;
            }
            let (key, value) = pair(more)?;
            entries.last_mut()?.set(key, Scalar::read(value));
        } else {
            break;
        }
        lines = rest;
    }
    Some((entries, lines))
}
