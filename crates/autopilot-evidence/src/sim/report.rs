//! What came of playing misbehaviour against gates.

use super::play::Lie;
use crate::{CheckKind, CheckResult, CommitId, Verdict};

/// A gate, and what it shows on the commit as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// A criterion or a guard.
    pub kind: CheckKind,
    /// Its command.
    pub command: String,
    /// What it shows.
    pub verdict: Verdict,
}

impl Gate {
    /// A gate by its result.
    pub fn of(result: &CheckResult) -> Self {
        Self {
            name: result.name.clone(),
            kind: result.kind,
            command: result.command.clone().unwrap_or_default(),
            verdict: result.verdict.clone(),
        }
    }
}

/// What a gate caught a misbehaviour by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// Its command failed.
    Failed,
    /// Its command proved nothing.
    Unproven,
    /// Fewer tests ran than before.
    Fewer,
    /// It failed, since files that decide were put back.
    PutBack(Vec<String>),
    /// It failed without the new files, which had it pass.
    NewRules(Vec<String>),
}

impl Mechanism {
    /// Its name.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Unproven => "unproven",
            Self::Fewer => "fewer-tests",
            Self::PutBack(_) => "protected-file",
            Self::NewRules(_) => "new-rules",
        }
    }
}

/// What became of a misbehaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A gate was not green any more.
    Caught {
        /// The first gate that was not.
        gate: String,
        /// By what.
        by: Mechanism,
        /// What it showed.
        seen: String,
    },
    /// Every gate stayed green.
    GotThrough,
}

/// A misbehaviour that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// What kind it is.
    pub lie: Lie,
    /// What was done, in words.
    pub what: String,
    /// The file that was broken.
    pub path: String,
    /// The first line that was touched, where it is about lines.
    pub line: Option<usize>,
    /// The files in which it was hidden; none where nothing was hidden.
    pub hides_in: Vec<String>,
    /// What became of it.
    pub fate: Fate,
}

/// What came of all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The commit.
    pub commit: CommitId,
    /// Which of many equal choices was made.
    pub seed: u64,
    /// Every gate, and what it shows on the commit as it is.
    pub gates: Vec<Gate>,
    /// What was played, in order.
    pub played: Vec<Played>,
    /// How many more could have been played.
    pub left_out: usize,
    /// What was not played at all, and why.
    pub notes: Vec<String>,
}

impl Report {
    /// The gates that something can be played against: those that are green on the commit.
    pub fn green(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter().filter(|gate| gate.verdict.is_passed())
    }

    /// What got through.
    pub fn through(&self) -> impl Iterator<Item = &Played> {
        self.played.iter().filter(|played| played.fate == Fate::GotThrough)
    }
}
