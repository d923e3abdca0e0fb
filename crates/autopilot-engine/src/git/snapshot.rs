//! Keeps everything that an attempt has left, as commits in the person's object store.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

use gix::bstr::ByteSlice;

use super::{
    Amount, DiffStat, GitError, GitErrorKind, LeftOuts, ObjectId, OwnRef, Project, Proof, Stamp,
    WhyLeftOut, Workspace,
    agent_commits::Imported,
    error::{says_filter, store_refuses},
    keep::{Raw, force_quoted},
    objects::copy_index,
    restore::message_from,
    staged::{Staged, has_other_index},
    walk::{Found, Walk},
};
use crate::private::tempdir_in;

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Bytes of all new and changed files together. It only stands against a file that seems endless: what
    /// is beyond it stays on disk.
    pub work_bytes_max: u64,
    /// Bytes of one file of the tree of the work. A larger one is kept beside it, because the checkouts of later
    /// steps are made in memory.
    pub tree_file_bytes_max: u64,
    /// Files and directories looked at, without ignored ones.
    pub entries_max: u64,
    /// Ignored files kept; what is beyond stays on disk.
    pub ignored_files_max: u64,
    /// Bytes of all ignored files kept; what is beyond stays on disk.
    pub ignored_bytes_max: u64,
    /// Files kept of directories that a tool can make again; what is beyond goes.
    pub rebuildable_files_max: u64,
    /// Bytes of all such files kept; what is beyond goes.
    pub rebuildable_bytes_max: u64,
}

impl Caps {
    /// What is kept of an agent's work.
    pub const DEFAULT: Self = Self {
        work_bytes_max: 16 << 30,
        tree_file_bytes_max: 512 << 20,
        entries_max: 1_000_000,
        ignored_files_max: 20_000,
        ignored_bytes_max: 256 << 20,
        rebuildable_files_max: 2000,
        rebuildable_bytes_max: 64 << 20,
    };
}

impl Default for Caps {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Under what name and with what words an attempt is kept.
#[derive(Debug, Clone, Copy)]
pub struct KeepAs<'a> {
    /// The ref.
    pub reference: &'a OwnRef,
    /// The message of the commit.
    pub message: &'a str,
    /// Who and when; the same stamp gives the same commit again.
    pub stamp: &'a Stamp,
}

/// What an attempt has left.
#[derive(Debug)]
pub struct Snapshot {
    /// The tree of the work: tracked and new files, without ignored ones.
    pub tree: ObjectId,
    /// Whether the work differs from what the workspace was made from.
    pub changed: bool,
    /// How much it differs.
    pub stat: DiffStat,
    /// Where it is kept; `None` if there was nothing to keep.
    pub kept: Option<Kept>,
    /// Tips of the commits that the agent made itself; they are parents of the kept commit.
    pub agent_commits: Vec<ObjectId>,
    /// Why the agent's own repository could not be read as one; its files are kept then.
    pub agent_repository_problem: Option<&'static str>,
    /// What was not kept, or not put into the tree.
    pub left_out: LeftOuts,
    path: PathBuf,
}

/// A kept attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The commit: all files, also ignored ones, up to the caps.
    pub commit: ObjectId,
    /// The ref that holds it.
    pub reference: OwnRef,
}

impl Snapshot {
    /// Returns the proof that the workspace may be removed, unless something would be lost with it.
    pub fn proof(&self) -> Option<Proof> {
        (self.left_out.lost().files == 0).then(|| Proof::of(&self.path))
    }

    /// Returns the proof for a checkout in which no agent was: what commands of the engine leave in it can
    /// be had again by running them.
    pub fn proof_without_agent(&self) -> Proof {
        Proof::of(&self.path)
    }
}

impl Project {
    /// Keeps what an attempt has left. No process of the agent may run any more.
    pub fn snapshot(
        &self,
        workspace: &Workspace,
        keep: &KeepAs<'_>,
        caps: &Caps,
    ) -> Result<Snapshot, GitError> {
        let failed = |error: io::Error| GitError::io("keep", &workspace.path, error);
        let files = workspace.files();
        if !fs::symlink_metadata(&files).is_ok_and(|found| found.is_dir()) {
            return Err(GitError::new("keep", &files, GitErrorKind::Replaced));
        }
        let scratch = tempdir_in(&workspace.records()).map_err(failed)?;
        let mut history = self.import_agent_commits(workspace, scratch.path(), caps)?;
        let has_staged = history.problem.is_none() && has_other_index(workspace);
        let mut found = self.walk(workspace, &history, *caps)?;
        let tree = self.tree_of_work(workspace, &mut found)?;
        if has_staged {
            let staged = Staged { workspace, stamp: keep.stamp, scratch: scratch.path(), caps };
            match self.import_staged(&staged)? {
                Ok(commit) => history.tips.extend(commit),
                Err(why) => {
                    let why = WhyLeftOut::Unreadable(why.to_owned());
                    let size = Amount { files: 1, bytes: 0 };
                    found.left_out.add(b".git/index".to_vec(), why, size);
                }
            }
        }
        let changed = tree != workspace.tree;
        let mut snapshot = Snapshot {
            stat: match changed {
                true => self.diff_stat(&self.base_tree(workspace)?, &tree)?,
                false => DiffStat::default(),
            },
            tree,
            changed,
            kept: None,
            agent_repository_problem: history.problem,
            agent_commits: history.tips,
            left_out: found.left_out,
            path: workspace.path.clone(),
        };
        let has_work = changed || !found.raw.is_empty() || !snapshot.agent_commits.is_empty();
        if has_work || snapshot.proof().is_none() {
            let tree = self.tree_of_all(workspace, &snapshot.tree, &found.raw, scratch.path())?;
            // What is not in the commit is at least named in it.
            let manifest = snapshot.left_out.manifest();
            let base = self.base_commit(workspace)?;
            let message = match &base {
                Some(base) => message_from(base, keep.message, &manifest),
                None => keep.message.to_owned() + &manifest,
            };
            let keep = KeepAs { message: &message, ..*keep };
            let parents = base.into_iter().chain(snapshot.agent_commits.iter().cloned()).collect();
            snapshot.kept = Some(self.keep(&keep, &tree, parents)?);
        }
        Ok(snapshot)
    }

