//! Pieces of a source file as they are told: in one line, and not too long.

use std::cmp::Ordering;

use tree_sitter::Node;

use crate::limits::TEXT_CHARS_MAX;

/// The text that a tree was made of.
#[derive(Clone, Copy)]
pub(super) struct Text<'a>(pub(super) &'a str);

impl Text<'_> {
    /// What a node says.
    pub(super) fn of(self, node: Node) -> String {
        clipped(self.0.get(node.byte_range()).unwrap_or_default())
    }

    /// What a node says, without the marks around it.
    pub(super) fn unquoted(self, node: Node) -> String {
        self.of(node).trim_matches(['"', '\'', '`']).to_owned()
    }

    /// What a node says about a type, without the sign that leads to it.
    pub(super) fn of_type(self, node: Node) -> String {
        self.of(node).trim_start_matches([':', '<', ' ']).to_owned()
    }

    /// What each part of a list says; a name alone is its only part.
    pub(super) fn parts(self, list: Node) -> Vec<String> {
        if list.child_count() == 0 {
            return vec![self.of(list)];
        }
        let mut cursor = list.walk();
        let parts = list.named_children(&mut cursor).filter(|part| !part.is_extra());
        parts.map(|part| self.of(part)).collect()
    }
}

/// Text in one line, cut where it becomes too long.
pub(super) fn clipped(text: &str) -> String {
    let mut clipped = String::new();
    let mut length = 0;
    let mut is_gap = false;
    for c in text.trim_start().chars() {
        if c.is_whitespace() || c.is_control() {
            is_gap = true;
            continue;
        }
        if length + usize::from(is_gap) >= TEXT_CHARS_MAX {
            clipped.push('…');
            break;
        }
        if is_gap {
            clipped.push(' ');
        }
        clipped.push(c);
        length += 1 + usize::from(is_gap);
        is_gap = false;
    }
    clipped
}

/// Where a node is. What encloses others comes before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) fn of(node: Node) -> Self {
        Self { start: node.start_byte(), end: node.end_byte() }
    }
}

impl Ord for Span {
    fn cmp(&self, other: &Self) -> Ordering {
        self.start.cmp(&other.start).then(other.end.cmp(&self.end))
    }
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The line of a node, counted from one.
pub(super) fn line_of(node: Node) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c44_long_text_is_cut_and_lines_become_one() {
        assert_eq!(clipped("  a:\n    Map<\t b>\n"), "a: Map< b>");
        assert_eq!(clipped("a\u{1b}[31mb"), "a [31mb");
        let long = clipped(&"ä".repeat(1000));
        assert_eq!(long.chars().count(), TEXT_CHARS_MAX + 1);
        assert!(long.ends_with('…'));
        assert_eq!(clipped(&"x".repeat(TEXT_CHARS_MAX)), "x".repeat(TEXT_CHARS_MAX));
    }
}
