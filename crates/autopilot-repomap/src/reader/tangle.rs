//! Text that would take too long to understand, told by its looks.

use tree_sitter::Tree;

use crate::limits::{OPEN_BRACKETS_MAX, SIGNS_IN_A_ROW_MAX};

/// Tells whether more brackets are open at once than a parser can recover from quickly.
pub(super) fn is_too_deep(text: &str) -> bool {
    let mut open: u32 = 0;
    text.bytes().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open += 1,
            b')' | b']' | b'}' | b'>' => open = open.saturating_sub(1),
            _ => {}
        }
        open > OPEN_BRACKETS_MAX
    })
}

/// Tells whether the tree has a longer row of bare signs than a search can pass quickly. Only text that is no program
/// has such rows.
pub(super) fn has_long_row_of_signs(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    // The rows that are interrupted by what is inside of one of their nodes, outermost first.
    let mut rows = Vec::new();
    let mut row: u32 = 0;
    loop {
        row = if cursor.node().is_named() { 0 } else { row + 1 };
        if row > SIGNS_IN_A_ROW_MAX {
            return true;
        }
        if cursor.goto_first_child() {
            rows.push(row);
            row = 0;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            row = rows.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{limits::FILE_BYTES_MAX, map::Unread, reader::Reader};

    #[test]
    fn c44_depth_and_repetition_end_in_an_entry() {
        let mut reader = Reader::default();
        for (path, piece) in [
            ("a.rs", "fn a(){"),
            ("a.rs", "use a::{b,"),
            ("a.rs", "(["),
            ("a.py", "f(["),
            ("a.py", "class A:\n "),
            ("a.ts", "class A{b(){"),
            ("a.tsx", "<a>{"),
            ("a.js", "`${"),
            ("a.go", "func("),
            ("a.java", "class A{"),
            ("a.rb", "private\ndef a;end\n"),
            ("a.rb", "<<A\n"),
        ] {
            let entry = reader.read(path, piece.repeat(20_000 / piece.len()).as_bytes());
            assert!(entry.unread.is_none() || entry.exports.is_none(), "{path}: {piece}");
        }
    }

    #[test]
    fn c44_text_that_would_take_too_long_is_given_up() {
        let mut reader = Reader::default();
        for (path, text) in [
            ("a.ts", "a<b,".repeat(50_000)),
            ("a.rs", ")]".repeat(2_000)),
            ("a.js", "`".repeat(FILE_BYTES_MAX)),
        ] {
            let entry = reader.read(path, text.as_bytes());
            assert_eq!(entry.unread, Some(Unread::TooComplex), "{path}");
        }
        // The reader is as good as new afterwards.
        let entry = reader.read("a.ts", b"export const a = 1;\n");
        assert_eq!(entry.lengths()[0], Some(1));
    }
}
