//! The document: every field of a certificate.

use serde::{Deserialize, Serialize};

use super::Hand;
use crate::{
    budget::Spend,
    evidence::{
        Bite, CheckKind, CheckResult, Criterion, Standing, Verdict, Waiver, counts::Counts,
        protect::Protection,
    },
    id::{CommitId, GateId, RunId},
    input::Environment,
    phases::Accepted,
    returns::{Recommendation, Score},
    roadmap::PhaseId,
    time::Timestamp,
};

/// The version of certificates that this program writes and reads.
pub const VERSION: u32 = 1;

/// What is certified of a finished phase. Everything in it stands in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The version of this document.
    pub v: u32,
    /// The run.
    pub run: RunId,
    /// The phase.
    pub phase: CertifiedPhase,
    /// Where the work stands in git.
    pub commits: Commits,
    /// What the work is for.
    pub spec: Specification,
    /// What must hold, as the roadmap gives it; also what no command decides.
    pub criteria: Vec<Criterion>,
    /// What reviewers judged by reading, of the roadmap and of the plan. Nobody observed it.
    pub judged: Vec<String>,
    /// What was run, on the base and on the work.
    pub checks: Vec<Certified>,
    /// By what the work was judged.
    pub rules: Rules,
    /// In what surroundings commands ran.
    pub environments: Vec<Environment>,
    /// What those who judge said.
    pub reviews: Reviews,
    /// Who produced and who checked it.
    pub agents: Vec<Hand>,
    /// What people said about it.
    pub people: Vec<Spoken>,
    /// What it cost.
    pub spent: Spend,
    /// When it began.
    pub began_at: Timestamp,
    /// When it was complete.
    pub closed_at: Timestamp,
    /// The record that completed it.
    pub journal: Position,
}

/// A finished phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedPhase {
    /// Its id.
    pub id: PhaseId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub goal: String,
    /// The directory of its documents, below the project's root.
    pub directory: String,
}

/// Where the work of a phase stands in git, each commit after the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commits {
    /// Where the run started; its roadmap is the specification.
    pub start: CommitId,
    /// Where the run branch was when the phase began.
    pub base: CommitId,
    /// The commit with the plan, where there is one.
    pub plan: Option<CommitId>,
    /// The work that was checked.
    pub checked: CommitId,
    /// Where the run branch was when the phase was complete: the work, with the phase marked in the roadmap.
    pub head: CommitId,
}

/// What the work is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Specification {
    /// The roadmap, below the project's root.
    pub path: String,
    /// SHA-256 of the roadmap.
    pub sha256: String,
    /// Whether the commit where the run started has it like this.
    pub committed: bool,
}

/// A command, and what was seen of it on the base and on the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certified {
    /// The check's name.
    pub name: String,
    /// What it is there for.
    pub kind: CheckKind,
    /// What must hold.
    pub criterion: Criterion,
    /// The words that were started.
    pub argv: Vec<String>,
    /// What follows from both results.
    pub standing: Standing,
    /// A person's word that it need not hold.
    pub waived: Option<Waiver>,
    /// Whether it went red with the work broken, where that was tried.
    pub bite: Option<Bite>,
    /// What was seen on the base, where it was run there.
    pub base: Option<Seen>,
    /// What was seen on the work.
    pub result: Seen,
}

/// What was seen of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// What that proves.
    pub verdict: Verdict,
    /// Its exit code, where it ended by itself.
    pub exit_code: Option<i32>,
    /// How many tests it ran, where it tells.
    pub counts: Option<Counts>,
    /// SHA-256 of what was looked at of its output.
    pub output_sha256: String,
    /// SHA-256 of the surroundings it ran in.
    pub environment: Option<String>,
}

/// By what the work was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// What makes a checkout ready for the commands.
    pub prepare: Option<String>,
    /// How long a criterion's command may take.
    pub check_seconds: u64,
    /// How long a guard may take, and what makes a checkout ready.
    pub guard_seconds: u64,
    /// Which files decide.
    pub protection: Protection,
    /// Edits of such files that count.
    pub accepted: Vec<Accepted>,
}

/// What those who judge said last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reviews {
    /// Whether the verifier saw everything hold.
    pub verified: Option<bool>,
    /// What the verifier could not tell by reading.
    pub unproven: Vec<String>,
    /// What the judge wanted to happen.
    pub judged: Option<Recommendation>,
    /// What the judge did not like.
    pub concerns: Vec<String>,
    /// The score, in tenths of a point.
    pub score: Score,
    /// The score that was asked for.
    pub pass_score: Score,
}

/// What a person said about a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spoken {
    /// The question.
    pub gate: GateId,
    /// Who answered.
    pub by: String,
    /// Whether they approved.
    pub approved: bool,
}

/// What somebody had to do with a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// They made it.
    Produced,
    /// They looked at it.
    Checked,
}

/// A record of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Its number.
    pub sequence: u64,
    /// SHA-256 of the record as it lies on disk. It vouches for every record before it.
    pub sha256: String,
}

impl Certified {
    /// What was seen on the base, and on the work, as results of the check.
    pub fn results(&self) -> (Option<CheckResult>, CheckResult) {
        let result = |seen: &Seen| CheckResult {
            name: self.name.clone(),
            kind: self.kind,
            criterion: self.criterion.text.clone(),
            command: self.criterion.command.clone(),
            verdict: seen.verdict.clone(),
            exit_code: seen.exit_code,
            counts: seen.counts,
            ran: Vec::new(),
            output: String::new(),
            output_sha256: seen.output_sha256.clone(),
        };
        (self.base.as_ref().map(result), result(&self.result))
    }
}

impl Seen {
    /// What a result shows, in these surroundings.
    pub fn of(result: &CheckResult, environment: Option<&str>) -> Self {
        Self {
            verdict: result.verdict.clone(),
            exit_code: result.exit_code,
            counts: result.counts,
            output_sha256: result.output_sha256.clone(),
            environment: environment.map(str::to_owned),
        }
    }

    /// The first thing that must be the same whenever the command is run again, and is not.
    ///
    /// Outputs hold times and paths, so their hashes may differ; so may the words that say why something failed.
    pub fn differs_from(&self, again: &Self) -> Option<(&'static str, String, String)> {
        let word = |seen: &Self| match &seen.verdict {
            Verdict::Passed => "passed".to_owned(),
            Verdict::Failed(why) => format!("failed: {why}"),
            Verdict::Unproven(why) => format!("unproven: {why}"),
        };
        let code = |seen: &Self| {
            seen.exit_code.map_or_else(|| "no exit code".to_owned(), |code| code.to_string())
        };
        let counts = |seen: &Self| {
            seen.counts.map_or_else(|| "no counts".to_owned(), |counts| counts.to_string())
        };
        if std::mem::discriminant(&self.verdict) != std::mem::discriminant(&again.verdict) {
            Some(("verdict", word(self), word(again)))
        } else if self.exit_code != again.exit_code {
            Some(("exit_code", code(self), code(again)))
        } else if self.counts != again.counts {
            Some(("counts", counts(self), counts(again)))
        } else {
            None
        }
    }
}
