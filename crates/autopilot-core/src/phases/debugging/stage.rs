//! Where a debug session stands.

use serde::{Deserialize, Serialize};

use crate::{
    id::{CommitId, Step},
    input::Work,
    phases::DebugEnd,
    role::Role,
};

/// The one thing that is done now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DebugStage {
    /// The engine runs what must hold, to see what of it is red before anybody changes anything.
    Base,
    /// A debugger looks for the cause.
    Investigate,
    /// The engine runs the same on what the debugger left.
    Check(Work),
    /// A person is asked.
    Checkpoint,
    /// The engine commits the repair.
    Commit(Work),
    /// The engine commits the file of the session, on top of this commit.
    File(DebugEnd, CommitId),
    /// The engine moves the run branch to it.
    Integrate(DebugEnd, CommitId),
    /// Nothing: it is over, and the run branch is at this commit.
    Over(DebugEnd, CommitId),
}

impl DebugStage {
    /// The step under which the stage's effect is kept in the books. No phase is called `debug`: an id holds a digit.
    pub fn step(&self) -> Option<Step> {
        let name = match self {
            Self::Base => "debug/base",
            Self::Investigate => "debug/investigate",
            Self::Check(_) => "debug/check",
            Self::Commit(_) => "debug/commit",
            Self::File(..) => "debug/file",
            Self::Integrate(..) => "debug/integrate",
            Self::Checkpoint | Self::Over(..) => return None,
        };
        Some(Step::new(name))
    }

    /// The role that works in this stage, where an agent does.
    pub const fn role(&self) -> Option<Role> {
        match self {
            Self::Investigate => Some(Role::Debugger),
            Self::Base
            | Self::Check(_)
            | Self::Checkpoint
            | Self::Commit(_)
            | Self::File(..)
            | Self::Integrate(..)
            | Self::Over(..) => None,
        }
    }

    /// The commit that the run branch is at, once it has moved.
    pub const fn integrated(&self) -> Option<&CommitId> {
        match self {
            Self::Over(_, commit) => Some(commit),
            Self::Base
            | Self::Investigate
            | Self::Check(_)
            | Self::Checkpoint
            | Self::Commit(_)
            | Self::File(..)
            | Self::Integrate(..) => None,
        }
    }
}
