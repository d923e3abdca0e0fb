//! Removes workspaces, but only such that were kept.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{GitError, GitErrorKind, Workspace, workspace::records_of};
use crate::private::{create_dirs, named_tempdir_in};

/// Shows that a workspace was kept; only a snapshot gives one out.
#[derive(Debug, PartialEq, Eq)]
pub struct Proof(PathBuf);

impl Proof {
    pub(super) fn of(path: &Path) -> Self {
        Self(path.to_owned())
    }
}

/// A directory that nobody needs any more: a kept workspace, moved to where whoever worked in it does not know it to be, or a spare.
#[derive(Debug)]
pub struct Retired(PathBuf);

impl Retired {
    pub(super) fn of(directory: PathBuf) -> Self {
        Self(directory)
    }

    /// Removes it. This may take long; on ext4, creating files soon after is slow. Do it beside or after the work.
    pub fn remove(self) -> Result<(), GitError> {
        remove_tree(&self.0)
    }
}

impl Workspace {
    /// Moves the workspace whose snapshot gave the proof to a place below `directory` that nobody can name beforehand: what
    /// was left in it and not taken must not be found by the work when that is checked.
    pub fn retire(self, proof: &Proof, directory: &Path) -> Result<Retired, GitError> {
        if proof.0 != self.path {
            let kind = GitErrorKind::BadName("the proof is of another workspace");
            return Err(GitError::new("put aside", &self.path, kind));
        }
        let failed = |error| GitError::new("put aside", &self.path, GitErrorKind::Io(error));
        create_dirs(directory).map_err(failed)?;
        let place = named_tempdir_in("", directory).map_err(failed)?.keep();
        // Whoever worked in it may have taken the right to move it away.
        fs::set_permissions(&self.path, Permissions::from_mode(0o700)).map_err(failed)?;
        fs::rename(&self.path, place.join("workspace")).map_err(failed)?;
        remove_tree(&records_of(&self.path))?;
        Ok(Retired::of(place))
    }

    /// Removes the workspace whose snapshot gave the proof. Links in it are removed, not followed.
    ///
    /// This may take long; on ext4, creating files soon after is slow. Do it beside or after the work.
    pub fn remove(self, proof: Proof) -> Result<(), GitError> {
        if proof.0 != self.path {
            let kind = GitErrorKind::BadName("the proof is of another workspace");
            return Err(GitError::new("remove", &self.path, kind));
        }
        remove_with_records(&self.path)
    }

    /// Removes a directory, workspace or not, whose files were kept one by one.
    pub fn remove_kept(path: &Path, proof: Proof) -> Result<(), GitError> {
        if proof.0 != path {
            let kind = GitErrorKind::BadName("the proof is of another workspace");
            return Err(GitError::new("remove", path, kind));
        }
        remove_with_records(path)
    }

    /// Removes a checkout that was only made to look at something. Whoever calls knows that no agent was ever in it.
    pub fn remove_looked_at(self) -> Result<(), GitError> {
        remove_with_records(&self.path)
    }

    /// Removes a workspace without the proof that it was kept: only a person can say that what it holds may go.
    pub fn remove_on_a_persons_word(path: &Path) -> Result<(), GitError> {
        remove_with_records(path)
    }

    /// Removes what is left of a workspace that was never completed. Whoever calls knows that no agent was ever in
    /// it; that there is no record of it proves nothing.
    pub fn remove_unfinished(path: &Path) -> Result<(), GitError> {
        match Self::open(path) {
            Ok(_) => Err(GitError::new("remove", path, GitErrorKind::Occupied)),
            Err(error) if matches!(error.kind(), GitErrorKind::NotAWorkspace) => {
                remove_with_records(path)
            }
            Err(error) => Err(error),
        }
    }
}

/// The records go last: without them what is left would be taken for work.
fn remove_with_records(path: &Path) -> Result<(), GitError> {
    remove_tree(path)?;
    remove_tree(&records_of(path))
}

/// Removes the workspaces that were kept and put aside, or the spares, that an engine has left in a directory of theirs.
pub fn remove_retired(directory: &Path) -> Result<(), GitError> {
    remove_tree(directory)
}

/// Removes what the engine noted about workspaces that are gone.
pub fn remove_stale_records(workspaces: &Path) -> Result<(), GitError> {
    let records = records_of(&workspaces.join("any"));
    let Some(records) = records.parent() else { return Ok(()) };
    for entry in fs::read_dir(records).into_iter().flatten().flatten() {
        if workspaces.join(entry.file_name()).symlink_metadata().is_err() {
            remove_tree(&entry.path())?;
        }
    }
    Ok(())
}

pub(super) fn remove_tree(path: &Path) -> Result<(), GitError> {
    let failed = |error: io::Error| GitError::io("remove", path, error);
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_dir()) {
        return fs::remove_file(path).map_err(failed);
    }
    match fs::remove_dir_all(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_removable(path).map_err(failed)?;
            fs::remove_dir_all(path).map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Gives the owner back the permissions on directories that an agent has taken away.
fn make_removable(path: &Path) -> io::Result<()> {
    let mut directories = vec![path.to_owned()];
    while let Some(directory) = directories.pop() {
        fs::set_permissions(&directory, Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                directories.push(entry.path());
            }
        }
    }
    Ok(())
}
