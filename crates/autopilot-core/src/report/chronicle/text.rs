//! `state.json` as text, of which only what changed is written anew.

use serde::Serialize;

use super::{Chronicle, snapshot::key_of};
use crate::{
    report::{CircuitBreaker, EventEntry, Meta, SpecLock, Totals},
    run::Run,
};

/// The text of the file, phase by phase: a run of a thousand phases changes one of them at a time.
#[derive(Clone, Debug, Default)]
pub struct StateText {
    /// The text of each phase, in the order of the run.
    phases: Vec<String>,
}

/// What stands before the phases.
#[derive(Serialize)]
struct Head<'a> {
    #[serde(rename = "_meta")]
    meta: &'a Meta,
    spec: &'a SpecLock,
    roadmap_path: &'a str,
    last_checkpoint_sha: &'a Option<String>,
}

/// What stands after them.
#[derive(Serialize)]
struct Tail<'a> {
    circuit_breaker: &'a CircuitBreaker,
    event_log: &'a [EventEntry],
    metrics: &'a Totals,
}

impl StateText {
    /// The file, with each phase on a line of its own.
    pub fn of(
        &mut self,
        chronicle: &mut Chronicle,
        run: &Run,
    ) -> Result<String, serde_json::Error> {
        self.follow(chronicle, run)?;
        let frame = chronicle.frame(run);
        let head = serde_json::to_string(&Head {
            meta: &frame.meta,
            spec: &frame.spec,
            roadmap_path: &frame.roadmap_path,
            last_checkpoint_sha: &frame.last_checkpoint_sha,
        })?;
        let tail = serde_json::to_string(&Tail {
            circuit_breaker: &frame.circuit_breaker,
            event_log: &frame.event_log,
            metrics: &frame.metrics,
        })?;
        let size: usize = self.phases.iter().map(|phase| phase.len() + 2).sum();
        let mut text = String::with_capacity(head.len() + size + tail.len() + 20);
        text.push_str(head.strip_suffix('}').unwrap_or(&head));
        text.push_str(",\n\"phases\":{\n");
        for (at, phase) in self.phases.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { ",\n" });
            text.push_str(phase);
        }
        text.push_str("\n},\n");
        text.push_str(tail.strip_prefix('{').unwrap_or(&tail));
        text.push('\n');
        Ok(text)
    }

    /// Writes anew what was told of since the last time, or everything the first time.
    fn follow(&mut self, chronicle: &mut Chronicle, run: &Run) -> Result<(), serde_json::Error> {
        let work = run.work.phases();
        let changed = std::mem::take(&mut chronicle.changed);
        let places: Vec<usize> = if self.phases.len() == work.list.len() {
            changed.iter().filter_map(|id| work.place(id)).collect()
        } else {
            self.phases = vec![String::new(); work.list.len()];
            (0..work.list.len()).collect()
        };
        for at in places {
            let (key, record) = (key_of(&work.list[at]), chronicle.record(&work.list[at]));
            let key = serde_json::to_string(&key)?;
            self.phases[at] = format!("{key}:{}", serde_json::to_string(&record)?);
        }
        Ok(())
    }
}
