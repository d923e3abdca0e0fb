//! How much room text takes on a terminal.

/// What takes two columns: East Asian text and pictures. Some of the blocks also hold narrow characters; counting
/// those as wide only cuts a line a little early, while the opposite would make it run over.
const WIDE: [(u32, u32); 16] = [
    (0x1100, 0x115f),
    (0x2300, 0x23ff),
    (0x25a0, 0x27bf),
    (0x2b00, 0x2bff),
    (0x2e80, 0x303e),
    (0x3041, 0xa4cf),
    (0xa960, 0xa97f),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe10, 0xfe19),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1_6fe0, 0x1_b2ff),
    (0x1_f000, 0x1_faff),
    (0x2_0000, 0x3_fffd),
];
/// Marks that stand above, below or inside of the character before them, and what chooses its look.
const MARKS: [(u32, u32); 5] =
    [(0x0300, 0x036f), (0x1ab0, 0x1aff), (0x1dc0, 0x1dff), (0x20d0, 0x20ff), (0xfe00, 0xfe0f)];

/// How many columns a text takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// The beginning of a text that takes no more than so many columns.
pub fn cut(text: &str, columns_max: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, character)| {
        taken += columns_of(*character);
        taken > columns_max
    });
    end.map_or(text, |(at, _)| &text[..at])
}

fn columns_of(character: char) -> usize {
    let code = u32::from(character);
    let within =
        |ranges: &[(u32, u32)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&code));
    match code {
        0..0x300 => 1,
        _ if within(&MARKS) => 0,
        _ if within(&WIDE) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_takes_the_room_that_a_terminal_gives_it() {
        let rows = [
            ("abc", 3),
            ("grün", 4),
            ("中文", 4),
            ("한글", 4),
            ("e\u{301}", 1),
            ("✅", 2),
            ("🚀", 2),
            ("", 0),
        ];
        for (text, expected) in rows {
            assert_eq!(columns(text), expected, "{text}");
        }
    }

    #[test]
    fn a_cut_never_runs_over_and_never_cuts_a_character() {
        let text = "a中e\u{301}🚀b";
        let cuts = ["", "a", "a", "a中", "a中e\u{301}", "a中e\u{301}", "a中e\u{301}🚀", text, text];
        for (room, expected) in cuts.into_iter().enumerate() {
            assert_eq!(cut(text, room), expected, "{room} columns");
        }
    }
}
