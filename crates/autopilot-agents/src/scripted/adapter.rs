//! How the embedded agent is started and read: its stream is [`AgentEvent`]s as JSON lines.

use std::path::PathBuf;

use autopilot_core::input::{Failure, FailureClass};
use serde_json::Value;

use crate::{
    Adapter, AgentEvent, CommandLine, Exit, Line, Lines, Parser, Request, Returned,
    command::{crashed, no_return},
    last_json_object,
};

/// The variable that tells the embedded agent where its script is.
pub const SCRIPT_ENV: &str = "AUTOPILOT_SCRIPT";
/// How much of the last line that is no event is kept, in the hope that it is the return.
const RETURN_BYTES_MAX: usize = 256 << 10;

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
        }
    }

    fn parser(&self) -> Box<dyn Parser + Send> {
        Box::new(Stream::default())
    }
}

#[derive(Default)]
struct Stream {
    lines: Lines,
    limit: Option<Failure>,
    /// The last line that is no event.
    last: Vec<u8>,
}

impl Parser for Stream {
    fn read(&mut self, bytes: &[u8], events: &mut Vec<AgentEvent>) {
        let Self { lines, limit, last } = self;
        lines.read(bytes, |line| note(line, limit, last, events));
    }

    fn finish(mut self: Box<Self>, exit: Exit, stderr: &[u8]) -> Returned {
        let Self { lines, limit, last } = &mut *self;
        lines.finish(|line| note(line, limit, last, &mut Vec::new()));
        if let Some(failure) = self.limit {
            return Err(failure);
        }
        if exit != Exit::Code(0) {
            return Err(crashed(exit, stderr));
        }
        let text = String::from_utf8_lossy(&self.last);
        last_json_object(&text).map(Value::Object).ok_or_else(no_return)
    }
}

fn note(
    line: Line<'_>,
    limit: &mut Option<Failure>,
    last: &mut Vec<u8>,
    events: &mut Vec<AgentEvent>,
) {
    let bytes = match line {
        Line::Whole(bytes) => bytes,
        Line::TooLong { bytes } => {
            events.push(AgentEvent::TooLong { bytes });
            return;
        }
    };
    match serde_json::from_slice(bytes) {
        Ok(event) => {
            if let AgentEvent::Limit { until, message } = &event {
                let class = FailureClass::Limit { until: *until };
                *limit = Some(Failure { class, detail: message.clone() });
            }
            events.push(event);
        }
        Err(_) if bytes.len() <= RETURN_BYTES_MAX => {
            last.clear();
            last.extend_from_slice(bytes);
        }
        Err(_) => {}
    }
}
