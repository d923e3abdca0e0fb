//! A mutation of a file: one range of it, replaced.

use super::candidate::{Candidate, Rank};

/// How much it says of a check that it goes red by a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// Other results, by another condition, another operator or another value of the same type.
    Result,
    /// Another constant.
    Value,
    /// Something does not happen.
    Removal,
    /// It stands where nobody may look: in a log, in a message for people.
    Aside,
}

impl Promise {
    pub(super) fn of(candidate: &Candidate) -> Self {
        match candidate.rank {
            _ if candidate.is_reluctant => Self::Aside,
            Rank::Condition | Rank::Returned | Rank::Arithmetic | Rank::Logic => Self::Result,
            Rank::Literal => Self::Value,
            Rank::Removal | Rank::Body => Self::Removal,
        }
    }
}

/// One small change that should make a check go red.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The first line that is touched, counted from one.
    pub line: usize,
    /// For people: what became what.
    pub what: String,
    /// What stands in the file.
    pub from: String,
    /// What takes its place.
    pub to: String,
    /// How much it says when it is noticed.
    pub promise: Promise,
    /// The byte at which `from` begins.
    at: usize,
}

impl Mutant {
    /// Notes what a candidate makes of a text; `None` where that is no range, an empty one
    /// (which would fit into any file) or no change.
    pub(super) fn new(text: &str, line: usize, candidate: Candidate) -> Option<Self> {
        let promise = Promise::of(&candidate);
        let Candidate { start, end, to, what, .. } = candidate;
        let from = text.get(start..end)?;
        (from != to && !from.is_empty()).then(|| Self {
            line,
            what,
            from: from.to_owned(),
            to,
            promise,
            at: start,
        })
    }

    /// The whole file with the mutation in it; as it was where `now` is not the file it was made for.
    pub fn apply(&self, now: &str) -> String {
        let end = self.at + self.from.len();
        match (now.get(..self.at), now.get(self.at..end), now.get(end..)) {
            (Some(before), Some(from), Some(after)) if from == self.from => {
                [before, &self.to, after].concat()
            }
            _ => now.to_owned(),
        }
    }
}
