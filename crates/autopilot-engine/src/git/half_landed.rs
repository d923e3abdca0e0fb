//! Tells a checkout that a landing has left in the middle from one with changes of the person's own.
//!
//! Git writes the files first, then the index, and moves the branch last. Whoever is killed or refused between leaves
//! files that are the run's on a branch that knows nothing of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{GitError, ObjectId, Project, overlay::scratch};

/// The letter by which git tells that a file is gone.
const GONE: u8 = b'D';

impl Project {
    /// Whether the files and the index hold nothing but what one of two commits has, each file as a whole: then
    /// nothing of the person's is lost where all of them become those of the second.
    pub(super) fn is_between(&self, from: &ObjectId, to: &ObjectId) -> Result<bool, GitError> {
        let staged = self.staged_since(from)?;
        if self.staged_since(to)?.iter().any(|path| staged.contains(path)) {
            return Ok(false);
        }
        let (of_from, of_to) = (self.files_other_than(from)?, self.files_other_than(to)?);
        let changes = self.tree_changes(from, to)?;
        let is_change =
            |path: &Vec<u8>| changes.iter().any(|change| change.path.as_slice() == path.as_slice());
        if of_from.keys().chain(of_to.keys()).any(|path| !is_change(path)) {
            return Ok(false);
        }
        let is_whole = |change: &super::TreeChange| {
            let (old, new) = (of_from.get(&change.path), of_to.get(&change.path));
            match (&change.old, &change.new) {
                (Some(_), Some(_)) => old.is_none() || new.is_none(),
                // Of a file that only one of them has, the other has nothing to compare with.
                (Some(_), None) => old.is_none_or(|how| *how == GONE),
                (None, _) => {
                    new.is_none_or(|how| *how == GONE && self.is_free(change.path.as_slice()))
                }
            }
        };
        Ok(changes.iter().all(is_whole))
    }

    /// Whether nothing stands at a path or in the place of a directory that it needs: what stands there is in no commit.
    fn is_free(&self, path: &[u8]) -> bool {
        let path = self.checkout.join(OsStr::from_bytes(path));
        let mut above = path.ancestors().skip(1).take_while(|place| *place != self.checkout);
        // Whatever is no directory is in the way; what is not there is in nobody's.
        let may_be_above = |place: &Path| place.symlink_metadata().map_or(true, |it| it.is_dir());
        path.symlink_metadata().is_err() && above.all(may_be_above)
    }

    /// Makes files and index those of a commit, where [`Self::is_between`] has told that nothing is lost with it.
    pub(super) fn take_files_of(&self, commit: &ObjectId) -> Result<(), GitError> {
        let arguments = ["read-tree", "--reset", "-u", commit.as_str()];
        let call = self.git.call_as_person(&self.checkout, arguments);
        call.output("land on", self.checkout.as_os_str()).map(drop)
    }

    /// The lock that keeps git from moving the branch or from writing the index, if there is one.
    pub(super) fn lock_in_the_way(&self, branch: Option<&str>) -> Option<PathBuf> {
        let of_branch = branch.map(|branch| self.common_dir.join(format!("{branch}.lock")));
        let here = ["index.lock", "HEAD.lock"].map(|name| Path::new(&self.git_dir).join(name));
        here.into_iter().chain(of_branch).find(|lock| lock.symlink_metadata().is_ok())
    }

    /// The paths of the index that are not as in a commit.
    fn staged_since(&self, commit: &ObjectId) -> Result<BTreeSet<Vec<u8>>, GitError> {
        let arguments =
            ["diff-index", "--cached", "-z", "--name-only", "--no-renames", commit.as_str(), "--"];
        let call = self.git.call(&self.checkout, arguments);
        let listed = call.output("look at", self.checkout.as_os_str())?;
        let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        Ok(paths.map(<[u8]>::to_vec).collect())
    }

    /// The files of the checkout that are not as in a commit, of those that it has, with what became of them.
    fn files_other_than(&self, commit: &ObjectId) -> Result<BTreeMap<Vec<u8>, u8>, GitError> {
        let scratch = scratch()?;
        let index = scratch.path().join("index");
        let git = |arguments: &[&str]| {
            let call = self.git.call(&self.checkout, arguments).env("GIT_INDEX_FILE", &index);
            call.output("look at", self.checkout.as_os_str())
        };
        git(&["read-tree", commit.as_str()])?;
        git(&["update-index", "-q", "--refresh"])?;
        let listed =
            git(&["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"])?;
        let mut fields = listed.split(|byte| *byte == 0).filter(|field| !field.is_empty());
        let mut found = BTreeMap::new();
        while let (Some(how), Some(path)) = (fields.next(), fields.next()) {
            found.insert(path.to_vec(), how.first().copied().unwrap_or_default());
        }
        Ok(found)
    }
}
