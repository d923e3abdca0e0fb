//! Finds agents that were left when engine and guardian were killed in the same instant.

use std::{fs, path::Path};

use rustix::process::{Pid, Signal};

use super::{environment::LAUNCH_KEY, table};

/// How far up it is looked for the start of a step.
const ANCESTORS_MAX: usize = 64;

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
        if table::has_variable_beginning(self.pid, &self.mark) {
            table::signal(self.pid, Signal::KILL);
        }
    }
}

/// Finds the processes that a run's guardians have started, by their launch key.
///
/// The key begins with the guardian's lock and not with the run's name: two projects may have runs of the same
/// name. Only processes of the own user can be looked into. The guardian and the calling process are not
/// reported. A process that was started with an empty environment is not found.
pub fn find_orphans(lock: &Path) -> Vec<Orphan> {
    let mark = format!("{LAUNCH_KEY}={}", launches_of(lock)).into_bytes();
    let marked = find(|pid| table::has_variable_beginning(pid, &mark));
    marked.map(|entry| Orphan { pid: entry.pid, name: entry.name, mark: mark.clone() }).collect()
}

/// Whether this process belongs to a step of a run, however far down: then it does not speak for a person.
///
/// It is known by the launch key of a process above it, or by the run's guardian, to which what leaves its session
/// falls. An empty environment hides neither.
pub fn is_part_of_a_step(lock: &Path) -> bool {
    let mark = format!("{LAUNCH_KEY}={}", launches_of(lock)).into_bytes();
    let mut at = Some(rustix::process::getpid());
    for _ in 0..ANCESTORS_MAX {
        let Some(pid) = at else { return false };
        if table::has_variable_beginning(pid, &mark) || is_guardian_of(pid, lock) {
            return true;
        }
        at = table::entry(pid).and_then(|entry| Pid::from_raw(entry.parent));
    }
    false
}

fn is_guardian_of(pid: Pid, lock: &Path) -> bool {
    let is_one = table::entry(pid).is_some_and(|entry| entry.name == super::guardian::NAME);
    let Some(files) = is_one.then(|| fs::read_dir(format!("/proc/{}/fd", pid.as_raw_pid()))) else {
        return false;
    };
    // A confined process may not look at its guardian, and nobody else is below one.
    files.map_or(true, |files| {
        files.flatten().any(|file| fs::read_link(file.path()).is_ok_and(|to| to == lock))
    })
}

/// What the keys of all launches under a guardian's lock begin with.
pub(super) fn launches_of(lock: &Path) -> String {
    format!("{}#", lock.to_string_lossy())
}

/// Finds the processes of one launch.
pub(super) fn find_launch(key: &str) -> Vec<Pid> {
    let mark = format!("{LAUNCH_KEY}={key}").into_bytes();
    find(|pid| table::has_variable(pid, &mark)).map(|entry| entry.pid).collect()
}

fn find(is_wanted: impl Fn(Pid) -> bool) -> impl Iterator<Item = table::Entry> {
    let own = std::process::id();
    table::pids()
        .filter(move |pid| pid.as_raw_pid().cast_unsigned() != own && is_wanted(*pid))
        .filter_map(table::entry)
        .filter(|entry| !entry.ended && entry.name != super::guardian::NAME)
}
