//! Describes how to start each agent and how to read what it says.
//!
//! Start at [`Adapter`]: it turns a request into a command line, and the agent's bytes into events and a
//! return. One file for each agent, all of the same shape.
//!
//! Invariant: nothing here starts a process, opens a file or asks the clock. Parsers take any bytes and use a
//! bounded amount of memory.

mod adapter;
mod classify;
mod cli;
mod command;
mod event;
mod fault;
mod gather;
mod json_block;
mod lines;
mod reset;
mod scripted;
mod settings;
mod stream;
mod strict;
mod tool;
mod usage;

pub use adapter::{
    Adapter, Capabilities, CommandLine, Exit, Parser, Request, Resume, Returned, Wish,
};
pub use classify::by_text as fault_in;
pub use cli::{Claude, Codex, Gemini, Goose, KINDS, Opencode, Qwen, adapter_of};
pub use command::CommandAgent;
pub use event::{AgentEvent, ToolKind, Usage};
pub use fault::{Fault, FaultClass, Reset};
pub use json_block::last_json_object;
pub use lines::{LINE_BYTES_MAX, Line, Lines};
pub use scripted::{Action, BadScript, Moment, SCRIPT_ENV, Script, ScriptedAgent, default_return};
pub use settings::Settings;
