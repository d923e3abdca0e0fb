//! Workspaces: made for an attempt, kept when it has ended, removed only when kept.

use std::{
    collections::VecDeque,
    fs, io,
    path::Path,
    sync::{Mutex, PoisonError},
    thread,
};

use autopilot_core::{
    id::{CommitId, Key, RunId},
    input::LeftOut,
    role::Role,
};

use super::{
    Workshop,
    leftover::{Leftover, left_outs},
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::{
        Caps, Git, GitErrorKind, KeepAs, OwnRef, Project, Proof, Snapshot, Workspace,
        WorkspaceKind, WorkspaceSpec,
    },
    home::{Home, unflat},
    local::now,
};

/// The file that tells a checkout for verification commands from an attempt's workspace.
const CHECKOUT_MARK: &str = "checkout";

/// How many kept workspaces stay for a while. Making files right after a mass delete is slow on some file
/// systems, and the last ones may still be looked at.
const SHELF_MAX: usize = 8;

/// What those who judge must not see: what others think of the work.
const OPINIONS: [&str; 4] =
    ["**/EXECUTION-LOG.md", "**/VERIFICATION.md", "**/JUDGE-REPORT.md", "**/SCORECARD.md"];

/// What an attempt has left, as later steps see it.
pub(super) struct KeptWork {
    /// A commit of the work: the attempt's base where nothing changed.
    pub(super) commit: CommitId,
    /// Whether anything changed.
    pub(super) changed: bool,
}

/// Kept workspaces on their way out.
#[derive(Default)]
pub(super) struct Shelf(Mutex<VecDeque<(Workspace, Proof)>>);

impl Shelf {
    /// Puts a workspace aside; the oldest one goes when there are too many.
    fn put(&self, workspace: Workspace, proof: Proof) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.push_back((workspace, proof));
        if shelf.len() > SHELF_MAX
            && let Some((workspace, proof)) = shelf.pop_front()
        {
            // It is kept already; if the directory cannot be removed now, the next start tries again.
            drop(thread::Builder::new().spawn(move || drop(workspace.remove(proof))));
        }
    }

    fn clear(&self) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (workspace, proof) in shelf.drain(..) {
            drop(workspace.remove(proof));
        }
    }
}

impl Workshop {
    /// Makes the workspace of an attempt.
    pub(super) fn workspace(
        &self,
        key: &Key,
        base: &CommitId,
        kind: WorkspaceKind,
    ) -> Result<Workspace, EngineError> {
        let path = self.home.workspace(&self.run, key);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).map_err(EngineError::file("make", above))?;
        }
        let spec = WorkspaceSpec {
            path,
            base: object(base)?,
            branch: OwnRef::branch(&format!("{}/{key}", self.run))?,
            kind,
        };
        Ok(self.project.create_workspace(&spec)?)
    }

    /// Makes a clean checkout of a commit for verification commands.
    pub(super) fn checkout(&self, key: &Key, commit: &CommitId) -> Result<Workspace, EngineError> {
        let path = self.home.workspace(&self.run, key);
        if path.exists() {
            // An engine was killed while these commands ran; they have no intent and come again.
            keep_one(&self.project, &self.run, key, &path)?;
        }
        let workspace = self.workspace(key, commit, WorkspaceKind::Writer)?;
        let mark = workspace.path().join(CHECKOUT_MARK);
        fs::write(&mark, "").map_err(EngineError::file("write", &mark))?;
        Ok(workspace)
    }

    /// Keeps what an attempt has left, and puts its workspace aside.
    pub(super) fn keep(&self, key: &Key, workspace: Workspace) -> Result<KeptWork, EngineError> {
        let snapshot = snapshot(&self.project, &self.run, key, &workspace)?;
        let base = workspace.base().clone();
        let commit = if snapshot.changed {
            let message = format!("work of {key}");
            let parents = [base];
            let made = self.project.commit(&parents, &snapshot.tree, &message, &stamp(now()))?;
            self.hold(&format!("work/{key}"), &made)?;
            made
        } else {
            base
        };
        self.note_left_out(left_outs(key, &snapshot, &workspace));
        match snapshot.proof() {
            Some(proof) => self.shelf.put(workspace, proof),
            None => Leftover::stays(&self.run, key, &snapshot, &workspace)?,
        }
        Ok(KeptWork { commit: commit_id(&commit), changed: snapshot.changed })
    }

    /// Keeps what verification commands have left, and puts their checkout aside whatever that is.
    pub(super) fn keep_checkout(&self, key: &Key, workspace: Workspace) -> Result<(), EngineError> {
        let snapshot = snapshot(&self.project, &self.run, key, &workspace)?;
        self.shelf.put(workspace, snapshot.proof_without_agent());
        Ok(())
    }

    /// Removes every workspace that was kept.
    pub(super) fn clear_shelf(&self) {
        self.shelf.clear();
    }
}

/// What a role sees of the project.
pub(super) fn view_of(role: Role) -> WorkspaceKind {
    use autopilot_core::role::Access;
    match role.access() {
        Access::Write => WorkspaceKind::Writer,
        Access::Read => WorkspaceKind::Reader { hide: OPINIONS.map(str::to_owned).to_vec() },
    }
}

/// Keeps what the attempts of a run left behind and nobody kept, removes their workspaces, and tells what is not
/// kept as it was.
///
/// The guardian calls it when the engine was killed, and every start calls it again: it can be repeated.
pub fn keep_leftovers(home: &Home, run: &RunId) -> Result<Vec<LeftOut>, EngineError> {
    let directory = home.workspaces(run);
    let entries = match fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(EngineError::file("list", directory)(error)),
    };
    let mut left_out = Vec::new();
    let project = Project::open(&home.root, Git::from_own_environment())?;
    for entry in entries {
        let entry = entry.map_err(EngineError::file("list", &directory))?;
        let name = entry.file_name();
        if let Some(key) = name.to_str().and_then(unflat) {
            left_out.extend(keep_one(&project, run, &key, &entry.path())?);
        }
    }
    Ok(left_out)
}

fn keep_one(
    project: &Project,
    run: &RunId,
    key: &Key,
    path: &Path,
) -> Result<Vec<LeftOut>, EngineError> {
    let workspace = match Workspace::open(path) {
        Ok(workspace) => workspace,
        Err(error) if matches!(error.kind(), GitErrorKind::NotAWorkspace) => {
            // It was never finished, so no agent was ever in it.
            Workspace::remove_unfinished(path)?;
            return Ok(Vec::new());
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(leftover) = Leftover::read(path) {
        return Ok(vec![leftover.left_out]);
    }
    let kept = snapshot(project, run, key, &workspace)?;
    if path.join(CHECKOUT_MARK).exists() {
        workspace.remove(kept.proof_without_agent())?;
        return Ok(Vec::new());
    }
    let left_out = left_outs(key, &kept, &workspace);
    match kept.proof() {
        Some(proof) => workspace.remove(proof)?,
        None => Leftover::stays(run, key, &kept, &workspace)?,
    }
    Ok(left_out)
}

fn snapshot(
    project: &Project,
    run: &RunId,
    key: &Key,
    workspace: &Workspace,
) -> Result<Snapshot, EngineError> {
    let reference = OwnRef::kept(run.as_str(), key.step.as_str(), key.attempt.number())?;
    let message = format!("what {key} of {run} left");
    let keep = KeepAs { reference: &reference, message: &message, stamp: &stamp(now()) };
    Ok(project.snapshot(workspace, &keep, &Caps::default())?)
}
