//! Says why something with a repository or a workspace failed.

use std::{ffi::OsStr, io, os::unix::process::ExitStatusExt, path::Path, process::ExitStatus};

use rustix::process::Signal;
use thiserror::Error;

use crate::error::{Ground, ground};

/// How the system and git say that a disk takes no more.
const FULL: [&str; 3] = ["No space left on device", "Out of diskspace", "Disk quota exceeded"];

/// How they say that the place where objects and refs are does not take them.
const UNUSABLE: [&str; 10] = [
    "Read-only file system",
    "Input/output error",
    "Permission denied",
    "Operation not permitted",
    "insufficient permission",
    "file write error",
    "unable to write",
    // A lock beside a ref that stays, or a directory for it that cannot be made.
    "Unable to create",
    "unable to create",
    "Stale file handle",
];

/// How they say that the system gives no more files or memory.
const EXHAUSTED: [&str; 3] =
    ["Too many open files", "Cannot allocate memory", "Resource temporarily unavailable"];

/// How they say that a file may not grow any further.
const TOO_LARGE: &str = "File too large";

/// How git says that there is no repository where it was told to look.
const NO_REPOSITORY: &str = "not a git repository";

/// What git says when it cannot put an object where objects are, and not when it cannot read a file.
const STORE_REFUSES: [&str; 3] = [
    "insufficient permission for adding an object",
    "unable to write",
    "unable to create temporary file",
];

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
    /// What everything stands on has given way.
    #[error("{why}")]
    GaveWay {
        /// What is wrong with it.
        ground: Ground,
        /// What was seen.
        why: String,
    },
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
    /// A file that is not part of the history is where the run has one.
    #[error("`{path}` is not part of any commit, and the run has a file there")]
    InTheWay {
        /// Where it is, below the checkout.
        path: String,
    },
    /// A lock of git's is where one would have to be made.
    #[error("git's lock `{lock}` is there: another git is at work, or one was cut off")]
    Locked {
        /// The lock.
        lock: String,
    },
    /// The files are there, but the branch could not be moved.
    #[error("its files are the run's now, but its branch could not be moved: {why}")]
    HalfLanded {
        /// Why not.
        why: String,
    },
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

    /// The same failure, of a repository that must be there.
    pub(super) fn as_lost(&self, path: &Path) -> Self {
        let (ground, why) = (Ground::NoRepository, crate::error::told(&self.kind));
        Self::new("use the repository of", path, GitErrorKind::GaveWay { ground, why })
    }

    /// Returns the kind of this failure.
    pub fn kind(&self) -> &GitErrorKind {
        &self.kind
    }

    /// Tells what is wrong with the ground that everything stands on, if that is why it failed: nothing that is
    /// tried next would fare better.
    pub fn ground(&self) -> Option<Ground> {
        match &self.kind {
            GitErrorKind::Io(error) => ground(error),
            GitErrorKind::Failed { status, stderr } => ground_in_failure(*status, stderr),
            GitErrorKind::Library(text) => ground_in_words(text),
            GitErrorKind::GaveWay { ground, .. } => Some(*ground),
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
            | GitErrorKind::Locked { .. }
            | GitErrorKind::HalfLanded { .. }
            | GitErrorKind::InTheWay { .. }
            | GitErrorKind::NotFastForward => None,
        }
    }

    /// Tells whether a snapshot may have failed because of what an agent did to its workspace. Where git could not
    /// store an object or be started, or a disk is full, it is not. An agent can take permissions away.
    pub fn may_be_the_workspaces(&self) -> bool {
        match &self.kind {
            GitErrorKind::Failed { .. } | GitErrorKind::GaveWay { .. } => self.ground().is_none(),
            GitErrorKind::Io(error) => matches!(ground(error), None | Some(Ground::Unusable)),
            _ => true,
        }
    }

    /// Tells whether a filter that files must pass may be why it failed.
    pub(crate) fn may_be_a_filters(&self) -> bool {
        match &self.kind {
            GitErrorKind::Failed { stderr, .. } => says_filter(stderr),
            // The library has many words for it.
            GitErrorKind::Library(_) => true,
            _ => false,
        }
    }

    /// Returns what a person can do about it, where there is something to do.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.kind {
            _ if self.ground().is_some() => self.ground().map(Ground::hint),
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
            GitErrorKind::InTheWay { .. } => {
                Some("move it away or remove it, then land again; nothing was changed")
            }
            GitErrorKind::Locked { .. } => Some(
                "wait for it, or remove the lock if nobody is at work there, then land again; nothing was changed",
            ),
            GitErrorKind::HalfLanded { .. } => Some(
                "put right what git complains of, then land again: what is there is recognised, and the branch is moved",
            ),
            GitErrorKind::NotFastForward => {
                Some("merge or rebase the run's branch yourself; nothing was changed")
            }
            GitErrorKind::Io(_)
            | GitErrorKind::Failed { .. }
            | GitErrorKind::Unexpected(_)
            | GitErrorKind::Library(_)
            | GitErrorKind::GaveWay { .. }
            | GitErrorKind::BadName(_)
            | GitErrorKind::Occupied
            | GitErrorKind::NotAWorkspace
            | GitErrorKind::Replaced => None,
        }
    }
}

