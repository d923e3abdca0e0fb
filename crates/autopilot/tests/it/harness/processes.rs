//! Looks at processes from outside.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// How often a condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(3);

/// Waits until something holds and tells how long it took; panics when the time is over.
#[track_caller]
pub(crate) fn awaited(what: &str, time: Duration, mut holds: impl FnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < time, "{what}: not within {time:?}");
        thread::sleep(LOOK_EVERY);
    }
    began.elapsed()
}

/// The living processes that belong to a run in a sandbox: agents, commands, and all they started.
///
/// They are known by two variables that the engine gives to everything it starts; neither the engine nor
/// its guardian has both.
pub(crate) fn agents_in(root: &Path) -> Vec<(u32, String)> {
    let home = format!("\0HOME={}/home\0", root.display());
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| {
            let mut environment = vec![0];
            environment.extend(fs::read(format!("/proc/{pid}/environ")).unwrap_or_default());
            contains(&environment, home.as_bytes())
                && contains(&environment, b"\0AUTOPILOT_RUN_ID=")
        })
        .map(|pid| (pid, name(pid)))
        .collect()
}

/// Anonymous memory of a process, in bytes.
pub(crate) fn memory_bytes(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn name(pid: u32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}
