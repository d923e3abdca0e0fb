//! Trees that are like another but for some entries.

use std::os::unix::ffi::OsStrExt;

use tempfile::TempDir;

use super::{GitError, GitErrorKind, ObjectId, Project, project::parse_id};
use crate::{
    error::{Ground, ground},
    private::tempdir_in,
};

/// What a path holds in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// The mode as git writes it: `100644`, `100755`, `120000`, `160000`.
    pub mode: String,
    /// The object.
    pub id: ObjectId,
}

impl TreeEntry {
    /// Whether it is a plain file, executable or not.
    pub fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

/// A path that differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeChange {
    /// The path, as bytes: it may not be text.
    pub path: Vec<u8>,
    /// What was there.
    pub old: Option<TreeEntry>,
    /// What is there.
    pub new: Option<TreeEntry>,
}

impl Project {
    /// Lists what differs between two commits or trees, with the entries on both sides.
    pub fn tree_changes(
        &self,
        base: &ObjectId,
        head: &ObjectId,
    ) -> Result<Vec<TreeChange>, GitError> {
        let arguments = [
            "diff-tree",
            "-r",
            "--raw",
            "-z",
            "--no-renames",
            "--abbrev=64",
            base.as_str(),
            head.as_str(),
        ];
        let printed = self.call(arguments).output("compare", head.as_str().as_ref())?;
        let mut fields = printed.split(|byte| *byte == 0).filter(|field| !field.is_empty());
        let mut changes = Vec::new();
        while let Some(meta) = fields.next() {
            let meta = String::from_utf8_lossy(meta);
            let unexpected = || {
                GitError::new("compare", head.as_str(), GitErrorKind::Unexpected(meta.to_string()))
            };
            let path = fields.next().ok_or_else(unexpected)?.to_vec();
            let words: Vec<&str> = meta.trim_start_matches(':').split(' ').collect();
            let [old_mode, new_mode, old_id, new_id, _] = words.as_slice() else {
                return Err(unexpected());
            };
            changes.push(TreeChange {
                path,
                old: entry(old_mode, old_id)?,
                new: entry(new_mode, new_id)?,
            });
        }
        Ok(changes)
    }

    /// Lists every file of a tree.
    pub fn tree_files(&self, tree: &ObjectId) -> Result<Vec<TreeChange>, GitError> {
        let empty = self.call(["hash-object", "-t", "tree", "/dev/null"]);
        let empty = parse_id(&empty.output("name", "the empty tree".as_ref())?)?;
        self.tree_changes(&empty, tree)
    }

    /// Makes a tree that is like another but for some entries; `None` takes a path away.
    pub fn tree_with_entries(
        &self,
        tree: &ObjectId,
        entries: &[(Vec<u8>, Option<TreeEntry>)],
    ) -> Result<ObjectId, GitError> {
        if entries.is_empty() {
            return Ok(tree.clone());
        }
        let scratch = scratch()?;
        let index = scratch.path().join("index");
        self.call(["read-tree", tree.as_str()])
            .env("GIT_INDEX_FILE", &index)
            .output("read the tree", tree.as_str().as_ref())?;
        // What goes away goes first: it may be a file in the place of a directory.
        let (gone, put): (Vec<_>, Vec<_>) = entries.iter().partition(|(_, entry)| entry.is_none());
        let mut lines = Vec::new();
        for (path, entry) in gone.into_iter().chain(put) {
            let line = match entry {
                Some(TreeEntry { mode, id }) => format!("{mode} {id}\t"),
                None => format!("0 {}\t", tree.null()),
            };
            lines.extend_from_slice(line.as_bytes());
            lines.extend_from_slice(path);
            lines.push(0);
        }
        self.write_index_and_tree(&index, lines)
    }

    /// Reads a file by its object, up to a limit; `None` if it is larger.
    pub fn read_blob(&self, id: &ObjectId, bytes_max: usize) -> Result<Option<Vec<u8>>, GitError> {
        let call = self.call(["cat-file", "blob", id.as_str()]);
        let (bytes, cut) = call.bounded_output(bytes_max, "read", id.as_str().as_ref())?;
        Ok((!cut).then_some(bytes))
    }

    /// Stores the contents of several files at once, in their order.
    pub fn write_blobs(&self, contents: &[&[u8]]) -> Result<Vec<ObjectId>, GitError> {
        if let [one] = contents {
            return Ok(vec![self.write_blob(one.to_vec())?]);
        }
        let failed = |error| GitError::new("store", "files", GitErrorKind::Io(error));
        let scratch = scratch()?;
        let mut names = Vec::new();
        for (number, bytes) in contents.iter().enumerate() {
            let path = scratch.path().join(number.to_string());
            std::fs::write(&path, bytes).map_err(failed)?;
            names.extend_from_slice(path.as_os_str().as_bytes());
            names.push(b'\n');
        }
        let arguments = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
        let printed = self.call(arguments).input(names).output("store", "files".as_ref())?;
        let lines = printed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let ids: Vec<ObjectId> = lines.map(parse_id).collect::<Result<_, _>>()?;
        if ids.len() == contents.len() {
            return Ok(ids);
        }
        let text = String::from_utf8_lossy(&printed).into_owned();
        Err(GitError::new("store", "files", GitErrorKind::Unexpected(text)))
    }

    /// Stores a file's content.
    pub fn write_blob(&self, bytes: Vec<u8>) -> Result<ObjectId, GitError> {
        let call = match bytes.is_empty() {
            // An empty input would be taken as missing.
            true => self.call(["hash-object", "-w", "-t", "blob", "/dev/null"]),
            false => self.call(["hash-object", "-w", "--stdin"]).input(bytes),
        };
        parse_id(&call.output("store", "a file".as_ref())?)
    }
}

/// Tells whether there is a place for scratch files, before anything is paid for that needs one.
pub fn check_scratch() -> Result<(), GitError> {
    scratch().map(drop)
}

/// Makes a directory for files that go at once, where the system wants such. Without one nothing can be committed,
/// whatever is tried next.
pub(super) fn scratch() -> Result<TempDir, GitError> {
    let place = std::env::temp_dir();
    tempdir_in(&place).map_err(|error| {
        let ground = ground(&error).unwrap_or(Ground::NoScratch);
        let kind = GitErrorKind::GaveWay { ground, why: error.to_string() };
        GitError::new("make a directory in", place, kind)
    })
}

fn entry(mode: &str, id: &str) -> Result<Option<TreeEntry>, GitError> {
    match mode {
        "000000" => Ok(None),
        _ => Ok(Some(TreeEntry { mode: mode.to_owned(), id: ObjectId::parse(id)? })),
    }
}
