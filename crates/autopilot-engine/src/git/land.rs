//! Brings a finished run into the branch that the person has checked out.

use std::{collections::BTreeSet, ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::Path};

use super::{GitError, GitErrorKind, ObjectId, Project};

/// Files whose presence means that another operation is going on.
const IN_PROGRESS: &[(&str, &str)] = &[
    ("MERGE_HEAD", "merge"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
];

impl Project {
    /// Fast-forwards the checked-out branch, its index and its files to a commit.
    ///
    /// This is the one call that touches the person's checkout, and it is `git merge --ff-only` as they
    /// would type it: their hooks run, their settings hold. It is refused, with nothing changed, unless
    /// the tracked files are as committed, the branch is an ancestor of the commit, and no file that is
    /// in no commit is in the way: git would write over those that it ignores.
    pub fn land(&self, commit: &ObjectId) -> Result<(), GitError> {
        let refused = |kind| GitError::new("land on", &self.checkout, kind);
        if let Some((_, what)) =
            IN_PROGRESS.iter().find(|(file, _)| Path::new(&self.git_dir).join(file).exists())
        {
            return Err(refused(GitErrorKind::InProgress(what)));
        }
        let head = self.head()?;
        if head.branch.is_none() {
            return Err(refused(GitErrorKind::Detached));
        }
        let is_clean = self.cleanliness()?.is_clean();
        let is_ahead = self.is_ancestor(&head.commit, commit)?;
        let foreign = match is_clean && is_ahead {
            true => self.in_the_way(&head.commit, commit)?,
            false => None,
        };
        // An earlier landing may have come only so far.
        let is_half = (!is_clean || foreign.is_some())
            && is_ahead
            && self.is_between(&head.commit, commit)?;
        if let Some(lock) = self.lock_in_the_way(head.branch.as_deref()) {
            return Err(refused(GitErrorKind::Locked { lock: lock.display().to_string() }));
        }
        match (is_half, foreign) {
            (true, _) => self.take_files_of(commit)?,
            (false, _) if !is_clean => return Err(refused(GitErrorKind::NotClean)),
            (false, _) if !is_ahead => return Err(refused(GitErrorKind::NotFastForward)),
            (false, Some(path)) => {
                let path = String::from_utf8_lossy(&path).into_owned();
                return Err(refused(GitErrorKind::InTheWay { path }));
            }
            (false, None) => {}
        }
        self.fast_forward(&head.commit, commit)
    }

    fn fast_forward(&self, from: &ObjectId, to: &ObjectId) -> Result<(), GitError> {
        // What came there since is not written over either.
        let arguments = ["merge", "--ff-only", "--no-overwrite-ignore", "--quiet", to.as_str()];
        let call = self.git.call_as_person(&self.checkout, arguments);
        let Err(error) = call.output("land on", self.checkout.as_os_str()) else { return Ok(()) };
        // A hook may fail after the branch was moved; then it has landed.
        let stands = self.head()?.commit == *from;
        if stands && !self.cleanliness()?.is_clean() && self.is_between(from, to)? {
            let why = crate::error::told(error.kind());
            return Err(GitError::new("land on", &self.checkout, GitErrorKind::HalfLanded { why }));
        }
        Err(error)
    }

    /// Finds something in the checkout that is in no commit, ignored or not, where the new commit has a file or needs a
    /// directory.
    fn in_the_way(&self, from: &ObjectId, to: &ObjectId) -> Result<Option<Vec<u8>>, GitError> {
        let mut seen = BTreeSet::new();
        for path in self.added_paths(from, to)? {
            let above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            for end in above.map(|(at, _)| at).chain([path.len()]) {
                let part = &path[..end];
                if end < path.len() && !seen.insert(part.to_vec()) {
                    continue;
                }
                let Ok(found) = fs::symlink_metadata(self.checkout.join(OsStr::from_bytes(part)))
                else {
                    break;
                };
                let directory = found.is_dir();
                if directory && end < path.len() {
                    continue;
                }
                if let Some(foreign) = self.first_untracked(part, directory)? {
                    return Ok(Some(foreign));
                }
                break;
            }
        }
        Ok(None)
    }

    /// Lists the paths that one commit has and another has not.
    fn added_paths(&self, from: &ObjectId, to: &ObjectId) -> Result<Vec<Vec<u8>>, GitError> {
        let arguments = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A"];
        let arguments = arguments.into_iter().chain([from.as_str(), to.as_str()]);
        let listed = self.call(arguments).output("compare", to.as_str().as_ref())?;
        let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        Ok(paths.map(<[u8]>::to_vec).collect())
    }

    /// Gives a file at a path, or below a directory, that git does not track.
    fn first_untracked(&self, path: &[u8], directory: bool) -> Result<Option<Vec<u8>>, GitError> {
        let below = if directory { [path, b"/"].concat() } else { path.to_vec() };
        let arguments = ["ls-files", "-z", "--others", "--"].map(OsStr::new);
        let arguments = arguments.into_iter().chain([OsStr::from_bytes(&below)]);
        let listed = self
            .git
            .call(&self.checkout, arguments)
            .output("look for files in", self.checkout.as_os_str())?;
        let mut found = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        Ok(found.next().map(<[u8]>::to_vec))
    }
}
