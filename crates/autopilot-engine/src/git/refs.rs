//! Moves and lists refs of ours, and gives kept work back.

use std::{fs, io, path::Path};

use super::{GitError, GitErrorKind, ObjectId, OwnRef, Project, project::parse_id};

/// Work that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRef {
    /// Its ref.
    pub name: OwnRef,
    /// Its commit.
    pub commit: ObjectId,
}

impl Project {
    /// Moves a ref of ours, if it is where it is expected; `None` expects that it does not exist.
    pub fn update_ref(
        &self,
        name: &OwnRef,
        new: &ObjectId,
        expected: Option<&ObjectId>,
    ) -> Result<(), GitError> {
        let old = expected.cloned().unwrap_or_else(|| new.null());
        let arguments = ["update-ref", "--no-deref", name.as_str(), new.as_str(), old.as_str()];
        let answer = self.call(arguments).answer()?;
        if answer.status.success() {
            return Ok(());
        }
        // The reason is in words only, so the ref itself is asked.
        let kind = match self.read_ref(name)?.as_ref() == expected {
            false => GitErrorKind::Moved,
            true => GitErrorKind::Failed { status: answer.status, stderr: answer.stderr },
        };
        Err(GitError::new("move the ref", name.as_str(), kind))
    }

    /// Removes a ref of ours, if it is where it is expected.
    pub fn remove_ref(&self, name: &OwnRef, expected: &ObjectId) -> Result<(), GitError> {
        let arguments = ["update-ref", "--no-deref", "-d", name.as_str(), expected.as_str()];
        self.call(arguments).output("remove the ref", name.as_str().as_ref()).map(drop)
    }

    /// Returns where a ref of ours points, if it exists.
    pub fn read_ref(&self, name: &OwnRef) -> Result<Option<ObjectId>, GitError> {
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", name.as_str()];
        let answer = self.call(arguments).answer()?;
        match answer.status.success() {
            true => parse_id(&answer.stdout).map(Some),
            false => Ok(None),
        }
    }

    /// Lists what was kept, of one run or of all.
    pub fn kept(&self, run: Option<&str>) -> Result<Vec<KeptRef>, GitError> {
        let arguments = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/autopilot/"];
        let printed = self.call(arguments).output("list", "refs/autopilot/".as_ref())?;
        let mut kept = Vec::new();
        for line in String::from_utf8_lossy(&printed).lines() {
            let Some((id, name)) = line.split_once(' ') else {
                continue;
            };
            let Some((of, _)) =
                name.strip_prefix("refs/autopilot/").and_then(|rest| rest.split_once("/kept/"))
            else {
                continue;
            };
            if run.is_none_or(|run| run == of) {
                kept.push(KeptRef { name: OwnRef::parse(name)?, commit: ObjectId::parse(id)? });
            }
        }
        Ok(kept)
    }

    /// Gives kept work back as a new branch of ours.
    pub fn restore_to_branch(&self, kept: &KeptRef, branch: &OwnRef) -> Result<(), GitError> {
        self.update_ref(branch, &kept.commit, None)
    }

    /// Gives kept work back as files in a directory that must not exist yet.
    ///
    /// Nested `.git` directories stay under the name that they were kept under: they may hold hooks.
    pub fn restore_to_directory(&self, kept: &KeptRef, to: &Path) -> Result<(), GitError> {
        let failed = |error: io::Error| GitError::io("restore to", to, error);
        fs::create_dir(to).map_err(failed)?;
        let to = fs::canonicalize(to).map_err(failed)?;
        let scratch = tempfile::tempdir().map_err(failed)?;
        let index = scratch.path().join("index");
        self.call(["read-tree", kept.commit.as_str()])
            .env("GIT_INDEX_FILE", &index)
            .output("read", kept.name.as_str().as_ref())?;
        self.call(["checkout-index", "--all", "--quiet"])
            .env("GIT_INDEX_FILE", &index)
            .env("GIT_WORK_TREE", &to)
            .output("restore to", to.as_os_str())?;
        Ok(())
    }
}
