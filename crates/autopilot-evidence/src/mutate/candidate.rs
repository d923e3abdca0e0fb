//! A mutation that could be made, and how much it promises.

/// What kind of mutation it is. The earlier, the likelier it changes behaviour and still compiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A comparison or a condition becomes its opposite.
    Condition,
    /// Something else is returned, printed, or exited with.
    Returned,
    Arithmetic,
    Logic,
    Literal,
    /// A statement does not happen.
    Removal,
    /// A whole function does nothing.
    Body,
}

/// A mutation that could be made.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) to: String,
    pub(super) what: String,
    pub(super) rank: Rank,
    /// It stands in a place that is only taken when there is no other.
    pub(super) is_reluctant: bool,
}

impl Candidate {
    /// A replacement that speaks for itself.
    pub(super) fn replace(text: &str, range: (usize, usize), to: String, rank: Rank) -> Self {
        let from = text.get(range.0..range.1).unwrap_or_default();
        let what = format!("`{}` became `{}`", short(from), short(&to));
        Self { start: range.0, end: range.1, to, what, rank, is_reluctant: false }
    }

    /// A replacement that needs words.
    pub(super) fn told(range: (usize, usize), to: String, what: String, rank: Rank) -> Self {
        Self { start: range.0, end: range.1, to, what, rank, is_reluctant: false }
    }

    pub(super) fn reluctant(mut self, is_reluctant: bool) -> Self {
        self.is_reluctant |= is_reluctant;
        self
    }
}

/// How much of a piece of code is shown.
const SHOWN_CHARS_MAX: usize = 60;

/// A piece of code on one line, cut where it is long.
pub(super) fn short(code: &str) -> String {
    let code = code.trim();
    let first = code.lines().next().unwrap_or_default();
    let mut shown: String = first.chars().take(SHOWN_CHARS_MAX).collect();
    if shown.len() < code.len() {
        shown.push('…');
    }
    shown
}
