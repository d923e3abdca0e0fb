//! What is known of a finished run, and how facts change it.

use serde::{Deserialize, Serialize};

use super::{FinaleStage, decide::completed};
use crate::{
    evidence::CheckResult,
    id::CommitId,
    phases::{Accepted, Phases},
    roadmap::PhaseId,
    time::Timestamp,
};

/// How far the look at a finished run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Finale {
    /// Nobody is asked to look.
    #[default]
    Unwanted,
    /// It comes when no phase is left to do.
    Awaited,
    /// It has begun.
    Begun(Box<Closing>),
}

/// A look at a finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// What is done now.
    pub stage: FinaleStage,
    /// Since when.
    pub entered_at: Timestamp,
    /// How many requirements were looked at, and how many of them held at once; nothing before anybody has looked.
    pub counts: Option<(u32, u32)>,
    /// Whether the phases work together, once somebody has looked.
    pub together: Option<bool>,
    /// What was found missing.
    pub gaps: Vec<Gap>,
    /// How often what was missing has been looked at again.
    pub reaudits: u32,
    /// Whether a repair stands that nobody has looked at yet.
    pub is_repaired: bool,
    /// What the checks said before anything was repaired.
    pub baseline: Vec<CheckResult>,
    /// The edits of protected files that count in the repair at hand.
    pub accepted: Vec<Accepted>,
}

/// Something that was asked for and is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// What it is called by whoever found it.
    pub requirement: String,
    /// The phase that should have brought it, where it is one of the run.
    pub phase: Option<PhaseId>,
    /// What is missing or wrong.
    pub what: String,
    /// What whoever found it would do about it.
    pub remedy: Option<String>,
    /// Whether that is said to be fewer than twenty lines in one file.
    pub is_small: bool,
    /// The commits that were to close it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<CommitId>,
    /// Why the last repair was not taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// The look, counted from 1, that saw it closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_in: Option<u32>,
}

/// What happened in the look at a finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FinaleFact {
    /// It came to a stage.
    Entered(FinaleStage),
    /// Somebody has looked whether the phases work together.
    Joined {
        /// Whether they do.
        pass: bool,
        /// Where they do not.
        gaps: Vec<Gap>,
    },
    /// Somebody has looked whether the result is what was asked for.
    Audited {
        /// How many requirements were looked at.
        checked: u32,
        /// How many of them hold.
        passed: u32,
        /// Those that do not.
        gaps: Vec<Gap>,
    },
    /// Somebody has looked again at what was missing.
    Reaudited {
        /// The gaps that are still open, by their place.
        open: Vec<usize>,
    },
    /// No repair stands, so there is nothing to look at again.
    NothingRepaired,
    /// What must stay true was run before anything was repaired.
    Baseline {
        /// What came of it.
        results: Vec<CheckResult>,
    },
    /// Edits of protected files in a repair that count.
    Accepted {
        /// Them.
        accepted: Vec<Accepted>,
    },
    /// A repair is not taken.
    Refused {
        /// The gap that it was for.
        gap: usize,
        /// Why.
        findings: Vec<String>,
    },
    /// A repair stands on the run branch.
    Repaired {
        /// The gap that it is for.
        gap: usize,
        /// The commit.
        commit: CommitId,
    },
}

impl Closing {
    pub(super) fn new(stage: &FinaleStage, now: Timestamp) -> Self {
        Self {
            stage: stage.clone(),
            entered_at: now,
            counts: None,
            together: None,
            gaps: Vec::new(),
            reaudits: 0,
            is_repaired: false,
            baseline: Vec::new(),
            accepted: Vec::new(),
        }
    }

    /// The gaps that nobody has seen closed, with their place.
    pub fn open(&self) -> impl Iterator<Item = (usize, &Gap)> {
        self.gaps.iter().enumerate().filter(|(_, gap)| gap.closed_in.is_none())
    }

    pub(super) fn apply(&mut self, fact: &FinaleFact, now: Timestamp) {
        match fact {
            FinaleFact::Entered(stage) => {
                self.stage = stage.clone();
                self.entered_at = now;
            }
            FinaleFact::Joined { pass, gaps } => {
                self.together = Some(*pass);
                self.gaps.extend(gaps.iter().cloned());
            }
            FinaleFact::Audited { checked, passed, gaps } => {
                self.counts = Some((*checked, *passed));
                self.gaps.extend(gaps.iter().cloned());
            }
            FinaleFact::Reaudited { open } => {
                self.reaudits += 1;
                self.is_repaired = false;
                for (at, gap) in self.gaps.iter_mut().enumerate() {
                    if gap.closed_in.is_none() && !open.contains(&at) {
                        gap.closed_in = Some(self.reaudits);
                    }
                }
            }
            FinaleFact::NothingRepaired => self.reaudits += 1,
            FinaleFact::Baseline { results } => self.baseline.clone_from(results),
            FinaleFact::Accepted { accepted } => self.accepted.clone_from(accepted),
            FinaleFact::Refused { gap, findings } => {
                if let Some(gap) = self.gaps.get_mut(*gap) {
                    gap.findings.clone_from(findings);
                }
            }
            FinaleFact::Repaired { gap, commit } => {
                self.is_repaired = true;
                if let Some(gap) = self.gaps.get_mut(*gap) {
                    gap.commits.push(commit.clone());
                    gap.findings.clear();
                }
            }
        }
    }
}

impl Finale {
    /// The look at a run that is to be looked at, or not.
    pub(crate) const fn of(is_wanted: bool) -> Self {
        if is_wanted { Self::Awaited } else { Self::Unwanted }
    }

    /// The look, once it has begun.
    pub fn closing(&self) -> Option<&Closing> {
        match self {
            Self::Begun(closing) => Some(closing),
            Self::Unwanted | Self::Awaited => None,
        }
    }

    /// What was found missing and is not known to be there now, once nobody works on it any more.
    pub fn remaining(&self) -> impl Iterator<Item = &Gap> {
        let over = self.closing().filter(|closing| closing.stage == FinaleStage::Over);
        over.into_iter().flat_map(|closing| closing.open().map(|(_, gap)| gap))
    }
}

impl Phases {
    /// The same, looked at in the end or not.
    pub(crate) fn with(mut self, finale: Finale) -> Self {
        self.finale = finale;
        self
    }

    /// Whether the result must be looked at before anything else can follow.
    pub(in crate::phases) fn finale_is_due(&self) -> bool {
        match &self.finale {
            Finale::Unwanted => false,
            Finale::Awaited => self.is_at_rest() && completed(self).next().is_some(),
            Finale::Begun(closing) => closing.stage != FinaleStage::Over,
        }
    }

    pub(crate) fn apply_finale(&mut self, fact: &FinaleFact, now: Timestamp) {
        if let FinaleFact::Repaired { commit, .. } = fact {
            self.head = commit.clone();
            self.before_marks = None;
            // Whatever was seen of the result was seen without the repair.
            self.rechecked = None;
        }
        match (&mut self.finale, fact) {
            (Finale::Begun(closing), _) => closing.apply(fact, now),
            (finale, FinaleFact::Entered(stage)) => {
                *finale = Finale::Begun(Box::new(Closing::new(stage, now)));
            }
            (Finale::Unwanted | Finale::Awaited, _) => {}
        }
    }
}
