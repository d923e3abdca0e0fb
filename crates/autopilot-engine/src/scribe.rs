//! The files that tell of a run, written from its facts as they become known.
//!
//! Start at [`Scribe::take_up`]. The journal alone is the truth: whatever is lost or damaged here is made again from it
//! by the next start. So a failure ends nothing and is told once, and little of it is synced.

mod ending;
pub(crate) mod files;
mod pace;
#[cfg(test)]
mod tests;

use std::{path::Path, time::Instant};

use autopilot_core::{
    fact::{Ending, Record},
    id::RunId,
    report::{Chronicle, LEARNINGS_BYTES_MAX, StateText, learnings, learnings_run},
    roadmap::PhaseId,
    run::{Run, Work},
};

pub(crate) use self::files::{read_small, replace};
use self::{
    files::{keep_backup, move_aside},
    pace::Pace,
};
use crate::{book::replay, error::EngineError, home::Home};

/// Whoever writes the files of one run.
pub(crate) struct Scribe<'a> {
    home: &'a Home,
    run: &'a RunId,
    chronicle: Chronicle,
    text: StateText,
    pace: Pace,
    /// The first thing that went wrong.
    failure: Option<EngineError>,
}

impl<'a> Scribe<'a> {
    /// Takes up what a journal tells so far, and writes what of it is not there. Whoever calls has seen to it that the
    /// directories are ours.
    pub(crate) fn take_up(home: &'a Home, run: &'a RunId) -> Self {
        let mut chronicle = Chronicle::default();
        let folded = replay(&home.journal(run), |state, record| chronicle.take(state, record));
        let mut scribe = Self {
            home,
            run,
            chronicle,
            text: StateText::default(),
            pace: Pace::default(),
            failure: None,
        };
        match folded {
            Ok(Some(state)) => scribe.begin(&state),
            Ok(None) => {}
            Err(error) => scribe.failure = Some(error),
        }
        scribe
    }

    /// Hears of facts that are durable; `run` is the state after them.
    pub(crate) fn heard(&mut self, run: &Run, records: &[Record]) {
        for record in records {
            self.chronicle.take(run, record);
        }
        let closed: Vec<PhaseId> = records.iter().filter_map(Chronicle::closed_by).collect();
        for id in &closed {
            let written = self.documents(run, *id);
            self.note(written);
        }
        if records.iter().any(Chronicle::teaches) {
            let written = self.learn(run);
            self.note(written);
        }
        if self.pace.is_due() {
            self.write_state(run);
        }
    }

    /// Writes what is to be found when nobody works on the run any more, and tells what could not be written.
    pub(crate) fn stand(mut self, run: &Run) -> Option<EngineError> {
        self.write_state(run);
        if run.ending.as_ref().is_some_and(Ending::is_final) {
            let written = self.finish(run);
            self.note(written);
        }
        self.failure
    }

    fn begin(&mut self, run: &Run) {
        let Work::Phases(work) = &run.work;
        for phase in &work.list {
            let written = self.documents(run, phase.spec.id);
            self.note(written);
        }
        let written = self.forget_earlier_runs().and_then(|()| self.learn(run));
        self.note(written);
        self.write_state(run);
    }

    /// Writes `state.json`, and keeps the one before it.
    fn write_state(&mut self, run: &Run) {
        let began = Instant::now();
        let path = self.home.state_file();
        let written = self.state_text(run).and_then(|text| {
            let kept = keep_backup(&path, &self.home.state_backup());
            kept.and_then(|()| replace(&path, text.as_bytes()))
                .map_err(EngineError::file("write", path))
        });
        self.pace.wrote(began);
        self.note(written);
    }

    fn state_text(&mut self, run: &Run) -> Result<String, EngineError> {
        let text = self.text.of(&mut self.chronicle, run);
        text.map_err(|error| EngineError::Bug(format!("a state cannot be written: {error}")))
    }

    /// Writes what a phase that is over leaves, if anything.
    fn documents(&self, run: &Run, id: PhaseId) -> Result<(), EngineError> {
        let directory = self.home.diagnostics();
        if let Some(why) = self.chronicle.post_mortem(run, id) {
            let path = directory.join(format!("phase-{id}-postmortem.json"));
            let text = serde_json::to_string_pretty(&why).map_err(|error| {
                EngineError::Bug(format!("a post-mortem cannot be written: {error}"))
            })?;
            write(&path, &(text + "\n"))?;
        }
        if let Some(diagnostic) = self.chronicle.diagnostic(run, id) {
            let path = directory.join(format!("phase-{id}-confidence.md"));
            write(&path, &diagnostic.to_markdown())?;
        }
        Ok(())
    }

    /// Puts what an earlier run has learned into the archive: it is not this one's.
    fn forget_earlier_runs(&self) -> Result<(), EngineError> {
        let path = self.home.learnings();
        if path.symlink_metadata().is_err() {
            return Ok(());
        }
        let text = read_small(&path, LEARNINGS_BYTES_MAX);
        let earlier = match text.as_deref().and_then(learnings_run) {
            Some(run) if run == self.run.as_str() => return Ok(()),
            Some(run) => run.to_owned(),
            None => format!("before-{}", self.run),
        };
        let aside = self.home.archive().join(format!("learnings-{earlier}.md"));
        move_aside(&path, &aside).map_err(EngineError::file("move", path))
    }

    /// Adds what failed phases teach; a run without any leaves no file.
    fn learn(&self, run: &Run) -> Result<(), EngineError> {
        let entries = self.chronicle.learnings(run);
        if entries.is_empty() {
            return Ok(());
        }
        let path = self.home.learnings();
        let before = read_small(&path, LEARNINGS_BYTES_MAX);
        let text = learnings(before.as_deref(), self.run.as_str(), &entries);
        if before.as_deref() == Some(text.as_str()) { Ok(()) } else { write(&path, &text) }
    }

    fn note(&mut self, written: Result<(), EngineError>) {
        if let (Err(error), None) = (written, &self.failure) {
            self.failure = Some(error);
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), EngineError> {
    replace(path, text.as_bytes()).map_err(EngineError::file("write", path))
}
