//! What is known of the reviews of a phase: what was said, and what was seen of those who said it.

use serde::{Deserialize, Serialize};

use crate::{
    phases::{PhaseFact, fact::SentBack},
    policy::FailureCategory,
    returns::Judgement,
    time::Timestamp,
};

/// Commands by which someone found something out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Commands {
    /// They were seen to run.
    Seen(Vec<String>),
    /// They are said to have been run, by someone who tells of no tool.
    Claimed(Vec<String>),
}

impl Default for Commands {
    fn default() -> Self {
        Self::Claimed(Vec::new())
    }
}

impl Commands {
    /// The commands, on whoever's word.
    pub fn list(&self) -> &[String] {
        match self {
            Self::Seen(list) | Self::Claimed(list) => list,
        }
    }

    /// The word for how they are known.
    pub const fn how(&self) -> &'static str {
        match self {
            Self::Seen(_) => "seen",
            Self::Claimed(_) => "claimed",
        }
    }
}

/// What was seen of a verification, beside what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationSeen {
    /// The commands of the verifier.
    pub commands: Commands,
    /// Each criterion with its result, as the verifier tells it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
    /// What kinds of failures the verifier says that they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<FailureCategory>,
    /// The files that the phase had changed by then, without its plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

/// What a judge says who has seen what the verifier found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    /// Whether the two agree on the whole.
    pub agrees: bool,
    /// What the verifier did not see.
    pub missed: Vec<String>,
    /// Where they agree and where they differ.
    pub divergence: Vec<String>,
}

/// A check that a return, or a phase, does not hold to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breached {
    /// The number of the check.
    pub check: String,
    /// Its name.
    pub name: String,
    /// What is wrong.
    pub what: String,
    /// The step that it was seen at.
    pub step: String,
    /// What follows.
    pub then: Then,
}

/// What follows from a check that is not held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The return does not count; it is asked for again.
    Again,
    /// The return does not count, and that was the last time.
    Failed,
    /// It is told.
    Warned,
    /// It is written down.
    Noted,
}

/// One row of a rater's scorecard, as it counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoredRow {
    /// The criterion.
    pub criterion: String,
    /// Its score from 0 to 10.
    pub score: f64,
    /// What shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// Why this score.
    pub justification: String,
}

/// A verifier's word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verified {
    /// Whether everything holds.
    pub pass: bool,
    /// What does not.
    pub failures: Vec<String>,
    /// What could not be told by reading.
    #[serde(default)]
    pub unproven: Vec<String>,
    /// What was seen of it.
    pub seen: VerificationSeen,
    /// When it came.
    #[serde(default)]
    pub at: Timestamp,
}

/// What is known of the reviews of the work as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reviews {
    /// The verifier's word.
    pub verified: Option<Verified>,
    /// The judge's report, from before it saw that.
    pub report: Option<Judgement>,
    /// What the judge said when it did.
    pub compared: Option<Compared>,
    /// Whether there is a judge's last word.
    pub judged: bool,
    /// Whether a rater has scored it.
    pub rated: bool,
    /// The rows of its scorecard.
    #[serde(default)]
    pub scorecard: Vec<ScoredRow>,
    /// Returns that did not count.
    pub refused: Vec<Breached>,
}

impl Reviews {
    /// Changes what is known by a fact about the phase.
    pub(super) fn apply(&mut self, fact: &PhaseFact, at: Timestamp) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is about a review")]
        match fact {
            PhaseFact::Verified { pass, failures, unproven, seen } => {
                let (pass, failures, unproven) = (*pass, failures.clone(), unproven.clone());
                self.verified = Some(Verified { pass, failures, unproven, seen: seen.clone(), at });
            }
            PhaseFact::Opined { report, .. } => self.report = Some(report.clone()),
            PhaseFact::Judged { compared, .. } => {
                self.judged = true;
                self.compared.clone_from(compared);
            }
            PhaseFact::Rated { rows, .. } => {
                self.rated = true;
                self.scorecard.clone_from(rows);
            }
            PhaseFact::Breached(breached) if breached.then == Then::Again => {
                self.refused.push(breached.clone());
            }
            // Other work was put before someone, who does not answer for this one.
            PhaseFact::Calibrated { .. } => self.refused.clear(),
            // What was said of other work says nothing about this one.
            PhaseFact::PlanStands { .. }
            | PhaseFact::TaskDone { .. }
            | PhaseFact::Repaired { .. }
            | PhaseFact::SentBack { to: SentBack::Replan, .. } => *self = Self::default(),
            _ => {}
        }
    }

    /// How often a return of a step did not count: because of one check, and because of any.
    pub(super) fn times(&self, step: &str, check: &str) -> (u32, u32) {
        let of_step = self.refused.iter().filter(|refused| refused.step == step);
        let of_check = of_step.clone().filter(|refused| refused.check == check);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        (number(of_check.count()), number(of_step.count()))
    }
}
