//! Tests in the files of the code itself.

use autopilot_core::evidence::protect::{inline, manifest::Merged};

use super::{frozen::Frozen, ruler::Ground};
use crate::{
    error::EngineError,
    git::{TreeChange, TreeEntry},
};

/// The files of a work in which tests may stand beside the code.
pub(super) fn code_with_tests(changes: &[TreeChange]) -> Vec<(Vec<u8>, TreeEntry)> {
    let code = changes.iter().filter(|change| inline::may_hold_tests(&change.path));
    let new = code.filter_map(|change| Some((change.path.clone(), change.new.clone()?)));
    new.filter(|(_, entry)| entry.is_file()).collect()
}

impl Frozen<'_> {
    /// A file of code with the tests in it put back, if they were changed.
    pub(super) fn with_its_tests(
        &self,
        ground: &Ground,
        path: &[u8],
        before: &TreeEntry,
        after: Option<&TreeEntry>,
    ) -> Result<Option<TreeEntry>, EngineError> {
        let Some(after) = after.filter(|after| after.is_file() && before.is_file()) else {
            return Ok(None);
        };
        let (Some(old), Some(new)) = (self.text(before)?, self.text(after)?) else {
            return Ok(None);
        };
        let mut merged = inline::frozen(path, &old, &new, &[]);
        // Most works leave tests as they are; only the others are looked for elsewhere.
        if merged != Merged::Same {
            let mut others = Vec::new();
            for (_, entry) in ground.code.iter().filter(|(other, _)| other != path) {
                others.extend(self.text(entry)?);
            }
            merged = inline::frozen(path, &old, &new, &others);
        }
        self.put_back(merged, before, after)
    }
}
