//! What ends a loop of sessions, in the order in which it is looked for.
//!
//! A switch never ends a session that runs. It is looked for before each session and after it.

use serde::{Deserialize, Serialize, Serializer};

use crate::sessions::{
    flags::Limits,
    number::{Plain, round, round2},
    resources::Verdict,
};

/// Silence shorter than this is none.
pub const SAMPLE_CADENCE_MS: i64 = 30_000;

/// Why a loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KillSwitch {
    /// A person asked for it.
    UserAbort,
    /// It ran as many sessions as it may.
    MaxSessionsReached,
    /// It went on as long as it may.
    MaxHoursExceeded,
    /// It used as many tokens as it may.
    TokenBudgetExceeded,
    /// The machine is in a critical state and others work on it.
    ResourceOverload,
    /// Nobody is sure what to do next.
    LowConfidenceFallback,
    /// Nothing moved for too long.
    StallTimeout,
    /// An agent went in circles.
    Spiral,
    /// An agent failed.
    FailedWave,
    /// A session left too much of its plan undone.
    CarryoverTooHigh,
    /// One of several loops is silent.
    StaleSubagentMin,
}

impl KillSwitch {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::UserAbort,
        Self::MaxSessionsReached,
        Self::MaxHoursExceeded,
        Self::TokenBudgetExceeded,
        Self::ResourceOverload,
        Self::LowConfidenceFallback,
        Self::StallTimeout,
        Self::Spiral,
        Self::FailedWave,
        Self::CarryoverTooHigh,
        Self::StaleSubagentMin,
    ];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserAbort => "user-abort",
            Self::MaxSessionsReached => "max-sessions-reached",
            Self::MaxHoursExceeded => "max-hours-exceeded",
            Self::TokenBudgetExceeded => "token-budget-exceeded",
            Self::ResourceOverload => "resource-overload",
            Self::LowConfidenceFallback => "low-confidence-fallback",
            Self::StallTimeout => "stall-timeout",
            Self::Spiral => "spiral",
            Self::FailedWave => "failed-wave",
            Self::CarryoverTooHigh => "carryover-too-high",
            Self::StaleSubagentMin => "stale-subagent-min",
        }
    }

    /// What a person can do about it.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::UserAbort => "run it again when you are ready",
            Self::MaxSessionsReached => "nothing went wrong; run it again for more sessions",
            Self::MaxHoursExceeded => "raise `--max-hours`, or see why the waves are slow",
            Self::TokenBudgetExceeded => "raise the token limit, or give the sessions less to do",
            Self::ResourceOverload => "wait for the other sessions to end, or close them",
            Self::LowConfidenceFallback => {
                "run the next session by hand, or lower `--confidence-threshold`"
            }
            Self::StallTimeout => "see what the last session was waiting for",
            Self::Spiral => "look at the wave that went in circles; it is not tried again",
            Self::FailedWave => "find out why the wave failed, put it right, and run it again",
            Self::CarryoverTooHigh => {
                "the last session did too little of its plan: split the issues"
            }
            Self::StaleSubagentMin => "see what the silent loop was waiting for",
        }
    }
}

impl Serialize for KillSwitch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A switch that fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    /// Which.
    pub switch: KillSwitch,
    /// What it saw.
    pub detail: String,
}

impl Kill {
    /// A switch and what it saw.
    pub fn of(switch: KillSwitch, detail: impl Into<String>) -> Self {
        Self { switch, detail: detail.into() }
    }
}

/// How a loop stands before a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Sessions that it ran.
    pub iterations: u32,
    /// How long it has been going on.
    pub elapsed_ms: i64,
    /// Tokens that it used.
    pub tokens: u64,
    /// The state of the machine, if it is known.
    pub verdict: Option<Verdict>,
    /// Other sessions, if their number is known.
    pub peers: Option<u64>,
    /// Whether a person asked it to stop.
    pub is_aborted: bool,
}

/// What a session came to, as far as it decides about the next one. What is absent from its record is 0 here: no
/// signal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Its id, if it has one.
    pub session_id: Option<String>,
    /// Agents that went in circles.
    pub spiral: u64,
    /// Agents that failed.
    pub failed: u64,
    /// Issues that it planned.
    pub planned: u64,
    /// Issues that it left undone.
    pub carryover: u64,
    /// Tokens that it used.
    pub tokens: u64,
}

/// The switch that forbids another session.
pub fn before_session(standing: &Standing, limits: &Limits) -> Option<Kill> {
    let Standing { iterations, elapsed_ms, tokens, verdict, peers, is_aborted } = *standing;
    if is_aborted {
        return Some(Kill::of(KillSwitch::UserAbort, "AbortSignal triggered before iteration"));
    }
    let max = limits.max_sessions;
    if iterations >= max {
        let detail = format!("iterations_completed={iterations} >= max-sessions={max}");
        return Some(Kill::of(KillSwitch::MaxSessionsReached, detail));
    }
    let elapsed_ms = as_double(elapsed_ms);
    if elapsed_ms >= limits.max_ms() {
        let (elapsed, max) = (Plain(round2(elapsed_ms / 3_600_000.0)), Plain(limits.max_hours));
        let detail = format!("elapsed={elapsed}h >= max-hours={max}h");
        return Some(Kill::of(KillSwitch::MaxHoursExceeded, detail));
    }
    let max = limits.max_tokens;
    if max > 0 && tokens >= max {
        let detail = format!("cumulative_tokens={tokens} >= max-tokens={max}");
        return Some(Kill::of(KillSwitch::TokenBudgetExceeded, detail));
    }
    let peers =
        peers.filter(|peers| *peers > limits.peers_max && verdict == Some(Verdict::Critical))?;
    let detail = format!("verdict=critical peers={peers} > threshold={}", limits.peers_max);
    Some(Kill::of(KillSwitch::ResourceOverload, detail))
}

