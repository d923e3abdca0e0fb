//! Looks at processes from outside, so that a test can tell whether one has survived and what it needs.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How often a condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(3);

/// Waits until something holds and tells how long it took; panics when the time is over.
///
/// # Panics
///
/// When it does not hold in time.
#[track_caller]
pub fn awaited(what: &str, time: Duration, mut holds: impl FnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < time, "{what}: not within {time:?}");
        thread::sleep(LOOK_EVERY);
    }
    began.elapsed()
}

/// The living processes of a sandbox, each with its arguments: the program, its guardian, agents, commands.
pub fn all_in(root: &Path) -> Vec<(u32, String)> {
    with_variables(&[format!("HOME={}/home", root.display())])
}

/// The living processes that belong to a run in a sandbox: agents, commands, and all they started.
///
/// They are known by two variables that the engine gives to everything it starts; neither the engine nor
/// its guardian has both.
pub fn agents_in(root: &Path) -> Vec<(u32, String)> {
    with_variables(&[format!("HOME={}/home", root.display()), "AUTOPILOT_RUN_ID=".to_owned()])
}

/// The process that watches over the agents of a sandbox.
///
/// # Panics
///
/// When there is none.
#[track_caller]
pub fn guardian_in(root: &Path) -> i32 {
    let is_it = |pid: &u32| {
        fs::read(format!("/proc/{pid}/comm")).is_ok_and(|name| name == b"ap-guardian\n")
    };
    let pid = all_in(root).into_iter().map(|(pid, _)| pid).find(is_it).expect("a guardian runs");
    i32::try_from(pid).expect("the system gives ids of this size")
}

/// Anonymous memory of a process, in bytes, where the system says so.
pub fn anonymous_bytes(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// How many files a process has open, where the system says so.
pub fn open_files(pid: u32) -> Option<usize> {
    fs::read_dir(format!("/proc/{pid}/fd")).ok().map(Iterator::count)
}

/// A text that no other process has: put it into arguments or environment of what a test starts.
#[derive(Debug, Clone)]
pub struct Mark(String);

impl Mark {
    /// Makes a mark; it is a whole number, so that `sleep` takes it as an argument.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("9{:08}{serial:04}", std::process::id()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Finds the living processes that bear this mark in their arguments or environment.
    pub fn bearers(&self) -> Vec<u32> {
        pids().filter(|pid| *pid != std::process::id() && self.is_borne_by(*pid)).collect()
    }

    /// Waits until as many processes bear the mark; panics with what was found when the time is over.
    ///
    /// # Panics
    ///
    /// When the number is not reached in time.
    pub fn await_bearers(&self, count: usize, time: Duration) {
        let deadline = Instant::now() + time;
        loop {
            let found = self.bearers();
            if found.len() == count {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "{count} processes with mark {} expected, {found:?} found",
                self.0
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn is_borne_by(&self, pid: u32) -> bool {
        ["cmdline", "environ"].iter().any(|file| {
            fs::read(format!("/proc/{pid}/{file}"))
                .is_ok_and(|content| contains(&content, self.0.as_bytes()))
        })
    }
}

impl Default for Mark {
    fn default() -> Self {
        Self::new()
    }
}

/// The processes whose environment holds variables that begin like these.
fn with_variables(beginnings: &[String]) -> Vec<(u32, String)> {
    let has_all = |pid: &u32| {
        let mut environment = vec![0];
        environment.extend(fs::read(format!("/proc/{pid}/environ")).unwrap_or_default());
        beginnings.iter().all(|text| contains(&environment, format!("\0{text}").as_bytes()))
    };
    pids().filter(has_all).map(|pid| (pid, name(pid))).collect()
}

fn pids() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn name(pid: u32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}
