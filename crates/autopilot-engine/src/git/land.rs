//! Brings a finished run into the branch that the person has checked out.

use std::path::Path;

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
    /// the tracked files are as committed and the branch is an ancestor of the commit. Files that git
    /// does not know stay; one that is in the way makes git refuse.
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
        if !self.cleanliness()?.is_clean() {
            return Err(refused(GitErrorKind::NotClean));
        }
        if !self.is_ancestor(&head.commit, commit)? {
            return Err(refused(GitErrorKind::NotFastForward));
        }
        let arguments = ["merge", "--ff-only", "--quiet", commit.as_str()];
        self.git
            .call_as_person(&self.checkout, arguments)
            .output("land on", self.checkout.as_os_str())?;
        Ok(())
    }
}
