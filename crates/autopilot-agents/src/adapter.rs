//! What every agent's adapter can do.

use std::path::{Path, PathBuf};

use autopilot_core::role::Role;
use serde_json::Value;

use crate::{AgentEvent, Fault, Usage};

/// What an agent is asked, apart from where it works.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What it is asked to be.
    pub role: Role,
    /// The whole prompt.
    pub prompt: &'a str,
    /// The JSON schema of what it must return.
    pub schema: &'a str,
    /// The same as a file.
    pub schema_path: &'a Path,
    /// A name for the conversation that no other one has.
    pub name: &'a str,
    /// The conversation that it is to go on with.
    pub resume: Option<&'a Resume>,
}

/// A conversation that can be gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resume {
    /// What the agent calls it.
    pub session: String,
    /// What it has used so far: some agents tell totals of the whole conversation.
    pub used: Usage,
}

/// What an agent can do beyond reading a prompt and working.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It takes the schema of its return, and keeps to it.
    pub schema: bool,
    /// A conversation can be gone on with.
    pub resume: bool,
    /// It tells what it cost.
    pub cost: bool,
    /// It tells when a usage limit ends.
    pub reset: bool,
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
pub type Returned = Result<Value, Fault>;

/// One kind of agent.
pub trait Adapter: Send + Sync {
    /// What it can do.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// How to start it for a request.
    fn command_line(&self, request: &Request<'_>) -> CommandLine;

    /// A reader for what it prints in one step, which may go on with a conversation.
    fn parser(&self, resume: Option<&Resume>) -> Box<dyn Parser + Send>;
}

/// Reads what an agent prints. Takes any bytes, in pieces of any size.
pub trait Parser {
    /// Reads the next piece of standard output.
    fn read(&mut self, bytes: &[u8], events: &mut Vec<AgentEvent>);

    /// Tells what the agent returned, once it has ended; `stderr` is the end of what it printed there.
    fn finish(self: Box<Self>, exit: Exit, stderr: &[u8], events: &mut Vec<AgentEvent>)
    -> Returned;
}
