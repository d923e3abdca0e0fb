//! Times taken side by side, and the few things that are said about them.

use std::time::{Duration, Instant};

use autopilot_testkit::processes::anonymous_bytes;

/// Times how long a step takes.
pub(crate) fn time<T>(step: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = step();
    (result, started.elapsed())
}

/// Times of the same step, taken many times.
#[derive(Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    pub(crate) fn add(&mut self, sample: Duration) {
        self.0.push(sample);
    }

    pub(crate) fn best(&self) -> Duration {
        self.0.iter().min().copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

/// Says how one step compares with another, taken in turns in the same run.
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) floor: Samples,
    pub(crate) ours: Samples,
    pub(crate) ratio_max: f64,
}

impl Row {
    /// Gives the better of the two ratios: whatever else the machine does only adds time.
    pub(crate) fn ratio(&self) -> f64 {
        self.ratio_best().min(self.ratio_median())
    }

    fn ratio_best(&self) -> f64 {
        ratio(self.ours.best(), self.floor.best())
    }

    fn ratio_median(&self) -> f64 {
        ratio(self.ours.median(), self.floor.median())
    }

    pub(crate) fn is_met(&self) -> bool {
        self.ratio() <= self.ratio_max
    }

    pub(crate) fn line(&self) -> String {
        format!(
            "{:<34} {:>11} {:>11} {:>11} {:>11} {:>7.2} {:>7.2} {:>7.2}{}\n",
            self.what,
            show(self.floor.best()),
            show(self.floor.median()),
            show(self.ours.best()),
            show(self.ours.median()),
            self.ratio_best(),
            self.ratio_median(),
            self.ratio_max,
            if self.is_met() { "" } else { "  over" },
        )
    }

    pub(crate) fn heading() -> String {
        format!(
            "{:<34} {:>11} {:>11} {:>11} {:>11} {:>7} {:>7} {:>7}\n",
            "", "floor best", "median", "ours best", "median", "best x", "med. x", "target",
        )
    }
}

/// Reads how much memory this process has that no file backs, where the system says so.
pub(crate) fn anonymous_kib() -> Option<u64> {
    anonymous_bytes(std::process::id()).map(|bytes| bytes >> 10)
}

fn ratio(ours: Duration, floor: Duration) -> f64 {
    ours.as_secs_f64() / floor.as_secs_f64()
}

fn show(time: Duration) -> String {
    if time < Duration::from_millis(10) {
        format!("{:.1} us", time.as_secs_f64() * 1e6)
    } else {
        format!("{:.1} ms", time.as_secs_f64() * 1e3)
    }
}
