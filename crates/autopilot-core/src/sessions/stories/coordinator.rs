//! When several loops end, and what they come to together.

use crate::{
    sessions::{
        kill_switch::{Kill, KillSwitch},
        stories::{Status, Story},
    },
    time::Timestamp,
};

/// A loop that was silent for too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Which.
    pub id: String,
    /// The switch that it set off.
    pub kill: Kill,
}

/// The first running loop that has been silent for longer than it may.
pub fn stale(stories: &[Story], silent_max_s: u64, now: Timestamp) -> Option<Stale> {
    let is_silent = |story: &&Story| {
        story.status == Some(Status::Running)
            && now.ms_since(story.last_activity) > silent_max_s.saturating_mul(1_000)
    };
    let story = stories.iter().find(is_silent)?;
    let silent_s = now.ms_since(story.last_activity) / 1_000;
    let detail = format!("loop {} stale > {silent_s}s (threshold {silent_max_s}s)", story.id);
    Some(Stale { id: story.id.clone(), kill: Kill::of(KillSwitch::StaleSubagentMin, detail) })
}

/// What is done about a loop that went in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CohortAction {
    /// It is tried once more.
    Retry,
    /// All of them end: what goes wrong twice is wrong with the work.
    Abort,
}

/// What is done about a loop that went in circles, in sight of the others.
pub fn cohort_action(stories: &[Story], id: &str) -> CohortAction {
    let spirals = stories.iter().filter(|story| story.went_in_circles()).count();
    let was_retried = stories.iter().any(|story| story.id == id && story.spiral_recoveries > 0);
    if spirals <= 1 && !was_retried { CohortAction::Retry } else { CohortAction::Abort }
}

/// Why all loops ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// There is nothing left to do.
    BacklogEmpty,
    /// Nothing was finished for too long.
    InactivityTimeout,
    /// The time is up.
    MaxHours,
    /// A loop set off a switch.
    FirstKillSwitch,
    /// A loop went in circles.
    Spiral,
    /// A loop that went in circles ended the others.
    CohortAbort,
    /// A loop could not be started.
    SpawnError,
    /// A loop was silent for too long.
    StaleSubagentMin,
}

impl StopReason {
    const ALL: [Self; 8] = [
        Self::BacklogEmpty,
        Self::InactivityTimeout,
        Self::MaxHours,
        Self::FirstKillSwitch,
        Self::Spiral,
        Self::CohortAbort,
        Self::SpawnError,
        Self::StaleSubagentMin,
    ];

    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BacklogEmpty => "backlog-empty",
            Self::InactivityTimeout => "inactivity-timeout",
            Self::MaxHours => "max-hours",
            Self::FirstKillSwitch => "first-kill-switch",
            Self::Spiral => "spiral",
            Self::CohortAbort => "cohort-abort",
            Self::SpawnError => "spawn-error",
            Self::StaleSubagentMin => "stale-subagent-min",
        }
    }

    /// The reason of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Whether something is wrong.
    pub const fn is_failure(self) -> bool {
        match self {
            Self::BacklogEmpty | Self::InactivityTimeout | Self::MaxHours => false,
            Self::FirstKillSwitch
            | Self::Spiral
            | Self::CohortAbort
            | Self::SpawnError
            | Self::StaleSubagentMin => true,
        }
    }
}

/// What decides whether all loops end.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    /// Loops that have not been cleared away.
    pub active: &'a [Story],
    /// Issues that could be begun.
    pub ready: usize,
    /// When a loop last ended.
    pub last_completion: Timestamp,
    /// How long nothing may end.
    pub inactivity_max_ms: u64,
    /// When the time is up.
    pub deadline: Option<Timestamp>,
}

/// Why all loops end now, if they do.
pub fn should_stop(watch: &Watch<'_>, now: Timestamp) -> Option<StopReason> {
    let Watch { active, ready, last_completion, inactivity_max_ms, deadline } = *watch;
    let aborts = |story: &Story| {
        story.went_in_circles() && cohort_action(active, &story.id) == CohortAction::Abort
    };
    let checks = [
        (active.iter().any(aborts), StopReason::FirstKillSwitch),
        (active.is_empty() && ready == 0, StopReason::BacklogEmpty),
        (
            !active.is_empty() && now.ms_since(last_completion) > inactivity_max_ms,
            StopReason::InactivityTimeout,
        ),
        (deadline.is_some_and(|deadline| now > deadline), StopReason::MaxHours),
    ];
    checks.into_iter().find_map(|(holds, reason)| holds.then_some(reason))
}

