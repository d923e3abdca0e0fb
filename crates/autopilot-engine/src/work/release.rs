//! Makes the commit that holds the next version of the project.

use autopilot_core::{
    effect::ReleaseTask,
    id::Key,
    input::Outcome,
    policy::{Bumped, VERSION_FILE_BYTES_MAX, VersionFiles, bump},
    sessions::clock::day,
};

use super::{
    Workshop,
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::{ObjectId, RepoPath},
};

/// The files that name the version.
const FILES: [&str; 3] = ["package.json", "VERSION", "CHANGELOG.md"];

impl Workshop {
    pub(super) fn release(&self, key: &Key, task: &ReleaseTask) -> Result<Outcome, EngineError> {
        let from = object(&task.from)?;
        let read = |name: &str| self.text_at(&from, name);
        let [package, version, changelog] = FILES.map(read);
        let files = VersionFiles { package: package?, version: version?, changelog: changelog? };
        let Bumped { version, files } =
            match bump(&files, task.bump, &day(task.date), &task.completed) {
                Ok(bumped) => bumped,
                Err(why) => return Ok(Outcome::Released(Err(why))),
            };
        let texts = [files.package, files.version, files.changelog];
        let mut changed = Vec::new();
        for (name, text) in FILES.into_iter().zip(texts) {
            if let Some(text) = text {
                changed.push((RepoPath::new(name.as_bytes())?, text.into_bytes()));
            }
        }
        let tree = self.project.write_tree_with(&self.project.tree_of(&from)?, &changed)?;
        let message = format!("chore: bump to v{version} after phase {}", task.last);
        let made = self.project.commit(&[from], &tree, &message, &stamp(task.date))?;
        self.hold(&format!("commits/{key}"), &made)?;
        Ok(Outcome::Released(Ok((version.to_string(), commit_id(&made)))))
    }

    /// The text of a file of a commit, where there is one of a usual size.
    fn text_at(&self, commit: &ObjectId, name: &str) -> Result<Option<String>, EngineError> {
        let found = self.project.read_file_at(commit, &RepoPath::new(name.as_bytes())?)?;
        let text = found.filter(|bytes| bytes.len() <= VERSION_FILE_BYTES_MAX);
        Ok(text.and_then(|bytes| String::from_utf8(bytes).ok()))
    }
}
