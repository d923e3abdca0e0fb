//! What a run about an issue is given.

use serde::{Deserialize, Serialize};

use crate::{evidence::Criterion, id::AgentName, issue::Route};

/// An issue, and how it is worked on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueSpec {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// What it says, where the requirements are to be made from it.
    pub text: String,
    /// The directory of its documents, below the project's root: `docs/issues/42-greet`.
    pub directory: String,
    /// The way it takes.
    pub route: Route,
    /// The command that runs the acceptance tests.
    pub acceptance: Criterion,
    /// How often a test that sometimes fails is run.
    #[serde(default = "one")]
    pub runs: u32,
    /// How often each step may be tried.
    #[serde(default)]
    pub tries: StepTries,
    /// Who implements once the usual agent did not converge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strong: Option<AgentName>,
    /// Whether it looks as if the short way would do, which a person is asked about once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_express: bool,
    /// Whether it comes from a queue that a person curates, so that nobody is asked at the gates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub handed_off: bool,
    /// Where a test that is put aside is followed up; without it none may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracking: Option<String>,
    /// Whether fingerprints are as coarse as the ancestor's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub coarse: bool,
}

const fn one() -> u32 {
    1
}

/// How often each step may be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StepTries {
    /// Stories, and looking for the cause.
    pub stories: u32,
    /// Plan and acceptance tests.
    pub plan: u32,
    /// The work itself.
    pub work: u32,
}

impl Default for StepTries {
    fn default() -> Self {
        Self { stories: 4, plan: 4, work: 8 }
    }
}

impl IssueSpec {
    /// A file of the issue.
    pub fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.directory)
    }

    /// The audit log.
    pub fn log(&self) -> String {
        self.path("autopilot-log.jsonl")
    }

    /// The evidence that tests were seen red.
    pub fn evidence(&self) -> String {
        self.path("red.jsonl")
    }

    /// The requirements.
    pub fn requirements(&self) -> String {
        self.path("prd.md")
    }

    /// The document beside the requirements that a person approves before the work.
    pub fn design(&self) -> String {
        match self.route {
            Route::Bugfix | Route::Flaky => self.path("cause.md"),
            Route::Full | Route::Express => self.path("user-stories.md"),
        }
    }

    /// The name that a test for a bug carries.
    pub fn tag(&self) -> String {
        format!("ISSUE-{}", self.number)
    }
}
