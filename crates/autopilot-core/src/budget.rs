//! What a run may spend, and what it has spent.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::time::MINUTE_MS;

/// What steps have cost: tokens, money and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spend {
    /// Tokens in and out, as the agents' own streams count them.
    pub tokens: u64,
    /// Money in millionths of a US dollar, where the agent tells it.
    pub micro_usd: u64,
    /// Time in which steps were running, by the clock of whoever ran them. Waiting is not in it.
    pub busy_ms: u64,
}

impl AddAssign for Spend {
    fn add_assign(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.micro_usd = self.micro_usd.saturating_add(other.micro_usd);
        self.busy_ms = self.busy_ms.saturating_add(other.busy_ms);
    }
}

/// The ceilings of a run. All are on by default; a run without limits does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Tokens for the whole run.
    pub run_tokens: u64,
    /// Tokens for one phase.
    pub phase_tokens: u64,
    /// Money for the whole run, in millionths of a US dollar.
    pub run_micro_usd: u64,
    /// Minutes in which the run works. Waiting for a usage limit or a person is not work.
    pub run_minutes: u64,
    /// Minutes in which one phase works.
    pub phase_minutes: u64,
    /// Minutes one agent step may take.
    pub step_minutes: u64,
    /// Seconds without a sign of life after which an agent counts as stalled.
    pub stall_seconds: u64,
    /// Seconds a verification command may take.
    pub check_seconds: u64,
    /// Seconds a guard, or making a checkout ready, may take.
    pub guard_seconds: u64,
    /// How often steps may be tried again after a failure, over the whole run.
    pub run_retries: u32,
    /// How often one step may be tried in a row before it counts as failed.
    pub step_tries: u32,
    /// How often a plan may be sent back.
    pub plan_rounds: u32,
    /// How often a task may be repaired.
    pub task_debugs: u32,
    /// How often a phase may be repaired after its tasks are done.
    pub phase_debugs: u32,
    /// How often a phase may be planned anew.
    pub replans: u32,
    /// How often a phase that is good but not good enough may be improved.
    pub remediations: u32,
    /// How many small mutations of a phase's work are tried to see whether its checks go red; none, and no check is
    /// asked to.
    pub canary_breaks: u32,
    /// How often what is missing in the result as a whole may be repaired and looked at again.
    #[serde(default = "reaudits")]
    pub reaudits: u32,
    /// How many rounds a debug session may take until a person lets it go on.
    #[serde(default = "debug_rounds")]
    pub debug_rounds: u32,
    /// How many steps in a row may come to nothing before the run stops.
    #[serde(default = "no_progress")]
    pub no_progress: u32,
    /// How often in a row agents may fail for the same reason before the run stops.
    #[serde(default = "same_error")]
    pub same_error: u32,
    /// How many seconds a verification must take to be believed; 0 asks for none.
    #[serde(default)]
    pub min_verify_seconds: u64,
}

const fn reaudits() -> u32 {
    2
}

const fn debug_rounds() -> u32 {
    20
}

const fn no_progress() -> u32 {
    3
}

const fn same_error() -> u32 {
    5
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            run_tokens: 5_000_000,
            phase_tokens: 500_000,
            run_micro_usd: 100_000_000,
            run_minutes: 1_440,
            phase_minutes: 120,
            step_minutes: 60,
            stall_seconds: 600,
            check_seconds: 60,
            guard_seconds: 600,
            run_retries: 10,
            step_tries: 3,
            plan_rounds: 3,
            task_debugs: 2,
            phase_debugs: 3,
            replans: 1,
            remediations: 2,
            canary_breaks: 5,
            reaudits: reaudits(),
            debug_rounds: debug_rounds(),
            no_progress: no_progress(),
            same_error: same_error(),
            min_verify_seconds: 0,
        }
    }
}

/// A ceiling that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ceiling {
    /// `run_tokens`.
    RunTokens,
    /// `phase_tokens`.
    PhaseTokens,
    /// `run_micro_usd`.
    RunMoney,
    /// `run_minutes`.
    RunMinutes,
    /// `phase_minutes`.
    PhaseMinutes,
    /// `run_retries`.
    RunRetries,
    /// `no_progress`.
    NoProgress,
    /// `same_error`.
    SameError,
}

impl Ceiling {
    /// The name of the limit in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RunTokens => "run_tokens",
            Self::PhaseTokens => "phase_tokens",
            Self::RunMoney => "run_usd",
            Self::RunMinutes => "run_minutes",
            Self::PhaseMinutes => "phase_minutes",
            Self::RunRetries => "run_retries",
            Self::NoProgress => "no_progress",
            Self::SameError => "same_error",
        }
    }
}

impl Ceiling {
    /// Whether the run has failed when it is reached. After the others it is paused: one step shows whether it helps.
    pub const fn fails_run(self) -> bool {
        match self {
            Self::RunTokens | Self::RunMoney | Self::RunMinutes | Self::RunRetries => true,
            Self::PhaseTokens | Self::PhaseMinutes | Self::NoProgress | Self::SameError => false,
        }
    }
}

impl Limits {
    /// The ceiling of the whole run that `spent` has reached, if any.
    pub fn reached_by_run(&self, spent: &Spend, retries: u32) -> Option<Ceiling> {
        if spent.tokens >= self.run_tokens {
            Some(Ceiling::RunTokens)
        } else if spent.micro_usd >= self.run_micro_usd {
            Some(Ceiling::RunMoney)
        } else if spent.busy_ms >= self.run_minutes.saturating_mul(MINUTE_MS) {
            Some(Ceiling::RunMinutes)
        } else if retries > self.run_retries {
            Some(Ceiling::RunRetries)
        } else {
            None
        }
    }

    /// The ceiling of one phase that `spent` has reached, if any.
    pub fn reached_by_phase(&self, spent: &Spend) -> Option<Ceiling> {
        if spent.tokens >= self.phase_tokens {
            Some(Ceiling::PhaseTokens)
        } else if spent.busy_ms >= self.phase_minutes.saturating_mul(MINUTE_MS) {
            Some(Ceiling::PhaseMinutes)
        } else {
            None
        }
    }
}
