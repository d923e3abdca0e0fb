//! What is known of a phase before anybody is asked, and what is wanted of the talk.

use serde::{Deserialize, Serialize};

use crate::{
    phases::PhaseSpec,
    policy::{Category, Coverage, Dependencies, PhaseContext},
};

/// What a person is asked before the first phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TalkWish {
    /// What phases lack.
    pub map: bool,
    /// How they want what could be made in more than one way.
    pub discuss: bool,
    /// Whether the run is over when that is answered.
    pub only: bool,
}

impl TalkWish {
    /// Whether anything is asked.
    pub const fn is_any(self) -> bool {
        self.map || self.discuss
    }
}

/// What is known of a phase when a run begins, beside what the roadmap says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Known {
    /// How much requirements say about it.
    pub requirements: Coverage,
    /// How much the project's document says about it.
    pub documents: Coverage,
    /// What it waits for.
    pub dependencies: Dependencies,
    /// Its `CONTEXT.md`.
    pub context_md: Option<String>,
    /// What a person answered in earlier discussions.
    pub discussed: Vec<Told>,
    /// What a person answered to earlier maps.
    pub mapped: Vec<Told>,
}

/// A question of an earlier run, and what a person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The question.
    pub question: String,
    /// What it is about.
    #[serde(default)]
    pub category: String,
    /// The answer.
    pub answer: String,
}

/// Something that a person has decided, and where they did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// The file that holds it.
    pub source: String,
    /// What it says.
    pub text: String,
}

impl Known {
    /// What is known of a phase, for the score.
    pub fn context(&self, spec: &PhaseSpec) -> PhaseContext {
        PhaseContext {
            goal: spec.goal.clone(),
            criteria: spec.criteria.len(),
            with_command: spec.criteria.iter().filter(|one| one.command.is_some()).count(),
            requirements: self.requirements,
            documents: self.documents,
            dependencies: self.dependencies,
        }
    }

    /// What the answers to earlier maps are about.
    pub fn answered(&self) -> Vec<Category> {
        self.mapped.iter().map(|told| Category::named(&told.category)).collect()
    }

    /// Whether a person has said anything about the phase already.
    pub fn has_a_word(&self) -> bool {
        self.context_md.is_some() || !self.discussed.is_empty() || !self.mapped.is_empty()
    }
}
