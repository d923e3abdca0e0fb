//! The stream of agents that speak our own language: events as JSON lines, and a return at the end.
//!
//! A line that is an [`AgentEvent`] is taken as one; everything else is searched for the return.

use autopilot_core::{
    input::{Failure, FailureClass},
    time::Timestamp,
};
use serde_json::Value;

use crate::{AgentEvent, Exit, Line, Lines, Parser, Returned, last_json_object};

/// How much of the end of standard output is searched for the return.
const TAIL_BYTES_MAX: usize = 256 << 10;
/// How much of standard error goes into the description of a failure.
const STDERR_CHARS_MAX: usize = 500;

/// Reads such a stream.
#[derive(Default)]
pub(crate) struct Stream {
    lines: Lines,
    rest: Rest,
}

#[derive(Default)]
struct Rest {
    limit: Option<Failure>,
    /// The end of what is no event; cut to its limit now and then, not with each line.
    tail: Vec<u8>,
}

impl Parser for Stream {
    fn read(&mut self, bytes: &[u8], events: &mut Vec<AgentEvent>) {
        let Self { lines, rest } = self;
        lines.read(bytes, |line| rest.note(line, events));
    }

    fn finish(
        mut self: Box<Self>,
        exit: Exit,
        stderr: &[u8],
        events: &mut Vec<AgentEvent>,
    ) -> Returned {
        let Self { lines, rest } = &mut *self;
        lines.finish(|line| rest.note(line, events));
        if let Some(failure) = self.rest.limit {
            return Err(failure);
        }
        if exit != Exit::Code(0) {
            return Err(crashed(exit, stderr));
        }
        let tail = &self.rest.tail;
        let text = String::from_utf8_lossy(&tail[tail.len().saturating_sub(TAIL_BYTES_MAX)..]);
        last_json_object(&text).map(Value::Object).ok_or_else(no_return)
    }
}

impl Rest {
    fn note(&mut self, line: Line<'_>, events: &mut Vec<AgentEvent>) {
        match line {
            Line::Whole(bytes) => match event(bytes) {
                Some(event) => {
                    if let AgentEvent::Limit { until, message } = &event {
                        let class = FailureClass::Limit { until: *until };
                        self.limit = Some(Failure { class, detail: message.clone() });
                    }
                    events.push(event);
                }
                None => self.keep(bytes),
            },
            Line::TooLong { bytes } => {
                self.tail.clear();
                events.push(AgentEvent::TooLong { bytes });
            }
        }
    }

    fn keep(&mut self, line: &[u8]) {
        if self.tail.len() + line.len() >= 2 * TAIL_BYTES_MAX {
            self.tail.drain(..self.tail.len().saturating_sub(TAIL_BYTES_MAX));
        }
        self.tail.extend_from_slice(line);
        self.tail.push(b'\n');
    }
}

/// The event that a line is, if it is one.
fn event(line: &[u8]) -> Option<AgentEvent> {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return None;
    }
    serde_json::from_slice(line).ok().or_else(|| odd_limit(line))
}

/// A limit that is told in another way than agreed. It is taken for one all the same: else a step that met a limit would
/// count as a failure, and be tried again at once.
fn odd_limit(line: &[u8]) -> Option<AgentEvent> {
    let Ok(Value::Object(object)) = serde_json::from_slice(line) else { return None };
    let limit = object.get("limit").filter(|_| object.len() == 1)?;
    let until = limit.get("until").and_then(Value::as_i64).filter(|until| *until > 0);
    let said = limit.get("message").and_then(Value::as_str).or(limit.as_str());
    let message = said.unwrap_or("the usage limit is reached").to_owned();
    Some(AgentEvent::Limit { until: until.map(Timestamp::from_ms), message })
}

