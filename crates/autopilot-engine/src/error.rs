//! Why the engine could not do its part.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use autopilot_core::{
    id::{CommitId, RunId},
    run::NotARun,
};
use autopilot_journal as journal;
use thiserror::Error;

use crate::{
    git::GitError,
    process::{ProcessError, ProcessErrorKind},
    prompt::PromptError,
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
    /// The journal is damaged in a place that a snapshot lets openings pass by.
    #[error("the journal at `{}` is damaged after {records} sound records: {source}", .path.display())]
    Damaged {
        /// Where it is.
        path: PathBuf,
        /// How many records before the damage are good.
        records: u64,
        /// The first damage.
        source: journal::Corruption,
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
    /// The run branch is not where the run left it.
    #[error(
        "the branch `{branch}` is {}, but {run} left it at {expected}",
        .found.as_ref().map_or("gone".to_owned(), |found| format!("at {found}"))
    )]
    BranchMoved {
        /// The run.
        run: RunId,
        /// The branch, without `refs/heads/`.
        branch: String,
        /// Where the run left it.
        expected: CommitId,
        /// Where it is; `None` if it is gone.
        found: Option<CommitId>,
    },
    /// The directory for run-time state may have been laid out by somebody else.
    #[error("`{}` is {what}", .path.display())]
    NotOurState {
        /// What is in the way.
        path: PathBuf,
        /// What it is.
        what: ForeignState,
    },
    /// Nothing says where the person's own run-time state belongs.
    #[error("neither `XDG_STATE_HOME` nor `HOME` names a directory by its full path")]
    NoStateDirectory,
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
    /// A template of a prompt cannot be used.
    #[error(transparent)]
    Prompt(#[from] PromptError),
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

    /// Whether whatever is tried next would fail for the same reason: no guardian, a disk that does not
    /// take what is written, or a run branch that somebody moved.
    pub(crate) fn meets_every_effect(&self) -> bool {
        match self {
            Self::Process(error) => {
                matches!(error.kind(), ProcessErrorKind::GuardianGone) || error.ground().is_some()
            }
            Self::File { source, .. } => ground(source).is_some(),
            Self::Git(error) => error.ground().is_some(),
            Self::BranchMoved { .. } => true,
            Self::Journal(_)
            | Self::Damaged { .. }
            | Self::NotOurState { .. }
            | Self::NoStateDirectory
            | Self::NotARun { .. }
            | Self::BadRecord { .. }
            | Self::NoSuchRun { .. }
            | Self::Busy { .. }
            | Self::Prompt(_)
            | Self::Bug(_) => false,
        }
    }

    /// What a person can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Journal(error) => match error.kind() {
                journal::ErrorKind::Io(_) | journal::ErrorKind::Poisoned { .. } => {
                    format!("{} (`autopilot resume`)", error.hint())
                }
                _ => error.hint().to_owned(),
            },
            Self::NotARun { .. } | Self::BadRecord { .. } => {
                "a newer program may have written it; `autopilot audit` tells whether it is damaged"
                    .to_owned()
            }
            Self::Damaged { .. } => {
                "nothing was changed; restore the file from a backup, `autopilot audit` checks it; finished work is \
                 still on the run's branch"
                    .to_owned()
            }
            Self::NoSuchRun { .. } => "`autopilot status` names the newest run".to_owned(),
            Self::Busy { run, .. } => {
                format!(
                    "wait for it, or stop it with Ctrl-C where it runs; `autopilot status {run}` shows it"
                )
            }
            Self::BranchMoved { run, branch, expected, found } => {
                let first = found.as_ref().map_or(String::new(), |found| {
                    format!("`git branch NAME {found}` keeps what is there now, ")
                });
                format!(
                    "{first}`git branch -f {branch} {expected}` puts the branch back, `autopilot resume {run}` goes on"
                )
            }
            Self::NotOurState { path, what } => what.hint(path),
            Self::NoStateDirectory => {
                "set `HOME`, or `XDG_STATE_HOME` to a directory that only you can write to".to_owned()
            }
            Self::File { source, .. } => {
                let usual = "check that the directory exists, is writable and has room";
                ground(source).map_or(usual, Ground::hint).to_owned()
            }
            Self::Git(error) => error.hint().unwrap_or(ASK_THE_DOCTOR).to_owned(),
            Self::Process(error) => error.hint().unwrap_or(ASK_THE_DOCTOR).to_owned(),
            Self::Prompt(error) => error.hint(),
            Self::Bug(_) => {
                "please report it, with the output of `autopilot log --json`".to_owned()
            }
        }
    }
}

