//! Says why a process could not be started, watched or ended.

use std::{ffi::OsStr, io, path::Path};

use thiserror::Error;

use crate::error::{Ground, ground};

/// A failure to start, watch or end a process: what was tried, on what, and the kind of failure.
#[derive(Debug, Error)]
#[error("cannot {attempt} `{subject}`")]
pub struct ProcessError {
    attempt: &'static str,
    subject: String,
    #[source]
    kind: ProcessErrorKind,
}

/// The kind of a [`ProcessError`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProcessErrorKind {
    /// No such program, neither as a path nor in `PATH`.
    #[error("no such program in `PATH`")]
    ProgramNotFound,
    /// The directory to start in is not there.
    #[error("the directory to start in is missing")]
    DirectoryMissing,
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The guardian process has ended, so nothing can be supervised any more.
    #[error("the guardian process has ended")]
    GuardianGone,
    /// The guardian could not be set up.
    #[error("the guardian refused: {0}")]
    GuardianRefused(String),
    /// A message could not be understood, which is a mistake of ours.
    #[error("a message between engine and guardian was malformed")]
    Malformed,
    /// The process is still there although it was killed (it hangs inside the kernel).
    #[error("it did not end although it was killed")]
    Unkillable,
}

impl ProcessError {
    pub(crate) fn new(
        attempt: &'static str,
        subject: impl AsRef<OsStr>,
        kind: impl Into<ProcessErrorKind>,
    ) -> Self {
        Self {
            attempt,
            subject: subject.as_ref().to_string_lossy().into_owned(),
            kind: kind.into(),
        }
    }

    pub(crate) fn io(attempt: &'static str, path: &Path, error: impl Into<io::Error>) -> Self {
        Self::new(attempt, path, ProcessErrorKind::Io(error.into()))
    }

    /// Returns the kind of this failure.
    pub fn kind(&self) -> &ProcessErrorKind {
        &self.kind
    }

    /// Tells what is wrong with the ground that everything stands on, if that is why it failed. A program that may
    /// not be executed is not the ground.
    pub fn ground(&self) -> Option<Ground> {
        let ProcessErrorKind::Io(error) = &self.kind else { return None };
        match error.kind() {
            io::ErrorKind::PermissionDenied => None,
            // So says a system in which no more processes can be started.
            io::ErrorKind::WouldBlock => Some(Ground::Exhausted),
            _ => ground(error),
        }
    }

    /// Returns what a person can do about it, where there is something to do.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.kind {
            _ if self.ground().is_some() => self.ground().map(Ground::hint),
            ProcessErrorKind::ProgramNotFound => {
                Some("install it, or set `program` of this agent to its full path")
            }
            ProcessErrorKind::DirectoryMissing => Some(
                "the workspace was removed while the run went on; `autopilot resume` makes a new one",
            ),
            ProcessErrorKind::GuardianGone => {
                Some("something killed `ap-guardian`; `autopilot resume` goes on with a new one")
            }
            ProcessErrorKind::GuardianRefused(_) => {
                Some("another process of this run may still be ending; try again in a moment")
            }
            ProcessErrorKind::Unkillable => Some(
                "the process hangs inside the kernel (a dead network disk?); end it before resuming",
            ),
            ProcessErrorKind::Io(_) | ProcessErrorKind::Malformed => None,
        }
    }
}
