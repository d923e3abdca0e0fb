//! Finds lines that look like the declaration of a phase and are not read as one.
//!
//! A phase that is dropped without a word costs a person more than a warning too many: it is never run, or,
//! where only its ticked box was lost, it is run and paid for again.

use super::{
    depends::{self, Needed},
    head::{self, Head, Separated},
    line, status, words,
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
        // In plain text, a word that is only nearly the right one is another word.
        None if stripped.heading || stripped.boxed => (misspelled(rest)?, true),
        None => return None,
    };
    let named = head.separated == Separated::Clearly && !head.rest.is_empty();
    (named && !is_sentence(head.rest)).then_some(Suspect {
        head,
        boxed: stripped.boxed,
        misspelled,
    })
}

/// Reads a line that names several phases as a declaration names one: `### Phases 39-40: Name`.
pub(super) fn several(text: &str) -> Option<Vec<Needed>> {
    let (rest, stripped) = without_marks(text);
    let word = words::phase_word(rest)?;
    let before = &text[..text.len() - rest.len()];
    let marked =
        stripped.heading || stripped.boxed || before.ends_with("**") || before.ends_with("__");
    if words::is_singular(&rest[..word]) || !marked || is_sentence(rest) {
        return None;
    }
    let end = rest.find([':', '：']).unwrap_or(rest.len());
    ids_in(&rest[..end])
}

/// The phases that a piece of a declaration names.
pub(super) fn ids_in(text: &str) -> Option<Vec<Needed>> {
    let mut needed = Vec::new();
    depends::read(text, &mut needed);
    (!needed.is_empty()).then_some(needed)
}

/// Tells at a glance, as for most lines, that a text is neither the declaration of a phase nor looks like one:
/// behind emphasis at most, it opens with another word.
#[inline]
pub(super) fn opens_otherwise(text: &str) -> bool {
    let marks = text.bytes().take_while(|byte| matches!(byte, b'*' | b'_' | b' ')).count();
    let word = &text[marks..];
    // An `x` can be what is left of a box.
    let lettered = word.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    // `a. Phase 3` is an item of a list.
    let listed = matches!(word.as_bytes().get(1), Some(b'.' | b')'));
    lettered && !listed && !word.starts_with(['x', 'X']) && !words::may_open_with_phase_word(word)
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
    let mut rest = line::trim_start(text);
    while let Some(after) = without_mark(rest, &mut stripped) {
        rest = line::trim_start(after);
    }
    (rest, stripped)
}

/// Takes one mark off. Most lines open with a letter, so the first byte decides what is tried.
fn without_mark<'a>(text: &'a str, stripped: &mut Stripped) -> Option<&'a str> {
    match *text.as_bytes().first()? {
        b'<' => without_tag(text),
        b'0'..=b'9' => without_number(text),
        b'(' if stripped.heading => Some(&text[1..]),
        b'x' | b'X' | b'(' => {
            let after = without_tick(text)?;
            stripped.boxed = true;
            Some(after)
        }
        b'"' | b'\'' => None,
        mark if mark.is_ascii_punctuation() => {
            stripped.heading |= mark == b'#';
            stripped.boxed |= mark == b']';
            Some(&text[1..])
        }
        letter if letter.is_ascii() => {
            let listed = matches!(text.as_bytes().get(1), Some(b'.' | b')'));
            (listed && letter.is_ascii_alphabetic()).then(|| &text[2..])
        }
        _ => {
            let first = text.chars().next()?;
            let mark = matches!(first, '•' | '–' | '—')
                || head::is_blank(first)
                || status::sign_of(first).is_some();
            mark.then(|| &text[first.len_utf8()..])
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
    use proptest::prelude::*;

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

    #[test]
    fn most_lines_are_done_with_at_a_glance() {
        for text in ["**Goal**: It works", "Depends on: Phase 3", "_a_ word", "Export it", "Fix it"]
        {
            assert!(opens_otherwise(text), "{text}");
        }
        for text in ["Phase 1: y", "**ETAPA 1**", "x] Phase 1: y", "# Phae 1: y", "", "阶段1", "é"]
        {
            assert!(!opens_otherwise(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_glance_overlooks_nothing_that_a_look_would_find(
            text in "[*_ ]{0,3}(Phase|PHASE|Phae|Fase|faz|Etapa|Giai đoạn|Фаза|x|X|[a-z])[ #*]{0,2}[0-9a-z]{0,2}: [A-Z]"
        ) {
            if opens_otherwise(&text) {
                prop_assert!(head::read(&text).is_none());
                for bullet in ["", "- ", "1. "] {
                    let line = format!("{bullet}{text}");
                    prop_assert!(read(&line).is_none());
                }
            }
        }
    }
}
