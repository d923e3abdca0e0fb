//! Where the talk stands.

use serde::{Deserialize, Serialize};

use crate::{id::Step, role::Role};

/// The one thing that is done now. Phases are named by their place in the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TalkStage {
    /// A questioner looks where a phase could be made in more than one way.
    Areas(usize),
    /// A person says which of these areas they want to talk about.
    Select(usize),
    /// A person answers a question about an area.
    Ask {
        /// The phase.
        phase: usize,
        /// The area.
        area: usize,
        /// The question.
        question: usize,
    },
    /// A person says whether they want more questions about an area.
    Depth {
        /// The phase.
        phase: usize,
        /// The area.
        area: usize,
    },
    /// A questioner asks more about an area.
    More {
        /// The phase.
        phase: usize,
        /// The area.
        area: usize,
    },
    /// A questioner says which answers belong elsewhere.
    Sort(usize),
    /// The engine puts what was decided on the run branch.
    Record,
    /// A questioner looks what a phase lacks.
    Map(usize),
    /// A person answers what all phases lack, at once.
    Answers,
    /// Nothing: it is over.
    Over,
}

impl TalkStage {
    /// What a questioner is asked for, where one is.
    pub const fn asking(&self) -> Option<&'static str> {
        match self {
            Self::Areas(_) => Some("areas"),
            Self::More { .. } => Some("more"),
            Self::Sort(_) => Some("sort"),
            Self::Map(_) => Some("map"),
            Self::Select(_)
            | Self::Ask { .. }
            | Self::Depth { .. }
            | Self::Record
            | Self::Answers
            | Self::Over => None,
        }
    }

    /// The phase that it is about, where it is about one.
    pub const fn phase(&self) -> Option<usize> {
        match self {
            Self::Areas(phase)
            | Self::Select(phase)
            | Self::Sort(phase)
            | Self::Map(phase)
            | Self::Ask { phase, .. }
            | Self::Depth { phase, .. }
            | Self::More { phase, .. } => Some(*phase),
            Self::Record | Self::Answers | Self::Over => None,
        }
    }

    /// The role that works in this stage, where an agent does.
    pub fn role(&self) -> Option<Role> {
        self.asking().map(|_| Role::Questioner)
    }

    /// The step under which the stage's effect is kept in the books; `phase` is the name of its phase, `asked` the number of
    /// questions that were asked about its area. No phase is called `run`: an id holds a digit.
    pub(super) fn step(&self, phase: &str, asked: usize) -> Option<Step> {
        let name = match self {
            Self::Areas(_) => format!("run/areas/{phase}"),
            Self::More { area, .. } => format!("run/more/{phase}/{}-{asked}", area + 1),
            Self::Sort(_) => format!("run/sort/{phase}"),
            Self::Map(_) => format!("run/map/{phase}"),
            Self::Record => "run/talk/integrate".to_owned(),
            Self::Select(_)
            | Self::Ask { .. }
            | Self::Depth { .. }
            | Self::Answers
            | Self::Over => return None,
        };
        Some(Step::new(name))
    }
}
