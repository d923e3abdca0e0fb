//! Workspaces: made for an attempt, kept when it has ended, removed only when kept.

use std::{
    cell::OnceCell,
    collections::{BTreeSet, VecDeque},
    fs, io,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use autopilot_core::{
    effect::AgentTask,
    fact::Fact,
    id::{CommitId, Key, RunId},
    input::LeftOut,
    phases::PAPERS,
    role::Role,
};

use super::{
    Keeping, Workshop,
    leftover::{Leftover, left_outs},
    tree::{commit_id, object, stamp},
};
use crate::{
    book::read_all,
    error::{EngineError, told},
    git::{
        Caps, Git, GitError, KeepAs, ObjectId, OwnRef, Project, Proof, RawSnapshot, Retired,
        Snapshot, Workspace, WorkspaceKind, WorkspaceSpec, remove_retired, remove_stale_records,
    },
    home::{Home, unflat},
    local::now,
    private::create_dirs,
};

/// How many kept workspaces stay for a while. Making files right after a mass delete is slow on some file
/// systems, and the last ones may still be looked at.
pub(super) const SHELF_MAX: usize = 8;

/// What is kept of a checkout for verification commands. What they leave ignored is nobody's work and can be made
/// again; storing every build of every check would take longer than the checks.
const CHECKOUT_CAPS: Caps = Caps {
    ignored_files_max: 0,
    ignored_bytes_max: 0,
    rebuildable_files_max: 0,
    rebuildable_bytes_max: 0,
    ..Caps::DEFAULT
};

/// What those who judge must not see: what others think of the work.
const OPINIONS: [&str; 4] =
    ["**/VERIFICATION.md", "**/VISUAL-BUGS.md", "**/JUDGE-REPORT.md", "**/SCORECARD.md"];
/// What a person wants of a phase is for those who plan and work, who are told it; whoever judges goes by the criteria.
const WISHES: &str = ".planning/phases/*/CONTEXT.md";

/// Nor what was found before anybody worked. Files of these names elsewhere may be the work.
const OF_BEFORE: [&str; 2] = [".planning/phases/**/TRIAGE.json", ".planning/phases/**/RESEARCH.md"];

/// What has become of what an attempt left.
pub(super) enum KeptAttempt {
    /// It is kept, and a tree could be made of it.
    Work(KeptWork),
    /// The workspace was damaged: every file is kept, but what of it is the work cannot be told.
    OnlyFiles {
        /// What was wrong with it.
        why: String,
    },
}

/// What an attempt has left, as later steps see it.
pub(super) struct KeptWork {
    /// A commit of the work: the attempt's base where nothing changed.
    pub(super) commit: CommitId,
    /// Whether anything changed.
    pub(super) changed: bool,
}

/// Kept workspaces on their way out, and spares that nobody took.
#[derive(Default)]
pub(super) struct Shelf(Mutex<VecDeque<Retired>>);

impl Shelf {
    fn put(&self, workspace: Retired) {
        self.all().push_back(workspace);
    }

    /// Puts something there that nobody will look at: it goes before all others.
    fn put_useless(&self, useless: Retired) {
        self.all().push_front(useless);
    }

    /// Hands out what is to be removed so that no more than `stay_max` stay.
    pub(super) fn outdated(&self, stay_max: usize) -> Vec<Retired> {
        let mut all = self.all();
        let count = all.len().saturating_sub(stay_max);
        all.drain(..count).collect()
    }

    fn clear(&self) {
        for retired in self.outdated(0) {
            // It is kept already; if the directory cannot be removed now, the next start tries again.
            drop(retired.remove());
        }
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Retired>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
            create_dirs(above).map_err(EngineError::file("make", above))?;
        }
        let spec = WorkspaceSpec {
            path,
            base: object(base)?,
            branch: OwnRef::branch(&format!("{}/{key}", self.run))?,
            kind,
        };
        let made = self.project.create_workspace_from(&spec, self.meanwhile.take_spare())?;
        if let Some(unused) = made.unused {
            self.shelf.put_useless(unused.retire());
        }
        self.plan_spare(&spec.base, made.files);
        Ok(made.workspace)
    }

    /// Makes a clean checkout of a commit for verification commands.
    pub(super) fn checkout(&self, key: &Key, commit: &CommitId) -> Result<Workspace, EngineError> {
        self.clear_above(key)?;
        let path = self.home.workspace(&self.run, key);
        if path.exists() {
            // An engine was killed while these commands ran; they have no intent and come again.
            keep_one(&self.project, &self.run, key, &path, || false)?;
        }
        self.workspace(key, commit, WorkspaceKind::Writer)
    }

    /// Keeps what an attempt has left, and puts its workspace aside.
    pub(super) fn keep(
        &self,
        key: &Key,
        task: &AgentTask,
        workspace: Workspace,
    ) -> Result<KeptAttempt, EngineError> {
        let snapshot = match snapshot(&self.project, &self.run, key, &workspace, &Caps::DEFAULT) {
            Err(error) if error.may_be_the_workspaces() => {
                let left_out = keep_damaged(&self.project, &self.run, key, workspace.path())?;
                self.note_left_out(left_out);
                return Ok(KeptAttempt::OnlyFiles { why: told(error.kind()) });
            }
            kept => kept?,
        };
        let base = workspace.base().clone();
        let work = match snapshot.changed {
            true => self.within_bounds(key, task, (&base, &snapshot.tree))?,
            false => None,
        };
        let changed = work.is_some();
        let commit = if let Some(tree) = work {
            let message = format!("work of {key}");
            // Commits that the agent made itself are part of what it did.
            let parents: Vec<ObjectId> =
                [base].into_iter().chain(snapshot.agent_commits.iter().cloned()).collect();
            let made = self.project.commit(&parents, &tree, &message, &stamp(now()))?;
            self.hold(&format!("work/{key}"), &made)?;
            made
        } else {
            base
        };
        self.note_left_out(left_outs(key, &snapshot.left_out, workspace.path()));
        match snapshot.proof() {
            Some(proof) => self.put_aside(workspace, &proof)?,
            None => Leftover::stays(&self.run, key, &snapshot.left_out, workspace.path())?,
        }
        let work = KeptWork { commit: commit_id(&commit), changed };
        Ok(KeptAttempt::Work(work))
    }

    /// Keeps what verification commands have left, and puts their checkout aside whatever that is. Tells the tree
    /// that they left, if they changed it and it can be told.
    pub(super) fn keep_checkout(
        &self,
        key: &Key,
        workspace: Workspace,
    ) -> Result<Option<ObjectId>, EngineError> {
        let kept = snapshot(&self.project, &self.run, key, &workspace, &CHECKOUT_CAPS);
        match kept {
            Ok(snapshot) => {
                let left = snapshot.changed.then(|| snapshot.tree.clone());
                self.put_aside(workspace, &snapshot.proof_without_agent())?;
                Ok(left)
            }
            Err(error) if !error.may_be_the_workspaces() => Err(error.into()),
            Err(_) if self.keeping == Keeping::Dropped => {
                workspace.remove_looked_at()?;
                Ok(None)
            }
            Err(_) => {
                let raw = every_file(&self.project, &self.run, key, workspace.path())?;
                Workspace::remove_kept(workspace.path(), raw.proof_without_agent())?;
                Ok(None)
            }
        }
    }

    fn put_aside(&self, workspace: Workspace, proof: &Proof) -> Result<(), EngineError> {
        self.shelf.put(workspace.retire(proof, &self.home.retired(&self.run))?);
        Ok(())
    }

    /// Ends what is done beside the steps, and removes every workspace that was kept.
    pub(super) fn clear_shelf(&self) {
        self.meanwhile.end();
        self.shelf.clear();
    }
}