/// What is wrong with the ground, where git was ended by it or tells it.
fn ground_in_failure(status: ExitStatus, stderr: &str) -> Option<Ground> {
    match status.signal() {
        // The system ends whoever writes beyond the limit, and git lets it.
        Some(signal) if signal == Signal::XFSZ.as_raw() => Some(Ground::TooLarge),
        // So it does where memory is short.
        Some(signal) if signal == Signal::KILL.as_raw() => Some(Ground::Exhausted),
        _ => ground_in_words(stderr),
    }
}

/// Git and its library tell it in words; the child speaks the language that all of ours are started with.
fn ground_in_words(text: &str) -> Option<Ground> {
    let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
    let rows: [(Ground, &[&str]); 5] = [
        (Ground::Full, &FULL),
        (Ground::TooLarge, &[TOO_LARGE]),
        (Ground::Exhausted, &EXHAUSTED),
        (Ground::Unusable, &UNUSABLE),
        (Ground::NoRepository, &[NO_REPOSITORY]),
    ];
    rows.into_iter().find(|(_, words)| says(words)).map(|(ground, _)| ground)
}

/// Tells whether git says that a filter failed.
pub(super) fn says_filter(stderr: &str) -> bool {
    stderr.contains("filter '") && stderr.contains("failed")
}

/// Tells whether git could not store an object, as opposed to read a file that it was given.
pub(super) fn store_refuses(stderr: &str) -> bool {
    let all = FULL.iter().chain(&STORE_REFUSES).chain(&EXHAUSTED).chain([&TOO_LARGE]);
    all.into_iter().any(|words| stderr.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(stderr: &str) -> GitError {
        let status = ExitStatus::from_raw(128 << 8);
        GitError::new("store", "x", GitErrorKind::Failed { status, stderr: stderr.to_owned() })
    }

    #[test]
    fn what_git_says_of_a_disk_that_does_not_take_it_is_understood() {
        let rows = [
            ("fatal: Out of diskspace", Some(Ground::Full)),
            ("error: file write error: No space left on device", Some(Ground::Full)),
            ("fatal: write error: Disk quota exceeded", Some(Ground::Full)),
            ("fatal: file write error", Some(Ground::Unusable)),
            ("error: unable to write file .git/objects/ab/cd", Some(Ground::Unusable)),
            ("fatal: Unable to create 'x.lock': Read-only file system", Some(Ground::Unusable)),
            (
                "fatal: Unable to create temporary file 'x': Permission denied",
                Some(Ground::Unusable),
            ),
            ("error: read error: Input/output error", Some(Ground::Unusable)),
            ("fatal: unable to open x: Too many open files", Some(Ground::Exhausted)),
            ("fatal: write error: File too large", Some(Ground::TooLarge)),
            ("fatal: not a git repository: '/x/.git'", Some(Ground::NoRepository)),
            (
                "error: insufficient permission for adding an object to repository database .git/objects",
                Some(Ground::Unusable),
            ),
            (
                "fatal: update_ref failed for ref 'refs/autopilot/x': cannot lock ref 'refs/autopilot/x': unable to \
                 create directory for .git/refs/autopilot/x",
                Some(Ground::Unusable),
            ),
            ("fatal: bad object 1234", None),
            ("error: cannot lock ref 'refs/autopilot/x': reference already exists", None),
        ];
        for (stderr, expected) in rows {
            let error = failed(stderr);
            assert_eq!(error.ground(), expected, "{stderr}");
            assert_eq!(error.may_be_the_workspaces(), expected.is_none(), "{stderr}");
            assert_eq!(error.hint().is_some(), expected.is_some(), "{stderr}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_taken_for_a_store_that_cannot_be_written() {
        assert!(!store_refuses(
            "error: open(\"secret\"): Permission denied\nfatal: adding files failed"
        ));
        assert!(store_refuses(
            "error: insufficient permission for adding an object to repository database .git/objects\n\
             error: x: failed to insert into database"
        ));
    }
}
