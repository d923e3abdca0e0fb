//! `TRACE.jsonl` and `{step}-trace.jsonl`: what was done, span by span.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a summary may be.
pub const TEXT_CHARS_MAX: usize = 200;

/// One thing that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// When it began.
    pub timestamp: String,
    /// The phase.
    pub phase_id: String,
    /// The step.
    pub step: String,
    /// What kind of thing.
    pub action: Action,
    /// What went in, in short.
    pub input_summary: String,
    /// What came out, in short.
    pub output_summary: String,
    /// How long it took.
    pub duration_ms: u64,
    /// How it ended.
    pub status: SpanStatus,
}

/// What kind of thing was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A file was read.
    FileRead,
    /// A file was written.
    FileWrite,
    /// A command was run.
    CommandRun,
    /// A tool was used otherwise.
    ToolCall,
    /// An agent was started.
    AgentSpawn,
    /// Something was decided.
    Decision,
}

/// How something ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpanStatus {
    /// Well.
    Success,
    /// Badly.
    Failure,
    /// It was not done.
    Skipped,
}

impl Span {
    /// The span with its summaries cut to length.
    #[must_use]
    pub fn shortened(mut self) -> Self {
        for text in [&mut self.input_summary, &mut self.output_summary] {
            if let Some((end, _)) = text.char_indices().nth(TEXT_CHARS_MAX) {
                text.truncate(end);
            }
        }
        self
    }
}