/// The files that a role does not see, as patterns.
pub(super) fn hidden(role: Role) -> impl Iterator<Item = &'static str> {
    // Whoever looks around before there is a plan judges nothing, and may build on what was found before.
    let looks_around = matches!(role, Role::Questioner | Role::Researcher);
    let shown = if looks_around { OF_BEFORE.as_slice() } else { &[] };
    let all = OPINIONS.into_iter().chain(OF_BEFORE).chain(PAPERS).chain([WISHES]);
    all.filter(move |pattern| !shown.contains(pattern))
}

/// What a role sees of the project.
pub(super) fn view_of(role: Role) -> WorkspaceKind {
    use autopilot_core::role::Access;
    match role.access() {
        Access::Write => WorkspaceKind::Writer,
        Access::Read => WorkspaceKind::Reader { hide: hidden(role).map(str::to_owned).collect() },
    }
}

/// Keeps what the attempts of a run left behind and nobody kept, removes their workspaces, and tells what is not
/// kept as it was.
///
/// The guardian calls it when the engine was killed, and every start calls it again: it can be repeated.
pub fn keep_leftovers(home: &Home, run: &RunId) -> Result<Vec<LeftOut>, EngineError> {
    remove_retired(&home.retired(run))?;
    remove_retired(&home.spares(run))?;
    let directory = home.workspaces(run);
    let entries = match fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(EngineError::file("list", directory)(error)),
    };
    let mut left_out = Vec::new();
    let project = Project::reopen(&home.root, Git::from_own_environment())?;
    let started = OnceCell::new();
    for entry in entries {
        let entry = entry.map_err(EngineError::file("list", &directory))?;
        let name = entry.file_name();
        if let Some(key) = name.to_str().and_then(unflat) {
            let had_agent = || match started.get_or_init(|| started_attempts(home, run)) {
                Some(started) => started.contains(&key),
                None => true,
            };
            left_out.extend(keep_one(&project, run, &key, &entry.path(), had_agent)?);
        }
    }
    remove_stale_records(&directory)?;
    Ok(left_out)
}