/// What several loops came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Why they ended.
    pub reason: StopReason,
    /// How many there were.
    pub count: usize,
    /// Those that did their work.
    pub completed: usize,
    /// Those that ended otherwise.
    pub failed: usize,
    /// Those that did nothing.
    pub no_work: usize,
    /// Those that left their first choice to a person.
    pub fell_back: usize,
}

impl Finish {
    /// The exit code: 2 where something is wrong, 3 where loops ran and none did its work.
    pub const fn exit_code(self) -> u8 {
        if self.reason.is_failure() {
            2
        } else if self.count > 0 && self.completed == 0 {
            3
        } else {
            0
        }
    }
}

/// Counts what several loops came to.
pub fn finish(stories: &[Story], reason: StopReason) -> Finish {
    let count = |status| stories.iter().filter(|story| story.status == Some(status)).count();
    Finish {
        reason,
        count: stories.len(),
        completed: count(Status::Complete),
        failed: count(Status::Failed),
        no_work: count(Status::NoWork),
        fell_back: stories.iter().filter(|story| story.fell_back).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_000_000_000);

    fn story(id: &str, switch: Option<KillSwitch>) -> Story {
        let status = if switch.is_some() { Status::Failed } else { Status::Running };
        Story {
            id: id.to_owned(),
            status: Some(status),
            switch,
            spiral_recoveries: 0,
            last_activity: NOW,
            fell_back: false,
        }
    }

    #[test]
    fn the_second_spiral_ends_all() {
        let one = story("a", Some(KillSwitch::Spiral));
        assert_eq!(cohort_action(std::slice::from_ref(&one), "a"), CohortAction::Retry);
        let other = story("b", Some(KillSwitch::Spiral));
        assert_eq!(cohort_action(&[one.clone(), other], "a"), CohortAction::Abort);
        let retried = Story { spiral_recoveries: 1, ..one };
        assert_eq!(cohort_action(&[retried], "a"), CohortAction::Abort);
    }

    #[test]
    fn reasons_to_stop_have_an_order() {
        let spirals = [story("a", Some(KillSwitch::Spiral)), story("b", Some(KillSwitch::Spiral))];
        let late = Some(Timestamp::from_ms(0));
        let watch = |active, deadline| Watch {
            active,
            ready: 0,
            last_completion: Timestamp::from_ms(0),
            inactivity_max_ms: 300_000,
            deadline,
        };
        assert_eq!(should_stop(&watch(&spirals, late), NOW), Some(StopReason::FirstKillSwitch));
        assert_eq!(should_stop(&watch(&[], late), NOW), Some(StopReason::BacklogEmpty));
        let running = [story("a", None)];
        assert_eq!(should_stop(&watch(&running, late), NOW), Some(StopReason::InactivityTimeout));
        let busy = Watch { last_completion: NOW, ..watch(&running, late) };
        assert_eq!(should_stop(&busy, NOW), Some(StopReason::MaxHours));
        assert_eq!(should_stop(&Watch { deadline: None, ..busy }, NOW), None);
    }

    #[test]
    fn only_a_running_loop_can_be_silent() {
        let quiet = Story { last_activity: Timestamp::from_ms(0), ..story("a", None) };
        assert_eq!(stale(std::slice::from_ref(&quiet), 600, NOW).unwrap().id, "a");
        let ended = Story { status: Some(Status::Complete), ..quiet };
        assert_eq!(stale(&[ended], 600, NOW), None);
    }

    #[test]
    fn loops_that_did_nothing_are_no_success() {
        let idle = Story { status: Some(Status::NoWork), ..story("a", None) };
        let done = Story { status: Some(Status::Complete), ..story("b", None) };
        assert_eq!(finish(&[], StopReason::BacklogEmpty).exit_code(), 0);
        assert_eq!(finish(std::slice::from_ref(&idle), StopReason::BacklogEmpty).exit_code(), 3);
        assert_eq!(finish(&[idle, done.clone()], StopReason::MaxHours).exit_code(), 0);
        assert_eq!(finish(&[done], StopReason::SpawnError).exit_code(), 2);
    }
}
