//! Plain tables.

use crate::columns;

/// Rows as aligned columns; the first row is the heading.
pub fn table(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            let gap = width - columns(cell) + 2;
            line.extend(std::iter::repeat_n(' ', gap));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_owned(), "bb".to_owned()], vec!["äöü".to_owned(), "c".to_owned()]];
        assert_eq!(table(&rows), "a    bb\näöü  c\n");
        let wide =
            [vec!["中文".to_owned(), "b".to_owned()], vec!["abcd".to_owned(), "c".to_owned()]];
        assert_eq!(table(&wide), "中文  b\nabcd  c\n");
        assert_eq!(table(&[]), "");
    }
}
