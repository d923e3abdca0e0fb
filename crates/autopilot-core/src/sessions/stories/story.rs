//! One of several loops, as whoever coordinates them sees it.

use crate::{sessions::kill_switch::KillSwitch, time::Timestamp};

/// How far a loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It runs.
    Running,
    /// It did its work.
    Complete,
    /// It ended otherwise.
    Failed,
    /// It ended without having done anything.
    NoWork,
}

impl Status {
    /// The status of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "running" => Some(Self::Running),
            "complete" => Some(Self::Complete),
            "failed" => Some(Self::Failed),
            "no-work" => Some(Self::NoWork),
            _ => None,
        }
    }
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its id.
    pub id: String,
    /// How far it is; none if that is not known.
    pub status: Option<Status>,
    /// What ended it.
    pub switch: Option<KillSwitch>,
    /// How often it was tried again after going in circles.
    pub spiral_recoveries: u32,
    /// When it last did anything.
    pub last_activity: Timestamp,
    /// Whether it left its first choice to a person.
    pub fell_back: bool,
}

impl Story {
    pub(super) fn went_in_circles(&self) -> bool {
        self.switch == Some(KillSwitch::Spiral)
    }
}
