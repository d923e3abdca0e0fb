//! The documents that say what is to be done. They must not change under a run.

use serde::{Deserialize, Serialize};

use crate::run::Run;

/// A document as it was when the run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Where it is, below the project's root.
    pub path: String,
    /// SHA-256 of what was in it.
    pub sha256: String,
}

/// A document, and what may be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// Where it is, below the project's root.
    pub path: String,
    /// SHA-256 of what was in it when the run began, and of whatever a person has accepted since.
    pub sha256: Vec<String>,
}

impl Frozen {
    /// Whether a content may be in it.
    pub fn allows(&self, sha256: &str) -> bool {
        self.sha256.iter().any(|known| known == sha256)
    }
}

impl Run {
    /// Every document that is frozen: the roadmap, and what it is a plan for where that is another one.
    pub fn frozen(&self) -> Vec<Frozen> {
        let accepted = self.answers.iter().filter(|(_, answer)| answer.approved);
        let accepted: Vec<&str> = accepted.filter_map(|(gate, _)| gate.as_spec()).collect();
        let frozen = |path: &str, sha256: &str| {
            let all = std::iter::once(sha256).chain(accepted.iter().copied());
            Frozen { path: path.to_owned(), sha256: all.map(str::to_owned).collect() }
        };
        let roadmap = frozen(&self.given.roadmap, &self.given.spec_sha256);
        let rest = self.given.requirements.iter().map(|given| frozen(&given.path, &given.sha256));
        std::iter::once(roadmap).chain(rest).collect()
    }
}
