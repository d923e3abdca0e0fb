//! What an issue owes to the world beside what phases owe, and what comes of it.

use std::collections::BTreeMap;

use crate::{
    effect::{CheckTask, Paper},
    evidence::CheckResult,
    id::CommitId,
    time::Timestamp,
};

/// Look at what a commit holds. Nothing of it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct SurveyTask {
    /// The commit.
    pub commit: CommitId,
    /// The last commit of the issue that stands: what of the engine's own files differs from it was touched.
    pub tip: CommitId,
    /// The commit that changes are told against.
    pub since: CommitId,
    /// Edits of files that the commit is judged by, which count all the same.
    pub accepted: Vec<String>,
    /// Files that are nobody's to change.
    pub owned: Vec<String>,
    /// The files whose texts, one after the other, are the anchor.
    pub anchor: Vec<String>,
    /// The files whose texts are wanted.
    pub documents: Vec<String>,
    /// The audit log, where it is to be read.
    pub log: Option<String>,
    /// The names of criteria that are looked for in tests.
    pub tags: Vec<String>,
    /// Whether the change since then is wanted as text.
    pub show: bool,
}

/// What a commit holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// The fingerprint of the anchor; nothing where one of its files is missing or empty.
    pub anchor: Option<String>,
    /// The texts that were asked for, of the files that are there.
    pub documents: BTreeMap<String, String>,
    /// The audit log, where it was to be read and is there.
    pub log: LogSeen,
    /// Files that are nobody's to change and differ.
    pub touched: Vec<String>,
    /// The files that changed.
    pub changed: Vec<String>,
    /// Those of them that are tests.
    pub tests: Vec<String>,
    /// SHA-256 of what the tests are; nothing where there are none.
    pub tests_sha256: Option<String>,
    /// The files that carry each name that was looked for.
    pub tags: BTreeMap<String, Vec<String>>,
    /// How much changed in each file, and the change itself, where it was asked for.
    pub diff: String,
}

/// What stands in an audit log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogSeen {
    /// How many lines.
    pub lines: u64,
    /// The fingerprints of each step's failures, in order.
    pub failures: BTreeMap<String, Vec<String>>,
    /// Why it cannot be trusted, if it cannot.
    pub corrupt: Option<String>,
}

/// Run checks to see which tests fail.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialTask {
    /// The checks, and where they run.
    pub check: CheckTask,
    /// How often each is run.
    pub runs: u32,
}

/// What came of one run of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The result.
    pub result: CheckResult,
    /// The names of the tests that failed, where they are told.
    pub failing: Vec<String>,
}

/// A work, and what of it a commit takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The commit that holds every file of it.
    pub work: CommitId,
    /// The commit by whose files it is judged: edits of these do not count.
    pub judged_by: CommitId,
    /// Those that count all the same.
    pub accepted: Vec<String>,
    /// Which of its files.
    pub share: Share,
}

/// Which files of a work a commit takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Share {
    /// These alone.
    Only(Vec<String>),
    /// Tests that differ from the first commit that it follows.
    Tests,
    /// All but these.
    AllBut(Vec<String>),
}

/// Make a commit that follows others.
#[derive(Clone, Debug, PartialEq)]
pub struct SaveTask {
    /// The commits it follows; its files are those of the first, unless they come from elsewhere.
    pub parents: Vec<CommitId>,
    /// A work, and what of it is taken.
    pub taken: Option<Taken>,
    /// Files of the engine's own, whatever stands there.
    pub papers: Vec<Paper>,
    /// Lines that are put behind what stands in a file of the engine's own.
    pub appended: Vec<Paper>,
    /// The message.
    pub message: String,
    /// The date, so that making it again gives the same commit.
    pub date: Timestamp,
}
