//! Gives kept work back as it was, byte for byte.

use std::{collections::BTreeMap, ffi::OsStr, fs, io, os::unix::ffi::OsStrExt, path::Path};

use super::{
    GitError, KeptRef, ObjectId, Project, names::is_renamed, overlay::scratch, workspace::write,
};

/// Attributes with which git changes no byte, whatever others say: these are read last.
const AS_IT_IS: &[u8] = b"* -text !eol -ident -filter !working-tree-encoding\n";

/// What the line of a kept commit begins with that names what its workspace was made from.
const MADE_FROM: &str = "made from ";

/// The line of the message that it is on.
const MADE_FROM_LINE: usize = 2;

/// The paths of a commit, each with its mode and its id.
type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

/// The message of a kept commit, with the commit that its workspace was made from.
pub(super) fn message_from(base: &ObjectId, first: &str, rest: &str) -> String {
    format!("{first}\n\n{MADE_FROM}{base}{rest}")
}

impl Project {
    /// Gives kept work back as files in a directory that must not exist yet.
    ///
    /// What an attempt wrote is stored as it was and comes back so: no line end is changed, no filter is applied. What it did
    /// not touch is not stored a second time; it is made from the commit as it was made for the attempt.
    /// Nested `.git` directories stay under the name that they were kept under: they may hold hooks. The first such
    /// path is told.
    pub fn restore_to_directory(
        &self,
        kept: &KeptRef,
        to: &Path,
    ) -> Result<Option<String>, GitError> {
        let failed = |error: io::Error| GitError::io("restore to", to, error);
        fs::create_dir(to).map_err(failed)?;
        let to = fs::canonicalize(to).map_err(failed)?;
        let scratch = scratch()?;
        let mut entries = self.entries(&kept.commit)?;
        let renamed = entries.keys().find(|path| is_renamed(path));
        let renamed = renamed.map(|path| String::from_utf8_lossy(path).into_owned());
        if let Some(base) = self.made_from(&kept.commit)? {
            let before = self.entries(&base)?;
            let is_same = |path: &&Vec<u8>| before.get(*path) == entries.get(*path);
            let same: Vec<Vec<u8>> = entries.keys().filter(is_same).cloned().collect();
            // A filter that does not work any more does not keep anybody from what was kept.
            drop(self.check_out(&base, &same, &to, &scratch.path().join("base")));
        }
        entries.retain(|path, _| fs::symlink_metadata(to.join(OsStr::from_bytes(path))).is_err());
        let plain = self.borrowed(&scratch.path().join("repository"))?;
        write(&plain.git_dir.join("info/attributes"), AS_IT_IS)?;
        let rest: Vec<Vec<u8>> = entries.into_keys().collect();
        plain.check_out(&kept.commit, &rest, &to, &scratch.path().join("kept"))?;
        Ok(renamed)
    }

    /// Writes files of a commit into a directory.
    fn check_out(
        &self,
        commit: &ObjectId,
        paths: &[Vec<u8>],
        to: &Path,
        index: &Path,
    ) -> Result<(), GitError> {
        if paths.is_empty() {
            return Ok(());
        }
        self.call(["read-tree", commit.as_str()])
            .env("GIT_INDEX_FILE", index)
            .output("read", commit.as_str().as_ref())?;
        let mut input = paths.join(&0);
        input.push(0);
        self.git
            .call(to, ["checkout-index", "--quiet", "-z", "--stdin"])
            .env("GIT_DIR", &self.git_dir)
            .env("GIT_WORK_TREE", to)
            .env("GIT_INDEX_FILE", index)
            .input(input)
            .output("restore to", to.as_os_str())?;
        Ok(())
    }

    fn entries(&self, commit: &ObjectId) -> Result<Entries, GitError> {
        let arguments = ["ls-tree", "-r", "-z", "--full-tree", commit.as_str()];
        let listed = self.call(arguments).output("list", commit.as_str().as_ref())?;
        let lines = listed.split(|byte| *byte == 0);
        Ok(lines
            .filter_map(|line| {
                let tab = line.iter().position(|byte| *byte == b'\t')?;
                Some((line[tab + 1..].to_vec(), line[..tab].to_vec()))
            })
            .collect())
    }

    /// The commit that the workspace of a kept attempt was made from, where it can be told.
    fn made_from(&self, kept: &ObjectId) -> Result<Option<ObjectId>, GitError> {
        let arguments = ["log", "-1", "--format=%B", kept.as_str()];
        let message = self.call(arguments).output("read", kept.as_str().as_ref())?;
        let message = String::from_utf8_lossy(&message).into_owned();
        let line =
            message.lines().nth(MADE_FROM_LINE).and_then(|line| line.strip_prefix(MADE_FROM));
        match line.and_then(|id| ObjectId::parse(id).ok()) {
            Some(base) => self.rev_parse(base.as_str()),
            None => Ok(None),
        }
    }
}
