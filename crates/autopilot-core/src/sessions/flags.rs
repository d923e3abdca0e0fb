//! What a loop of sessions may use up, as it is said on the command line.
//!
//! A limit that lies outside its bounds is moved to the bound, never refused: the loop must not start with more than a
//! person can mean. What was moved is told, so that the person sees it.

use serde::{Deserialize, Serialize};

use crate::sessions::number::{self, Plain};

/// How many sessions a loop may run.
pub const MAX_SESSIONS: Bounds = Bounds { min: 1.0, max: 50.0, default: 5.0 };
/// How long it may go on.
pub const MAX_HOURS: Bounds = Bounds { min: 0.5, max: 24.0, default: 4.0 };
/// How sure the choice of a session must be.
pub const CONFIDENCE_THRESHOLD: Bounds = Bounds { min: 0.0, max: 1.0, default: 0.85 };
/// How many tokens it may use where it has a limit of them; 0 is none.
pub const MAX_TOKENS: Bounds = Bounds { min: 0.0, max: 10_000_000.0, default: 500_000.0 };

/// More other sessions than this, on a machine in a critical state, stop the loop.
pub const PEERS_MAX_DEFAULT: u64 = 6;
/// A session that leaves more than this part of its plan undone stops the loop.
pub const CARRYOVER_MAX_DEFAULT: f64 = 0.5;
/// Silence of this length is a stall.
pub const STALL_S_DEFAULT: u64 = 600;

/// Below this confidence a choice is a suggestion at most, and running it is a walk at random.
pub const SUGGESTION_ONLY: f64 = 0.5;

/// What a limit may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// What it is when nothing is said.
    pub default: f64,
}

impl Bounds {
    /// The value within the bounds that is nearest to what was said; what is no number is as good as nothing.
    pub fn clamp(self, said: f64) -> f64 {
        if said.is_finite() { said.clamp(self.min, self.max) } else { self.default }
    }
}

/// A value that was moved to a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Clamped {
    /// The flag.
    pub flag: &'static str,
    /// What was said.
    pub said: String,
    /// What counts.
    pub used: Plain,
}

/// The flags of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Flags {
    /// Sessions at most.
    pub max_sessions: u32,
    /// Hours at most.
    pub max_hours: f64,
    /// How sure a choice must be.
    pub confidence_threshold: f64,
    /// Whether nothing is to be run.
    pub dry_run: bool,
    /// What was said and does not count as it was said.
    pub clamped: Vec<Clamped>,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            max_sessions: whole(MAX_SESSIONS.default),
            max_hours: MAX_HOURS.default,
            confidence_threshold: CONFIDENCE_THRESHOLD.default,
            dry_run: false,
            clamped: Vec::new(),
        }
    }
}

impl Flags {
    /// Takes `--flag=value` and a bare `--dry-run`. Anything else is ignored, and the last of several counts.
    pub fn parse<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let mut flags = Self::default();
        for argument in arguments {
            if matches!(argument, "--dry-run" | "--dryRun") {
                flags.dry_run = true;
            } else if let Some((flag, said)) = argument.split_once('=') {
                flags.take(flag, said);
            }
        }
        flags
    }

    fn take(&mut self, flag: &str, said: &str) {
        let (name, bounds) = match flag {
            "--max-sessions" => ("--max-sessions", MAX_SESSIONS),
            "--max-hours" => ("--max-hours", MAX_HOURS),
            "--confidence-threshold" => ("--confidence-threshold", CONFIDENCE_THRESHOLD),
            _ => return,
        };
        let number = number::read(said);
        let used = bounds.clamp(number);
        self.clamped.retain(|clamped| clamped.flag != name);
        match name {
            "--max-sessions" => self.max_sessions = whole(used),
            "--max-hours" => self.max_hours = used,
            _ => self.confidence_threshold = used,
        }
        if number != used {
            self.clamped.push(Clamped { flag: name, said: said.to_owned(), used: Plain(used) });
        }
    }
}

/// Everything that ends a loop when it is used up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Sessions at most.
    pub max_sessions: u32,
    /// Hours at most.
    pub max_hours: f64,
    /// How sure a choice must be.
    pub confidence_threshold: f64,
    /// Tokens at most; 0 is no limit.
    pub max_tokens: u64,
    /// Other sessions at most while the machine is in a critical state.
    pub peers_max: u64,
    /// The part of a plan that may be left undone.
    pub carryover_max: f64,
    /// Seconds of silence that are a stall.
    pub stall_s: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self::from(&Flags::default())
    }
}

impl From<&Flags> for Limits {
    fn from(flags: &Flags) -> Self {
        Self {
            max_sessions: flags.max_sessions,
            max_hours: flags.max_hours,
            confidence_threshold: flags.confidence_threshold,
            max_tokens: 0,
            peers_max: PEERS_MAX_DEFAULT,
            carryover_max: CARRYOVER_MAX_DEFAULT,
            stall_s: STALL_S_DEFAULT,
        }
    }
}

impl Limits {
    /// Milliseconds at most.
    pub fn max_ms(&self) -> f64 {
        self.max_hours * 3_600_000.0
    }
}

/// The whole part of a number of sessions.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the bounds of a number of sessions are small and positive"
)]
pub(crate) fn whole(number: f64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_the_bounds_is_moved_and_told() {
        let flags =
            Flags::parse(["--max-sessions=999", "--max-hours=0.1", "--confidence-threshold=0.7"]);
        assert_eq!((flags.max_sessions, flags.max_hours), (50, 0.5));
        let told: Vec<String> = flags
            .clamped
            .iter()
            .map(|Clamped { flag, said, used }| format!("{flag} {said} {used}"))
            .collect();
        assert_eq!(told, ["--max-sessions 999 50", "--max-hours 0.1 0.5"]);
    }

    #[test]
    fn a_later_flag_takes_back_what_was_told_of_an_earlier_one() {
        let flags = Flags::parse(["--max-sessions=999", "--max-sessions=9"]);
        assert_eq!((flags.max_sessions, flags.clamped.len()), (9, 0));
    }

    #[test]
    fn only_flags_with_an_equals_sign_count() {
        assert_eq!(
            Flags::parse(["--max-sessions", "7", "x", "--dry-run=true", "=3"]),
            Flags::default()
        );
        assert!(Flags::parse(["--dryRun"]).dry_run);
    }
}
