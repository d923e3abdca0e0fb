//! Reads the person's repository, gives agents private workspaces, and keeps what they did.
//!
//! Start at [`Project::open`]. Invariants: nothing of the person's repository changes but objects and
//! refs of ours and one exclude line; no configuration that an agent could have written is ever obeyed;
//! a workspace is removed only with the proof that it was kept. `docs/design/workspaces.md` tells why.

mod agent_commits;
mod borrow;
mod checkout;
mod command;
mod config;
mod damaged;
mod diff;
mod error;
mod half_landed;
mod id;
mod ignored;
mod inspect;
mod keep;
mod land;
mod left_out;
mod locks;
mod manifests;
mod names;
mod objects;
mod overlay;
mod probe;
mod project;
mod refs;
mod remove;
mod restore;
mod snapshot;
mod sound;
mod spare;
mod staged;
mod walk;
mod workspace;

pub use self::{
    command::Git,
    damaged::RawSnapshot,
    diff::{Change, ChangeKind, DiffStat, DiffText},
    error::{GitError, GitErrorKind},
    id::{ObjectId, OwnRef, RepoPath},
    left_out::{Amount, LeftOut, LeftOuts, WhyLeftOut},
    objects::Stamp,
    overlay::{TreeChange, TreeEntry, check_scratch},
    project::{Cleanliness, Head, Project, is_tracked},
    refs::{KeptRef, RefCommit},
    remove::{Proof, Retired, remove_retired, remove_stale_records},
    snapshot::{Caps, KeepAs, Kept, Snapshot},
    sound::{Soundness, Unsound},
    spare::Spare,
    workspace::{Made, Workspace, WorkspaceKind, WorkspaceSpec, records_of},
};
