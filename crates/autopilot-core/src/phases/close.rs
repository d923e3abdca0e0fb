//! How a phase ended, and on whose word.

use serde::{Deserialize, Serialize};

use crate::{
    evidence::{CheckKind, Entry, Standing, Waiver},
    id::CommitId,
    input::Request,
    phases::Active,
    policy::HumanVerdict,
    returns::Score,
    roadmap::PhaseId,
    time::Timestamp,
};

/// How a phase ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Close {
    /// It is complete and on the run branch.
    Completed {
        /// Its score.
        score: Score,
        /// The commit of the run branch that holds it.
        commit: CommitId,
        /// Whether the score stayed below what was asked for.
        below_pass: bool,
        /// Whether it is the last of so many scores that are alike that it should not be believed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        suspect: bool,
        /// The checks that do not hold and that a person has waived.
        waived: Vec<Waived>,
        /// What of its criteria held before anything was done, and so proves nothing new.
        held: Held,
        /// What a person must still look at, or has.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        awaits: Vec<Awaited>,
        /// Whether its mark in the roadmap waits for a person's word.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unmarked: bool,
    },
    /// It failed; its work is not on the run branch.
    Failed {
        /// Why.
        why: String,
        /// The branch its work is kept on, where there is any.
        branch: Option<String>,
    },
    /// It was never begun because a phase it depends on failed.
    Blocked {
        /// That phase.
        by: PhaseId,
    },
}

/// Something in a completed phase that only a person can confirm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Awaited {
    /// The task that says so.
    pub task: String,
    /// What they are asked.
    pub question: String,
    /// Why the verifier could not settle it.
    pub evidence: Vec<String>,
    /// What they said.
    pub verdict: Option<Verdict>,
    /// When they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<Timestamp>,
}

impl Awaited {
    /// Whether a person has looked and found no fault.
    pub fn is_fine(&self) -> bool {
        self.verdict.as_ref().is_some_and(|said| said.verdict == HumanVerdict::Pass)
    }

    /// What a person found wrong, where they have looked and did.
    pub fn fault(&self) -> Option<String> {
        let said = self.verdict.as_ref().filter(|said| said.verdict != HumanVerdict::Pass)?;
        let what = if said.message.trim().is_empty() { "no reason given" } else { &said.message };
        Some(format!("a person refused task {}: {what}", self.task))
    }
}

/// What a person said when they looked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Whether it is good.
    pub verdict: HumanVerdict,
    /// Who said so.
    pub by: String,
    /// What else they said.
    pub message: String,
}

/// An edit of a protected file that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// The file.
    pub path: String,
    /// What stands there.
    pub content: String,
    /// Whose word it is.
    pub by: AcceptedBy,
}

/// On whose word an edit of a protected file counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AcceptedBy {
    /// A rule: the edit overrules nothing that was there.
    Rule(String),
    /// A person, who may let it overrule what was there.
    Person(String),
}

impl Accepted {
    /// Whether a person said so.
    pub const fn is_granted(&self) -> bool {
        matches!(self.by, AcceptedBy::Person(_))
    }

    /// Whether it is about this very edit.
    pub(super) fn is_for(&self, request: &Request) -> bool {
        self.path == request.edit.path && self.content == request.content
    }
}

/// Criteria of a completed phase that prove less than others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// Those that held before anything was done.
    pub criteria: Vec<String>,
    /// Of how many.
    pub of: usize,
    /// The guards that did not hold before and do not now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub red_guards: Vec<String>,
    /// Those that run tests of which nobody knows how many: they hold by their exit code alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncounted: Vec<String>,
}

/// A check that a phase was completed without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waived {
    /// The check's name.
    pub check: String,
    /// The person's word.
    pub waiver: Waiver,
}

impl Active {
    /// How much of what must hold held before.
    pub(super) fn held(&self) -> Held {
        let criteria = self.settled.iter().filter(|entry| entry.kind == CheckKind::Criterion);
        let held = criteria.clone().filter(|entry| entry.standing == Standing::Held);
        let uncounted = criteria.clone().filter(|entry| self.is_uncounted(&entry.name));
        let named = |entry: &Entry| entry.name.clone();
        let red = |entry: &&Entry| {
            entry.kind == CheckKind::Guard && matches!(entry.standing, Standing::Open(_))
        };
        Held {
            red_guards: self.settled.iter().filter(red).map(named).collect(),
            criteria: held.map(named).collect(),
            uncounted: uncounted.map(named).collect(),
            of: criteria.count(),
        }
    }

    /// Whether a check passed that runs tests of which nobody knows how many.
    fn is_uncounted(&self, name: &str) -> bool {
        self.checked.iter().any(|result| {
            result.name == name && result.verdict.is_passed() && result.is_uncounted()
        })
    }

    /// The checks that do not hold and that a person has waived.
    pub(super) fn waived(&self) -> Vec<Waived> {
        let waived = |entry: &Entry| {
            let waiver = entry.waived.clone()?;
            Some(Waived { check: entry.name.clone(), waiver })
        };
        self.settled.iter().filter_map(waived).collect()
    }
}