/// The attempts that an agent was started for. Their facts are in the journal before there is a workspace, so what is
/// not among them was never handed to an agent. `None` if the journal cannot be read.
fn started_attempts(home: &Home, run: &RunId) -> Option<BTreeSet<Key>> {
    let records = read_all(&home.journal(run)).ok()?;
    let started = records.into_iter().filter_map(|record| match record.fact {
        Fact::Started { key } => Some(key),
        _ => None,
    });
    Some(started.collect())
}

/// Keeps what one attempt left. Nothing that its agent could reach decides whether it had one.
fn keep_one(
    project: &Project,
    run: &RunId,
    key: &Key,
    path: &Path,
    had_agent: impl Fn() -> bool,
) -> Result<Vec<LeftOut>, EngineError> {
    if let Some(leftover) = Leftover::read(path).filter(|leftover| leftover.left_out.key == *key) {
        return Ok(vec![leftover.left_out]);
    }
    let Ok(workspace) = Workspace::open(path) else {
        if had_agent() {
            return keep_damaged(project, run, key, path);
        }
        Workspace::remove_unfinished(path)?;
        return Ok(Vec::new());
    };
    let kept = match snapshot(project, run, key, &workspace, &Caps::DEFAULT) {
        Err(error) if error.may_be_the_workspaces() => {
            return keep_damaged(project, run, key, path);
        }
        kept => kept?,
    };
    if !had_agent() {
        workspace.remove(kept.proof_without_agent())?;
        return Ok(Vec::new());
    }
    let left_out = left_outs(key, &kept.left_out, path);
    match kept.proof() {
        Some(proof) => workspace.remove(proof)?,
        None => Leftover::stays(run, key, &kept.left_out, path)?,
    }
    Ok(left_out)
}

/// Keeps every file of an attempt whose workspace cannot be read as one any more.
fn keep_damaged(
    project: &Project,
    run: &RunId,
    key: &Key,
    path: &Path,
) -> Result<Vec<LeftOut>, EngineError> {
    let raw = every_file(project, run, key, path)?;
    let left_out = left_outs(key, &raw.left_out, path);
    let sums = raw.left_out.clone();
    match raw.proof() {
        Some(proof) => Workspace::remove_kept(path, proof)?,
        None => Leftover::stays(run, key, &sums, path)?,
    }
    Ok(left_out)
}

fn every_file(
    project: &Project,
    run: &RunId,
    key: &Key,
    path: &Path,
) -> Result<RawSnapshot, GitError> {
    let reference = OwnRef::kept(run.as_str(), key.step.as_str(), key.attempt.number())?;
    let message = format!("every file that {key} of {run} left; its workspace was not whole");
    let keep = KeepAs { reference: &reference, message: &message, stamp: &stamp(now()) };
    project.keep_every_file(path, &keep, &Caps::default())
}

fn snapshot(
    project: &Project,
    run: &RunId,
    key: &Key,
    workspace: &Workspace,
    caps: &Caps,
) -> Result<Snapshot, GitError> {
    let reference = OwnRef::kept(run.as_str(), key.step.as_str(), key.attempt.number())?;
    let message = format!("what {key} of {run} left");
    let keep = KeepAs { reference: &reference, message: &message, stamp: &stamp(now()) };
    project.snapshot(workspace, &keep, caps)
}
