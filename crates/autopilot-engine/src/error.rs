//! Why the engine could not do its part.

use std::{fmt, io, path::PathBuf};

use autopilot_core::{id::RunId, run::NotARun};
use autopilot_journal as journal;
use thiserror::Error;

use crate::{
    git::GitError,
    process::{ProcessError, ProcessErrorKind},
};

/// What to do where the error itself knows nothing better.
const ASK_THE_DOCTOR: &str = "`autopilot doctor` tells what is missing or does not work here";

/// Why the engine could not do its part.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The journal could not be read or written.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// The journal holds something that is no run.
    #[error("the journal at `{}` cannot be read", .path.display())]
    NotARun {
        /// Where it is.
        path: PathBuf,
        /// Why not.
        #[source]
        source: NotARun,
    },
    /// A record of the journal cannot be understood.
    #[error("record {sequence} of the journal at `{}` cannot be understood", .path.display())]
    BadRecord {
        /// Where it is.
        path: PathBuf,
        /// Which one.
        sequence: u64,
        /// Why not.
        #[source]
        source: serde_json::Error,
    },
    /// There is no such run.
    #[error("there is no run `{run}` in `{}`", .path.display())]
    NoSuchRun {
        /// The run.
        run: String,
        /// Where it was looked for.
        path: PathBuf,
    },
    /// Another run is being worked on.
    #[error("{run} is being worked on by process {pid}")]
    Busy {
        /// The run.
        run: RunId,
        /// The process.
        pid: u32,
    },
    /// A file or directory could not be used.
    #[error("cannot {what} `{}`", .path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// Git could not do its part.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A process could not be started or watched.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Something that cannot happen has happened.
    #[error("{0}")]
    Bug(String),
}

impl EngineError {
    /// Adds what was tried and on what to an I/O error.
    pub fn file(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { what, path, source }
    }

    /// Whether whatever is tried next would fail for the same reason: no guardian, or no room on the disk.
    pub(crate) fn meets_every_effect(&self) -> bool {
        match self {
            Self::Process(error) => {
                matches!(error.kind(), ProcessErrorKind::GuardianGone) || error.is_disk_full()
            }
            Self::File { source, .. } => is_full(source),
            Self::Git(error) => error.is_disk_full(),
            Self::Journal(_)
            | Self::NotARun { .. }
            | Self::BadRecord { .. }
            | Self::NoSuchRun { .. }
            | Self::Busy { .. }
            | Self::Bug(_) => false,
        }
    }

    /// What a person can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Journal(error) => error.hint().to_owned(),
            Self::NotARun { .. } | Self::BadRecord { .. } => {
                "a newer program may have written it; `autopilot audit` tells whether it is damaged"
                    .to_owned()
            }
            Self::NoSuchRun { .. } => "`autopilot status` names the newest run".to_owned(),
            Self::Busy { run, .. } => {
                format!(
                    "wait for it, or stop it with Ctrl-C where it runs; `autopilot status {run}` shows it"
                )
            }
            Self::File { .. } => {
                "check that the directory exists, is writable and has room".to_owned()
            }
            Self::Git(error) => error.hint().unwrap_or(ASK_THE_DOCTOR).to_owned(),
            Self::Process(error) => error.hint().unwrap_or(ASK_THE_DOCTOR).to_owned(),
            Self::Bug(_) => {
                "please report it, with the output of `autopilot log --json`".to_owned()
            }
        }
    }
}

/// Whether a disk takes no more.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// The last part of an error chain, in one line.
pub(crate) fn told(error: &dyn std::error::Error) -> String {
    struct Chain<'a>(&'a dyn std::error::Error);
    impl fmt::Display for Chain<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", self.0)?;
            let mut cause = self.0.source();
            while let Some(error) = cause {
                write!(f, ": {error}")?;
                cause = error.source();
            }
            Ok(())
        }
    }
    Chain(error).to_string()
}
