//! Finds agents that were left when engine and guardian were killed in the same instant.

use rustix::process::{Pid, Signal};

use super::{
    environment::{LAUNCH_KEY, RUN_ID},
    table,
};

/// A process that belongs to a run although nothing of the run is left to watch it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orphan {
    pid: Pid,
    name: String,
    mark: Vec<u8>,
}

impl Orphan {
    /// Returns the process id.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw_pid()
    }

    /// Returns the name of the process.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Kills it, if the process id still belongs to a process of that run.
    pub fn kill(&self) {
        if table::has_variable(self.pid, &self.mark) {
            table::signal(self.pid, Signal::KILL);
        }
    }
}

/// Finds the processes of a run by the run id in their environment.
///
/// Only processes of the own user can be looked into. The guardian and the calling process are not
/// reported. A process that was started with an empty environment is not found.
pub fn find_orphans(run_id: &str) -> Vec<Orphan> {
    find_marked(format!("{RUN_ID}={run_id}").as_bytes())
}

/// Finds the processes of one launch.
pub(super) fn find_launch(key: &str) -> Vec<Pid> {
    let marked = find_marked(format!("{LAUNCH_KEY}={key}").as_bytes());
    marked.into_iter().map(|orphan| orphan.pid).collect()
}

fn find_marked(mark: &[u8]) -> Vec<Orphan> {
    let own = std::process::id();
    table::pids()
        .filter(|pid| pid.as_raw_pid().cast_unsigned() != own && table::has_variable(*pid, mark))
        .filter_map(table::entry)
        .filter(|entry| !entry.ended && entry.name != super::guardian::NAME)
        .map(|entry| Orphan { pid: entry.pid, name: entry.name, mark: mark.to_vec() })
        .collect()
}
