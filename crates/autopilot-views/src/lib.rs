//! Turns facts into text, JSON lines and screens.
//!
//! Start at [`Progress`] and [`Moment`] for a run that is going on, [`status`] for where a run stands, [`log_line`] for what
//! happened. Everything is a fold over the same facts, so live view, replay and report cannot disagree.
//!
//! Invariant: nothing here acts. A view depends on the core alone; it cannot reach the engine.

mod bar;
mod clean;
mod columns;
mod issue;
mod log;
mod phases;
mod progress;
mod sim;
mod status;
#[cfg(test)]
mod story;
mod style;
mod table;
mod units;
mod verify;

pub use bar::{Life, Moment};
pub use clean::{clean, clean_indented, clean_json, clean_lines};
pub use columns::{columns, cut};
pub use issue::{ApprovalView, IssueView};
pub use log::{log_json, log_line};
pub use phases::{NewestRun, RoadmapPhaseView, RoadmapView, phases, phases_text};
pub use progress::Progress;
pub use sim::{GateView, PlayedView, SimView, played_line, sim, sim_text};
pub use status::{
    OnDiskView, PhaseView, QuestionView, StatusView, phase_counts, status, status_text,
};
pub use style::{Styled, Tone};
pub use table::table;
pub use units::{duration, files, money, size, time_of_day, tokens};
pub use verify::{CertificateView, ExaminedView, VerifyView, WaivedView, verify, verify_text};
