//! A mutation of a file: one range of it, replaced.

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
    /// The byte at which `from` begins.
    at: usize,
}

impl Mutant {
    /// Notes that `text[start..end]` becomes `to`; `None` where that is no range, an empty one
    /// (which would fit into any file) or no change.
    pub(super) fn new(
        text: &str,
        line: usize,
        range: (usize, usize),
        to: String,
        what: String,
    ) -> Option<Self> {
        let from = text.get(range.0..range.1)?;
        (from != to && !from.is_empty()).then(|| Self {
            line,
            what,
            from: from.to_owned(),
            to,
            at: range.0,
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
