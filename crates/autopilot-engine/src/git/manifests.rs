//! What a commit holds: its files, and the project's own commands as its manifests tell them.

use autopilot_core::project::{Project as Told, Root, detect};

use super::{GitError, ObjectId, Project, RepoPath};

impl Project {
    /// The files of a commit, each with the id of its contents. Links, submodules and names that are no text are passed over.
    pub fn blobs_at(&self, commit: &ObjectId) -> Result<Vec<(String, String)>, GitError> {
        let format = "--format=%(objectmode) %(objectname) %(path)";
        let arguments = ["ls-tree", "-r", "-z", "--full-tree", format, commit.as_str()];
        let listed = self.call(arguments).output("list the files of", commit.as_str().as_ref())?;
        let lines = listed.split(|byte| *byte == 0);
        Ok(lines.filter_map(|line| blob(std::str::from_utf8(line).ok()?)).collect())
    }

    /// Tells the kind and the commands of the project from the files at its root in a commit.
    pub fn told_at(&self, commit: &ObjectId) -> Result<Told, GitError> {
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
        Ok(detect(&root))
    }
}

fn blob(line: &str) -> Option<(String, String)> {
    let (mode, rest) = line.split_once(' ')?;
    let (id, path) = rest.split_once(' ')?;
    mode.starts_with("100").then(|| (path.to_owned(), id.to_owned()))
}