/// What is known of an agent that ended badly.
fn crashed(exit: Exit, stderr: &[u8]) -> Failure {
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
fn no_return() -> Failure {
    let detail = "it printed no JSON object, so there is no return".to_owned();
    Failure { class: FailureClass::Malformed, detail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Usage;

    fn read(pieces: &[&[u8]], exit: Exit, stderr: &[u8]) -> (Returned, Vec<AgentEvent>) {
        let mut parser = Box::new(Stream::default());
        let mut events = Vec::new();
        for piece in pieces {
            parser.read(piece, &mut events);
        }
        (parser.finish(exit, stderr, &mut events), events)
    }

    #[test]
    fn the_last_object_in_the_tail_is_the_return_whatever_came_before() {
        let flood = b"x\n".repeat(TAIL_BYTES_MAX);
        let (got, _) =
            read(&[b"{\"a\":1}\n", &flood, b"\xff\n{\"b\":", b"\n2}\n"], Exit::Code(0), b"");
        assert_eq!(got, Ok(serde_json::json!({"b": 2})));
        let (got, _) = read(&[b"{\"a\":1}\n", &flood], Exit::Code(0), b"");
        assert_eq!(got, Err(no_return()), "what is far from the end is not searched");
    }

    #[test]
    fn a_flood_costs_no_memory() {
        let mut parser = Stream::default();
        let mut events = Vec::new();
        for piece in [b"x\n".repeat(TAIL_BYTES_MAX), b"y".repeat(8 * TAIL_BYTES_MAX)] {
            for _ in 0..8 {
                parser.read(&piece, &mut events);
                assert!(parser.rest.tail.len() <= 2 * TAIL_BYTES_MAX);
            }
        }
    }

    #[test]
    fn a_line_that_is_an_event_is_not_the_return() {
        let text = b"{\"done\": true}\n  {\"usage\": {\"tokens\": 7, \"micro_usd\": 90}} \n{\"usage\":{\"tokens\":1}}";
        let (got, events) = read(&[text], Exit::Code(0), b"");
        assert_eq!(got, Ok(serde_json::json!({"done": true})));
        let usage = |tokens, micro_usd| AgentEvent::Usage(Usage { tokens, micro_usd });
        assert_eq!(events, [usage(7, 90), usage(1, 0)]);
    }

    #[test]
    fn a_limit_that_is_told_oddly_is_a_limit_all_the_same() {
        let rows = [
            ("{\"limit\":{}}", None),
            ("{\"limit\":{\"until\":5}}", Some(Timestamp::from_ms(5))),
            ("{\"limit\":{\"until\":1.5e300}}", None),
            ("{\"limit\":{\"until\":\"soon\",\"resets\":1}}", None),
            ("{\"limit\":\"come back later\"}", None),
            ("{\"limit\":null}", None),
        ];
        for (line, until) in rows {
            let (returned, _) = read(&[line.as_bytes(), b"\n"], Exit::Code(0), b"");
            let class = returned.expect_err("it is no return").class;
            assert_eq!(class, FailureClass::Limit { until }, "{line}");
        }
        let (returned, _) = read(&[b"{\"limit\":{},\"pass\":true}\n"], Exit::Code(0), b"");
        assert!(returned.is_ok(), "a return may have a key of that name");
    }

    #[test]
    fn a_limit_counts_whatever_else_was_said() {
        let text =
            b"{\"limit\":{\"until\":1000,\"message\":\"come back later\"}}\n{\"done\":true}\n";
        for exit in [Exit::Code(0), Exit::Code(1), Exit::Signal(9)] {
            let class = FailureClass::Limit { until: Some(Timestamp::from_ms(1000)) };
            let expected = Failure { class, detail: "come back later".to_owned() };
            assert_eq!(read(&[text], exit, b"").0, Err(expected));
        }
    }

    #[test]
    fn a_return_of_a_program_that_failed_is_not_believed() {
        let (got, _) = read(&[b"{\"a\":1}"], Exit::Code(3), b"out of luck\n");
        let detail = "it ended with exit code 3: out of luck".to_owned();
        assert_eq!(got, Err(Failure { class: FailureClass::Crashed, detail }));
    }

    #[test]
    fn no_object_is_no_return() {
        assert_eq!(read(&[b"all done!"], Exit::Code(0), b"").0, Err(no_return()));
    }
}
