//! Where lines begin, and which of them are changed.

/// The lines of a text, counted from one, and those that may be touched.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<usize>,
    ends: Vec<usize>,
    changed: Vec<bool>,
}

impl Lines {
    pub(super) fn new(text: &str, changed: &[usize]) -> Self {
        let mut lines = Self { starts: Vec::new(), ends: Vec::new(), changed: Vec::new() };
        let mut start = 0;
        for piece in text.split_inclusive('\n') {
            let bare = piece.strip_suffix('\n').unwrap_or(piece);
            let bare = bare.strip_suffix('\r').unwrap_or(bare);
            lines.starts.push(start);
            lines.ends.push(start + bare.len());
            start += piece.len();
        }
        lines.changed = vec![false; lines.starts.len()];
        for line in changed {
            if let Some(mark) = line.checked_sub(1).and_then(|at| lines.changed.get_mut(at)) {
                *mark = true;
            }
        }
        lines
    }

    /// The line that holds a byte.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// From where to where a line goes, without its ending.
    pub(super) fn range(&self, line: usize) -> (usize, usize) {
        let at = line.saturating_sub(1);
        match (self.starts.get(at), self.ends.get(at)) {
            (Some(start), Some(end)) => (*start, *end),
            (_, _) => (0, 0),
        }
    }

    pub(super) fn is_changed(&self, line: usize) -> bool {
        line.checked_sub(1).and_then(|at| self.changed.get(at)).copied().unwrap_or(false)
    }

    /// Tells whether every line that a range touches is changed.
    pub(super) fn covers(&self, start: usize, end: usize) -> bool {
        let last = self.line_of(end.saturating_sub(1).max(start));
        (self.line_of(start)..=last).all(|line| self.is_changed(line))
    }

    /// The changed lines, in order.
    pub(super) fn changed(&self) -> impl Iterator<Item = usize> + '_ {
        self.changed.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| at + 1)
    }
}
