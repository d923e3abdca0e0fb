//! What every agent's adapter can do.

use std::path::PathBuf;

use autopilot_core::{input::Failure, role::Role};
use serde_json::Value;

use crate::AgentEvent;

/// What an agent is asked, apart from where it works.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What it is asked to be.
    pub role: Role,
    /// The whole prompt.
    pub prompt: &'a str,
}

/// How to start an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program: a path, or a name to be found on `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables it needs beyond those every child gets.
    pub environment: Vec<(String, String)>,
    /// What it reads from standard input.
    pub stdin: Vec<u8>,
}

/// How an agent's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// What is left of an agent when it has ended.
pub type Returned = Result<Value, Failure>;

/// One kind of agent.
pub trait Adapter: Send + Sync {
    /// How to start it for a request.
    fn command_line(&self, request: &Request<'_>) -> CommandLine;

    /// A reader for what it prints in one step.
    fn parser(&self) -> Box<dyn Parser + Send>;
}

/// Reads what an agent prints. Takes any bytes, in pieces of any size.
pub trait Parser {
    /// Reads the next piece of standard output.
    fn read(&mut self, bytes: &[u8], events: &mut Vec<AgentEvent>);

    /// Tells what the agent returned, once it has ended; `stderr` is the end of what it printed there.
    fn finish(self: Box<Self>, exit: Exit, stderr: &[u8], events: &mut Vec<AgentEvent>)
    -> Returned;
}
