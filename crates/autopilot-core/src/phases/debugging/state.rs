//! What is known of a debug session, and how facts change it.

use serde::{Deserialize, Serialize};

use super::DebugStage;
use crate::{
    evidence::{CheckResult, Criterion},
    id::CommitId,
    phases::Accepted,
    policy::FailureCategory,
    returns::{Disproved, Focus, Observation, Solution, Symptoms},
    time::Timestamp,
};

/// What a debug session is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DebugSpec {
    /// Its name, which is safe in a path.
    pub slug: String,
    /// What the person said.
    pub trigger: String,
    /// What they told of the fault. What they left open, the first round fills in.
    pub symptoms: Symptoms,
    /// Whether that is all there is to be told.
    pub prefilled: bool,
    /// What is known besides, from facts.
    pub known: Vec<Observation>,
    /// What it is to come to.
    pub goal: DebugGoal,
    /// The command that shows the fault, where there is one.
    pub reproduction: Option<Criterion>,
}

/// What a debug session is to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DebugGoal {
    /// The cause, and its repair.
    FindAndFix,
    /// The cause.
    FindRootCauseOnly,
}

/// How a debug session came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DebugEnd {
    /// The cause is known.
    Diagnosed,
    /// The fault is repaired.
    Resolved,
}

/// Something that was noted, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noted<T> {
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: T,
}

/// A debug session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DebugSession {
    /// What it was given.
    pub spec: DebugSpec,
    /// What is done now.
    pub stage: DebugStage,
    /// Since when.
    pub entered_at: Timestamp,
    /// When it began.
    pub created_at: Timestamp,
    /// When something of it was noted last.
    pub updated_at: Timestamp,
    /// What was noticed before anybody looked for the cause.
    pub symptoms: Symptoms,
    /// Whether that is all: from then on it does not change any more.
    pub is_gathered: bool,
    /// What is being looked at, and what comes next.
    pub focus: Focus,
    /// Theories that were wrong.
    pub eliminated: Vec<Noted<Disproved>>,
    /// What was found out.
    pub evidence: Vec<Noted<Observation>>,
    /// What is known of the cause and its repair.
    pub resolution: Solution,
    /// What the checks say before anything is changed.
    pub baseline: Vec<CheckResult>,
    /// The edits of protected files that count in the repair at hand.
    pub accepted: Vec<Accepted>,
    /// What the last debugger who changed anything left; the next one goes on with it.
    pub left: Option<CommitId>,
    /// How many rounds there were since a person last let it go on.
    pub rounds: u32,
    /// How many repairs did not hold since then.
    pub fixes: u32,
    /// How often a person was asked.
    pub checkpoints: u32,
}

/// What happened in a debug session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DebugFact {
    /// It came to a stage.
    Entered(DebugStage),
    /// What must hold was run before anything was changed.
    Baseline {
        /// What came of it.
        results: Vec<CheckResult>,
    },
    /// What was noticed is all told.
    Gathered(Symptoms),
    /// A round has ended.
    Round {
        /// What comes next.
        focus: Focus,
        /// Theories that it disproved.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        eliminated: Vec<Disproved>,
        /// What it found out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        evidence: Vec<Observation>,
        /// What is known of the cause and its repair.
        resolution: Solution,
        /// What it left, where it changed anything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<CommitId>,
    },
    /// The engine saw something, or a person said it.
    Seen(Observation),
    /// Edits of protected files in a repair that count.
    Accepted {
        /// Them.
        accepted: Vec<Accepted>,
    },
    /// A repair does not hold.
    Unfixed,
    /// A repair holds.
    Verified {
        /// How that was seen.
        how: String,
    },
}

impl DebugSession {
    pub(crate) fn begin(spec: &DebugSpec, at: Timestamp) -> Self {
        let next = if spec.prefilled { "begin investigation" } else { "gather symptoms" };
        Self {
            spec: spec.clone(),
            stage: DebugStage::Base,
            entered_at: at,
            created_at: at,
            updated_at: at,
            symptoms: spec.symptoms.clone(),
            is_gathered: spec.prefilled,
            focus: Focus { next_action: next.to_owned(), ..Focus::default() },
            eliminated: Vec::new(),
            evidence: spec.known.iter().cloned().map(|what| Noted { at, what }).collect(),
            resolution: Solution::default(),
            baseline: Vec::new(),
            accepted: Vec::new(),
            left: None,
            rounds: 0,
            fixes: 0,
            checkpoints: 0,
        }
    }

    pub(crate) fn apply(&mut self, fact: &DebugFact, at: Timestamp) {
        self.updated_at = at;
        match fact {
            DebugFact::Entered(stage) => {
                self.checkpoints += u32::from(*stage == DebugStage::Checkpoint);
                self.stage = stage.clone();
                self.entered_at = at;
            }
            DebugFact::Baseline { results } => self.baseline.clone_from(results),
            // What was gathered once is never written again.
            DebugFact::Gathered(_) if self.is_gathered => {}
            DebugFact::Gathered(symptoms) => {
                self.symptoms.clone_from(symptoms);
                self.is_gathered = true;
            }
            DebugFact::Round { focus, eliminated, evidence, resolution, left } => {
                self.rounds += 1;
                self.focus.clone_from(focus);
                let noted = eliminated.iter().cloned();
                self.eliminated.extend(noted.map(|what| Noted { at, what }));
                let noted = evidence.iter().cloned();
                self.evidence.extend(noted.map(|what| Noted { at, what }));
                self.resolution.clone_from(resolution);
                self.left = left.clone().or(self.left.take());
            }
            DebugFact::Seen(seen) => self.evidence.push(Noted { at, what: seen.clone() }),
            DebugFact::Accepted { accepted } => self.accepted.clone_from(accepted),
            DebugFact::Unfixed => self.fixes += 1,
            DebugFact::Verified { how } => self.resolution.verification.clone_from(how),
        }
    }

    /// A person lets it go on.
    pub(crate) const fn resumed(&mut self) {
        self.rounds = 0;
        self.fixes = 0;
    }

    /// How it ended, once it has.
    pub const fn end(&self) -> Option<DebugEnd> {
        match &self.stage {
            DebugStage::Over(end, _) => Some(*end),
            DebugStage::Base
            | DebugStage::Investigate
            | DebugStage::Check(_)
            | DebugStage::Checkpoint
            | DebugStage::Commit(_)
            | DebugStage::File(..)
            | DebugStage::Integrate(..) => None,
        }
    }

    /// Where it stands, in the word of its file.
    pub const fn status(&self) -> &'static str {
        match &self.stage {
            DebugStage::Check(_) | DebugStage::Commit(_) => "verifying",
            DebugStage::File(end, _) | DebugStage::Integrate(end, _) | DebugStage::Over(end, _) => {
                match end {
                    DebugEnd::Diagnosed => "diagnosed",
                    DebugEnd::Resolved => "resolved",
                }
            }
            DebugStage::Base | DebugStage::Investigate | DebugStage::Checkpoint => {
                if !self.is_gathered {
                    "gathering"
                } else if self.resolution.root_cause.is_empty() || self.fixes > 0 {
                    "investigating"
                } else {
                    "fixing"
                }
            }
        }
    }

    /// The kind of failure that was found, where it is one that is known.
    pub fn category(&self) -> Option<FailureCategory> {
        FailureCategory::named(&self.resolution.failure_category)
    }
}
