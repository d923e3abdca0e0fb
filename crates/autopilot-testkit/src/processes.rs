//! Looks for processes by a mark, so that a test can tell whether one has survived.

use std::{
    fs,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

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
        fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter(|pid| *pid != std::process::id() && self.is_borne_by(*pid))
            .collect()
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
            fs::read(format!("/proc/{pid}/{file}")).is_ok_and(|content| {
                content.windows(self.0.len()).any(|window| window == self.0.as_bytes())
            })
        })
    }
}

impl Default for Mark {
    fn default() -> Self {
        Self::new()
    }
}
