//! Medians of interleaved measurements.

use std::time::{Duration, Instant};

use crate::shell::{Outcome, say};

/// What is measured against each other: the first is the yardstick.
pub(crate) struct Contest<'a> {
    name: &'a str,
    rivals: Vec<Rival<'a>>,
}

struct Rival<'a> {
    name: &'a str,
    work: Box<dyn FnMut() -> Result<Duration, String> + 'a>,
    times: Vec<Duration>,
    ratio_max: Option<f64>,
}

impl<'a> Contest<'a> {
    /// Starts an empty contest.
    pub(crate) fn new(name: &'a str) -> Self {
        Self { name, rivals: Vec::new() }
    }

    /// Adds a rival that measures itself, so that preparing and tidying up do not count.
    pub(crate) fn add(
        mut self,
        name: &'a str,
        work: impl FnMut() -> Result<Duration, String> + 'a,
    ) -> Self {
        self.rivals.push(Rival { name, work: Box::new(work), times: Vec::new(), ratio_max: None });
        self
    }

    /// Says how long the last rival may take, in times of the yardstick.
    pub(crate) fn at_most(mut self, ratio: f64) -> Self {
        if let Some(last) = self.rivals.last_mut() {
            last.ratio_max = Some(ratio);
        }
        self
    }

    /// Lets the rivals take turns, after one round that does not count, and prints the table.
    pub(crate) fn run(mut self, rounds: usize) -> Outcome {
        for round in 0..=rounds {
            for rival in &mut self.rivals {
                let time = (rival.work)().map_err(|why| format!("{}: {why}", rival.name))?;
                if round > 0 {
                    rival.times.push(time);
                }
            }
        }
        let yardstick = self.rivals.first_mut().map_or(f64::NAN, Rival::median_ms);
        say(&format!("{} ({rounds} rounds, ms)\n", self.name))?;
        let mut missed = Vec::new();
        for rival in &mut self.rivals {
            let median = rival.median_ms();
            let ratio = median / yardstick;
            let target = rival.ratio_max.map_or(String::new(), |most| format!("  at most {most}"));
            say(&format!(
                "  {:<34} median {median:>9.3}  best {:>9.3}  ratio {ratio:>5.2}{target}\n",
                rival.name,
                ms(rival.times.iter().min().copied().unwrap_or_default()),
            ))?;
            if rival.ratio_max.is_some_and(|most| ratio > most) {
                missed.push(rival.name);
            }
        }
        match missed[..] {
            [] => Ok(()),
            [..] => Err(format!("a target was missed: {}", missed.join(", "))),
        }
    }
}

impl Rival<'_> {
    fn median_ms(&mut self) -> f64 {
        self.times.sort_unstable();
        ms(self.times.get(self.times.len() / 2).copied().unwrap_or_default())
    }
}

/// Measures one piece of work.
pub(crate) fn timed<T>(work: impl FnOnce() -> Result<T, String>) -> Result<Duration, String> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
