//! A file as lines, for those who put lines in and take lines out: where a block ends, and which lines are code.

use std::ops::Range;

use super::super::{
    line::{self, Fence, Lines},
    words,
};

/// A line of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineLine<'a> {
    /// The line without its end.
    pub(super) text: &'a str,
    /// Where it starts in the file.
    pub(super) start: usize,
    /// Where the next one starts.
    pub(super) end: usize,
    /// Whether it is code or a comment, in which nothing is declared.
    pub(super) is_quiet: bool,
    /// Its level, when it is a heading.
    pub(super) level: Option<u8>,
    /// How many `<details>` are open before it.
    pub(super) depth: usize,
}

/// The lines of a file. Lines are counted from 0 here.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    pub(super) lines: Vec<OutlineLine<'a>>,
    /// How lines end in this file.
    pub(super) line_end: &'static str,
}

impl<'a> Outline<'a> {
    /// Reads the lines of a text.
    pub(super) fn of(text: &'a str) -> Self {
        let mut reader = Reader::default();
        let mut lines: Vec<OutlineLine<'a>> = Vec::new();
        let mut rest = Lines::new(text);
        while let Some(line) = rest.next() {
            if let Some(before) = lines.last_mut() {
                before.end = line.start;
            }
            let mut read = reader.read(line.text, rest.rest());
            (read.start, read.end) = (line.start, text.len());
            lines.push(read);
        }
        Self { line_end: line_end(text), lines }
    }

    /// The place of a line that is counted from 1.
    pub(super) fn place(&self, number: u32) -> usize {
        (number as usize).saturating_sub(1).min(self.lines.len().saturating_sub(1))
    }

    /// The bytes of some lines, with their ends.
    pub(super) fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let end = self.lines.last().map_or(0, |last| last.end);
        let start = |at: usize| self.lines.get(at).map_or(end, |line| line.start);
        start(lines.start)..start(lines.end)
    }

    /// Tells whether a line is empty or missing.
    pub(super) fn is_blank(&self, at: usize) -> bool {
        self.lines.get(at).is_none_or(|line| line.text.trim().is_empty())
    }

    /// Tells whether a line only sets apart what stands around it.
    pub(super) fn is_gap(&self, at: usize) -> bool {
        self.is_blank(at) || is_rule(self.lines[at].text)
    }

    /// The lines of a list item: its first one and those that are set in below it, up to one of `others`.
    pub(super) fn item(&self, first: usize, others: &[usize]) -> Range<usize> {
        let indent = |text: &str| text.len() - line::without_indent(text).len();
        let own = self.lines.get(first).map_or(0, |line| indent(line.text));
        let mut end = first + 1;
        while end < self.lines.len()
            && !self.is_blank(end)
            && !others.contains(&end)
            && indent(self.lines[end].text) > own
        {
            end += 1;
        }
        first..end
    }

    /// The lines of a section whose heading has a level, without what sets it apart from the next block. It ends
    /// before any of `others`.
    pub(super) fn section(&self, first: usize, level: u8, others: &[usize]) -> Range<usize> {
        let depth = self.lines.get(first).map_or(0, |line| line.depth);
        let is_over = |at: usize| {
            let line = &self.lines[at];
            let ends_block = line
                .level
                .is_some_and(|found| found <= level || words::is_about_progress(line.text))
                || (is_details_end(line.text) && line.depth <= depth);
            others.contains(&at) || (!line.is_quiet && ends_block)
        };
        let end = (first + 1..self.lines.len()).find(|at| is_over(*at));
        let end = self.without_gap(first + 1, end.unwrap_or(self.lines.len()));
        first..self.without_footer(first + 1, end)
    }

    /// The end without empty lines and rules before it.
    pub(super) fn without_gap(&self, from: usize, mut end: usize) -> usize {
        while end > from && self.is_gap(end - 1) {
            end -= 1;
        }
        end
    }

    /// The end without the note that closes a file: a rule, and below it lines in italics.
    fn without_footer(&self, from: usize, end: usize) -> usize {
        let mut at = end;
        while at > from && is_italic(self.lines[at - 1].text) {
            at -= 1;
        }
        let body = self.without_gap(from, at);
        let has_rule = (body..at).any(|line| is_rule(self.lines[line].text));
        if at < end && has_rule { body } else { end }
    }
}

/// Follows code blocks, comments and `<details>` from line to line.
#[derive(Default)]
struct Reader {
    fence: Option<Fence>,
    in_comment: bool,
    depth: usize,
    /// The shortest fence of each mark that is known to have no end.
    endless: [Option<Fence>; 2],
}

impl Reader {
    fn read<'a>(&mut self, text: &'a str, rest: &str) -> OutlineLine<'a> {
        let body = line::without_indent(text);
        let mut read =
            OutlineLine { text, start: 0, end: 0, is_quiet: true, level: None, depth: self.depth };
        if let Some(fence) = self.fence {
            if fence.is_closed_by(text) {
                self.fence = None;
            }
        } else if self.in_comment {
            self.in_comment = !text.contains("-->");
        } else if self.opens_code(body, rest) || self.opens_comment(body, rest) {
            // What opens it belongs to it.
        } else {
            read.is_quiet = false;
            read.level = level_of(text, body);
            if body.starts_with("<details") {
                self.depth += 1;
            } else if is_details_end(text) {
                self.depth = self.depth.saturating_sub(1);
            }
        }
        read
    }

    fn opens_code(&mut self, body: &str, rest: &str) -> bool {
        let Some(fence) = Fence::opening(body) else { return false };
        let memory = &mut self.endless[usize::from(body.starts_with('~'))];
        if memory.is_some_and(|endless| fence.needs_at_least(endless)) {
            return false;
        }
        if fence.closes_in(rest) {
            self.fence = Some(fence);
            return true;
        }
        *memory = Some(fence);
        false
    }

    fn opens_comment(&mut self, body: &str, rest: &str) -> bool {
        let opens = body.starts_with("<!--") && !body.contains("-->") && rest.contains("-->");
        self.in_comment = opens;
        opens
    }
}

/// Tells whether a line is a rule: `---`, `***`.
pub(super) fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.len() >= 3
        && ["-", "*", "_"]
            .iter()
            .any(|mark| text.replace(' ', "").trim_matches(|c| mark.contains(c)).is_empty())
}

fn is_italic(text: &str) -> bool {
    let text = text.trim();
    let wrapped = |mark: char| text.starts_with(mark) && text.ends_with(mark);
    text.len() > 2 && !text.starts_with("**") && (wrapped('*') || wrapped('_'))
}

fn is_details_end(text: &str) -> bool {
    line::without_indent(text).starts_with("</details>")
}

fn level_of(text: &str, body: &str) -> Option<u8> {
    let level = body.len() - body.trim_start_matches('#').len();
    let is_heading = (1..=6).contains(&level) && text.len() - body.len() <= 3;
    u8::try_from(level).ok().filter(|_| is_heading)
}

/// How the first line ends.
fn line_end(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        Some(_) | None => "\n",
    }
}
