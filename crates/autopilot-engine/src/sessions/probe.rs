//! What the machine has left. What cannot be seen is not known, and stops nothing.

use std::{fs, path::Path, thread};

use autopilot_core::sessions::resources::Snapshot;

/// Programs whose processes are agents.
const AGENTS: [&str; 2] = ["claude", "codex"];
/// How the system counts load: hundredths in whole.
const FULL_PCT: f64 = 100.0;

/// Where the system tells of itself.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// The directory of `meminfo`, `loadavg` and the processes.
    pub proc: &'a Path,
    /// Processors.
    pub cores: usize,
}

/// Looks at the machine. Others at work are told by the registry.
pub fn snapshot(machine: Machine<'_>, peers: Option<u64>) -> Snapshot {
    let memory = fs::read_to_string(machine.proc.join("meminfo")).unwrap_or_default();
    let kib = |key: &str| kib_of(&memory, key);
    let swap = kib("SwapTotal").zip(kib("SwapFree")).map(|(all, free)| (all - free) / 1_024.0);
    let loads = fs::read_to_string(machine.proc.join("loadavg")).unwrap_or_default();
    let mut loads = loads.split_whitespace().map(|word| word.parse::<f64>().ok());
    let (one, five) = (loads.next().flatten(), loads.next().flatten());
    Snapshot {
        // What the system could give away at once; what it uses for files alone counts as free.
        ram_free_gb: kib("MemAvailable").or_else(|| kib("MemFree")).map(|kib| kib / 1_048_576.0),
        cpu_load_pct: one.map(|load| share(load, machine.cores)),
        cpu_load_5m_pct: five.map(|load| share(load, machine.cores)),
        peer_sessions: peers,
        agent_processes: agents(machine.proc),
        swap_used_mb: swap.map(f64::round),
        ..Snapshot::default()
    }
}

impl Machine<'static> {
    /// This machine.
    pub fn this() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { proc: Path::new("/proc"), cores }
    }
}

fn kib_of(text: &str, key: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "a number of processors is small")]
fn share(load: f64, cores: usize) -> f64 {
    (load / cores.max(1) as f64 * FULL_PCT).min(FULL_PCT)
}

fn agents(proc: &Path) -> Option<u64> {
    let is_agent = |path: &Path| {
        let name = fs::read_to_string(path.join("comm")).unwrap_or_default();
        AGENTS.contains(&name.trim_end())
    };
    let processes = fs::read_dir(proc).ok()?.filter_map(Result::ok).filter(|entry| {
        entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
    });
    u64::try_from(processes.filter(|entry| is_agent(&entry.path())).count()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s13_the_system_is_read_as_it_tells() {
        let place = tempfile::tempdir().unwrap();
        let proc = place.path();
        let memory = "MemTotal:       8000000 kB\nMemFree:         100000 kB\nMemAvailable:   3145728 kB\nSwapTotal:      2097152 kB\n\
                      SwapFree:       1048576 kB\n";
        fs::write(proc.join("meminfo"), memory).unwrap();
        fs::write(proc.join("loadavg"), "3.00 1.00 0.50 1/200 4711\n").unwrap();
        for (pid, name) in [("1", "init"), ("20", "claude"), ("21", "codex"), ("self", "claude")] {
            fs::create_dir(proc.join(pid)).unwrap();
            fs::write(proc.join(pid).join("comm"), format!("{name}\n")).unwrap();
        }
        let seen = snapshot(Machine { proc, cores: 2 }, Some(3));
        let expected = Snapshot {
            ram_free_gb: Some(3.0),
            cpu_load_pct: Some(100.0),
            cpu_load_5m_pct: Some(50.0),
            peer_sessions: Some(3),
            agent_processes: Some(2),
            swap_used_mb: Some(1024.0),
            ..Snapshot::default()
        };
        assert_eq!(seen, expected);
    }

    #[test]
    fn s13_what_cannot_be_seen_is_not_known() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("meminfo"), "MemAvailable: much\n").unwrap();
        let seen = snapshot(Machine { proc: place.path(), cores: 0 }, None);
        assert_eq!(seen, Snapshot { agent_processes: Some(0), ..Snapshot::default() });
        let nowhere = snapshot(Machine { proc: &place.path().join("none"), cores: 1 }, None);
        assert_eq!(nowhere, Snapshot::default());
    }
}
