//! Which of the summaries in an output count.
//!
//! What a program under test prints stands between the lines of its runner, and may look like a
//! summary. Runners print theirs last, so only the last one of each run counts; where a runner also
//! says beforehand how many tests it will run, only the summary of so many counts.

use super::{tally::Counts, text::is_gap};

/// What becomes of a run of which no summary is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It was cut off, so there is no answer.
    Refuse,
    /// What looked like its start may have been something else.
    PassOver,
}

/// Adds up the last summary of each run.
///
/// A run goes from one line that `starts` one to the next; without such lines there is one run.
/// `read` gets the lines from a certain one on and looks at a fixed number of them.
pub(super) fn last_of_each(
    lines: &[&str],
    starts: impl Fn(&str) -> bool,
    missing: Missing,
    read: impl Fn(&[&str]) -> Option<Counts>,
) -> Option<Counts> {
    let mut sum: Option<Counts> = None;
    for run in runs(lines, starts) {
        let last = (0..run.len()).rev().find_map(|at| read(run.get(at..)?));
        match last {
            Some(counts) => sum = Some(sum.unwrap_or_default().plus(counts)),
            None if missing == Missing::PassOver || run.iter().any(|line| is_gap(line)) => {}
            None => return None,
        }
    }
    sum
}

/// The runs in an output; what was printed before the first one belongs to none.
pub(super) fn runs<'a, 'b>(
    lines: &'b [&'a str],
    starts: impl Fn(&str) -> bool,
) -> Vec<&'b [&'a str]> {
    let mut places = lines.iter().enumerate().filter(|(_, line)| starts(line)).map(|(at, _)| at);
    let Some(mut from) = places.next() else {
        return vec![lines];
    };
    let mut runs = Vec::new();
    for to in places.chain([lines.len()]) {
        runs.extend(lines.get(from..to));
        from = to;
    }
    runs
}

/// What a line says to [`Blocks`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// So many tests will be run.
    Open(u64),
    /// So many tests were to be run, and this came of them.
    Close(u64, Counts),
}

/// Pairs what was announced with what came of it.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    open: Option<u64>,
    opened: bool,
    /// Something was left out just before, so that the next summary's announcement may be gone.
    after_gap: bool,
    strays: u64,
    sum: Option<Counts>,
}

impl Blocks {
    /// Adds up every announced block; no answer if one has no summary or a summary no block.
    pub(super) fn read(lines: &[&str], mark: impl Fn(&str) -> Option<Mark>) -> Option<Counts> {
        let mut blocks = Self::default();
        for line in lines {
            if is_gap(line) {
                blocks.open = None;
                blocks.after_gap = true;
            } else if let Some(mark) = mark(line) {
                blocks.take(mark);
            }
        }
        blocks.end()
    }

    fn take(&mut self, mark: Mark) {
        match (mark, self.open) {
            // An announcement inside a block is printed by a test: a block ends before the next starts.
            (Mark::Open(_), Some(_)) => {}
            (Mark::Open(tests), None) => {
                self.open = Some(tests);
                self.opened = true;
                self.after_gap = false;
            }
            (Mark::Close(tests, counts), Some(announced)) => {
                if tests == announced {
                    self.open = None;
                    self.add(counts);
                }
            }
            (Mark::Close(_, counts), None) => {
                if !self.after_gap {
                    self.strays += 1;
                }
                self.after_gap = false;
                self.add(counts);
            }
        }
    }

    fn add(&mut self, counts: Counts) {
        self.sum = Some(self.sum.unwrap_or_default().plus(counts));
    }

    /// Summaries without any announcement are what `grep` leaves; there may have been more of them.
    fn end(self) -> Option<Counts> {
        match (self.open, self.strays, self.opened) {
            (Some(_), _, _) => None,
            (None, 0, _) => self.sum,
            (None, _, false) => self.sum.map(Counts::or_more),
            (None, _, true) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::tally::digits;

    fn number(line: &str) -> Option<Counts> {
        digits(line).map(|passed| Counts::new(passed, 0, 0))
    }

    fn passed(lines: &[&str]) -> Option<u64> {
        let read = |run: &[&str]| run.first().and_then(|line| number(line));
        last_of_each(lines, |line| line == "run", Missing::Refuse, read).map(|sum| sum.passed)
    }

    #[test]
    fn the_last_summary_of_each_run_counts() {
        assert_eq!(passed(&["1", "2"]), Some(2));
        assert_eq!(passed(&["9", "run", "9", "1", "run", "2"]), Some(3));
        assert_eq!(passed(&["run", "1", "run", "x"]), None);
        assert_eq!(passed(&["run", "[… 3 bytes left out …]", "run", "2"]), Some(2));
        assert_eq!(passed(&[]), None);
    }

    fn paired(lines: &[&str]) -> Option<Counts> {
        Blocks::read(lines, |line| match line.split_at_checked(1)? {
            ("o", tests) => digits(tests).map(Mark::Open),
            ("c", tests) => Some(Mark::Close(digits(tests)?, number(tests)?)),
            _ => None,
        })
    }

    #[test]
    fn a_block_takes_only_the_summary_that_was_announced() {
        let exact = |passed| Some(Counts::new(passed, 0, 0));
        assert_eq!(paired(&["o3", "c3", "o2", "c2"]), exact(5));
        assert_eq!(paired(&["o3", "o7", "c7", "c3"]), exact(3));
        assert_eq!(paired(&["o3", "c3", "c3"]), None, "a made-up one of the same size");
        assert_eq!(paired(&["o3", "c2", "o2"]), None, "the block of 3 never ended");
        assert_eq!(paired(&["c3", "o2", "c2"]), None, "the first was never announced");
        assert_eq!(paired(&["c3", "c2"]), exact(5).map(Counts::or_more));
        assert_eq!(paired(&["o3", "[… 9 bytes left out …]", "c2", "o1", "c1"]), exact(3));
        assert_eq!(paired(&["x"]), None);
    }
}
