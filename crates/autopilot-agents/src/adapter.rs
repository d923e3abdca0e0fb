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
    /// A name for the conversation that no other one has.
    pub name: &'a str,
    /// The conversation that it is to go on with.
    pub resume: Option<&'a Resume>,
    /// The directory that it works in.
    pub directory: &'a Path,
    /// A directory for files that are only there while it runs.
    pub scratch: &'a Path,
    /// What is wanted of the agent in this role.
    pub wish: &'a Wish,
}

/// What a person wants of an agent beside its work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// The model, by the name that the agent knows it by.
    pub model: Option<String>,
    /// How hard it thinks, by the name that the agent knows it by.
    pub effort: Option<String>,
}

impl Wish {
    /// This wish, with another one where it says nothing.
    pub fn or<'a>(&'a self, other: &'a Self) -> (Option<&'a str>, Option<&'a str>) {
        let first =
            |one: &'a Option<String>, two: &'a Option<String>| one.as_deref().or(two.as_deref());
        (first(&self.model, &other.model), first(&self.effort, &other.effort))
    }
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
    /// A conversation can be gone on with.
    pub resume: bool,
    /// It tells of every tool that it uses.
    pub tools: bool,
    /// It can be told how hard to think.
    pub effort: bool,
    /// Its stream does not say what a conversation is called: it is called what it is told.
    pub named: bool,
    /// It is given a directory for what is only there while it runs.
    pub scratch: bool,
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
    /// Files that it needs, by their names in the directory for what is only there while it runs.
    pub files: Vec<(&'static str, String)>,
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

    /// Variables of the person's environment that it cannot do without: who pays, and where the service is.
    fn passes(&self) -> &'static [&'static str] {
        &[]
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
