//! Cuts a stream into lines without ever holding more than one bounded line.

/// Longer lines are counted and dropped.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// One line of a stream, or the fact that it was too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The line without its end.
    Whole(&'a [u8]),
    /// A line that was longer than [`LINE_BYTES_MAX`].
    TooLong {
        /// How long.
        bytes: u64,
    },
}

/// Collects pieces of a stream into lines.
#[derive(Debug, Default)]
pub struct Lines {
    kept: Vec<u8>,
    dropped: u64,
}

impl Lines {
    /// Takes the next piece and hands out every line that it completes.
    pub fn read(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line<'_>)) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (head, rest) = (&bytes[..end], &bytes[end + 1..]);
            if self.kept.is_empty() && self.dropped == 0 && head.len() <= LINE_BYTES_MAX {
                each(Line::Whole(head));
            } else {
                self.keep(head);
                self.flush(&mut each);
            }
            bytes = rest;
        }
        self.keep(bytes);
    }

    /// Hands out what stands after the last line end.
    pub fn finish(&mut self, mut each: impl FnMut(Line<'_>)) {
        if !self.kept.is_empty() || self.dropped > 0 {
            self.flush(&mut each);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.dropped > 0 || self.kept.len() + bytes.len() > LINE_BYTES_MAX {
            let held = std::mem::take(&mut self.kept).len();
            self.dropped += u64::try_from(held + bytes.len()).unwrap_or(u64::MAX);
        } else {
            self.kept.extend_from_slice(bytes);
        }
    }

    fn flush(&mut self, each: &mut impl FnMut(Line<'_>)) {
        if self.dropped > 0 {
            each(Line::TooLong { bytes: std::mem::take(&mut self.dropped) });
        } else {
            each(Line::Whole(&self.kept));
        }
        self.kept.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn collect(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut note = |line: Line<'_>| {
            found.push(match line {
                Line::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Line::TooLong { bytes } => format!("too long: {bytes}"),
            });
        };
        for piece in pieces {
            lines.read(piece, &mut note);
        }
        lines.finish(&mut note);
        found
    }

    #[test]
    fn a_line_may_come_in_any_pieces_and_may_lack_its_end() {
        assert_eq!(collect(&[b"a\nb", b"c\n", b"\nd"]), ["a", "bc", "", "d"]);
        assert_eq!(collect(&[]), Vec::<String>::new());
    }

    #[test]
    fn a_line_without_end_is_counted_and_costs_no_memory() {
        let piece = vec![b'x'; 1 << 16];
        let pieces: Vec<&[u8]> = std::iter::repeat_n(piece.as_slice(), 64).collect();
        let mut lines = Lines::default();
        for piece in &pieces {
            lines.read(piece, |_| panic!("no line has ended"));
            assert!(lines.kept.len() <= LINE_BYTES_MAX);
        }
        let mut all = pieces;
        all.push(b"\nnext\n");
        assert_eq!(collect(&all), [format!("too long: {}", 64 << 16), "next".to_owned()]);
    }

    proptest! {
        #[test]
        fn cutting_a_stream_elsewhere_changes_nothing(
            text in "[a\n]{0,60}", cuts in prop::collection::vec(0_usize..60, 0..5)
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            pieces.push(&bytes[from..]);
            prop_assert_eq!(collect(&pieces), collect(&[bytes]));
        }
    }
}
