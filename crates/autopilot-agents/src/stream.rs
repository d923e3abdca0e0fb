//! The stream of agents that speak our own language: events as JSON lines, and a return at the end.
//!
//! A line that is an [`AgentEvent`] is taken as one; everything else is searched for the return.

use autopilot_core::time::Timestamp;
use serde_json::Value;

use crate::{
    AgentEvent, Exit, Fault, FaultClass, LINE_BYTES_MAX, Line, Lines, Parser, Reset, Returned,
    last_json_object,
    usage::{Told, told},
};

/// How much of the end of standard output is searched for the return.
const TAIL_BYTES_MAX: usize = 256 << 10;
/// How much of standard error goes into the description of a failure.
const STDERR_CHARS_MAX: usize = 500;
/// How much of a line that cannot be read goes there.
const LINE_CHARS_MAX: usize = 120;

/// Reads such a stream.
#[derive(Default)]
pub(crate) struct Stream {
    lines: Lines,
    rest: Rest,
}

#[derive(Default)]
struct Rest {
    limit: Option<Fault>,
    /// The first line that should tell a usage, and cannot be read.
    unread: Option<String>,
    /// The last line that was too long to be looked at.
    too_long: Option<TooLong>,
    /// The end of what is no event; cut to its limit now and then, not with each line.
    tail: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct TooLong {
    bytes: u64,
    bytes_max: usize,
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
        if let Some(line) = &self.rest.unread {
            return Err(unread_usage(line));
        }
        let tail = &self.rest.tail;
        let text = String::from_utf8_lossy(&tail[tail.len().saturating_sub(TAIL_BYTES_MAX)..]);
        last_json_object(&text).map(Value::Object).ok_or_else(|| no_return(self.rest.too_long))
    }
}

impl Rest {
    fn note(&mut self, line: Line<'_>, events: &mut Vec<AgentEvent>) {
        match line {
            Line::Whole(bytes) => match event(bytes) {
                Some(event) => self.push(event, events),
                None => self.note_usage(bytes, events),
            },
            Line::TooLong { bytes } => {
                self.tail.clear();
                self.too_long = Some(TooLong { bytes, bytes_max: LINE_BYTES_MAX });
                events.push(AgentEvent::TooLong { bytes });
            }
        }
    }

    fn push(&mut self, event: AgentEvent, events: &mut Vec<AgentEvent>) {
        if let AgentEvent::Limit { until, message } = &event {
            let class = FaultClass::Limit(until.map(Reset::At));
            self.limit = Some(Fault { class, detail: message.clone() });
        }
        events.push(event);
    }

    /// Takes what a line tells of a usage, and keeps the line where it may be the return.
    fn note_usage(&mut self, line: &[u8], events: &mut Vec<AgentEvent>) {
        match told(line) {
            Told::Nothing => self.keep(line),
            Told::Beside(usage) => {
                events.push(AgentEvent::Usage(usage));
                self.keep(line);
            }
            Told::Usage { usage, limit } => {
                events.push(AgentEvent::Usage(usage));
                if let Some(limit) = limit {
                    self.push(limit_of(&limit), events);
                }
            }
            Told::Unread(usage) => {
                events.push(AgentEvent::Usage(usage));
                let text = String::from_utf8_lossy(line.trim_ascii());
                self.unread.get_or_insert_with(|| text.chars().take(LINE_CHARS_MAX).collect());
            }
        }
    }

