//! The program's exit codes, in one place; the table in the documentation is made from it.

use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// Refused, or wrong input.
    Refused,
    /// Wrong usage of the command line.
    Usage,
    /// Finished, but with failed or incomplete work.
    Incomplete,
    /// Waiting for a person.
    Waiting,
    /// Stopped by a rail, a kill-switch, a breaker or a budget, or because the guardian was lost.
    Stopped,
    /// No agent could be used.
    NoAgent,
    /// A bug of ours.
    Bug,
    /// The disk, the journal or git fails.
    Disk,
    /// Interrupted.
    Interrupted,
}

impl Exit {
    /// Every way to end, in the order of the codes.
    pub(crate) const ALL: [Self; 10] = [
        Self::Done,
        Self::Refused,
        Self::Usage,
        Self::Incomplete,
        Self::Waiting,
        Self::Stopped,
        Self::NoAgent,
        Self::Bug,
        Self::Disk,
        Self::Interrupted,
    ];

    /// The code a script can branch on.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Refused => 1,
            Self::Usage => 2,
            Self::Incomplete => 3,
            Self::Waiting => 4,
            Self::Stopped => 5,
            Self::NoAgent => 6,
            Self::Bug => 70,
            Self::Disk => 74,
            Self::Interrupted => 130,
        }
    }

    /// What the code means.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused, or wrong input",
            Self::Usage => "wrong usage of the command line",
            Self::Incomplete => "finished, but with failed or incomplete work",
            Self::Waiting => "waiting for a person",
            Self::Stopped => {
                "stopped by a rail, kill-switch, breaker or budget, or because its guardian was lost"
            }
            Self::NoAgent => "no agent could be used",
            Self::Bug => "a bug of ours",
            Self::Disk => {
                "disk, journal or git failure; a run goes on with `autopilot resume` when it is mended"
            }
            Self::Interrupted => "interrupted",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