    fn walk(
        &self,
        workspace: &Workspace,
        history: &Imported,
        caps: Caps,
    ) -> Result<Found, GitError> {
        let files = workspace.files();
        let path = workspace.index();
        // Left by an engine that was killed in the middle; there is only one writer.
        drop(fs::remove_file(path.with_extension("lock")));
        let index = self.read_index(&path)?;
        // The index as it was made holds until the agent was let in; one that git wrote later, as usual.
        let modified = |path: &Path| {
            let found = fs::metadata(path).map_err(|error| GitError::io("look at", path, error))?;
            Ok::<_, GitError>((found.mtime(), found.mtime_nsec()))
        };
        let since = modified(&path)?.max(modified(&workspace.made())?);
        let walk =
            Walk::new(self, &files, &index, since, caps).with_what_is_beside(&workspace.path);
        match history.keep_git_dir {
            true => walk.with_git_dir(&workspace.git_dir()).run(),
            false => walk.run(),
        }
    }

    /// Brings the engine's index up to date and writes its tree.
    fn tree_of_work(&self, workspace: &Workspace, found: &mut Found) -> Result<ObjectId, GitError> {
        let touched = workspace.records().join("touched");
        if found.update.is_empty() && found.removed.is_empty() && !touched.exists() {
            return Ok(workspace.tree.clone());
        }
        // From now on the index may differ from what the workspace was made from.
        fs::write(&touched, "").map_err(|error| GitError::io("write", &touched, error))?;
        let null = workspace.base.null();
        let mut lines = Vec::new();
        for path in &found.removed {
            lines.extend_from_slice(format!("0 {null}\t").as_bytes());
            lines.extend_from_slice(path);
            lines.push(0);
        }
        if !lines.is_empty() {
            self.call(["update-index", "-z", "--index-info"])
                .env("GIT_INDEX_FILE", workspace.index())
                .input(lines)
                .output("update", workspace.index().as_os_str())?;
        }
        let update = std::mem::take(&mut found.update);
        for path in self.update_index(workspace, &update)? {
            found.raw.push(Raw {
                on_disk: workspace.files().join(OsStr::from_bytes(&path)),
                in_tree: path.clone(),
            });
            let size = fs::symlink_metadata(workspace.files().join(OsStr::from_bytes(&path)));
            let size = size.map(|found| Amount::of(&found)).unwrap_or_default();
            found.left_out.add(path, WhyLeftOut::OnlyKept, size);
        }
        let converted = self.converted(workspace, &update)?;
        found.raw.extend(converted);
        let tree = self.write_index_and_tree(&workspace.index(), Vec::new())?;
        if tree == workspace.tree {
            fs::remove_file(&touched).map_err(|error| GitError::io("remove", &touched, error))?;
        }
        Ok(tree)
    }

    /// Finds the files that git has stored otherwise than they are: with other line ends, through a filter, in another
    /// encoding. They belong into the tree so, and are kept as they are.
    fn converted(&self, workspace: &Workspace, paths: &[Vec<u8>]) -> Result<Vec<Raw>, GitError> {
        let files = workspace.files();
        let on_disk = |path: &[u8]| files.join(OsStr::from_bytes(path));
        let is_file =
            |path: &[u8]| fs::symlink_metadata(on_disk(path)).is_ok_and(|found| found.is_file());
        let index = self.read_index(&workspace.index())?;
        let stored = |path: &[u8]| Some(index.entry_by_path(path.as_bstr())?.id.to_string());
        let known: Vec<(&Vec<u8>, String)> = paths
            .iter()
            .filter(|path| is_file(path))
            .filter_map(|path| Some((path, stored(path)?)))
            .collect();
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let lines: Vec<Vec<u8>> = known.iter().map(|(path, _)| force_quoted(path)).collect();
        let mut input = lines.join(&b'\n');
        input.push(b'\n');
        let printed = self
            .git
            .call(&files, ["hash-object", "--no-filters", "--stdin-paths"])
            .env("GIT_DIR", &self.git_dir)
            .env("GIT_WORK_TREE", &files)
            .input(input)
            .output("read the files of", workspace.path.as_os_str())?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let differ = known.into_iter().zip(printed.lines()).filter(|((_, id), raw)| id != raw);
        Ok(differ
            .map(|((path, _), _)| Raw { on_disk: on_disk(path), in_tree: path.clone() })
            .collect())
    }

