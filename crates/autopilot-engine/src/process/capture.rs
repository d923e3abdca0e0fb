//! Keeps the beginning and the end of an output of any length.

use std::borrow::Cow;

/// What is kept of one output stream: its first and its last bytes, and how many there were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: Vec<u8>,
    head_bytes_max: usize,
    tail_bytes_max: usize,
    bytes: u64,
}

impl Captured {
    pub(crate) fn with_limits(head_bytes_max: usize, tail_bytes_max: usize) -> Self {
        Self { head_bytes_max, tail_bytes_max, ..Self::default() }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        let room = self.head_bytes_max - self.head.len();
        let (head, rest) = chunk.split_at(room.min(chunk.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(self.tail_bytes_max)..];
        // The tail may grow to twice its size before it is cut, so that each byte moves about once.
        if self.tail.len() + rest.len() > 2 * self.tail_bytes_max {
            let keep = self.tail_bytes_max - rest.len();
            let cut = self.tail.len().saturating_sub(keep);
            self.tail.drain(..cut);
        }
        self.tail.extend_from_slice(rest);
    }

    /// Returns how many bytes the stream had.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the first bytes.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns the last bytes, without those that are in the head.
    pub fn tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(self.tail_bytes_max)..]
    }

    /// Returns how many bytes between head and tail were left out.
    pub fn bytes_left_out(&self) -> u64 {
        self.bytes - (self.head().len() + self.tail().len()) as u64
    }

    /// Returns what was kept as text, with a line where bytes were left out.
    ///
    /// Bytes that are no UTF-8 become replacement characters; control characters stay as they are.
    pub fn to_text(&self) -> String {
        let gap = match self.bytes_left_out() {
            0 => Cow::Borrowed(""),
            bytes => Cow::Owned(format!("\n[… {bytes} bytes left out …]\n")),
        };
        let kept = [self.head(), gap.as_bytes(), self.tail()].concat();
        String::from_utf8_lossy(&kept).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_split_into_chunks_keeps_the_same_head_and_tail() {
        let all: Vec<u8> = (0..1000_u32).map(|n| (n % 251) as u8).collect();
        for size in [1, 3, 7, 10, 20, 33, 999, 1000] {
            let mut captured = Captured::with_limits(10, 20);
            all.chunks(size).for_each(|chunk| captured.push(chunk));
            assert_eq!(captured.head(), &all[..10], "chunks of {size}");
            assert_eq!(captured.tail(), &all[980..], "chunks of {size}");
            assert_eq!(captured.bytes_left_out(), 970);
        }
    }

    #[test]
    fn a_short_output_is_whole() {
        let mut captured = Captured::with_limits(4, 4);
        captured.push(b"abc\xff");
        captured.push(b"def");
        assert_eq!(captured.bytes_left_out(), 0);
        assert_eq!(captured.to_text(), "abc\u{fffd}def");
    }

    #[test]
    fn what_is_left_out_is_counted_in_the_text() {
        let mut captured = Captured::with_limits(1, 1);
        captured.push(b"abcd");
        assert_eq!(captured.to_text(), "a\n[… 2 bytes left out …]\nd");
    }

    #[test]
    fn limits_of_zero_keep_nothing() {
        let mut captured = Captured::with_limits(0, 0);
        captured.push(b"abc");
        assert_eq!(captured.bytes_left_out(), 3);
    }
}
