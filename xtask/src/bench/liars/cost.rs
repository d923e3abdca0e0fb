//! What the engine adds to honest work: how often commands run, and its own time.

use std::{collections::BTreeMap, time::Duration};

use super::{case::Case, play::Played};

/// What the engine may add to a phase beyond the time of agents and commands.
pub(super) const ADDED_MAX: Duration = Duration::from_secs(2);
/// How often a command may run in a phase: on the base, after its task, on the combined result, and in one round of
/// canaries, which are the work put back and at most `limits.canary_breaks` mutations.
pub(super) const BASE_RUNS_MAX: usize = 1;
pub(super) const WORK_RUNS_MAX: usize = 2;
pub(super) const CANARY_RUNS_MAX: usize = 1 + 5;
/// How often a command may run on the same files: once, and once more where that proved nothing.
pub(super) const SAME_RUNS_MAX: usize = 2;

/// What one run cost beside its own work.
#[derive(Debug)]
pub(super) struct Cost {
    /// The engine's own time for each phase.
    pub(super) added: Duration,
    /// How long commands and agents took.
    pub(super) own: Duration,
    /// The most that one command ran in a phase.
    pub(super) runs: usize,
    /// The most that one command ran on the same files.
    pub(super) runs_on_same: usize,
    /// How many runs there were in all.
    pub(super) all_runs: usize,
}

impl Cost {
    pub(super) fn of(case: &Case, played: &Played) -> Self {
        let phases = case.phases().max(1);
        let mut own = Duration::ZERO;
        let mut by_command: BTreeMap<&str, usize> = BTreeMap::new();
        let mut by_content: BTreeMap<&str, usize> = BTreeMap::new();
        for line in played.times.lines() {
            if let Some(rest) = line.strip_prefix("command ") {
                let mut words = rest.splitn(3, ' ');
                own += between(words.next(), words.next());
                let content = words.next().unwrap_or_default();
                let command = content.split_once(' ').map_or("", |(_, command)| command);
                *by_command.entry(command).or_default() += 1;
                *by_content.entry(content).or_default() += 1;
            } else if let Some(rest) = line.strip_prefix("agent ") {
                let mut words = rest.split(' ').skip(1);
                own += between(words.next(), words.next());
            }
        }
        let most = |runs: &BTreeMap<&str, usize>| runs.values().copied().max().unwrap_or(0);
        Self {
            added: played.wall.saturating_sub(own) / u32::try_from(phases).unwrap_or(1),
            own,
            runs: most(&by_command).div_ceil(phases),
            runs_on_same: most(&by_content),
            all_runs: by_command.values().sum(),
        }
    }

    /// Whether it is within its limits.
    pub(super) fn is_bounded(&self) -> bool {
        self.added < ADDED_MAX
            && self.runs <= BASE_RUNS_MAX + WORK_RUNS_MAX + CANARY_RUNS_MAX
            && self.runs_on_same <= SAME_RUNS_MAX
    }
}

fn between(from: Option<&str>, to: Option<&str>) -> Duration {
    let nanoseconds = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok());
    match (nanoseconds(from), nanoseconds(to)) {
        (Some(from), Some(to)) => Duration::from_nanos(to.saturating_sub(from)),
        _ => Duration::ZERO,
    }
}
