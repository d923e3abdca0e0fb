//! A repository for those who only look: it borrows the person's objects, and what is written goes into it.

use std::{os::unix::fs::symlink, path::Path};

use super::{
    GitError, Project, config,
    workspace::{copy_if_there, write},
};
use crate::private::create_dirs;

impl Project {
    /// Makes a repository in a new directory that reads the objects of this one and has a store, refs and settings of its
    /// own. Files are shaped as in this one. Whoever removes the directory removes all that was written.
    pub fn borrowed(&self, git_dir: &Path) -> Result<Self, GitError> {
        for directory in ["objects/info", "objects/pack", "refs/heads", "info"] {
            let path = git_dir.join(directory);
            create_dirs(&path).map_err(|error| GitError::io("make", &path, error))?;
        }
        write(&git_dir.join("objects/info/alternates"), &self.alternates())?;
        write(&git_dir.join("HEAD"), format!("{}\n", self.head()?.commit).as_bytes())?;
        let settings = self.format.to_config() + &config::line("core.bare", "true");
        write(&git_dir.join("config"), settings.as_bytes())?;
        for name in ["info/exclude", "info/attributes", "shallow"] {
            copy_if_there(&self.common_dir.join(name), &git_dir.join(name))?;
        }
        let lfs = self.common_dir.join("lfs");
        if lfs.is_dir() {
            let here = git_dir.join("lfs");
            symlink(&lfs, &here).map_err(|error| GitError::io("make", &here, error))?;
        }
        let (git_dir, common_dir) = (git_dir.to_owned(), git_dir.to_owned());
        Ok(Self { git_dir, common_dir, ..self.clone() })
    }
}
