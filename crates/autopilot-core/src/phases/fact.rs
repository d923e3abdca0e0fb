//! What happened to a phase.

use serde::{Deserialize, Serialize};

use crate::{
    evidence::{Canary, CheckResult, Entry},
    id::CommitId,
    input::Request,
    phases::{
        Accepted, Breached, Close, Compared, Finding, PhaseSpec, ScoredRow, Shots, Stage, Verdict,
        VerificationSeen, VisualIssue,
    },
    policy::{Deficiency, FailureCategory, Stamp},
    returns::{Judgement, Recommendation, Research, Score, Standalone},
    roadmap::Task,
    role::Role,
};

/// What happened to a phase. Decisions are recorded, not what led to them alone: folding an old journal never
/// asks today's rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PhaseFact {
    /// It began on the run branch as it was then.
    Began {
        /// Where the run branch was.
        base: CommitId,
    },
    /// It came to a stage.
    Entered(Stage),
    /// Commands were run on the base.
    Baseline {
        /// What came of them; each replaces an earlier result of the same name.
        results: Vec<CheckResult>,
    },
    /// A work edits files by which it is judged.
    Requested {
        /// All of its edits; they replace those of the work before.
        requests: Vec<Request>,
        /// Those that count from now on.
        accepted: Vec<Accepted>,
    },
    /// Base and result were put side by side.
    Settled {
        /// What follows for each check.
        entries: Vec<Entry>,
    },
    /// Commands were run on the work.
    Checked {
        /// What came of them.
        results: Vec<CheckResult>,
    },
    /// The work was broken to see whether what is newly green goes red.
    Canaries {
        /// What each check did.
        canaries: Vec<Canary>,
    },
    /// What the researcher found.
    Researched(Research),
    /// A plan was read from the planner's work.
    Planned {
        /// Its tasks.
        tasks: Vec<Task>,
        /// What could be better about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Finding>,
    },
    /// Somebody looked at the plan.
    PlanChecked {
        /// Whether it can be carried out.
        pass: bool,
        /// How sure they are, from 1 to 10.
        confidence: f64,
    },
    /// The plan goes back to the planner.
    PlanSentBack {
        /// What is wrong with it.
        issues: Vec<String>,
    },
    /// The plan stands, in this commit.
    PlanStands {
        /// The commit.
        commit: CommitId,
    },
    /// A task is done, in this commit.
    TaskDone {
        /// Its place in the plan.
        task: usize,
        /// The commit that holds it.
        commit: CommitId,
    },
    /// A task could not be done; the phase goes on to see what else fails.
    TaskGivenUp {
        /// Its place in the plan.
        task: usize,
        /// Why.
        why: String,
        /// What kind of failure it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        category: Option<FailureCategory>,
    },
    /// A task is left to a person, after everything else.
    Deferred {
        /// Its place in the plan.
        task: usize,
    },
    /// The verifier is sure of what was left to a person.
    SettledAlone,
    /// The verifier is not sure of it, and says why.
    NeedsPerson {
        /// Why.
        evidence: Vec<String>,
    },
    /// A person has looked at what was left to them.
    Looked {
        /// The task.
        task: String,
        /// What they said.
        verdict: Verdict,
    },
    /// An agent came to the end of what it can remember; whoever goes on begins with what it left.
    HandedOff {
        /// The step.
        step: String,
        /// What is known of it.
        why: String,
        /// What it left, where it works on files and left anything.
        work: Option<CommitId>,
    },
    /// Someone has said of new files why nothing must refer to them.
    Justified {
        /// Each with its reason.
        files: Vec<Standalone>,
    },
    /// Someone said something that the engine saw to be untrue.
    Caught {
        /// Who.
        who: Role,
        /// What was said.
        claim: String,
        /// What was seen.
        seen: String,
    },
    /// Someone who judges was given work that is known to be broken.
    Calibrated {
        /// Who.
        role: Role,
        /// What was broken.
        what: String,
        /// Whether they objected.
        caught: bool,
    },
    /// Pictures of its pages were taken, or could not be.
    Shot(Shots),
    /// What the verifier sees wrong in them; it takes the place of what was seen before.
    VisualIssues {
        /// It.
        issues: Vec<VisualIssue>,
    },
    /// The verifier's word.
    Verified {
        /// Whether everything holds.
        pass: bool,
        /// What does not.
        failures: Vec<String>,
        /// What could not be told by reading, which is no failure.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unproven: Vec<String>,
        /// What was seen of the verifier.
        #[serde(default)]
        seen: VerificationSeen,
    },
    /// The judge's report, from before it knew what the verifier found.
    Opined {
        /// The report.
        report: Judgement,
        /// SHA-256 of it, by which it can be told that nothing was changed afterwards.
        sha256: String,
    },
    /// The judge's word.
    Judged {
        /// What should happen.
        recommendation: Recommendation,
        /// What the judge does not like.
        concerns: Vec<String>,
        /// What came of putting the report beside the verifier's word, where it came to that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        compared: Option<Compared>,
    },
    /// A return, or the phase, does not hold to what it is held to.
    Breached(Breached),
    /// The rater's score, computed again from the scorecard.
    Rated {
        /// The rows of its scorecard.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rows: Vec<ScoredRow>,
        /// The score.
        score: Score,
        /// What kept it from being higher.
        remarks: Vec<String>,
        /// The same, each with the score of what it is about.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lacks: Vec<Deficiency>,
    },
    /// Scores came out too much alike to be believed.
    Stamped(Stamp),
    /// A repair stands, in this commit.
    Repaired {
        /// The commit.
        commit: CommitId,
    },
    /// The phase goes back to be repaired, improved or planned anew.
    SentBack {
        /// What for.
        to: SentBack,
        /// What must change.
        findings: Vec<String>,
    },
    /// The phase is given up; this is what those that come after it are told.
    Learned {
        /// What kind of failure it is.
        category: FailureCategory,
        /// What to do so that it does not happen again.
        rule: String,
    },
    /// It is too much for one plan and is done in parts.
    Split {
        /// Why.
        reason: String,
        /// The parts.
        parts: Vec<PhaseSpec>,
    },
    /// It failed, or waited for one that did, and is to be tried again.
    Retried,
    /// The phase is over.
    Closed(Close),
    /// A person found it good, and now it is marked in the roadmap, too.
    Marked {
        /// Where the run branch is since then.
        commit: CommitId,
    },
}

/// What a phase is sent back for. Each is counted by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SentBack {
    /// A task, to be repaired.
    TaskFix,
    /// The phase, to be repaired.
    Repair,
    /// The phase, to be made better than it is.
    Remedy,
    /// The phase, to be planned anew.
    Replan,
}

impl SentBack {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TaskFix => "task repair",
            Self::Repair => "repair",
            Self::Remedy => "improvement",
            Self::Replan => "new plan",
        }
    }
}

impl PhaseFact {
    /// Whether nothing comes after this fact.
    pub const fn closes(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
}
