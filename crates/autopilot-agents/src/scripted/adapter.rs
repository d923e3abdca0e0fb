//! How the embedded agent is started.

use std::path::PathBuf;

use crate::{Adapter, CommandLine, Parser, Request, Resume, stream::Stream};

/// The variable that tells the embedded agent where its script is.
pub const SCRIPT_ENV: &str = "AUTOPILOT_SCRIPT";

/// The embedded agent.
#[derive(Clone, Debug)]
pub struct ScriptedAgent {
    /// This program itself.
    pub program: PathBuf,
    /// The script it plays.
    pub script: PathBuf,
}

impl Adapter for ScriptedAgent {
    fn command_line(&self, _request: &Request<'_>) -> CommandLine {
        CommandLine {
            program: self.program.clone(),
            arguments: vec!["__scripted-agent".to_owned()],
            environment: vec![(SCRIPT_ENV.to_owned(), self.script.display().to_string())],
            stdin: Vec::new(),
            files: Vec::new(),
        }
    }

    fn parser(&self, _resume: Option<&Resume>) -> Box<dyn Parser + Send> {
        Box::<Stream>::default()
    }
}
