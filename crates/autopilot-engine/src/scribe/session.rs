//! The file of a debug session, and what the session teaches.

use autopilot_core::{
    phases::DebugSession,
    report::{LEARNINGS_BYTES_MAX, learnings, learnings_run},
};

use super::{Scribe, files::read_small, write};
use crate::error::EngineError;

impl Scribe<'_> {
    /// Writes both. A session tells nothing else: `state.json` and reports are about phases, and stay as they are.
    pub(super) fn tell_session(&self, session: &DebugSession) -> Result<(), EngineError> {
        let directory = self.home.debug_sessions();
        write(&directory.join(session.file_name()), &session.to_markdown())?;
        let active = directory.join(format!("{}.md", session.spec.slug));
        if directory.join(session.file_name()) != active && active.symlink_metadata().is_ok() {
            std::fs::remove_file(&active).map_err(EngineError::file("remove", &active))?;
        }
        session.learning().map_or(Ok(()), |entry| self.teach(entry))
    }

    /// Adds to what the last run of phases has learned, which is not forgotten for it: the next run does that.
    fn teach(&self, entry: String) -> Result<(), EngineError> {
        let path = self.home.learnings();
        let before = read_small(&path, LEARNINGS_BYTES_MAX);
        let of_run = before.as_deref().and_then(learnings_run).unwrap_or(self.run.as_str());
        let text = learnings(before.as_deref(), of_run, &[entry]);
        if before.as_deref() == Some(text.as_str()) { Ok(()) } else { write(&path, &text) }
    }
}
