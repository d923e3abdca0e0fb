//! Moves and lists refs of ours.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use super::{GitError, GitErrorKind, ObjectId, OwnRef, Project, project::parse_id};

/// Work that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRef {
    /// Its ref.
    pub name: OwnRef,
    /// Its commit.
    pub commit: ObjectId,
}

/// A commit that a ref leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefCommit {
    /// The commit.
    pub commit: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// Its date, in seconds since 1970.
    pub seconds: i64,
}

impl Project {
    /// Moves a ref of ours, if it is where it is expected; `None` expects that it does not exist.
    ///
    /// It stays moved after a power cut: git syncs the file but not the directory that it renames it in, and the
    /// journal, whose segments have their room beforehand, may be on the disk before that directory is.
    pub fn update_ref(
        &self,
        name: &OwnRef,
        new: &ObjectId,
        expected: Option<&ObjectId>,
    ) -> Result<(), GitError> {
        let old = expected.cloned().unwrap_or_else(|| new.null());
        let arguments = ["update-ref", "--no-deref", name.as_str(), new.as_str(), old.as_str()];
        let unsynced = self.directories_of(name);
        let answer = self.call(arguments).answer()?;
        if answer.status.success() {
            return sync_directories(&unsynced);
        }
        // The reason is in words only, so the ref itself is asked.
        let kind = match self.read_ref(name)?.as_ref() == expected {
            false => GitErrorKind::Moved,
            true => GitErrorKind::Failed { status: answer.status, stderr: answer.stderr },
        };
        Err(GitError::new("move the ref", name.as_str(), kind))
    }

    /// The directory that a ref is in, and those that it will be made in; the last one exists.
    fn directories_of(&self, name: &OwnRef) -> Vec<PathBuf> {
        let tables = self.common_dir.join("reftable");
        if tables.is_dir() {
            return vec![tables];
        }
        let path = self.common_dir.join(name.as_str());
        let above =
            path.ancestors().skip(1).take_while(|place| place.starts_with(&self.common_dir));
        let mut directories = Vec::new();
        for place in above {
            directories.push(place.to_owned());
            if place.is_dir() {
                break;
            }
        }
        directories
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
        // One is git's way to say that there is none; everything else is a failure to look.
        match answer.status.code() {
            Some(1) => Ok(None),
            _ => parse_id(&answer.success("look for", name.as_str().as_ref())?).map(Some),
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

    /// Lists the commits that refs below a prefix lead to.
    pub fn commits_below(&self, prefix: &str) -> Result<Vec<RefCommit>, GitError> {
        let format = "--format=%(objectname) %(tree) %(committerdate:unix)";
        let printed =
            self.call(["for-each-ref", format, prefix]).output("list", prefix.as_ref())?;
        let mut found = Vec::new();
        for line in String::from_utf8_lossy(&printed).lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if let &[commit, tree, seconds] = words.as_slice() {
                found.push(RefCommit {
                    commit: ObjectId::parse(commit)?,
                    tree: ObjectId::parse(tree)?,
                    seconds: seconds.parse().unwrap_or(0),
                });
            }
        }
        Ok(found)
    }

    /// Lists the trees of a commit, of another, and of all between them.
    pub fn trees_between(&self, from: &ObjectId, to: &ObjectId) -> Result<Vec<ObjectId>, GitError> {
        let range = format!("{from}..{to}");
        let printed = self.call(["log", "--format=%T", &range]).output("read", range.as_ref())?;
        let mut trees = vec![self.tree_of(from)?];
        for line in String::from_utf8_lossy(&printed).lines() {
            trees.push(ObjectId::parse(line)?);
        }
        Ok(trees)
    }

    /// Leaves out commits that others contain; the rest is in the order of their ids.
    pub fn independent(&self, commits: &[ObjectId]) -> Result<Vec<ObjectId>, GitError> {
        let mut arguments = vec!["merge-base", "--independent"];
        arguments.extend(commits.iter().map(ObjectId::as_str));
        let printed =
            self.call(arguments).output("sort the commits of", self.common_dir.as_os_str())?;
        let mut tips = String::from_utf8_lossy(&printed)
            .lines()
            .map(ObjectId::parse)
            .collect::<Result<Vec<_>, _>>()?;
        tips.sort_unstable();
        Ok(tips)
    }
}

fn sync_directories(directories: &[PathBuf]) -> Result<(), GitError> {
    let sync = |place: &Path| match File::open(place) {
        Ok(directory) => directory.sync_all(),
        // The last ref of a directory was removed, and the directory with it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    directories
        .iter()
        .try_for_each(|place| sync(place).map_err(|error| GitError::io("sync", place, error)))
}
