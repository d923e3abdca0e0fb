//! Shows things to people.

use std::path::Path;

use super::{Git, GitError, ObjectId, Project};

impl Git {
    /// Tells the version of the git program.
    pub fn version(&self) -> Result<String, GitError> {
        let printed = self.call(Path::new("/"), ["version"]).output("ask", "git".as_ref())?;
        Ok(String::from_utf8_lossy(&printed).trim().to_owned())
    }
}

impl Project {
    /// Shows a commit: its message and which files it touches, as bytes of whoever wrote it.
    pub fn show(&self, commit: &ObjectId) -> Result<Vec<u8>, GitError> {
        let arguments =
            ["show", "--stat", "--format=medium", "--no-ext-diff", "--no-color", commit.as_str()];
        self.call(arguments).output("show", commit.as_str().as_ref())
    }
}
