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