/// The switch that a session set off. `idle_ms` is how long nothing has moved, if that is known.
pub fn after_session(outcome: &Outcome, idle_ms: Option<i64>, limits: &Limits) -> Option<Kill> {
    if let Some(stalled) = idle_ms.and_then(|idle_ms| stalled(idle_ms, limits.stall_s)) {
        return Some(stalled);
    }
    let Outcome { spiral, failed, planned, carryover, .. } = *outcome;
    if spiral > 0 {
        return Some(Kill::of(KillSwitch::Spiral, format!("agent_summary.spiral={spiral} > 0")));
    }
    if failed > 0 {
        let detail = format!("agent_summary.failed={failed} > 0");
        return Some(Kill::of(KillSwitch::FailedWave, detail));
    }
    let ratio = ratio(carryover, planned)?;
    if ratio <= limits.carryover_max {
        return None;
    }
    let (ratio, max) = (Plain(round2(ratio)), Plain(limits.carryover_max));
    let counts = format!("(carryover={carryover}, planned={planned})");
    let detail = format!("carryover/planned={ratio} > threshold={max} {counts}");
    Some(Kill::of(KillSwitch::CarryoverTooHigh, detail))
}

fn stalled(idle_ms: i64, stall_s: u64) -> Option<Kill> {
    if idle_ms < SAMPLE_CADENCE_MS {
        return None;
    }
    let idle_s = round(as_double(idle_ms) / 1_000.0);
    let max = Plain(as_double(i64::try_from(stall_s).unwrap_or(i64::MAX)));
    (idle_s >= max.0).then(|| {
        let idle = Plain(idle_s);
        let detail = format!("stalled {idle}s ≥ threshold {max}s (marker=autopilot.jsonl:mtime)");
        Kill::of(KillSwitch::StallTimeout, detail)
    })
}

/// The part of a plan that was left undone, where there was a plan.
pub(crate) fn ratio(carryover: u64, planned: u64) -> Option<f64> {
    let double = |count: u64| as_double(i64::try_from(count).unwrap_or(i64::MAX));
    (planned > 0).then(|| double(carryover) / double(planned))
}

#[expect(clippy::cast_precision_loss, reason = "times and counts are far below 2^53")]
pub(crate) fn as_double(number: i64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_a_session_the_first_switch_in_order_counts() {
        let limits = Limits { max_sessions: 3, max_tokens: 100, ..Limits::default() };
        let mut standing = Standing {
            iterations: 3,
            elapsed_ms: 14_400_000,
            tokens: 100,
            verdict: Some(Verdict::Critical),
            peers: Some(7),
            is_aborted: true,
        };
        let mut seen = Vec::new();
        while let Some(kill) = before_session(&standing, &limits) {
            seen.push(kill.switch.name());
            match kill.switch {
                KillSwitch::UserAbort => standing.is_aborted = false,
                KillSwitch::MaxSessionsReached => standing.iterations = 2,
                KillSwitch::MaxHoursExceeded => standing.elapsed_ms = 0,
                KillSwitch::TokenBudgetExceeded => standing.tokens = 99,
                _ => standing.peers = Some(6),
            }
        }
        let order = [
            "user-abort",
            "max-sessions-reached",
            "max-hours-exceeded",
            "token-budget-exceeded",
            "resource-overload",
        ];
        assert_eq!(seen, order);
    }

    #[test]
    fn after_a_session_the_first_switch_in_order_counts() {
        let outcome =
            Outcome { spiral: 1, failed: 1, planned: 3, carryover: 2, ..Outcome::default() };
        let limits = Limits::default();
        let kill = |outcome: &Outcome, idle_ms| {
            after_session(outcome, idle_ms, &limits).map(|kill| kill.switch)
        };
        assert_eq!(kill(&outcome, Some(600_000)), Some(KillSwitch::StallTimeout));
        assert_eq!(kill(&outcome, Some(599_000)), Some(KillSwitch::Spiral));
        let outcome = Outcome { spiral: 0, ..outcome };
        assert_eq!(kill(&outcome, None), Some(KillSwitch::FailedWave));
        let outcome = Outcome { failed: 0, ..outcome };
        assert_eq!(kill(&outcome, None), Some(KillSwitch::CarryoverTooHigh));
        let outcome = Outcome { planned: 4, ..outcome };
        assert_eq!(kill(&outcome, None), None, "just half of the plan is left");
        let outcome = Outcome { planned: 0, ..outcome };
        assert_eq!(kill(&outcome, None), None, "nothing was planned");
    }

    #[test]
    fn a_short_silence_is_no_stall_whatever_the_limit() {
        assert_eq!(stalled(29_999, 0), None);
        assert!(stalled(30_000, 0).is_some());
        assert!(stalled(599_500, 600).is_some(), "seconds are rounded");
    }

    #[test]
    fn every_switch_has_a_name_and_a_hint_of_its_own() {
        for (at, switch) in KillSwitch::ALL.iter().enumerate() {
            let others = &KillSwitch::ALL[..at];
            assert!(others.iter().all(|other| other.name() != switch.name()));
            assert!(others.iter().all(|other| other.hint() != switch.hint()));
        }
    }
}
