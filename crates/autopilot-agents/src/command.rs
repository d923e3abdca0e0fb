//! Any program as an agent: the prompt on standard input, the last JSON object on standard output.

use std::{collections::VecDeque, path::PathBuf};

use autopilot_core::input::{Failure, FailureClass};
use serde_json::Value;

use crate::{Adapter, AgentEvent, CommandLine, Exit, Parser, Request, Returned, last_json_object};

/// How much of the end of standard output is searched for the return.
const TAIL_BYTES_MAX: usize = 256 << 10;
/// How much of standard error goes into the description of a failure.
const STDERR_CHARS_MAX: usize = 500;

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
        }
    }

    fn parser(&self) -> Box<dyn Parser + Send> {
        Box::new(Tail::default())
    }
}

/// The end of what was printed.
#[derive(Default)]
struct Tail(VecDeque<u8>);

impl Parser for Tail {
    fn read(&mut self, bytes: &[u8], _events: &mut Vec<AgentEvent>) {
        let bytes = &bytes[bytes.len().saturating_sub(TAIL_BYTES_MAX)..];
        let over = (self.0.len() + bytes.len()).saturating_sub(TAIL_BYTES_MAX);
        self.0.drain(..over);
        self.0.extend(bytes);
    }

    fn finish(mut self: Box<Self>, exit: Exit, stderr: &[u8]) -> Returned {
        if exit != Exit::Code(0) {
            return Err(crashed(exit, stderr));
        }
        let text = String::from_utf8_lossy(self.0.make_contiguous()).into_owned();
        last_json_object(&text).map(Value::Object).ok_or_else(no_return)
    }
}

/// What is known of an agent that ended badly.
pub(crate) fn crashed(exit: Exit, stderr: &[u8]) -> Failure {
    let how = match exit {
        Exit::Code(code) => format!("it ended with exit code {code}"),
        Exit::Signal(signal) => format!("it was ended by signal {signal}"),
    };
    let said = String::from_utf8_lossy(stderr);
    let said = said.trim();
    let from = said.char_indices().rev().nth(STDERR_CHARS_MAX).map_or(0, |(at, _)| at);
    let detail = if said.is_empty() { how } else { format!("{how}: {}", &said[from..]) };
    Failure { class: FailureClass::Crashed, detail }
}

/// An agent that printed everything but a return.
pub(crate) fn no_return() -> Failure {
    let detail = "it printed no JSON object, so there is no return".to_owned();
    Failure { class: FailureClass::Malformed, detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> CommandAgent {
        CommandAgent { program: "agent".into(), arguments: Vec::new() }
    }

    fn finish(pieces: &[&[u8]], exit: Exit, stderr: &[u8]) -> Returned {
        let mut parser = agent().parser();
        for piece in pieces {
            parser.read(piece, &mut Vec::new());
        }
        parser.finish(exit, stderr)
    }

    #[test]
    fn the_last_object_in_the_tail_is_the_return_whatever_came_before() {
        let flood = vec![b'x'; TAIL_BYTES_MAX * 2];
        let got = finish(&[b"{\"a\":1}", &flood, b"\xff\n{\"b\":", b"2}\n"], Exit::Code(0), b"");
        assert_eq!(got, Ok(serde_json::json!({"b": 2})));
    }

    #[test]
    fn a_return_of_a_program_that_failed_is_not_believed() {
        let got = finish(&[b"{\"a\":1}"], Exit::Code(3), b"out of luck\n");
        let detail = "it ended with exit code 3: out of luck".to_owned();
        assert_eq!(got, Err(Failure { class: FailureClass::Crashed, detail }));
    }

    #[test]
    fn no_object_is_no_return() {
        assert_eq!(finish(&[b"all done!"], Exit::Code(0), b""), Err(no_return()));
    }
}
