//! A part of a file in memory that moves forward.

use std::ops::Range;

use crate::{error::Error, files::File, limits::WINDOW_BYTES};

/// A look at a few records must not cost the memory of a long fold.
const WINDOW_BYTES_MIN: usize = 8 << 10;

/// The bytes of a file from a place on, as far as they have been read.
#[derive(Debug)]
pub(crate) struct Window {
    file: File,
    /// Where in the file the first unread byte is.
    offset: u64,
    bytes: Vec<u8>,
    /// The part of `bytes` that is read from the file but not yet consumed.
    start: usize,
    end: usize,
    /// The last read filled the window: there is probably much more.
    filled: bool,
}

impl Window {
    /// Looks at a file from a place on.
    pub(crate) fn new(file: File, offset: u64) -> Self {
        Self { file, offset, bytes: Vec::new(), start: 0, end: 0, filled: false }
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Goes to another place of the file.
    pub(crate) fn seek(&mut self, offset: u64) {
        self.offset = offset;
        self.forget_unread();
    }

    /// Gives the place in the file of the first unread byte.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Gives the bytes that are there but not consumed.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Moves past `count` unread bytes and says where in memory they stay until the next fill.
    pub(crate) fn consume(&mut self, count: usize) -> usize {
        let consumed = self.start;
        self.start += count;
        self.offset += count as u64;
        consumed
    }

    /// Gives bytes by their place in memory.
    pub(crate) fn memory(&self, place: Range<usize>) -> &[u8] {
        &self.bytes[place]
    }

    /// Drops the unread bytes, so that the next fill sees what the file holds then.
    pub(crate) fn forget_unread(&mut self) {
        self.end = self.start;
    }

    /// Reads the file from here to its end, apart from the window; `None` if that is too long.
    pub(crate) fn read_rest(&self, bytes_max: u64) -> Result<Option<Vec<u8>>, Error> {
        self.file.read_rest(self.offset, bytes_max)
    }

    /// Reads more behind the unread bytes and says how many; none means the file ends there.
    pub(crate) fn fill(&mut self) -> Result<usize, Error> {
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        // One append may be longer than the window; its length has a limit, so this has one too.
        let is_full = self.end == self.bytes.len();
        if is_full || self.filled && self.bytes.len() < WINDOW_BYTES {
            self.bytes.resize((self.bytes.len() * 2).max(WINDOW_BYTES_MIN), 0);
        }
        let count =
            self.file.read_at(&mut self.bytes[self.end..], self.offset + self.end as u64)?;
        self.end += count;
        self.filled = self.end == self.bytes.len();
        Ok(count)
    }
}
