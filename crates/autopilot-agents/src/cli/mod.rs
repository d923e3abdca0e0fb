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

use std::sync::Arc;

use crate::{Adapter, Settings};

/// The agents that people use, by the names of their programs.
pub const KINDS: [&str; 6] = ["claude", "codex", "gemini", "goose", "opencode", "qwen"];

/// The adapter of an agent of a kind.
pub fn adapter_of(kind: &str, settings: Settings) -> Option<Arc<dyn Adapter>> {
    Some(match kind {
        "claude" => Arc::new(Claude { settings }),
        "codex" => Arc::new(Codex { settings }),
        "gemini" => Arc::new(Gemini { settings }),
        "goose" => Arc::new(Goose { settings }),
        "opencode" => Arc::new(Opencode { settings }),
        "qwen" => Arc::new(Qwen { settings }),
        _ => return None,
    })
}
