//! Takes out of a work what was not the agent's to write.

use autopilot_core::{
    effect::AgentTask,
    id::Key,
    input::{Fate, LeftOut},
    phases::{is_out_of_bounds, is_place_of_phases},
};

use super::Workshop;
use crate::{
    error::EngineError,
    git::{ObjectId, TreeChange},
};

impl Workshop {
    /// The tree of a work without the agent's edits of plans and papers that are not its own: these are as they were
    /// when it began. Nothing if it has changed nothing else.
    ///
    /// Whatever is made of a work begins here, so nobody is shown them. They are kept like everything an attempt left,
    /// and told.
    pub(super) fn within_bounds(
        &self,
        key: &Key,
        task: &AgentTask,
        (base, tree): (&ObjectId, &ObjectId),
    ) -> Result<Option<ObjectId>, EngineError> {
        let mut changes = self.project.tree_changes(base, tree)?;
        let all = changes.len();
        changes.retain(|change| is_foreign(task, change));
        let Some(first) = changes.first() else { return Ok((all > 0).then(|| tree.clone())) };
        self.note_left_out(vec![LeftOut {
            key: key.clone(),
            fate: Fate::NotTheirs,
            files: u64::try_from(changes.len()).unwrap_or(u64::MAX),
            bytes: 0,
            first: String::from_utf8_lossy(&first.path).into_owned(),
        }]);
        let before: Vec<_> = changes.into_iter().map(|change| (change.path, change.old)).collect();
        let tree = self.project.tree_with_entries(tree, &before)?;
        Ok((tree != self.project.tree_of(base)?).then_some(tree))
    }
}

fn is_foreign(task: &AgentTask, change: &TreeChange) -> bool {
    // A name that is not text is none of ours.
    let Ok(path) = std::str::from_utf8(&change.path) else { return false };
    let is_link = change.new.as_ref().is_some_and(|entry| !entry.is_file());
    is_out_of_bounds(task.role, &task.brief.directory, path)
        || (is_link && is_place_of_phases(path))
}
