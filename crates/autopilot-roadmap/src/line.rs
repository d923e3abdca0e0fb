//! Walks over the lines of a text and over the parts of a line.

/// A line without its end (`\n`, `\r\n` or `\r`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The number of the line, from 1.
    pub(super) number: u32,
    /// Where the line starts in the text.
    pub(super) start: usize,
    pub(super) text: &'a str,
    /// Whether the line has a `*`, without which it has no label.
    pub(super) starred: bool,
}

/// Gives the lines of a text one by one.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    number: u32,
    /// Whether a `\r` alone ends a line somewhere, as in files of old machines.
    bare_returns: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mark = '\u{feff}';
        Self {
            text,
            at: if text.starts_with(mark) { mark.len_utf8() } else { 0 },
            number: 0,
            bare_returns: has_bare_return(text),
        }
    }

    /// The text after the last line that was given.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    // A line that is handed over through memory costs its reader a stall for every line of the file.
    #[inline(always)]
    fn next(&mut self) -> Option<Line<'a>> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let bytes = &self.text.as_bytes()[start..];
        let (length, starred) =
            if self.bare_returns { measure_either(bytes) } else { measure(bytes) };
        let line = &self.text[start..start + length];
        self.at = start + length + 1;
        self.number = self.number.saturating_add(1);
        Some(Line {
            number: self.number,
            start,
            text: line.strip_suffix('\r').unwrap_or(line),
            starred,
        })
    }
}

/// Tells whether a `\r` stands anywhere but before a `\n`.
fn has_bare_return(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Most files have no `\r` at all, which this says at the speed of memory.
    text.contains('\r')
        && bytes
            .iter()
            .enumerate()
            .any(|(at, byte)| *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
}

/// The text without the blanks and tabs before it.
#[inline]
pub(super) fn without_indent(text: &str) -> &str {
    let indent = text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[indent..]
}

/// Does what [`str::trim_start`] does, at once where there is nothing to trim.
#[inline]
pub(super) fn trim_start(text: &str) -> &str {
    let trimmed = text.as_bytes().first().is_some_and(u8::is_ascii_graphic);
    if trimmed { text } else { text.trim_start() }
}

/// Does what [`str::trim`] does, at once where there are at most blanks before the text.
#[inline]
pub(super) fn trim(text: &str) -> &str {
    let text = without_indent(text);
    let bytes = text.as_bytes();
    let trimmed = bytes.first().is_some_and(u8::is_ascii_graphic)
        && bytes.last().is_some_and(u8::is_ascii_graphic);
    if trimmed { text } else { text.trim() }
}

/// The place of a byte, eight bytes at a time; made for the few dozen bytes of a line.
#[inline]
pub(super) fn find_byte(bytes: &[u8], needle: u8) -> Option<usize> {
    let mut chunks = bytes.chunks_exact(8);
    let mut at = 0;
    for chunk in chunks.by_ref() {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        let places = places_of(u64::from_le_bytes(eight), needle);
        if places != 0 {
            return Some(at + (places.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = chunks.remainder().iter().position(|byte| *byte == needle);
    rest.map(|found| at + found)
}

/// A code fence that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// Reads the opening of a code block; the text comes without its indentation.
    pub(super) fn opening(body: &str) -> Option<Self> {
        let mark = *body.as_bytes().first()?;
        if mark != b'`' && mark != b'~' {
            return None;
        }
        let length = run_of(body, mark);
        let info = &body[length..];
        // A backtick after the opening makes it code inside a line.
        (length >= 3 && !(mark == b'`' && info.contains('`'))).then_some(Self { mark, length })
    }

    /// Tells whether a line closes this block.
    pub(super) fn is_closed_by(self, line: &str) -> bool {
        let body = line.trim();
        let length = run_of(body, self.mark);
        length >= self.length && length == body.len()
    }

    /// Tells whether what closes this block would close the other one too.
    pub(super) fn needs_at_least(self, other: Self) -> bool {
        self.mark == other.mark && self.length >= other.length
    }

    /// Tells whether a later line closes this block.
    pub(super) fn closes_in(self, rest: &str) -> bool {
        let mark = char::from(self.mark);
        let mut at = 0;
        // Looks only at lines with the mark, so that a long text stays cheap.
        while let Some(found) = rest[at..].find(mark) {
            let here = at + found;
            let start = rest[..here].rfind(['\n', '\r']).map_or(0, |end| end + 1);
            let end = rest[here..].find(['\n', '\r']).map_or(rest.len(), |end| here + end);
            if self.is_closed_by(&rest[start..end]) {
                return true;
            }
            at = end;
        }
        false
    }
}

/// The bullet or number that opens a list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item<'a> {
    pub(super) checkbox: Option<Checkbox>,
    pub(super) numbered: bool,
    /// The text after the bullet and the checkbox.
    pub(super) text: &'a str,
}

/// The box of a task list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checkbox {
    pub(super) mark: char,
    /// Where the mark stands, from the start of the item.
    pub(super) offset: usize,
}

impl Checkbox {
    pub(super) fn is_ticked(self) -> bool {
        matches!(self.mark, 'x' | 'X' | '✓' | '✔' | '✅')
    }
}

/// Reads a list item; the body comes without its indentation.
pub(super) fn item(body: &str) -> Option<Item<'_>> {
    let bytes = body.as_bytes();
    let (bullet, numbered) = match bytes.first()? {
        b'-' | b'*' | b'+' => (1, false),
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 9 || !matches!(bytes.get(digits), Some(b'.' | b')')) {
                return None;
            }
            (digits + 1, true)
        }
        _ => return None,
    };
    let after = &body[bullet..];
    let text = after.trim_start();
    if text.len() == after.len() && !after.is_empty() {
        return None;
    }
    let offset = body.len() - text.len();
    let (checkbox, text) = match checkbox(text) {
        Some((mark, rest)) => (Some(Checkbox { mark, offset: offset + 1 }), rest),
        None => (None, text),
    };
    Some(Item { checkbox, numbered, text })
}

