//! Brings over what an agent staged and then neither committed nor left in a file.
//!
//! The index of its repository is read by the git program as data, with the person's configuration.

use std::{collections::BTreeSet, fs, io, path::Path};

use super::{
    Caps, GitError, ObjectId, Project, Stamp, Workspace, command::Call, objects::stamped,
    project::parse_id,
};

/// A larger index is none.
const INDEX_BYTES_MAX: u64 = 256 << 20;

/// What is needed to bring staged files over.
pub(super) struct Staged<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) stamp: &'a Stamp,
    pub(super) scratch: &'a Path,
    pub(super) caps: &'a Caps,
}

/// One entry of an index.
struct Entry {
    mode: String,
    id: ObjectId,
    stage: u8,
    path: Vec<u8>,
}

/// Tells whether the agent's index is another than the one it was given.
///
/// Asked before the engine's own index, of which the agent got a copy, is brought up to date.
pub(super) fn has_other_index(workspace: &Workspace) -> bool {
    let theirs = workspace.git_dir().join("index");
    let found = fs::symlink_metadata(&theirs).ok().filter(fs::Metadata::is_file);
    found.is_some() && !same_bytes(&theirs, &workspace.index()).unwrap_or(false)
}

impl Project {
    /// Makes a commit of what is in the agent's index and nowhere else, and returns it if there is any. The
    /// inner error says why that could not be told.
    pub(super) fn import_staged(
        &self,
        staged: &Staged<'_>,
    ) -> Result<Result<Option<ObjectId>, &'static str>, GitError> {
        let workspace = staged.workspace;
        let theirs = workspace.git_dir().join("index");
        if fs::symlink_metadata(&theirs).is_ok_and(|found| found.len() > INDEX_BYTES_MAX) {
            return Ok(Err("it is larger than an index can be"));
        }
        let Some(mut entries) = self.entries_of(workspace, &theirs)? else {
            return Ok(Err("git cannot read it"));
        };
        let known = self.known_files(workspace)?;
        // A link to another repository's commit holds no content.
        entries.retain(|entry| entry.mode != "160000" && !known.contains(&entry.id));
        if entries.is_empty() {
            return Ok(Ok(None));
        }
        if !self.agent_objects_are_own(workspace) {
            return Ok(Err("its objects were redirected"));
        }
        self.retain_existing(workspace, &mut entries)?;
        if entries.is_empty() {
            return Ok(Ok(None));
        }
        let Some(commit) = self.commit_staged(staged, &entries)? else {
            return Ok(Err("git does not take its names"));
        };
        let commits = [commit];
        let copied =
            self.copy_objects(&workspace.git_dir(), &commits, staged.scratch, staged.caps)?;
        let [commit] = commits;
        Ok(copied.map(|()| Some(commit)))
    }

    /// Lists an index; `None` if git cannot read it.
    fn entries_of(
        &self,
        workspace: &Workspace,
        index: &Path,
    ) -> Result<Option<Vec<Entry>>, GitError> {
        let files = workspace.files();
        let listed = self
            .git
            .call(&files, ["ls-files", "--stage", "-z"])
            .env("GIT_DIR", &self.git_dir)
            .env("GIT_WORK_TREE", &files)
            .env("GIT_INDEX_FILE", index)
            .answer()?;
        if !listed.status.success() {
            return Ok(None);
        }
        Ok(Some(listed.stdout.split(|byte| *byte == 0).filter_map(parse).collect()))
    }

    /// The files that the work consists of, and those that it began with.
    fn known_files(&self, workspace: &Workspace) -> Result<BTreeSet<ObjectId>, GitError> {
        let mut known = BTreeSet::new();
        let base = workspace.base_index();
        for index in [workspace.index(), base] {
            if index.exists() {
                let entries = self.entries_of(workspace, &index)?.unwrap_or_default();
                known.extend(entries.into_iter().map(|entry| entry.id));
            }
        }
        if !workspace.reader {
            let arguments = ["ls-tree", "-r", "--format=%(objectname)", workspace.tree.as_str()];
            let listed = self.call(arguments).output("list", workspace.tree.as_str().as_ref())?;
            let text = String::from_utf8_lossy(&listed);
            known.extend(text.lines().filter_map(|line| ObjectId::parse(line).ok()));
        }
        Ok(known)
    }

    /// Drops entries whose content is nowhere, such as files that are only announced.
    fn retain_existing(
        &self,
        workspace: &Workspace,
        entries: &mut Vec<Entry>,
    ) -> Result<(), GitError> {
        let questions: String = entries.iter().map(|entry| format!("{}\n", entry.id)).collect();
        let git_dir = workspace.git_dir();
        let answers = self
            .call_with_agent_objects(
                &git_dir,
                ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
            )
            .input(questions.into_bytes())
            .output("look for staged files in", git_dir.as_os_str())?;
        let existing: BTreeSet<ObjectId> = String::from_utf8_lossy(&answers)
            .lines()
            .filter_map(|line| ObjectId::parse(line.strip_suffix(" blob")?).ok())
            .collect();
        entries.retain(|entry| existing.contains(&entry.id));
        Ok(())
    }

    /// Makes the commit in the agent's own store, from where it is copied like the agent's own commits.
    fn commit_staged(
        &self,
        staged: &Staged<'_>,
        entries: &[Entry],
    ) -> Result<Option<ObjectId>, GitError> {
        let git_dir = staged.workspace.git_dir();
        let index = staged.scratch.join("staged-index");
        let with_index = |call: Call| call.env("GIT_INDEX_FILE", &index);
        let mut lines = Vec::new();
        for Entry { mode, id, stage, path } in entries {
            lines.extend_from_slice(format!("{mode} {id}\t").as_bytes());
            lines.extend_from_slice(path);
            // The sides of a conflict have the same name.
            if *stage > 0 {
                lines.extend_from_slice(format!(".side-{stage}").as_bytes());
            }
            lines.push(0);
        }
        let arguments = ["update-index", "--add", "--replace", "-z", "--index-info"];
        let filled = with_index(self.call_with_agent_objects(&git_dir, arguments)).input(lines);
        if !filled.answer()?.status.success() {
            return Ok(None);
        }
        let tree = with_index(self.call_with_agent_objects(&git_dir, ["write-tree"]))
            .output("write the tree of", index.as_os_str())?;
        let tree = parse_id(&tree)?;
        let message = "staged, and neither committed nor left in a file";
        let call =
            self.call_with_agent_objects(&git_dir, ["commit-tree", "-m", message, tree.as_str()]);
        parse_id(&stamped(call, staged.stamp).output("make a commit of", index.as_os_str())?)
            .map(Some)
    }
}

/// Reads `<mode> <id> <stage>\t<path>`.
fn parse(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = line.split_at(tab);
    let mut words = std::str::from_utf8(head).ok()?.split(' ');
    let (mode, id, stage) = (words.next()?, words.next()?, words.next()?);
    Some(Entry {
        mode: mode.to_owned(),
        id: ObjectId::parse(id).ok()?,
        stage: stage.parse().ok()?,
        path: path[1..].to_vec(),
    })
}

fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let same_size = fs::metadata(one)?.len() == fs::metadata(other)?.len();
    Ok(same_size && fs::read(one)? == fs::read(other)?)
}
