//! Machine 2: one issue, from approved requirements to a result that only needs a person's merge.
//!
//! Start at [`decide`]: an issue stands at exactly one [`IssueStage`], and a stage owes exactly one effect or one question
//! to a person. [`Convergence`] is the ancestor's loop as a function of what it is told, and [`replay`] plays it with
//! answers from a script; the machine departs from it where the engine sees more than an agent could tell.

mod arguments;
mod begin;
mod brief;
mod convergence;
mod criteria;
mod decide;
mod failing;
mod finding;
mod judge;
mod left;
mod message;
mod oracle;
mod owed;
mod ready;
pub mod replay;
mod route;
mod spec;
mod stage;
mod state;
mod tasks;
#[cfg(test)]
mod tests;
mod turn;
mod word;

pub use arguments::{Arguments, Part};
pub use brief::IssueBrief;
pub use convergence::{Ask, Checks, Convergence, Covered, End, Frozen, Gates, Stop, Told};
pub use criteria::{AcceptanceCriterion, CRITERIA_MAX, carries, criteria_in, uncovered};
pub use decide::{answered, decide, gave_up, proceed, unusable};
pub use failing::failing_tests;
pub use finding::Finding;
pub use oracle::Seen;
pub use owed::{ACCEPTANCE, owed};
pub use ready::{Lack, lacks};
pub use route::{About, Because, Route, is_document, is_express_eligible, recommend};
pub use spec::{IssueSpec, StepTries};
pub use stage::{IssueGate, IssueStage, IssueStep, Next};
pub use state::{Attempted, Issue, IssueFact, Judged, Red};
pub use tasks::{LogSeen, SaveTask, Share, Survey, SurveyTask, Taken, Trial, TrialTask};
pub use word::{OPTIONS, approves, findings, is_ok};
