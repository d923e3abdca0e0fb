//! Feeds a child's standard input without ever blocking on it.

use std::{
    io::{self, PipeReader, PipeWriter, Write},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use super::StdinSource;

/// The standard input of a running child.
#[derive(Debug)]
pub struct Stdin {
    pipe: Option<PipeWriter>,
    pending: Vec<u8>,
    written: usize,
    closing: bool,
    enough: bool,
}

impl Stdin {
    /// Opens the input and returns it with the child's end. Nothing is written before the first flush.
    pub(super) fn open(source: &StdinSource) -> io::Result<(Self, OwnedFd)> {
        let (bytes, closing) = match source {
            StdinSource::Null => {
                let null = std::fs::File::open("/dev/null")?;
                return Ok((Self::closed(), null.into()));
            }
            StdinSource::Bytes(bytes) => (bytes, true),
            StdinSource::Open(bytes) => (bytes, false),
        };
        let (far, pipe) = io::pipe()?;
        set_nonblocking(&pipe)?;
        let stdin =
            Self { pipe: Some(pipe), pending: bytes.clone(), written: 0, closing, enough: false };
        Ok((stdin, PipeReader::into(far)))
    }

    /// Queues bytes for the child. They are dropped if it has closed its input.
    pub fn send(&mut self, bytes: &[u8]) {
        if self.pipe.is_some() && !self.closing {
            self.pending.extend_from_slice(bytes);
            self.flush();
        }
    }

    /// Ends the input after what was queued.
    pub fn close(&mut self) {
        self.closing = true;
        self.flush();
    }

    /// Has the child ended: whoever reads its output has seen enough of it.
    pub fn end_child(&mut self) {
        self.enough = true;
    }

    pub(super) fn is_enough(&self) -> bool {
        self.enough
    }

    /// Returns the pipe while there is something to write to it.
    pub(super) fn wants_to_write(&self) -> Option<BorrowedFd<'_>> {
        let pipe = self.pipe.as_ref()?;
        (self.written < self.pending.len()).then(|| pipe.as_fd())
    }

    /// Writes what the pipe takes, and closes it when all is written and no more will come.
    pub(super) fn flush(&mut self) {
        while let Some(pipe) = &mut self.pipe {
            let rest = &self.pending[self.written..];
            if rest.is_empty() {
                self.pending = Vec::new();
                self.written = 0;
                if self.closing {
                    self.pipe = None;
                }
                return;
            }
            match pipe.write(rest) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A child that does not read its input, or not all of it, is fine.
                Err(_) => *self = Self { enough: self.enough, ..Self::closed() },
            }
        }
    }

    fn closed() -> Self {
        Self { pipe: None, pending: Vec::new(), written: 0, closing: true, enough: false }
    }
}

pub(super) fn set_nonblocking(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(file, true)?)
}