    fn keep(&mut self, line: &[u8]) {
        if line.len() > TAIL_BYTES_MAX && line.trim_ascii_start().starts_with(b"{") {
            // Its end alone would be searched, and what it holds be taken for the whole.
            let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
            self.tail.clear();
            self.too_long = Some(TooLong { bytes, bytes_max: TAIL_BYTES_MAX });
            return;
        }
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
    Some(limit_of(object.get("limit").filter(|_| object.len() == 1)?))
}

fn limit_of(limit: &Value) -> AgentEvent {
    let until = limit.get("until").and_then(Value::as_i64).filter(|until| *until > 0);
    let said = limit.get("message").and_then(Value::as_str).or(limit.as_str());
    let message = said.unwrap_or("the usage limit is reached").to_owned();
    AgentEvent::Limit { until: until.map(Timestamp::from_ms), message }
}

/// What is known of an agent that ended badly.
fn crashed(exit: Exit, stderr: &[u8]) -> Fault {
    let how = match exit {
        Exit::Code(code) => format!("it ended with exit code {code}"),
        Exit::Signal(signal) => format!("it was ended by signal {signal}"),
    };
    let said = String::from_utf8_lossy(stderr);
    let said = said.trim();
    let from = said.char_indices().rev().nth(STDERR_CHARS_MAX).map_or(0, |(at, _)| at);
    let detail = if said.is_empty() { how } else { format!("{how}: {}", &said[from..]) };
    Fault { class: FaultClass::Crashed, detail }
}

/// An agent that printed everything but a return.
fn no_return(too_long: Option<TooLong>) -> Fault {
    let detail = match too_long {
        Some(TooLong { bytes, bytes_max }) => format!(
            "there is no return: it printed a line of {bytes} bytes, and {bytes_max} are read; \
             a return may be spread over several lines"
        ),
        None => "it printed no JSON object, so there is no return".to_owned(),
    };
    Fault { class: FaultClass::Malformed, detail }
}

/// An agent whose usage cannot be counted, so that no budget would hold.
fn unread_usage(line: &str) -> Fault {
    let detail = format!(
        "it told its usage as `{line}`, which cannot be read: `tokens` and `micro_usd` are numbers"
    );
    Fault { class: FaultClass::Malformed, detail }
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
        assert_eq!(got, Err(no_return(None)), "what is far from the end is not searched");
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
        let usage =
            |tokens, micro_usd| AgentEvent::Usage(Usage { tokens, micro_usd, ..Usage::default() });
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
            assert_eq!(class, FaultClass::Limit(until.map(Reset::At)), "{line}");
        }
        let (returned, _) = read(&[b"{\"limit\":{},\"pass\":true}\n"], Exit::Code(0), b"");
        assert!(returned.is_ok(), "a return may have a key of that name");
    }

    #[test]
    fn a_limit_counts_whatever_else_was_said() {
        let text =
            b"{\"limit\":{\"until\":1000,\"message\":\"come back later\"}}\n{\"done\":true}\n";
        for exit in [Exit::Code(0), Exit::Code(1), Exit::Signal(9)] {
            let class = FaultClass::Limit(Some(Reset::At(Timestamp::from_ms(1000))));
            let expected = Fault { class, detail: "come back later".to_owned() };
            assert_eq!(read(&[text], exit, b"").0, Err(expected));
        }
    }

    #[test]
    fn a_return_of_a_program_that_failed_is_not_believed() {
        let (got, _) = read(&[b"{\"a\":1}"], Exit::Code(3), b"out of luck\n");
        let detail = "it ended with exit code 3: out of luck".to_owned();
        assert_eq!(got, Err(Fault { class: FaultClass::Crashed, detail }));
    }

    #[test]
    fn a_usage_is_counted_in_whatever_form_its_numbers_are_told() {
        let rows = [
            ("{\"usage\":{\"tokens\":2000.0}}", 2_000, 0),
            ("{\"usage\":{\"tokens\":1e4}}", 10_000, 0),
            ("{\"usage\":{\"micro_usd\":1999999.5}}", 0, 2_000_000),
            ("{\"usage\":{\"tokens\":2000,\"model\":\"x\"}}", 2_000, 0),
            ("{\"usage\":{\"tokens\":2000},\"text\":\"x\"}", 2_000, 0),
            ("{\"usage\":{\"tokens\":-1,\"micro_usd\":5000000}}", 0, 5_000_000),
            ("{\"usage\":{\"tokens\":18446744073709551616}}", u64::MAX, 0),
            ("{\"usage\":{\"tokens\":1e300,\"micro_usd\":0.1}}", u64::MAX, 1),
            ("{\"usage\":{\"tokens\":\"12\",\"micro_usd\":null}}", 12, 0),
            ("{\"usage\":{}}", 0, 0),
            ("{\"usage\":null}", 0, 0),
        ];
        for (line, tokens, micro_usd) in rows {
            let text = format!("{{\"done\":true}}\n{line}\n");
            let (returned, events) = read(&[text.as_bytes()], Exit::Code(0), b"");
            assert_eq!(returned, Ok(serde_json::json!({"done": true})), "{line}");
            assert_eq!(
                events,
                [AgentEvent::Usage(Usage { tokens, micro_usd, ..Usage::default() })],
                "{line}"
            );
        }
    }

    #[test]
    fn a_return_may_tell_a_usage_too() {
        let line = "{\"pass\":true,\"usage\":{\"tokens\":5}}";
        let (returned, events) = read(&[line.as_bytes()], Exit::Code(0), b"");
        assert!(returned.is_ok_and(|value| value["pass"] == true));
        assert_eq!(events, [AgentEvent::Usage(Usage { tokens: 5, ..Usage::default() })]);
        let other = "{\"pass\":true,\"usage\":\"see above\"}";
        let (returned, events) = read(&[other.as_bytes()], Exit::Code(0), b"");
        assert!(returned.is_ok() && events.is_empty(), "it is no usage line");
    }

    #[test]
    fn a_usage_that_cannot_be_read_does_not_pass_unnoticed() {
        for line in [
            "{\"usage\":\"a lot\"}",
            "{\"usage\":{\"tokens\":\"many\"}}",
            "{\"usage\":{\"tokens\":7,\"micro_usd\":[]}}",
            "{\"usage\":{\"input_tokens\":5}}",
            "{\"usage\":{\"tokens\":1e999}}",
        ] {
            let text = format!("{line}\n{{\"done\":true}}\n");
            let (returned, events) = read(&[text.as_bytes()], Exit::Code(0), b"");
            assert_eq!(returned, Err(unread_usage(line)), "{line}");
            let tokens = if line.contains('7') { 7 } else { 0 };
            assert_eq!(events, [AgentEvent::Usage(Usage { tokens, ..Usage::default() })], "{line}");
        }
    }

    #[test]
    fn a_limit_beside_a_usage_is_a_limit() {
        let line = b"{\"usage\":{\"tokens\":5},\"limit\":{\"message\":\"later\"}}\n";
        let (returned, events) = read(&[line], Exit::Code(0), b"");
        assert_eq!(returned.map_err(|failure| failure.detail), Err("later".to_owned()));
        assert_eq!(events.len(), 2);
    }

    #[test]
    fn a_return_in_a_line_that_is_too_long_is_named_as_such() {
        for length in [TAIL_BYTES_MAX, LINE_BYTES_MAX] {
            let line = format!("{{\"text\":1,\"a\":\"{}\",\"b\":{{\"c\":1}}}}", "x".repeat(length));
            let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
            let (returned, _) = read(&[line.as_bytes()], Exit::Code(0), b"");
            let too_long = TooLong { bytes, bytes_max: length };
            assert_eq!(returned, Err(no_return(Some(too_long))));
            let (returned, _) = read(&[line.as_bytes(), b"\n{\"done\":1}"], Exit::Code(0), b"");
            assert_eq!(returned, Ok(serde_json::json!({"done": 1})));
        }
    }

    #[test]
    fn no_object_is_no_return() {
        assert_eq!(read(&[b"all done!"], Exit::Code(0), b"").0, Err(no_return(None)));
    }
}
