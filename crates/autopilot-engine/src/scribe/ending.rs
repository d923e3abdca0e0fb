//! What a run leaves when it is over: its state in the archive, its numbers beside those of all runs, and reports.

use autopilot_core::{
    report::{RunMetrics, trend},
    run::Run,
    sessions::clock::day,
};
use serde_json::Value;

use super::{
    Scribe,
    files::{move_aside, read_small, replace_durably},
    write,
};
use crate::error::EngineError;

/// A longer list of runs is not ours.
const METRICS_BYTES_MAX: u64 = 64 << 20;

impl Scribe<'_> {
    /// Writes all of it. Doing so again changes nothing.
    pub(super) fn finish(&mut self, run: &Run) -> Result<(), EngineError> {
        let state = self.state_text(run)?;
        let archive = self.home.archive();
        write(&archive.join(format!("{}.json", self.run)), &state)?;
        let metrics = self.chronicle.metrics(run);
        let all = self.add_to_all(&metrics)?;
        if let Some(completion) = self.chronicle.completion(run) {
            write(&self.home.completion_report(), &completion.to_markdown())?;
        }
        let report = self.chronicle.report(run, &metrics, trend(&all).as_ref());
        write(&self.home.completion(&day(self.chronicle.ended_at(run))), &report)
    }

    /// Adds the run to the numbers of all runs, or replaces what stood there of it, and returns all.
    fn add_to_all(&self, metrics: &RunMetrics) -> Result<Vec<RunMetrics>, EngineError> {
        let path = self.home.archive().join("metrics.json");
        let mut all = read_small(&path, METRICS_BYTES_MAX)
            .and_then(|text| serde_json::from_str::<Vec<Value>>(&text).ok());
        if all.is_none() && path.symlink_metadata().is_ok() {
            // What cannot be read is somebody's all the same.
            let aside = self.home.archive().join(format!("metrics-before-{}.json", self.run));
            move_aside(&path, &aside).map_err(EngineError::file("move", &path))?;
        }
        let all = all.get_or_insert_default();
        all.retain(|entry| entry["run_id"].as_str() != Some(self.run.as_str()));
        let broken = |error| EngineError::Bug(format!("metrics cannot be written: {error}"));
        all.push(serde_json::to_value(metrics).map_err(broken)?);
        let text = serde_json::to_string_pretty(&all).map_err(broken)? + "\n";
        // Unlike everything else here, this is about other runs too.
        replace_durably(&path, text.as_bytes()).map_err(EngineError::file("write", &path))?;
        Ok(all.iter().filter_map(|entry| serde_json::from_value(entry.clone()).ok()).collect())
    }
}
