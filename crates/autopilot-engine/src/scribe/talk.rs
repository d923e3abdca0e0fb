//! What people have answered, in files that outlive runs.

use std::{collections::BTreeMap, path::Path};

use autopilot_core::{
    phases::Told,
    report::{context_map, discuss_context, told_in},
    roadmap::PhaseId,
    run::Run,
};
use serde_json::Value;

use super::{
    Scribe,
    files::{move_aside, read_small, replace_durably},
};
use crate::error::EngineError;

/// A longer file of answers is not ours.
const ANSWERS_BYTES_MAX: u64 = 16 << 20;

/// What people have answered in earlier runs, by phase, as a file of answers tells it. No file, no answers.
pub fn earlier_answers(path: &Path) -> BTreeMap<PhaseId, Vec<Told>> {
    let text = read_small(path, ANSWERS_BYTES_MAX);
    let file = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    file.map(|file| told_in(&file)).unwrap_or_default()
}

/// A file with what a run was told, made from what it was before.
type Merge = fn(&Run, Option<Value>) -> Option<Value>;

impl Scribe<'_> {
    /// Adds what the run was told. Doing so again changes nothing.
    pub(super) fn talk(&self, run: &Run) -> Result<(), EngineError> {
        let merges: [(_, Merge); 2] = [
            (self.home.context_map(), context_map),
            (self.home.discuss_context(), discuss_context),
        ];
        for (path, merge) in merges {
            self.add(run, &path, merge)?;
        }
        Ok(())
    }

    fn add(&self, run: &Run, path: &Path, merge: Merge) -> Result<(), EngineError> {
        if merge(run, None).is_none() {
            return Ok(());
        }
        let text = read_small(path, ANSWERS_BYTES_MAX);
        let before = text.as_deref().and_then(|text| serde_json::from_str(text).ok());
        if before.is_none() && path.symlink_metadata().is_ok() {
            // What cannot be read is somebody's all the same.
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let aside = self.home.archive().join(format!("{name}-before-{}.json", self.run));
            move_aside(path, &aside).map_err(EngineError::file("move", path))?;
        }
        let Some(after) = merge(run, before) else { return Ok(()) };
        let after = serde_json::to_string_pretty(&after)
            .map_err(|error| EngineError::Bug(format!("answers cannot be written: {error}")))?;
        let after = after + "\n";
        if text.as_deref() == Some(after.as_str()) {
            return Ok(());
        }
        // Unlike most of what is written here, it is about other runs too.
        replace_durably(path, after.as_bytes()).map_err(EngineError::file("write", path))
    }
}
