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
mod debugging;
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
mod mark;
mod origin;
mod orphans;
mod outline;
mod owed;
mod papers;
mod parts;
mod question;
mod rating;
mod ready_plan;
mod recheck;
mod release;
mod requests;
mod retry;
mod review;
mod reviewed;
mod reviews;
mod spec;
mod stage;
mod state;
mod talk;
#[cfg(test)]
mod tests;
mod traced;
mod turn;
mod unusable;
mod visual;
mod visual_papers;

pub use active::{Active, TaskEnd, Tries};
pub use brief::{Brief, Delivered, SessionTold, Tried};
pub use calibrate::{reviewers, tally};
pub(crate) use checks::all as checks_of;
pub use checks::{GATES, UI_BUILD, check_names, count as count_by, named_checks};
pub use close::{Accepted, AcceptedBy, Awaited, Close, Held, Verdict, Waived};
pub use debugging::{DebugEnd, DebugFact, DebugGoal, DebugSession, DebugSpec, DebugStage, Noted};
pub use decide::{answered, decide, expects, gave_up, handed_off, proceed, refused};
pub use fact::{PhaseFact, SentBack};
pub use finale::{Closing, Finale, FinaleFact, FinaleStage, Gap};
pub use gate::{Gate, PASS_SCORE_DEFAULT, USABLE_SCORE_MIN, gate};
pub use graph::Graph;
pub use integrity::Refusal;
pub use lesson::{LESSONS_MAX, Lesson};
pub use lint::{Finding, RULES, Rule, lint};
pub use log::{DoneTask, Handoff, LeftTask, Log, SPANS_MAX, TaskNote};
pub use owed::owed;
pub use papers::{PAPERS, is_out_of_bounds, is_paper, is_place_of_phases};
pub use question::may_ask;
pub use release::{Release, ReleaseFact};
pub use retry::retry;
pub use reviews::{
    Breached, Commands, Compared, Reviews, ScoredRow, Then, VerificationSeen, Verified,
};
pub use spec::{Manner, PhaseSpec, Start};
pub use stage::{STEPS, Stage};
pub use state::{Phase, Phases, Status};
pub(crate) use talk::is_same as is_same_question;
pub use talk::{
    Area, AreaQuestion, Asking, Decided, Discussed, Domain, GateKind, Known, MapQuestion, Mapped,
    Question, Reply, Said, Talk, TalkBrief, TalkFact, TalkStage, TalkWish, Talking, Told, accepts,
    kind_of, question_of,
};
pub(crate) use traced::judged as judged_by_reading;
pub use unusable::{Unusable, unusable};
pub use visual::{
    Route, Shot, Shots, Tracked, Visual, VisualIssue, VisualLog, VisualSeverity, shot_time,
};
