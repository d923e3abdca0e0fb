//! What the world tells the core: outcomes, answers, the time, a person's word.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    budget::{Limits, Spend},
    evidence::{Canary, CheckResult, Place, protect::Edit},
    id::{CommitId, GateId, Key},
    phases::{Accepted, AcceptedBy},
    returns::Return,
    roadmap::Plan,
    time::Timestamp,
};

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The time, by the clock of whoever drives the run.
    pub now: Timestamp,
    /// What happened.
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// An owed effect is about to be performed.
    Starting(Key),
    /// An effect has ended.
    Ended {
        /// The key it was started with.
        key: Key,
        /// How it ended.
        outcome: Outcome,
        /// What it cost.
        spent: Spend,
    },
    /// A person has answered a question, asked or yet to be asked.
    Answered {
        /// The question.
        gate: GateId,
        /// The answer.
        answer: Answer,
    },
    /// Something that an attempt left is not kept, or not as it was.
    LeftOut(LeftOut),
    /// A step has ended and left processes behind.
    Strays(Strays),
    /// A step has tried what it may not.
    Denied(Denied),
    /// The journal was not as its last writer should have left it.
    Repaired(Repair),
    /// A driver is about to run commands, in these surroundings.
    Environment(Environment),
    /// A person wants failed phases to be tried again.
    Retry,
    /// Time has passed.
    Tick,
    /// A person wants the run to stop.
    Stop,
    /// A driver has taken the run up again and looked at what is really there.
    Resumed {
        /// What was found for each effect that was started and never ended.
        observed: Vec<Observed>,
        /// The limits from now on.
        limits: Limits,
    },
}

/// How an effect ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nothing has moved, or what has.
    Preflight {
        /// What stands against going on.
        issues: Vec<String>,
    },
    /// The agent returned.
    Agent(Box<AgentReport>),
    /// The commands ran.
    Checked(Vec<CheckResult>),
    /// The work was broken, and this is what the checks did.
    Canaries(Vec<Canary>),
    /// The work was broken for someone to see, where something of it can be broken so that a check notices.
    Seeded(Option<Seed>),
    /// The commit was made.
    Committed(CommitId),
    /// The run branch stands at this commit.
    Integrated(CommitId),
    /// The rejected work stands on a branch of its own.
    Rejected {
        /// The branch.
        branch: String,
    },
    /// The agent came to the end of what it can remember.
    Exhausted {
        /// What it left, where the role writes.
        work: Option<Box<Work>>,
        /// What is known of it.
        why: String,
    },
    /// It did not work.
    Failed(Failure),
    /// Whoever performed it is gone.
    Lost,
    /// It was stopped on a person's word.
    Interrupted,
}

/// What an agent returned, and what was really seen of it.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentReport {
    /// Its return.
    pub returned: Return,
    /// What its workspace held afterwards, where the role writes.
    pub work: Option<Work>,
    /// The plan in that workspace, where the role plans.
    pub plan: Option<Plan>,
    /// The model it says it is.
    pub model: Option<String>,
    /// What was seen of it beside that.
    pub seen: Sighting,
}

/// What was seen of an agent, beside what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sighting {
    /// The commands that it was seen to run; nothing where it tells of no tool at all.
    pub commands: Option<Vec<String>>,
    /// The lines of files that its return names and that are there.
    pub places: Vec<Place>,
    /// The files that the work before it changes, for roles that see a diff.
    pub changed: Vec<String>,
    /// How long it took.
    pub ms: u64,
}

/// In what surroundings commands run. What variables hold may be secret, so only their hash is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// SHA-256 of the system and of every variable that a command gets.
    pub sha256: String,
    /// The system and its processor.
    pub system: String,
    /// This program and its version.
    pub program: String,
    /// The SHA-256 of each prompt template that is the person's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, String>,
    /// What stands between commands and the machine, and how it is enforced.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub enforced: BTreeMap<String, String>,
    /// What does not, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_enforced: BTreeMap<String, String>,
}

/// Work that is known to be broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// The commit that holds it.
    pub commit: CommitId,
    /// What was broken, and where.
    pub what: String,
}

