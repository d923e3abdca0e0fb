//! From what was measured to a verdict, with reasons.

use crate::sessions::{
    number::{Plain, one_decimal},
    resources::{Axis, Snapshot, Thresholds, Verdict},
};

/// Below this part free the system is under pressure beyond doubt.
const PRESSURE_HARD_PCT: f64 = 15.0;
/// Below this part free it may be.
const PRESSURE_SOFT_PCT: f64 = 30.0;
/// More swap than this is beyond doubt, where memory is short.
const SWAP_HARD_MB: f64 = 3072.0;
/// More swap than this is a signal, where memory is short.
const SWAP_SOFT_MB: f64 = 1024.0;
/// Processes of a session, where sessions themselves cannot be counted.
const PROCESSES_PER_SESSION: u64 = 6;
/// Agents of a wave when two signals agree.
const WARN_CAP: u64 = 2;

/// What a snapshot comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// In a word.
    pub verdict: Verdict,
    /// In sentences.
    pub reasons: Vec<String>,
    /// Agents of a wave at most, if fewer than configured.
    pub cap: Option<u64>,
    /// What is beyond doubt.
    pub hard: Vec<Axis>,
    /// What is elevated.
    pub soft: Vec<Axis>,
}

/// What of a wave a repository can bear.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Share {
    /// As many agents as are planned.
    #[default]
    Full,
    /// A heavy repository: so many at most, whatever the machine has left.
    Heavy(u64),
}

impl Share {
    /// Agents of a wave at most.
    pub const fn cap(self) -> Option<u64> {
        match self {
            Self::Full => None,
            Self::Heavy(cap) => Some(cap),
        }
    }
}

/// Judges a snapshot.
pub fn evaluate(snapshot: &Snapshot, thresholds: &Thresholds, share: Share) -> Evaluation {
    let mut seen = Seen::default();
    let is_short = seen.memory(snapshot, thresholds);
    seen.cpu(snapshot, thresholds);
    seen.concurrency(snapshot, thresholds);
    seen.swap(snapshot, is_short);
    seen.zombies(snapshot);
    seen.judge(share)
}

/// How far a signal goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Hard,
    Soft,
}

/// What was seen so far.
#[derive(Default)]
struct Seen {
    reasons: Vec<String>,
    hard: Vec<Axis>,
    soft: Vec<Axis>,
}

impl Seen {
    fn signal(&mut self, axis: Axis, strength: Strength, reason: String) {
        match strength {
            Strength::Hard => self.hard.push(axis),
            Strength::Soft => self.soft.push(axis),
        }
        self.reasons.push(reason);
    }

    /// Looks at the best measure of memory that there is, and tells whether memory is short.
    fn memory(&mut self, snapshot: &Snapshot, thresholds: &Thresholds) -> bool {
        if let Some(free) = snapshot.memory_pressure_pct_free {
            return self.pressure(free);
        }
        let (name, gb) = match (snapshot.ram_available_gb, snapshot.ram_free_gb) {
            (Some(available), _) => ("available", available),
            (None, Some(free)) => ("free", free),
            (None, None) => return false,
        };
        let (low, critical) = (thresholds.ram_free_min_gb, thresholds.ram_free_critical_gb);
        let told = one_decimal(gb);
        if gb < critical {
            let critical = Plain(critical);
            let reason = format!("RAM {name} {told} GB below critical threshold {critical} GB.");
            self.signal(Axis::Memory, Strength::Hard, reason);
        } else if gb < low {
            let reason = format!("RAM {name} {told} GB below threshold {} GB.", Plain(low));
            self.signal(Axis::Memory, Strength::Soft, reason);
        }
        gb < critical || gb < low
    }

    fn pressure(&mut self, free: f64) -> bool {
        let (told, hard, soft) = (Plain(free), Plain(PRESSURE_HARD_PCT), Plain(PRESSURE_SOFT_PCT));
        let opening = format!("macOS memory_pressure {told}% free");
        if free < PRESSURE_HARD_PCT {
            let reason = format!(
                "{opening} — below the hard band (<{hard}%); the OS reports genuine memory pressure."
            );
            self.signal(Axis::Memory, Strength::Hard, reason);
        } else if free < PRESSURE_SOFT_PCT {
            let reason = format!("{opening} — in the soft band ({hard}..{soft}%).");
            self.signal(Axis::Memory, Strength::Soft, reason);
        } else {
            self.reasons.push(format!(
                "macOS memory_pressure healthy ({told}% free ≥ {soft}%) — free-RAM not consulted \
                 (Pages-free underreports on Darwin)."
            ));
        }
        free < PRESSURE_SOFT_PCT
    }

    fn cpu(&mut self, snapshot: &Snapshot, thresholds: &Thresholds) {
        let max = thresholds.cpu_load_max_pct;
        let Some(minute) = snapshot.cpu_load_pct.filter(|load| *load > max) else {
            return;
        };
        let (told, limit) = (Plain(minute), Plain(max));
        match snapshot.cpu_load_5m_pct {
            None => {
                let reason = format!("CPU load {told}% above threshold {limit}%.");
                self.signal(Axis::Cpu, Strength::Soft, reason);
            }
            Some(five) if five > max => {
                let (least, five) = (Plain(minute.min(five)), Plain(five));
                let reason = format!(
                    "CPU load {least}% (min of 1m {told}% / 5m {five}%) above threshold {limit}%."
                );
                self.signal(Axis::Cpu, Strength::Soft, reason);
            }
            Some(five) => self.reasons.push(format!(
                "info: CPU 1m load {told}% above threshold {limit}% but 5m load {}% is below — decaying transient \
                 (likely the coordinator's own gate run); not counted as a signal (#943).",
                Plain(five)
            )),
        }
    }