/// Splits a table row into its cells; a `\|` does not split.
pub(super) fn cells(row: &str) -> impl Iterator<Item = &str> {
    let inner = row.trim();
    let inner = inner.strip_prefix('|').unwrap_or(inner);
    let inner = match inner.strip_suffix('|') {
        Some(cut) if !cut.ends_with('\\') => cut,
        _ => inner,
    };
    let mut rest = Some(inner);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut from = 0;
        loop {
            match text[from..].find('|').map(|at| from + at) {
                Some(at) if text[..at].ends_with('\\') => from = at + 1,
                Some(at) => {
                    rest = Some(&text[at + 1..]);
                    return Some(&text[..at]);
                }
                None => {
                    rest = None;
                    return Some(text);
                }
            }
        }
    })
}

/// The length of the first line and whether it has a star, eight bytes at a time.
#[inline]
fn measure(bytes: &[u8]) -> (usize, bool) {
    let mut stars = 0;
    let mut chunks = bytes.chunks_exact(8);
    let mut at = 0;
    for chunk in chunks.by_ref() {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        let word = u64::from_le_bytes(eight);
        let ends = places_of(word, b'\n');
        if ends != 0 {
            // Only what stands before the end of the line counts.
            stars |= places_of(word, b'*') & (ends & ends.wrapping_neg()).wrapping_sub(1);
            return (at + (ends.trailing_zeros() / 8) as usize, stars != 0);
        }
        stars |= places_of(word, b'*');
        at += 8;
    }
    let rest = chunks.remainder();
    let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    (at + length, stars != 0 || rest[..length].contains(&b'*'))
}

/// The same where a `\r` alone ends a line too; one before a `\n` belongs to the line.
fn measure_either(bytes: &[u8]) -> (usize, bool) {
    let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len());
    let both = bytes[end..].starts_with(b"\r\n");
    (end + usize::from(both), bytes[..end].contains(&b'*'))
}

