//! Finds new files that nothing refers to.

use autopilot_core::{
    effect::AgentTask,
    id::CommitId,
    policy::{must_be_named, name_of},
};

use super::{Workshop, tree::object};
use crate::{
    error::EngineError,
    git::{ChangeKind, RepoPath},
};

/// How many new files of a work are looked at.
const FILES_MAX: usize = 100;
/// What the documents of phases say of a file does not make it used.
const DOCUMENTS: &str = ".planning/phases";
/// A file that begins like this is started by its name.
const SHEBANG: &[u8] = b"#!";

impl Workshop {
    /// The new files in the work on a task that no other file names.
    pub(super) fn orphans(
        &self,
        task: &AgentTask,
        work: &CommitId,
    ) -> Result<Vec<String>, EngineError> {
        if task.task.is_none() {
            return Ok(Vec::new());
        }
        let (since, commit) = (object(&task.judged_by)?, object(work)?);
        let mut orphans = Vec::new();
        let added = self.project.tree_paths_changed(&since, &commit)?.into_iter();
        let added = added.filter(|change| change.kind == ChangeKind::Added);
        let paths = added.filter_map(|change| String::from_utf8(change.path).ok());
        for path in paths.filter(|path| must_be_named(path)).take(FILES_MAX) {
            let file = RepoPath::new(path.as_bytes())?;
            let text = self.project.read_file_at(&commit, &file)?.unwrap_or_default();
            let is_script = text.starts_with(SHEBANG);
            if !is_script
                && !self.project.names_word(&commit, name_of(&path), &[&path, DOCUMENTS])?
            {
                orphans.push(path);
            }
        }
        Ok(orphans)
    }
}
