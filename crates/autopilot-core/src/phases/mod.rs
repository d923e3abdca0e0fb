//! Machine 1: a run over the phases of a roadmap.
//!
//! Start at [`decide`]. A phase stands at exactly one [`Stage`], and a stage owes exactly one effect (or one
//! question to a person); what comes back moves the phase to its next stage or closes it.

mod active;
mod brief;
mod calibrate;
mod canary;
pub(crate) mod cause;
mod checks;
mod close;
mod commands;
mod decide;
mod deferral;
mod fact;
mod finale;
mod gate;
mod graph;
mod improve;
mod integrity;
mod judge;
mod lesson;
mod lint;
mod log;
mod origin;
mod orphans;
mod outline;
mod owed;
mod papers;
mod parts;
mod question;
mod rating;
mod recheck;
mod requests;
mod retry;
mod review;
mod reviewed;
mod reviews;
mod spec;
mod stage;
mod state;
#[cfg(test)]
mod tests;
mod traced;
mod turn;
mod unusable;

pub use active::{Active, TaskEnd, Tries};
pub use brief::{Brief, Delivered, Tried};
pub use calibrate::{reviewers, tally};
pub use checks::{GATES, check_names, count as count_by, named_checks};
pub(crate) use checks::{all as checks_of, guards};
pub use close::{Accepted, AcceptedBy, Awaited, Close, Held, Verdict, Waived};
pub use decide::{answered, decide, expects, gave_up, handed_off, proceed, refused};
pub use fact::{PhaseFact, SentBack};
pub use finale::{Closing, Finale, FinaleFact, FinaleStage, Gap};
pub use gate::{Gate, PASS_SCORE_DEFAULT, USABLE_SCORE_MIN, gate};
pub use graph::Graph;
pub use integrity::Refusal;
pub use lesson::{LESSONS_MAX, Lesson};
pub use lint::{Finding, RULES, Rule, lint};
pub use log::{Handoff, Log, SPANS_MAX, TaskNote};
pub use owed::owed;
pub use papers::{PAPERS, is_paper};
pub use question::may_ask;
pub use retry::retry;
pub use reviews::{
    Breached, Commands, Compared, Reviews, ScoredRow, Then, VerificationSeen, Verified,
};
pub use spec::{Manner, PhaseSpec, Start};
pub use stage::{STEPS, Stage};
pub use state::{Phase, Phases, Status};
pub(crate) use traced::judged as judged_by_reading;
pub use unusable::{Unusable, unusable};