/// Sets the high bit of the first byte that equals the needle, and maybe of some after it.
#[inline]
fn places_of(word: u64, needle: u8) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let difference = word ^ (LOW * u64::from(needle));
    difference.wrapping_sub(LOW) & !difference & (LOW << 7)
}

fn checkbox(text: &str) -> Option<(char, &str)> {
    let inside = text.strip_prefix('[')?;
    let mark = inside.chars().next()?;
    let rest = inside[mark.len_utf8()..].strip_prefix(']')?;
    let trimmed = rest.trim_start();
    // `[x](link)` is a link, not a box.
    (rest.is_empty() || trimmed.len() < rest.len()).then_some((mark, trimmed))
}

fn run_of(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_number_and_place_with_either_line_end() {
        let lines: Vec<_> = Lines::new("\u{feff}a\r\nb\n\nc")
            .map(|line| (line.number, line.start, line.text))
            .collect();
        assert_eq!(lines, [(1, 3, "a"), (2, 6, "b"), (3, 8, ""), (4, 9, "c")]);
    }

    #[test]
    fn a_return_alone_ends_a_line_too() {
        let lines: Vec<_> = Lines::new("a*\rb\r\rc\r\nd\n\re\r")
            .map(|line| (line.number, line.start, line.text, line.starred))
            .collect();
        assert_eq!(
            lines,
            [
                (1, 0, "a*", true),
                (2, 3, "b", false),
                (3, 5, "", false),
                (4, 6, "c", false),
                (5, 9, "d", false),
                (6, 11, "", false),
                (7, 12, "e", false),
            ]
        );
        assert!(Fence::opening("```").unwrap().closes_in("a\r```\rb"));
    }

    #[test]
    fn lines_know_whether_they_have_a_star() {
        for before in 0..20 {
            let text = format!(
                "{}\n*{}\n{}*\n\n* * *",
                "a".repeat(before),
                "b".repeat(before),
                "\n".repeat(3)
            );
            for line in Lines::new(&text) {
                assert_eq!(line.starred, line.text.contains('*'), "{before} {line:?}");
            }
            assert_eq!(Lines::new(&text).count(), text.lines().count());
        }
    }

    #[test]
    fn trimming_quickly_is_trimming() {
        for text in
            ["", " ", "a", " a b ", "\ta", "a\t", "\u{a0}a\u{3000}", " \u{2003}é ", "\u{1}", "*"]
        {
            assert_eq!(trim(text), text.trim(), "{text:?}");
            assert_eq!(trim_start(text), text.trim_start(), "{text:?}");
        }
    }

    #[test]
    fn items_have_an_optional_box() {
        let read =
            |body| item(body).map(|item| (item.checkbox.map(|c| c.mark), item.numbered, item.text));
        assert_eq!(read("- [x] done"), Some((Some('x'), false, "done")));
        assert_eq!(read("* [ ] open"), Some((Some(' '), false, "open")));
        assert_eq!(read("- [~] part"), Some((Some('~'), false, "part")));
        assert_eq!(read("1. [x] first"), Some((Some('x'), true, "first")));
        assert_eq!(read("2) second"), Some((None, true, "second")));
        assert_eq!(read("- [x](link)"), Some((None, false, "[x](link)")));
        assert_eq!(read("**bold**"), None);
        assert_eq!(read("-1 below"), None);
        assert_eq!(read("3.1 number"), None);
    }

    #[test]
    fn fences_close_with_their_own_mark() {
        let fence = Fence::opening("```rust").unwrap();
        assert!(fence.is_closed_by("  ```"));
        assert!(!fence.is_closed_by("~~~"));
        assert!(!fence.is_closed_by("``` x"));
        assert!(fence.closes_in("a ` b\n```\n"));
        assert!(!fence.closes_in("a\n~~~\n`` \n"));
        assert_eq!(Fence::opening("```inline```"), None);
    }

    #[test]
    fn cells_are_split_at_bars_that_are_not_escaped() {
        let split: Vec<_> = cells("| 1. a \\| b | `x` | |").map(str::trim).collect();
        assert_eq!(split, ["1. a \\| b", "`x`", ""]);
    }
}
