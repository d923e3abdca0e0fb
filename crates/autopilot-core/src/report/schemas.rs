//! The JSON schemas of what a run leaves.

use schemars::schema_for;
use serde_json::Value;

use crate::report::{BatchCompletion, PostMortem, RunMetrics, Span, StateFile, Trend, Triage};

/// A document with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// `state.json`
    State,
    /// `TRIAGE.json`
    Triage,
    /// `phase-{N}-postmortem.json`
    PostMortem,
    /// `metrics.json`
    Metrics,
    /// A line of `TRACE.jsonl`
    Span,
    /// What `completion-report.md` is made of
    Completion,
    /// What the section about trends is made of
    Trend,
}

impl Document {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::State,
        Self::Triage,
        Self::PostMortem,
        Self::Metrics,
        Self::Span,
        Self::Completion,
        Self::Trend,
    ];
}

/// The JSON schema of a document.
pub fn schema(document: Document) -> Value {
    match document {
        Document::State => schema_for!(StateFile),
        Document::Triage => schema_for!(Triage),
        Document::PostMortem => schema_for!(PostMortem),
        Document::Metrics => schema_for!(Vec<RunMetrics>),
        Document::Span => schema_for!(Span),
        Document::Completion => schema_for!(BatchCompletion),
        Document::Trend => schema_for!(Trend),
    }
    .to_value()
}
