//! What a command printed, without what only a terminal needs.

use std::{iter::Peekable, str::Chars};

use super::tally::digits;

/// An output as the parsers see it.
#[derive(Debug)]
pub(super) struct Output<'a> {
    /// All of it, without terminal control sequences.
    pub(super) text: &'a str,
    /// Its whole lines, without spaces at their ends. A line without its newline was cut, and is not here.
    pub(super) lines: Vec<&'a str>,
    /// Whether something was left out in the middle; [`is_gap`] tells where.
    pub(super) cut: bool,
}

impl<'a> Output<'a> {
    /// Splits a text that [`plain`] gave.
    pub(super) fn new(text: &'a str) -> Self {
        let whole = text.rfind('\n').and_then(|end| text.get(..end));
        let mut lines: Vec<&str> = Vec::new();
        let mut after_gap = false;
        for line in whole.into_iter().flat_map(|whole| whole.split('\n')).map(str::trim_end) {
            if is_gap(line) {
                // What was left out began and ended anywhere in a line, so its neighbours are no lines.
                lines.pop();
                lines.push(line);
                after_gap = true;
            } else if after_gap {
                after_gap = false;
            } else {
                lines.push(line);
            }
        }
        let cut = lines.iter().any(|line| is_gap(line));
        Self { text, lines, cut }
    }
}

/// Tells whether a line stands for output that was left out: `[… 12 bytes left out …]`.
pub(super) fn is_gap(line: &str) -> bool {
    line.strip_prefix("[… ")
        .and_then(|rest| rest.strip_suffix(" bytes left out …]"))
        .is_some_and(|bytes| digits(bytes).is_some())
}

/// Takes out terminal control sequences and ends every line with a newline alone.
pub(super) fn plain(output: &str) -> String {
    let mut plain = String::with_capacity(output.len());
    let mut chars = output.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            // A lone carriage return overwrites the line, so what follows it starts a line.
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => plain.push('\n'),
            c => plain.push(c),
        }
    }
    plain
}

fn skip_sequence(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
            chars.next_if(|c| matches!(c, '@'..='~'));
        }
        Some(']') => {
            // Ends with a bell or with another escape; never reaches beyond its line.
            while chars.next_if(|c| !matches!(c, '\u{7}' | '\u{1b}' | '\n')).is_some() {}
            if chars.next_if_eq(&'\u{1b}').is_some() {
                chars.next_if_eq(&'\\');
            } else {
                chars.next_if_eq(&'\u{7}');
            }
        }
        _ => {
            while chars.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            chars.next_if(|c| matches!(c, '0'..='~'));
        }
    }
}

/// A text without what stands in parentheses: `4 passed (1 slow, 1 flaky), 1 failed`.
pub(super) fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let mut rest = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' => {
                depth += 1;
                // The space before it goes too.
                rest.truncate(rest.trim_end().len());
            }
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => rest.push(c),
            _ => {}
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_are_taken_out() {
        for (printed, seen) in [
            ("\u{1b}[32mok\u{1b}(B\u{1b}[m.", "ok."),
            ("\u{1b}[1G ✓ a\u{1b}[K\u{1b}[77G1/3", " ✓ a1/3"),
            ("\u{1b}]9;4;0;\u{1b}\\done", "done"),
            ("\u{1b}]0;title\u{7}done", "done"),
            ("\u{1b}]never ended\nnext", "\nnext"),
            ("\u{1b}[12\nnext", "\nnext"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("\u{1b}", ""),
        ] {
            assert_eq!(plain(printed), seen, "{printed:?}");
        }
    }

    #[test]
    fn lines_that_may_not_be_whole_are_left_out() {
        let output = Output::new("a\nb\nhalf a li\n[… 7 bytes left out …]\nf a line\nc \nd");
        assert_eq!(output.lines, ["a", "b", "[… 7 bytes left out …]", "c"]);
        assert!(output.cut);
        assert!(Output::new("all of it").lines.is_empty());
        assert!(!Output::new("[… many bytes left out …]\n").cut);
    }

    #[test]
    fn parentheses_are_taken_out_with_the_space_before_them() {
        assert_eq!(without_parentheses("4 passed (1 slow, (1) x), 1 failed"), "4 passed, 1 failed");
        assert_eq!(without_parentheses("a (b"), "a");
    }
}