    fn read_index(&self, path: &Path) -> Result<gix::index::File, GitError> {
        let (kind, options) = (self.format.to_gix(), gix::index::decode::Options::default());
        gix::index::File::at(path, kind, false, options)
            .map_err(|error| GitError::new("read", path, GitErrorKind::Library(error.to_string())))
    }

    /// Takes files into the engine's index and returns those that git does not take.
    ///
    /// One such file makes git give up, so the list is halved until it is found.
    fn update_index(
        &self,
        workspace: &Workspace,
        paths: &[Vec<u8>],
    ) -> Result<Vec<Vec<u8>>, GitError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let files = workspace.files();
        let mut input = Vec::new();
        for path in paths {
            input.extend_from_slice(path);
            input.push(0);
        }
        let answer = self
            .git
            .call(&files, ["update-index", "--add", "--replace", "-z", "--stdin"])
            .env("GIT_DIR", &self.git_dir)
            .env("GIT_WORK_TREE", &files)
            .env("GIT_INDEX_FILE", workspace.index())
            .input(input)
            .answer()?;
        // Git also names the file, and an agent chooses what its files are called.
        let in_a_name = || paths.iter().any(|path| store_refuses(&String::from_utf8_lossy(path)));
        // A git that was ended has refused no file.
        let was_ended = answer.status.code().is_none();
        let refuses = || store_refuses(&answer.stderr) && !in_a_name();
        if !answer.status.success() && (was_ended || refuses()) {
            answer.success("store the files of", workspace.path.as_os_str())?;
            return Ok(Vec::new());
        }
        match (answer.status.success(), paths) {
            (true, _) => Ok(Vec::new()),
            (false, [path]) => {
                if says_filter(&answer.stderr) && !workspace.reader {
                    let scratch = tempdir_in(&workspace.records())
                        .map_err(|error| GitError::io("keep", &workspace.path, error))?;
                    self.probe_filters(&workspace.tree, Some(path), scratch.path())?;
                }
                Ok(vec![path.clone()])
            }
            (false, _) => {
                let (first, second) = paths.split_at(paths.len() / 2);
                let mut refused = self.update_index(workspace, first)?;
                refused.extend(self.update_index(workspace, second)?);
                Ok(refused)
            }
        }
    }

    /// Writes the tree that also has what does not belong into the work.
    fn tree_of_all(
        &self,
        workspace: &Workspace,
        tree: &ObjectId,
        raw: &[Raw],
        scratch: &Path,
    ) -> Result<ObjectId, GitError> {
        if raw.is_empty() {
            return Ok(tree.clone());
        }
        let lines = self.store_raw(raw, scratch)?;
        let index = scratch.join("index");
        copy_index(&workspace.index(), &index)?;
        self.write_index_and_tree(&index, lines)
    }

    /// Makes the kept commit and moves its ref; what the ref held before stays reachable.
    pub(super) fn keep(
        &self,
        keep: &KeepAs<'_>,
        tree: &ObjectId,
        mut parents: Vec<ObjectId>,
    ) -> Result<Kept, GitError> {
        let mut commit = self.commit(&parents, tree, keep.message, keep.stamp)?;
        // Nearly always the ref is new; if not, what it holds must stay reachable.
        if let Err(error) = self.update_ref(keep.reference, &commit, None) {
            let earlier = self.read_ref(keep.reference)?.ok_or(error)?;
            if earlier != commit {
                parents.push(earlier.clone());
                commit = self.commit(&parents, tree, keep.message, keep.stamp)?;
                self.update_ref(keep.reference, &commit, Some(&earlier))?;
            }
        }
        Ok(Kept { commit, reference: keep.reference.clone() })
    }

    /// Returns the commit that the workspace was made from, which a reader's repository may be alone to have.
    fn base_commit(&self, workspace: &Workspace) -> Result<Option<ObjectId>, GitError> {
        if !workspace.reader {
            return Ok(Some(workspace.base.clone()));
        }
        let made = self.exported_commit(&self.base_tree(workspace)?)?;
        Ok((made == workspace.base).then_some(made))
    }

    /// Returns the tree that the work is compared with; a reader's is not in the person's store yet.
    fn base_tree(&self, workspace: &Workspace) -> Result<ObjectId, GitError> {
        match workspace.reader {
            true => self.write_index_and_tree(&workspace.base_index(), Vec::new()),
            false => Ok(workspace.tree.clone()),
        }
    }
}
