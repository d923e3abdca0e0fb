//! The project's own commands, as the manifests of a commit tell them.

use autopilot_core::project::{Commands, Root, detect};

use super::{GitError, ObjectId, Project, RepoPath};

impl Project {
    /// Tells the commands of the project from the files at its root in a commit.
    pub fn own_commands_at(&self, commit: &ObjectId) -> Result<Commands, GitError> {
        let arguments = ["ls-tree", "-z", "--name-only", commit.as_str()];
        let listed = self.call(arguments).output("list the files of", commit.as_str().as_ref())?;
        let names =
            listed.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
        let mut root = Root { names: names.map(str::to_owned).collect(), ..Root::default() };
        for name in root.names.iter().filter(|name| Root::is_wanted(name)) {
            let bytes = self.read_file_at(commit, &RepoPath::new(name.as_bytes())?)?;
            if let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
                root.texts.insert(name.clone(), text);
            }
        }
        Ok(detect(&root).commands)
    }
}