/// What an attempt left behind, kept as a commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The commit that holds every file it left.
    pub commit: CommitId,
    /// Whether it differs from what the attempt was given.
    pub changed: bool,
    /// Its edits of files by which it is judged.
    pub requests: Vec<Request>,
    /// Whether whoever made it says that it is done.
    #[serde(default)]
    pub said_done: bool,
    /// Whether it is a larger change than the one that it was to repair.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grew: bool,
    /// New files in it that nothing refers to, and that do not stand by themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orphans: Vec<String>,
}

/// An edit of a file by which the work is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What it does.
    pub edit: Edit,
    /// What stands there now, so that an acceptance counts for this content alone.
    pub content: String,
}

impl Request {
    /// The word that this edit counts.
    pub(crate) fn accepted(&self, by: AcceptedBy) -> Accepted {
        Accepted { path: self.edit.path.clone(), content: self.content.clone(), by }
    }
}

/// Files of an attempt that are not kept, or not as they were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The attempt.
    pub key: Key,
    /// What became of them.
    pub fate: Fate,
    /// How many files.
    pub files: u64,
    /// How many bytes they have, as far as that is known.
    pub bytes: u64,
    /// The path of the first of them, or of the directory that they are in.
    pub first: String,
}

/// What became of files that are not kept as they were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fate {
    /// They are in no commit; their workspace stays on disk until a person says that it can go.
    OnDisk {
        /// The directory that they are in.
        place: String,
    },
    /// They are in no commit and go with their workspace: a tool can make them again.
    Rebuildable,
    /// They are kept, but are not part of the work.
    OnlyKept,
}

/// Processes that a step left behind, and that were ended for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strays {
    /// The attempt that started them.
    pub key: Key,
    /// How many were found and killed.
    pub count: u32,
    /// The names of the first few, as they call themselves.
    pub names: Vec<String>,
    /// Whether somebody still held an output of the step open after all of these were gone.
    pub leaky: bool,
}

/// What a step has tried although it may not, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Denied {
    /// The attempt that tried it.
    pub key: Key,
    /// What was printed about it, or which bound was reached.
    pub tried: Vec<String>,
}

/// What was done about a journal before a run could be taken up from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Repair {
    /// Its end was no whole append and was cut off.
    TornTail {
        /// How many bytes were cut off.
        bytes: u64,
        /// The file that holds them now.
        kept: String,
    },
    /// Its snapshot could not be used, so every record was read.
    SnapshotIgnored {
        /// Why not; reads on after "the snapshot".
        why: String,
    },
}

/// Why an effect did not work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The kind of failure.
    pub class: FailureClass,
    /// What is known about it, for people.
    pub detail: String,
}

/// The kinds of failure. What follows from each is decided in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureClass {
    /// The agent is not signed in.
    Auth,
    /// The agent's program cannot be started.
    Unavailable,
    /// The account's usage limit is reached.
    Limit {
        /// When it is said to end.
        until: Option<Timestamp>,
    },
    /// The service is overloaded.
    Overloaded,
    /// The conversation outgrew the model's context.
    Context,
    /// The model refused.
    Refused,
    /// The agent ended by itself without a return.
    Crashed,
    /// The agent took longer than it may.
    Timeout,
    /// The agent was silent for longer than it may be.
    Stalled,
    /// What it returned cannot be used.
    Malformed,
    /// The engine could not do its part: git, disk, workspace.
    Engine,
}

impl FailureClass {
    /// The name people see.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Unavailable => "unavailable",
            Self::Limit { .. } => "limit",
            Self::Overloaded => "overloaded",
            Self::Context => "context",
            Self::Refused => "refused",
            Self::Crashed => "crashed",
            Self::Timeout => "timeout",
            Self::Stalled => "stalled",
            Self::Malformed => "malformed",
            Self::Engine => "engine",
        }
    }
}

/// A person's answer to a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Whether they approve.
    pub approved: bool,
    /// What they said with it.
    pub message: String,
    /// Who they are.
    pub by: String,
    /// Until when it counts, where it does not count for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// What was found, on taking a run up again, of an effect that was started and never ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The effect.
    pub key: Key,
    /// What it is known to have cost until it was cut off.
    pub spent: Spend,
    /// Its outcome, where the world shows that it was reached.
    pub outcome: Option<Outcome>,
}
