//! Finds lines that look like the declaration of a phase and are not read as one.
//!
//! A phase that is dropped without a word costs a person more than a warning too many: it is never run, or,
//! where only its ticked box was lost, it is run and paid for again.

use super::{
    head::{self, Head, Separated},
    status, words,
};

/// Names longer than this are prose.
const NAME_BYTES_MAX: usize = 120;

/// A line that looks like a phase once what stands before the word is left out of account.
#[derive(Debug)]
pub(super) struct Suspect<'a> {
    pub(super) head: Head<'a>,
    /// Whether a box, whole or broken, stands before the word.
    pub(super) boxed: bool,
    /// Whether the word itself is misspelled.
    pub(super) misspelled: bool,
}

/// Reads a line that is no declaration as far as the usual rules go.
pub(super) fn read(text: &str) -> Option<Suspect<'_>> {
    let (rest, stripped) = without_marks(text);
    let (head, misspelled) = match head::read(rest) {
        Some(head) => (head, false),
        None => (misspelled(rest)?, true),
    };
    let named = head.separated == Separated::Clearly && !head.rest.is_empty();
    let certain = stripped.heading || stripped.boxed;
    (named && !is_sentence(head.rest) && (certain || !misspelled)).then_some(Suspect {
        head,
        boxed: stripped.boxed,
        misspelled,
    })
}

/// Tells whether the text after "Phase 3:" is prose rather than a name.
pub(super) fn is_sentence(rest: &str) -> bool {
    rest.len() > NAME_BYTES_MAX || rest.ends_with(['.', ',', ';'])
}

/// What was taken off the start of a line.
#[derive(Default)]
struct Stripped {
    heading: bool,
    boxed: bool,
}

/// Takes everything off that can stand before the word, whole or broken: quotes, bullets, numbers, boxes,
/// tags, emphasis. A parenthesis and a quotation mark open prose.
fn without_marks(text: &str) -> (&str, Stripped) {
    let mut stripped = Stripped::default();
    let mut rest = text.trim_start();
    loop {
        let before = rest.len();
        if let Some(after) = without_tag(rest).or_else(|| without_number(rest)) {
            rest = after;
        } else if let Some(after) = without_tick(rest) {
            stripped.boxed = true;
            rest = after;
        } else if let Some(first) = rest.chars().next() {
            let mark = first.is_ascii_punctuation() && !"(\"'<".contains(first);
            if mark || matches!(first, '•' | '–' | '—') || status::sign_of(first).is_some() {
                stripped.heading |= first == '#';
                stripped.boxed |= first == ']';
                rest = &rest[first.len_utf8()..];
            }
        }
        rest = rest.trim_start();
        if rest.len() == before {
            return (rest, stripped);
        }
    }
}

/// The mark of a box: an `x` that is no part of a word.
fn without_tick(text: &str) -> Option<&str> {
    let after = text.strip_prefix("(x)").unwrap_or_else(|| text.trim_start_matches(['x', 'X']));
    (after.len() < text.len() && !after.starts_with(char::is_alphanumeric)).then_some(after)
}

/// `<summary>`, `</b>`, a comment that ends on the line.
fn without_tag(text: &str) -> Option<&str> {
    if let Some(comment) = text.strip_prefix("<!--") {
        return comment.split_once("-->").map(|(_, after)| after);
    }
    let (tag, after) = text.strip_prefix('<')?.split_once('>')?;
    let known = tag.trim_start_matches('/').starts_with(|c: char| c.is_ascii_alphabetic());
    known.then_some(after)
}

/// `1.`, `2)`.
fn without_number(text: &str) -> Option<&str> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (after.len() < text.len()).then(|| after.strip_prefix(['.', ')'])).flatten()
}

/// `Phae 3: Name`: the word with one slip of the pen.
fn misspelled(text: &str) -> Option<Head<'_>> {
    const WORD_BYTES_MAX: usize = 8;
    let end = text.find(char::is_whitespace).filter(|end| *end <= WORD_BYTES_MAX)?;
    let word = text[..end].to_ascii_lowercase().replace(['*', '_'], "");
    words::is_nearly(word.as_bytes(), "phase")
        .then(|| head::read_after_word(&text[end..]))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_behind_odd_marks_are_suspected() {
        for text in [
            "> - [ ] Phase 1: y",
            "-[ ] Phase 1: y",
            "- [] Phase 1: y",
            "- [ ]Phase 1: y",
            "- [ x ] **Phase 1: y** - z",
            "####### Phase 1: y",
            "> ## Phase 1: y",
            "<summary>Phase 1: y</summary>",
            "<!-- note --> ## Phase 1: y",
            "1. Phase 1: y",
            "## Phae 1: y",
            "- [ ] Pahse 1: y",
            "Phase 1: y",
        ] {
            assert!(read(text).is_some(), "{text}");
        }
    }

    #[test]
    fn prose_is_not_suspected() {
        for text in [
            "Phase 1 is first",
            "- after Phase 38 start the next",
            "> **Phase numbering note:** v1.0 used phases 1-5",
            "- Phase 3: the parser, which everything else needs.",
            "Phrase 1: is spelled like it",
            "- [x] tests of Phase 3: green",
            "",
        ] {
            assert!(read(text).is_none(), "{text}: {:?}", read(text));
        }
    }
}