    fn concurrency(&mut self, snapshot: &Snapshot, thresholds: &Thresholds) {
        let sessions = thresholds.concurrent_sessions_warn;
        if let Some(peers) = snapshot.peer_sessions {
            if peers >= sessions {
                let reason = format!(
                    "{peers} peer session(s) live in the registry (threshold: {sessions}) — consider sequencing this \
                     session after others finish."
                );
                self.signal(Axis::Concurrency, Strength::Soft, reason);
            }
            return;
        }
        let (each, max) = (PROCESSES_PER_SESSION, sessions.saturating_mul(PROCESSES_PER_SESSION));
        if let Some(processes) = snapshot.agent_processes.filter(|count| *count >= max) {
            let reason = format!(
                "{processes} Claude processes running (fallback threshold {max} = {sessions} sessions × {each} \
                 processes/session; the live session registry was unavailable)."
            );
            self.signal(Axis::Concurrency, Strength::Soft, reason);
        }
    }

    fn swap(&mut self, snapshot: &Snapshot, is_short: bool) {
        let Some(used) = snapshot.swap_used_mb.filter(|used| *used > SWAP_SOFT_MB) else {
            return;
        };
        let told = Plain(used);
        if !is_short {
            // What was swapped out once stays there: with memory to spare it says nothing about now.
            self.reasons.push(format!(
                "info: swap usage {told} MB present but the memory signal is healthy — cumulative, not live pressure; \
                 not counted as a signal."
            ));
        } else if used > SWAP_HARD_MB {
            let reason = format!(
                "Swap usage {told} MB above hard threshold {} MB while memory is under pressure.",
                Plain(SWAP_HARD_MB)
            );
            self.signal(Axis::Swap, Strength::Hard, reason);
        } else {
            let reason = format!(
                "Swap usage {told} MB above {} MB while memory is under pressure.",
                Plain(SWAP_SOFT_MB)
            );
            self.signal(Axis::Swap, Strength::Soft, reason);
        }
    }

    /// Tells of processes that do nothing any more, where processes could be counted at all.
    fn zombies(&mut self, snapshot: &Snapshot) {
        let counted = snapshot.agent_processes.and(snapshot.zombie_processes);
        if let Some(zombies) = counted.filter(|count| *count > 0) {
            self.reasons.push(format!(
                "info: {zombies} zombie Claude/Node process(es) detected (age > 30 min, idle CPU) — consider sweeping \
                 stale sessions; not counted as a capacity signal."
            ));
        }
    }

    fn judge(mut self, share: Share) -> Evaluation {
        let named =
            |axes: &[Axis]| axes.iter().map(|axis| axis.name()).collect::<Vec<_>>().join(" + ");
        let (hard, soft) = (named(&self.hard), named(&self.soft));
        let (verdict, cap) = if !self.hard.is_empty() {
            self.reasons
                .push(format!("Hard signal ({hard}) — recommend coordinator-direct (0 agents)."));
            (Verdict::Critical, Some(0))
        } else if self.soft.len() > 1 {
            self.reasons.push(format!(
                "Two independent signals agree ({soft}) — capping agents-per-wave at {WARN_CAP}."
            ));
            (Verdict::Warn, Some(WARN_CAP))
        } else {
            if !self.soft.is_empty() {
                self.reasons.push(format!(
                    "info: one signal ({soft}) is elevated but no second signal agrees — reporting only, no cap \
                     (two-signal rule, #1089)."
                ));
            }
            (Verdict::Green, None)
        };
        let cap = [cap, share.cap()].into_iter().flatten().reduce(u64::min);
        Evaluation { verdict, reasons: self.reasons, cap, hard: self.hard, soft: self.soft }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(snapshot: Snapshot) -> (Verdict, Option<u64>) {
        let found = evaluate(&snapshot, &Thresholds::default(), Share::Full);
        (found.verdict, found.cap)
    }

    #[test]
    fn one_signal_is_reported_and_two_hold_work_back() {
        let low = Snapshot { ram_free_gb: Some(3.9), ..Snapshot::default() };
        assert_eq!(judged(low), (Verdict::Green, None));
        let loaded = Snapshot { cpu_load_pct: Some(91.0), ..low };
        assert_eq!(judged(loaded), (Verdict::Warn, Some(2)));
        let decaying = Snapshot { cpu_load_5m_pct: Some(50.0), ..loaded };
        assert_eq!(judged(decaying), (Verdict::Green, None));
        let gone = Snapshot { ram_free_gb: Some(1.9), ..low };
        assert_eq!(judged(gone), (Verdict::Critical, Some(0)));
    }

    #[test]
    fn swap_counts_only_where_memory_is_short() {
        let swapped = Snapshot { swap_used_mb: Some(9000.0), ..Snapshot::default() };
        assert_eq!(judged(swapped), (Verdict::Green, None));
        assert_eq!(judged(Snapshot { ram_free_gb: Some(3.0), ..swapped }).0, Verdict::Critical);
    }

    #[test]
    fn the_best_measure_of_memory_is_the_only_one() {
        let best = Snapshot {
            ram_free_gb: Some(0.1),
            ram_available_gb: Some(0.1),
            memory_pressure_pct_free: Some(30.0),
            ..Snapshot::default()
        };
        assert_eq!(judged(best), (Verdict::Green, None));
    }

    #[test]
    fn a_heavy_repository_lowers_the_cap_and_never_raises_it() {
        let cap = |gb, share| {
            let snapshot = Snapshot { ram_free_gb: Some(gb), ..Snapshot::default() };
            evaluate(&snapshot, &Thresholds::default(), share).cap
        };
        assert_eq!(cap(16.0, Share::Heavy(4)), Some(4));
        assert_eq!(cap(1.0, Share::Heavy(4)), Some(0));
    }
}