/// What makes a directory for run-time state one that we must not write to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForeignState {
    /// A symbolic link: what is written there ends up elsewhere.
    Link {
        /// Where it leads.
        to: PathBuf,
    },
    /// Part of the project's history: whoever made a commit has written it.
    Tracked,
    /// A place in the checkout for what must be outside of every checkout.
    Inside,
    /// Something that holds no files.
    NoDirectory,
}

impl ForeignState {
    fn hint(&self, path: &Path) -> String {
        match self {
            Self::Link { .. } => format!(
                "remove the link (`rm {}`) and try again; the state must be in the checkout itself",
                path.display()
            ),
            Self::Tracked => format!(
                "look at it, take it out of git (`git rm -r {0}`, or `git rm -r --cached {0}` if it is your own) and \
                 commit; settings that a team shares belong in `autopilot.toml`",
                path.display()
            ),
            Self::NoDirectory => {
                format!("move it away (`mv {0} {0}.old`) and try again", path.display())
            }
            Self::Inside => {
                "set `XDG_STATE_HOME` to a directory outside of the project, or leave it out"
                    .to_owned()
            }
        }
    }
}

impl fmt::Display for ForeignState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link { to } => write!(f, "a symbolic link to `{}`", to.display()),
            Self::Tracked => f.write_str("tracked by git"),
            Self::NoDirectory => f.write_str("no directory, and the program's state belongs there"),
            Self::Inside => {
                f.write_str("inside the checkout, and workspaces of agents would be in it")
            }
        }
    }
}

/// What is wrong with the ground that a run stands on. It is nobody's failure, and over when a person says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The disk takes no more.
    Full,
    /// A limit on the size of files is reached.
    TooLarge,
    /// Something that must be readable and writable is not, or the disk fails.
    Unusable,
    /// The system gives no more files, memory or processes.
    Exhausted,
    /// There is no place for scratch files.
    NoScratch,
    /// The git program cannot be started.
    NoGit,
    /// The project's repository is gone, or is none any more.
    NoRepository,
    /// A filter that the project's files must pass fails.
    Filter,
}

impl Ground {
    /// What a person can do about it.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Full => "make room, then `autopilot resume` goes on",
            Self::TooLarge => {
                "raise the limit on the size of files (`ulimit -f`), then `autopilot resume` goes on"
            }
            Self::Unusable => {
                "check the owner, the permissions and the disk of what it names, then try again; a run that was \
                 stopped by it goes on with `autopilot resume`"
            }
            Self::Exhausted => {
                "raise the limit on open files (`ulimit -n`) or end other programs, then `autopilot resume` goes on"
            }
            Self::NoScratch => {
                "make the directory, or set `TMPDIR` to one that you can write to, then try again; a run that was stopped by it \
                 goes on with `autopilot resume`"
            }
            Self::NoGit => {
                "see that `git --version` works where you start autopilot; a run that was stopped by it goes on with \
                 `autopilot resume`"
            }
            Self::NoRepository => {
                "put the project's repository back where it was, then `autopilot resume` goes on; nothing that was \
                 kept is lost with the run's state"
            }
            Self::Filter => {
                "mend the filter (`git config --get-regexp '^filter'` shows how it is called), then `autopilot resume` \
                 goes on"
            }
        }
    }
}

/// What is wrong with the ground, where the system says so about a file of the engine's own.
pub(crate) fn ground(error: &io::Error) -> Option<Ground> {
    use rustix::io::Errno;
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::IO | Errno::STALE) => return Some(Ground::Unusable),
        Some(Errno::MFILE | Errno::NFILE | Errno::NOMEM) => return Some(Ground::Exhausted),
        _ => {}
    }
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(Ground::Full),
        io::ErrorKind::FileTooLarge => Some(Ground::TooLarge),
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            Some(Ground::Unusable)
        }
        _ => None,
    }
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
