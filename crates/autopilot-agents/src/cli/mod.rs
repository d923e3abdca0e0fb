//! The agents that people use: one file for each, all of the same shape. What it can do, how it is started, how its lines are
//! read, and what its faults mean.

mod blocks;
mod claude;
mod codex;
mod gemini;
mod goose;
mod opencode;
mod qwen;

pub use claude::Claude;
pub use codex::Codex;
pub use gemini::Gemini;
pub use goose::Goose;
pub use opencode::Opencode;
pub use qwen::Qwen;
