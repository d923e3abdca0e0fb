//! Says why something with a repository or a workspace failed.

use std::{ffi::OsStr, io, path::Path, process::ExitStatus};

use thiserror::Error;

use crate::error::is_full;

/// How the system says that a disk takes no more.
const FULL: [&str; 3] = ["No space left on device", "Disk quota exceeded", "Read-only file system"];

/// A failure of something with git: what was tried, on what, and the kind of failure.
#[derive(Debug, Error)]
#[error("cannot {attempt} `{subject}`")]
pub struct GitError {
    attempt: &'static str,
    subject: String,
    #[source]
    kind: GitErrorKind,
}

/// The kind of a [`GitError`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GitErrorKind {
    /// There is no repository here.
    #[error("it is not inside a git repository")]
    NotARepository,
    /// The repository has no checkout.
    #[error("the repository is bare: it has no checkout to work for")]
    Bare,
    /// The repository has no commit to start from.
    #[error("the repository has no commit yet")]
    NoCommits,
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A git command failed.
    #[error("git ended with {status}: {stderr}")]
    Failed {
        /// How it ended.
        status: ExitStatus,
        /// The first bytes of what it said.
        stderr: String,
    },
    /// A git command said something we do not understand.
    #[error("git answered in a way that is not understood: {0}")]
    Unexpected(String),
    /// Reading objects or writing files failed inside the git library.
    #[error("the git library failed: {0}")]
    Library(String),
    /// A ref is not what it was expected to be.
    #[error("it was changed by someone else in the meantime")]
    Moved,
    /// A name that is not allowed for a ref, a path or an id.
    #[error("the name is not allowed: {0}")]
    BadName(&'static str),
    /// The place for a workspace is already taken.
    #[error("something is already there")]
    Occupied,
    /// The directory is not a whole workspace.
    #[error("it is not a complete workspace")]
    NotAWorkspace,
    /// The directory of the files was replaced by something else.
    #[error("the directory was removed or replaced by something else")]
    Replaced,
    /// The checkout has changes of the person's own.
    #[error("the checkout has changes that are not committed")]
    NotClean,
    /// Another operation is going on in the checkout.
    #[error("a {0} is in progress")]
    InProgress(&'static str),
    /// HEAD is not on a branch.
    #[error("no branch is checked out")]
    Detached,
    /// The branch has commits that the run does not have.
    #[error("the branch has moved on: it is not an ancestor of the run")]
    NotFastForward,
}

impl GitError {
    pub(crate) fn new(
        attempt: &'static str,
        subject: impl AsRef<OsStr>,
        kind: impl Into<GitErrorKind>,
    ) -> Self {
        Self {
            attempt,
            subject: subject.as_ref().to_string_lossy().into_owned(),
            kind: kind.into(),
        }
    }

    pub(crate) fn io(attempt: &'static str, path: &Path, error: impl Into<io::Error>) -> Self {
        Self::new(attempt, path, GitErrorKind::Io(error.into()))
    }

    /// Returns the kind of this failure.
    pub fn kind(&self) -> &GitErrorKind {
        &self.kind
    }

    /// Tells whether the disk takes no more.
    pub fn is_disk_full(&self) -> bool {
        // Git and its library tell it in words; the child speaks the language that all of ours are started with.
        let told = |text: &str| FULL.iter().any(|words| text.contains(words));
        match &self.kind {
            GitErrorKind::Io(error) => is_full(error),
            GitErrorKind::Failed { stderr, .. } => told(stderr),
            GitErrorKind::Library(text) => told(text),
            GitErrorKind::NotARepository
            | GitErrorKind::Bare
            | GitErrorKind::NoCommits
            | GitErrorKind::Unexpected(_)
            | GitErrorKind::Moved
            | GitErrorKind::BadName(_)
            | GitErrorKind::Occupied
            | GitErrorKind::NotAWorkspace
            | GitErrorKind::Replaced
            | GitErrorKind::NotClean
            | GitErrorKind::InProgress(_)
            | GitErrorKind::Detached
            | GitErrorKind::NotFastForward => false,
        }
    }

    /// Returns what a person can do about it, where there is something to do.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.kind {
            _ if self.is_disk_full() => Some("make room, then `autopilot resume` goes on"),
            GitErrorKind::NotARepository => Some("run `git init` and make a first commit"),
            GitErrorKind::Bare => Some("start autopilot in a checkout of this repository"),
            GitErrorKind::NoCommits => Some("make a first commit; the run starts from it"),
            GitErrorKind::Failed { stderr, .. } if stderr.contains("safe.directory") => Some(
                "the repository belongs to another user; see `safe.directory` in `git help config`",
            ),
            GitErrorKind::Moved => Some("look at the ref, then try again"),
            GitErrorKind::NotClean => Some("commit or stash your changes, then land again"),
            GitErrorKind::InProgress(_) => Some("finish or abort it, then land again"),
            GitErrorKind::Detached => Some("check out the branch that the run shall land on"),
            GitErrorKind::NotFastForward => {
                Some("merge or rebase the run's branch yourself; nothing was changed")
            }
            GitErrorKind::Io(_)
            | GitErrorKind::Failed { .. }
            | GitErrorKind::Unexpected(_)
            | GitErrorKind::Library(_)
            | GitErrorKind::BadName(_)
            | GitErrorKind::Occupied
            | GitErrorKind::NotAWorkspace
            | GitErrorKind::Replaced => None,
        }
    }
}
