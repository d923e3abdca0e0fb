//! Whether a session may begin beside one that is at work in the same project.

use serde::{Deserialize, Serialize};

use crate::{sessions::clock, time::Timestamp};

/// How long a session counts without a sign of life.
pub const TTL_HOURS: u32 = 4;
/// The same for a session that does one story of several.
pub const TTL_HOURS_STORY: u32 = 2;

/// What stands in the lock of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockText {
    /// The session that holds it.
    pub session_id: String,
    /// Since when.
    pub started_at: String,
    /// Its last sign of life.
    pub last_heartbeat: String,
    /// What it is about.
    pub mode: String,
    /// Its process.
    pub pid: u32,
    /// The machine that the process is on.
    pub host: String,
    /// How long it counts without a sign of life.
    pub ttl_hours: u32,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic_session_id: Option<String>,
}

impl LockText {
    /// Whether its holder has given a sign of life recently enough. A time that cannot be read is none.
    pub fn is_live(&self, now: Timestamp) -> bool {
        let ttl_ms = i64::from(self.ttl_hours) * 3_600_000;
        clock::read(&self.last_heartbeat)
            .is_some_and(|told| now.as_ms().saturating_sub(told) < ttl_ms)
    }
}

/// What a kind of session asks of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Company {
    /// Nobody else.
    Exclusive,
    /// Others of its kind are fine.
    Parallel,
    /// It only looks, and never stands in anybody's way.
    Always,
}

impl Company {
    /// What a session of this mode asks.
    pub fn of(mode: &str) -> Self {
        match mode {
            "bootstrap" | "housekeeping" | "memory-cleanup" => Self::Exclusive,
            "discovery" | "evolve" | "plan" | "repo-audit" | "portfolio" => Self::Always,
            // A kind that is not known changes things like any other.
            _ => Self::Parallel,
        }
    }
}

/// What is known of the process that holds a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// It is there.
    Alive,
    /// It is gone.
    Dead,
    /// It is on another machine.
    Elsewhere,
}

/// How a session meets a lock that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// Its own.
    Own,
    /// One of a session that asks to be alone, or that is met by one that does.
    Incompatible,
    /// One of a session that does not mind.
    Compatible,
    /// One that does not matter to whoever only looks.
    Bypass,
    /// One whose holder is silent but there.
    StaleAlive,
    /// One whose holder is gone.
    StaleDead,
}

impl Meeting {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "active",
            Self::Incompatible => "active-incompatible-exclusive",
            Self::Compatible => "active-compatible-parallel",
            Self::Bypass => "active-readonly-bypass",
            Self::StaleAlive => "stale-pid-alive",
            Self::StaleDead => "stale-pid-dead",
        }
    }

    /// Whether the lock may be replaced by one's own.
    pub const fn may_be_taken(self) -> bool {
        matches!(self, Self::StaleDead)
    }

    /// Whether the session may begin.
    pub const fn may_begin(self) -> bool {
        match self {
            Self::Own | Self::Compatible | Self::Bypass | Self::StaleDead => true,
            Self::Incompatible | Self::StaleAlive => false,
        }
    }
}

/// How a session of this id and mode meets a lock. A holder whose process is gone holds nothing, however recently it told.
pub fn meet(lock: &LockText, now: Timestamp, process: Process, own: (&str, &str)) -> Meeting {
    let (id, mode) = own;
    if lock.session_id == id {
        return Meeting::Own;
    }
    match (process, lock.is_live(now)) {
        (Process::Dead, _) | (Process::Elsewhere, false) => return Meeting::StaleDead,
        (Process::Alive, false) => return Meeting::StaleAlive,
        (Process::Alive | Process::Elsewhere, true) => {}
    }
    match (Company::of(mode), Company::of(&lock.mode)) {
        (Company::Always, _) => Meeting::Bypass,
        (_, Company::Always) | (Company::Parallel, Company::Parallel) => Meeting::Compatible,
        (Company::Exclusive, _) | (_, Company::Exclusive) => Meeting::Incompatible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

    fn lock(mode: &str, age_ms: u64) -> LockText {
        LockText {
            session_id: "theirs".to_owned(),
            started_at: clock::iso(NOW),
            last_heartbeat: clock::iso(NOW.minus_ms(age_ms)),
            mode: mode.to_owned(),
            pid: 1,
            host: "here".to_owned(),
            ttl_hours: TTL_HOURS,
            semantic_session_id: None,
        }
    }

    #[test]
    fn s18_every_pair_of_kinds_has_one_meeting() {
        use Meeting::{Bypass, Compatible, Incompatible};
        let modes = ["housekeeping", "deep", "discovery"];
        let expected = [
            [Incompatible, Incompatible, Compatible],
            [Incompatible, Compatible, Compatible],
            [Bypass, Bypass, Bypass],
        ];
        for (mine, row) in modes.iter().zip(expected) {
            for (theirs, expected) in modes.iter().zip(row) {
                let met = meet(&lock(theirs, 0), NOW, Process::Alive, ("mine", mine));
                assert_eq!(met, expected, "{mine} meets {theirs}");
            }
        }
        assert_eq!(Company::of("something-new"), Company::Parallel);
    }

    #[test]
    fn s18_a_lock_counts_for_its_time_and_only_while_its_holder_is_there() {
        let ttl_ms = u64::from(TTL_HOURS) * 3_600_000;
        let met = |age, process| meet(&lock("deep", age), NOW, process, ("mine", "housekeeping"));
        assert_eq!(met(ttl_ms - 1, Process::Alive), Meeting::Incompatible);
        assert_eq!(met(ttl_ms, Process::Alive), Meeting::StaleAlive);
        assert_eq!(met(ttl_ms, Process::Elsewhere), Meeting::StaleDead);
        assert_eq!(met(ttl_ms - 1, Process::Elsewhere), Meeting::Incompatible);
        assert_eq!(met(0, Process::Dead), Meeting::StaleDead);
        let own = meet(&lock("deep", ttl_ms), NOW, Process::Alive, ("theirs", "deep"));
        assert_eq!(own, Meeting::Own);
        let mut unreadable = lock("deep", 0);
        unreadable.last_heartbeat = "soon".to_owned();
        assert!(!unreadable.is_live(NOW));
    }

    #[test]
    fn s18_nothing_is_taken_from_a_holder_that_is_there() {
        use Meeting::{Bypass, Compatible, Incompatible, Own, StaleAlive, StaleDead};
        for met in [Own, Incompatible, Compatible, Bypass, StaleAlive, StaleDead] {
            assert_eq!(met.may_be_taken(), met == StaleDead);
            assert_eq!(
                met.may_begin(),
                !matches!(met, Incompatible | StaleAlive),
                "{}",
                met.name()
            );
        }
    }
}
