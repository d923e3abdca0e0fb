//! Any program as an agent: the prompt on standard input, the last JSON object on standard output.

use std::path::PathBuf;

use crate::{Adapter, CommandLine, Parser, Request, Resume, stream::Stream};

/// An agent that is any program.
#[derive(Clone, Debug)]
pub struct CommandAgent {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl Adapter for CommandAgent {
    fn command_line(&self, request: &Request<'_>) -> CommandLine {
        CommandLine {
            program: self.program.clone(),
            arguments: self.arguments.clone(),
            environment: Vec::new(),
            stdin: request.prompt.as_bytes().to_vec(),
            files: Vec::new(),
        }
    }

    fn parser(&self, _resume: Option<&Resume>) -> Box<dyn Parser + Send> {
        Box::<Stream>::default()
    }
}
