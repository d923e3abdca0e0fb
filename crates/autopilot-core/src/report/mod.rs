//! The files that a run leaves for people and for other programs, as types and as text.
//!
//! Their names, keys and headings are a compatibility surface: programs that were written for them keep working. All of
//! them are projections of the journal. Readers take what earlier versions wrote: keys may be missing, and keys that
//! are not known here are passed over.

mod chronicle;
mod completion;
mod diagnostic;
mod events;
mod learnings;
mod metrics;
mod postmortem;
mod schemas;
mod state;
mod talk_files;
#[cfg(test)]
mod tests;
mod trace;
mod trend;
mod triage;

pub use chronicle::{Chronicle, DIAGNOSED_BELOW, EVENTS_MAX, StateText};
pub use completion::{Attempted, BatchCompletion, DependencyGap, Named, Skip, Skipped};
pub(crate) use diagnostic::cell;
pub use diagnostic::{CheckRow, CriterionRow, Diagnostic, PathItem, RemediationRow, is_vague};
pub use events::{Level, level_of, names as event_names};
pub use learnings::{
    LEARNINGS_BYTES_MAX, LEARNINGS_HEAD, debug_entry, failure_entry, learnings, learnings_run,
    verdict_entry,
};
pub use metrics::{PhaseSummary, RunMetrics};
pub use postmortem::{AttemptedFix, Evidence, Moment, PostMortem, RootCause, TIMELINE_MAX};
pub use schemas::{Document, fits, schema};
pub use state::{
    CircuitBreaker, EventEntry, Meta, PhaseRecord, PhaseStatus, RunStatus, SpecLock, StateFile,
    StepRecord, Totals,
};
pub use talk_files::{context_map, discuss_context, told as told_in};
pub use trace::{Action, Span, SpanStatus, TEXT_CHARS_MAX};
pub use trend::{Bounds, Historical, Trend, trend};
pub use triage::{CriteriaSource, CriterionScan, Routing, ScanResult, Triage};
