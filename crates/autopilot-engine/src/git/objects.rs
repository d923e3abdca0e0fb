//! Reads and writes objects in the person's object store.

use std::{ffi::OsStr, fs, path::Path};

use super::{GitError, GitErrorKind, ObjectId, Project, RepoPath, TreeEntry, project::parse_id};

/// How large a file is that is read out of a commit.
const FILE_BYTES_MAX: usize = 64 << 20;

/// Who made a commit and when. Given by the caller, so that the same commit gets the same id again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The author's and committer's name.
    pub name: String,
    /// Their mail address.
    pub email: String,
    /// Seconds since 1970, written with the time zone `+0000`.
    pub seconds: i64,
}

impl Project {
    /// Returns the commit that a name stands for, if there is one.
    pub fn rev_parse(&self, name: &str) -> Result<Option<ObjectId>, GitError> {
        let wanted = format!("{name}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let answer = self.call(arguments).answer()?;
        // One is git's way to say that there is none; everything else is a failure to look.
        match answer.status.code() {
            Some(1) => Ok(None),
            _ => parse_id(&answer.success("look for", name.as_ref())?).map(Some),
        }
    }

    /// Returns the tree of a commit.
    pub fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId, GitError> {
        let wanted = format!("{commit}^{{tree}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        parse_id(&self.call(arguments).output("find the tree of", commit.as_str().as_ref())?)
    }

    /// Tells whether a commit is the same as another or one of its ancestors.
    pub fn is_ancestor(&self, ancestor: &ObjectId, of: &ObjectId) -> Result<bool, GitError> {
        let arguments = ["merge-base", "--is-ancestor", ancestor.as_str(), of.as_str()];
        let answer = self.call(arguments).answer()?;
        match answer.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            Some(_) | None => {
                let kind = GitErrorKind::Failed { status: answer.status, stderr: answer.stderr };
                Err(GitError::new("compare the history of", of.as_str(), kind))
            }
        }
    }

    /// Returns a file as it is in a commit, or `None` if it is not in it or not a file.
    pub fn read_file_at(
        &self,
        commit: &ObjectId,
        path: &RepoPath,
    ) -> Result<Option<Vec<u8>>, GitError> {
        let wanted = [commit.as_str().as_bytes(), b":", path.as_bytes()].concat();
        let name = OsStr::new("cat-file");
        let object: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(wanted.as_slice());
        let answer = self.call([name, OsStr::new("-t"), object]).answer()?;
        if !answer.status.success() || answer.stdout.trim_ascii() != b"blob" {
            return Ok(None);
        }
        let (bytes, cut) = self.call([name, OsStr::new("blob"), object]).bounded_output(
            FILE_BYTES_MAX,
            "read",
            object,
        )?;
        match cut {
            false => Ok(Some(bytes)),
            true => Err(GitError::new(
                "read",
                object,
                GitErrorKind::Unexpected("the file is larger than 64 MiB".into()),
            )),
        }
    }

    /// Makes a commit without moving any ref; the same arguments give the same id.
    pub fn commit(
        &self,
        parents: &[ObjectId],
        tree: &ObjectId,
        message: &str,
        stamp: &Stamp,
    ) -> Result<ObjectId, GitError> {
        let mut arguments = vec!["commit-tree", "-F", "-"];
        for parent in parents {
            arguments.extend(["-p", parent.as_str()]);
        }
        arguments.push(tree.as_str());
        // A message must not be empty, for the input would be taken as missing.
        let message = if message.is_empty() { "(no message)" } else { message };
        let made = stamped(self.call(arguments), stamp)
            .input(message.as_bytes().to_vec())
            .output("make a commit of", tree.as_str().as_ref())?;
        parse_id(&made)
    }

    /// Makes a tree that is like another but for some files, which are plain and not executable.
    pub fn write_tree_with(
        &self,
        base: &ObjectId,
        files: &[(RepoPath, Vec<u8>)],
    ) -> Result<ObjectId, GitError> {
        if files.is_empty() {
            return Ok(base.clone());
        }
        let contents: Vec<&[u8]> = files.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        let entry = |((path, _), id): (&(RepoPath, Vec<u8>), ObjectId)| {
            (path.as_bytes().to_vec(), Some(TreeEntry { mode: "100644".to_owned(), id }))
        };
        let entries: Vec<_> = files.iter().zip(self.write_blobs(&contents)?).map(entry).collect();
        self.tree_with_entries(base, &entries)
    }

    /// Adds lines to an index file and writes its tree.
    pub(super) fn write_index_and_tree(
        &self,
        index: &Path,
        lines: Vec<u8>,
    ) -> Result<ObjectId, GitError> {
        if !lines.is_empty() {
            self.call(["update-index", "--add", "--replace", "-z", "--index-info"])
                .env("GIT_INDEX_FILE", index)
                .input(lines)
                .output("fill the index", index.as_os_str())?;
        }
        let tree = self
            .call(["write-tree"])
            .env("GIT_INDEX_FILE", index)
            .output("write the tree of", index.as_os_str())?;
        parse_id(&tree)
    }
}

/// Copies an index with its time, by which git tells which entries it must look at again.
pub(super) fn copy_index(from: &Path, to: &Path) -> Result<(), GitError> {
    let failed = |error| GitError::io("copy", from, error);
    fs::copy(from, to).map_err(failed)?;
    let modified = fs::metadata(from).and_then(|found| found.modified()).map_err(failed)?;
    let copy = fs::File::options().write(true).open(to).map_err(failed)?;
    copy.set_modified(modified).map_err(failed)
}

pub(super) fn stamped(call: super::command::Call, stamp: &Stamp) -> super::command::Call {
    let date = format!("@{} +0000", stamp.seconds);
    call.env("GIT_AUTHOR_NAME", &stamp.name)
        .env("GIT_AUTHOR_EMAIL", &stamp.email)
        .env("GIT_AUTHOR_DATE", &date)
        .env("GIT_COMMITTER_NAME", &stamp.name)
        .env("GIT_COMMITTER_EMAIL", &stamp.email)
        .env("GIT_COMMITTER_DATE", &date)
}
