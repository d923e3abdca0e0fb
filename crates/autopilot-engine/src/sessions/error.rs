//! What can go wrong with the files of sessions.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// What can go wrong with the files of sessions.
#[derive(Debug, Error)]
pub enum SessionError {
    /// A file could not be used.
    #[error("cannot {what} `{}`", path.display())]
    File {
        /// What was tried, as a verb.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An id that leads somewhere else.
    #[error("`{id}` is no name for a session")]
    NoName {
        /// The id.
        id: String,
    },
}

impl SessionError {
    /// An error about a file.
    pub(super) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { what, path, source }
    }
}
