//! Takes comments inside of lines out of a text without moving anything else.

use std::borrow::Cow;

const OPENING: &str = "<!--";
const CLOSING: &str = "-->";

/// The text with blanks in the place of every comment that starts after something else on its line and ends on
/// it. What a comment says is for people who edit the file; a comment that starts its line is left to the walk.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    if !text.contains(OPENING) {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut from = 0;
    while let Some(at) = text[from..].find(OPENING).map(|at| from + at) {
        let start = text[from..at].rfind(['\n', '\r']).map_or(from, |end| from + end + 1);
        let end = text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end);
        blank_line(&text[start..end], &mut bytes[start..end]);
        from = end;
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Blanks the comments of one line; one between backticks is code.
fn blank_line(line: &str, bytes: &mut [u8]) {
    let mut at = 0;
    let mut in_code = false;
    while let Some(found) = line[at..].find(OPENING).map(|found| at + found) {
        in_code ^= line[at..found].matches('`').count() % 2 == 1;
        let Some(length) = line[found..].find(CLOSING) else {
            return;
        };
        let end = found + length + CLOSING.len();
        if in_code || line[..found].trim().is_empty() {
            at = found + OPENING.len();
            continue;
        }
        bytes[found..end].fill(b' ');
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_comments_inside_of_a_line_are_blanked() {
        for (text, expected) in [
            ("a <!-- b --> c", "a            c"),
            ("a <!-- ü --> <!-- b -->|", "a                       |"),
            ("<!-- a --> b", "<!-- a --> b"),
            ("  <!-- a -->\nb <!--c-->\r\nd", "  <!-- a -->\nb         \r\nd"),
            ("`<!-- a -->` <!-- b -->", "`<!-- a -->`           "),
            ("a <!-- b\n-->", "a <!-- b\n-->"),
            ("a -->", "a -->"),
        ] {
            assert_eq!(blanked(text), expected);
        }
    }

    proptest! {
        #[test]
        fn nothing_moves(text in "([a-zü`\n\r]|<!--|-->| ){0,30}") {
            let blanked = blanked(&text);
            prop_assert_eq!(blanked.len(), text.len());
            for (before, after) in text.bytes().zip(blanked.bytes()) {
                prop_assert!(before == after || after == b' ');
            }
        }
    }
}
