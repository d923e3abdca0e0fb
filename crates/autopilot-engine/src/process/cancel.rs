//! Lets one thread end what another thread runs.

use std::{
    io::{self, PipeReader, PipeWriter},
    os::fd::{AsFd, BorrowedFd},
    sync::{Arc, Mutex, PoisonError},
};

/// A handle that ends every [`super::run`] it was given to, also those that start later.
///
/// It is the read end of a pipe whose write end is closed by [`Cancel::cancel`], so a waiting thread
/// notices it in the same `poll` in which it waits for output.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    fired: PipeReader,
    trigger: Mutex<Option<PipeWriter>>,
}

impl Cancel {
    /// Makes a handle that has not fired.
    pub fn new() -> io::Result<Self> {
        let (fired, trigger) = io::pipe()?;
        Ok(Self(Arc::new(Shared { fired, trigger: Mutex::new(Some(trigger)) })))
    }

    /// Fires: every run with this handle ends, first with a request and after the grace by force.
    pub fn cancel(&self) {
        drop(self.trigger().take());
    }

    /// Tells whether it has fired.
    pub fn is_cancelled(&self) -> bool {
        self.trigger().is_none()
    }

    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.fired.as_fd()
    }

    fn trigger(&self) -> std::sync::MutexGuard<'_, Option<PipeWriter>> {
        self.0.trigger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
