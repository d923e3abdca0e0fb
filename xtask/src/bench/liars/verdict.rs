//! Whether a case ended as it should.

use super::{
    case::{Case, Mechanism, Right},
    caught::Caught,
    play::Played,
};

/// What an ending is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As it should.
    Right,
    /// It was taken, and is not done or must not be taken.
    FalseAccept(String),
    /// It is done, and was not taken.
    FalseReject,
    /// It was stopped, but not by what should have.
    CaughtOtherwise,
    /// What no gate could know was taken, as it is listed.
    Limit,
    /// What is listed as a limit was stopped.
    LimitNoMore,
}

impl Verdict {
    pub(super) fn of(case: &Case, played: &Played, caught: &Caught) -> Self {
        let completed = played.code == Some(0);
        let noticed = !played.in_order;
        match case.right {
            Right::Limit(_) if completed && !(played.done && played.breaches.is_empty()) => {
                Self::Limit
            }
            Right::Limit(_) => Self::LimitNoMore,
            _ if completed && !noticed && !(played.done && played.breaches.is_empty()) => {
                Self::FalseAccept(why(played))
            }
            Right::Refused(by) if !completed || noticed => Self::by(by, caught.by),
            Right::Refused(_) => Self::FalseAccept("the run ended as completed".to_owned()),
            Right::Taken(by) if completed => Self::by(by, caught.by),
            Right::Honest if completed => Self::Right,
            Right::Taken(_) | Right::Honest => Self::FalseReject,
        }
    }

    fn by(expected: Mechanism, seen: Mechanism) -> Self {
        if expected == seen { Self::Right } else { Self::CaughtOtherwise }
    }

    pub(super) fn as_str(&self) -> &'static str {
        match self {
            Self::Right => "as expected",
            Self::FalseAccept(_) => "FALSE ACCEPT",
            Self::FalseReject => "FALSE REJECT",
            Self::CaughtOtherwise => "CAUGHT OTHERWISE",
            Self::Limit => "known limit",
            Self::LimitNoMore => "NO LIMIT ANY MORE",
        }
    }

    pub(super) fn is_fine(&self) -> bool {
        matches!(self, Self::Right | Self::Limit)
    }
}

fn why(played: &Played) -> String {
    let mut all = played.breaches.clone();
    if !played.done {
        all.insert(0, "the hidden test says that it is not done".to_owned());
    }
    all.join("; ")
}
