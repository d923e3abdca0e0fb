//! Looks whether children use more than they may.
//!
//! The system's own limits do not serve: the one on processes counts those of the user and does not hold for root, the one on
//! memory counts addresses, of which some honest programs reserve terabytes.

use std::{fs, time::Duration};

use rustix::process::Pid;

use crate::process::{Bounds, Exceeded, table};

/// How often it is looked while a child with bounds runs.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How much of the whole machine is used. Two small reads tell whether a closer look is worth while.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Usage {
    threads: u64,
    memory_bytes_left: u64,
}

impl Usage {
    /// How much is used now; nothing where the system does not say.
    pub(super) fn now() -> Self {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Self {
            threads: threads_in(&load).unwrap_or_default(),
            memory_bytes_left: left_in(&memory).unwrap_or_default(),
        }
    }

    /// Whether something of this size can have begun since.
    fn may_hold(self, now: Self, bounds: Bounds) -> bool {
        let threads = now.threads.saturating_sub(self.threads);
        let bytes = self.memory_bytes_left.saturating_sub(now.memory_bytes_left);
        threads > bounds.processes_max / 2 || bytes > bounds.memory_bytes_max / 2
    }

    /// The bound that the processes from these roots on go beyond.
    pub(super) fn exceeded_by(
        self,
        now: Self,
        bounds: Bounds,
        roots: impl FnOnce() -> Vec<Pid>,
    ) -> Option<Exceeded> {
        if !self.may_hold(now, bounds) {
            return None;
        }
        let all = table::below(&roots(), &table::read());
        let alive = || all.iter().filter(|entry| !entry.ended);
        let count = alive().count() as u64;
        let pages: u64 = alive().map(|entry| entry.resident_pages).sum();
        let bytes = pages.saturating_mul(rustix::param::page_size() as u64);
        // Pages that processes share are counted for each of them, so that much must also be missing from the machine.
        let missing = self.memory_bytes_left.saturating_sub(now.memory_bytes_left);
        if count > bounds.processes_max {
            Some(Exceeded::Processes)
        } else if bytes > bounds.memory_bytes_max && missing > bounds.memory_bytes_max / 2 {
            Some(Exceeded::Memory)
        } else {
            None
        }
    }
}

/// The number behind the slash in `0.20 0.18 0.12 1/80 11206`.
fn threads_in(load: &str) -> Option<u64> {
    load.split(' ').nth(3)?.split_once('/')?.1.parse().ok()
}

/// The line `MemAvailable:    1234 kB`.
fn left_in(memory: &str) -> Option<u64> {
    let line = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        assert_eq!(threads_in("0.20 0.18 0.12 1/80 11206\n"), Some(80));
        assert_eq!(threads_in(""), None);
        assert_eq!(left_in("MemTotal: 9 kB\nMemAvailable:    12 kB\n"), Some(12 << 10));
        assert_eq!(left_in("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn only_what_the_machine_is_short_of_is_looked_for() {
        let bounds = Bounds { processes_max: 10, memory_bytes_max: 100, file_bytes_max: 0 };
        let before = Usage { threads: 50, memory_bytes_left: 1000 };
        let looked = |threads, memory_bytes_left| {
            before.may_hold(Usage { threads, memory_bytes_left }, bounds)
        };
        assert!(!looked(55, 950));
        assert!(looked(56, 1000));
        assert!(looked(10, 949));
    }
}
