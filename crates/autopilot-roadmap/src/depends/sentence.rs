//! Cuts a dependency value into what counts and what explains.

use std::borrow::Cow;

/// Separates what is inside parentheses, also full-width ones, from what is outside.
pub(super) fn split_parentheses(value: &str) -> (Cow<'_, str>, String) {
    if !value.contains(['(', '（']) {
        return (Cow::Borrowed(value), String::new());
    }
    let (mut outside, mut inside) = (String::with_capacity(value.len()), String::new());
    let mut depth = 0_usize;
    for c in value.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' if depth > 0 => depth -= 1,
            _ if depth == 0 => outside.push(c),
            _ => inside.push(c),
        }
    }
    (Cow::Owned(outside), inside)
}

pub(super) fn strip_emphasis(text: &str) -> Cow<'_, str> {
    if text.contains(['*', '_', '`', '~']) {
        // What is struck out was one.
        let kept: Vec<&str> = match text.matches("~~").count() % 2 {
            0 => text.split("~~").step_by(2).collect(),
            _ => text.split("~~").collect(),
        };
        Cow::Owned(kept.concat().replace(['*', '_', '`'], ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Cuts at the first full stop that ends a sentence.
pub(super) fn first_sentence(text: &str) -> &str {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '。' => true,
            '.' => {
                let next = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
                next && !is_range_dot(text, at)
            }
            _ => false,
        };
        if ends {
            return &text[..at];
        }
    }
    text
}

/// Tells whether a full stop is the last of `1 .. 3`.
fn is_range_dot(text: &str, at: usize) -> bool {
    let after = text[at + 1..].trim_start();
    text[..at].ends_with('.') && after.starts_with(|c: char| c.is_ascii_digit())
}
