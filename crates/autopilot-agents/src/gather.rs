//! What the streams of all real agents have in common: JSON lines, of which a few matter.
//!
//! An agent is a [`Dialect`]: it reads one line and notes what it says. Whether there is a return is decided here, the same
//! way for all: an exit code of 0 proves nothing, so an end must be told, and there must be something to return.

use autopilot_core::time::Timestamp;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{
    AgentEvent, Exit, Fault, FaultClass, LINE_BYTES_MAX, Line, Lines, Parser, Reset, Returned,
    Usage, classify::by_text, last_json_object,
};

/// How much of the end of what an agent says is searched for its return.
const TEXT_BYTES_MAX: usize = 256 << 10;
/// How much of a text goes into an event.
const EVENT_CHARS_MAX: usize = 2_000;
/// How many places in a line are tried as the beginning of what the agent tells.
const BEGINNINGS_MAX: usize = 8;
/// How much of what no dialect understands is kept, to say something of an agent that ends without a word.
const NOISE_CHARS_MAX: usize = 500;

/// How one agent's lines are read.
pub(crate) trait Dialect: Send {
    /// Whether the stream tells its end. Where it does not, the end of the process is all there is.
    const TELLS_ITS_END: bool;

    /// Reads a line that is a JSON object; `false` if it says nothing that is known.
    fn line(&mut self, line: &str, said: &mut Said<'_>) -> bool;
}

/// Where a dialect notes what a line says.
pub(crate) struct Said<'a> {
    gathered: &'a mut Gathered,
    events: &'a mut Vec<AgentEvent>,
}

/// What was said so far.
#[derive(Default)]
pub(crate) struct Gathered {
    /// The end of what the agent said, as one text.
    text: String,
    structured: Option<Value>,
    fault: Option<Fault>,
    has_ended: bool,
    noise: String,
    /// What the conversation had used before this step, where totals go on over several.
    before: Usage,
    counted: Usage,
    too_long: Option<u64>,
}

impl Said<'_> {
    /// The agent said this; a later text comes after it.
    pub(crate) fn text(&mut self, text: &str) {
        self.gathered.push_text(text);
        if !text.trim().is_empty() {
            self.events.push(AgentEvent::Text(text.chars().take(EVENT_CHARS_MAX).collect()));
        }
    }

    /// The agent's last word is this, whatever it said before.
    pub(crate) fn last_word(&mut self, text: &str) {
        self.gathered.text.clear();
        self.gathered.push_text(text);
    }

    /// Ends a text: what comes next is another one.
    pub(crate) fn new_text(&mut self) {
        self.gathered.push_text("\n");
    }

    /// The agent returned this in the shape that it was asked for.
    pub(crate) fn structured(&mut self, value: &RawValue) {
        self.gathered.structured = serde_json::from_str(value.get()).ok();
    }

    /// The agent returned this in its last message, if it did.
    pub(crate) fn structured_if(&mut self, value: Option<Value>) {
        self.gathered.structured = value;
    }

    /// The agent says that it is at its end.
    pub(crate) fn ended(&mut self) {
        self.gathered.has_ended = true;
    }

    /// The agent did not get through.
    pub(crate) fn fault(&mut self, fault: Fault) {
        if let FaultClass::Limit(reset) = &fault.class {
            let until = match reset {
                Some(Reset::At(at)) => Some(*at),
                Some(Reset::After(_) | Reset::Clock { .. }) | None => None,
            };
            self.events.push(AgentEvent::Limit { until, message: fault.detail.clone() });
        }
        // What was told as a limit with its end says more than what follows from it.
        let is_told =
            matches!(self.gathered.fault, Some(Fault { class: FaultClass::Limit(Some(_)), .. }));
        if !is_told {
            self.gathered.fault = Some(fault);
        }
    }

    /// What came before is over: the agent tried again and got through.
    pub(crate) fn recovered(&mut self) {
        self.gathered.fault = None;
    }

    /// An event that needs no further thought.
    pub(crate) fn event(&mut self, event: AgentEvent) {
        self.events.push(event);
    }

    /// The agent has used this since the last time it said so.
    pub(crate) fn used(&mut self, usage: Usage) {
        self.gathered.counted += usage;
        if usage != Usage::default() {
            self.events.push(AgentEvent::Usage(usage));
        }
    }

    /// The whole conversation has used this, with what it used in earlier steps.
    pub(crate) fn used_in_all(&mut self, total: Usage) {
        let known = self.gathered.before + self.gathered.counted;
        self.used(total.less(known));
    }
}

impl Gathered {
    fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() >= 2 * TEXT_BYTES_MAX {
            let mut from = self.text.len() - TEXT_BYTES_MAX;
            while !self.text.is_char_boundary(from) {
                from += 1;
            }
            self.text.drain(..from);
        }
    }
}

/// Reads the stream of an agent in its dialect.
pub(crate) struct Gather<D> {
    lines: Lines,
    dialect: D,
    gathered: Gathered,
}

impl<D: Dialect> Gather<D> {
    /// A reader; `before` is what the conversation had used when it was left.
    pub(crate) fn new(dialect: D, before: Usage) -> Self {
        Self {
            lines: Lines::default(),
            dialect,
            gathered: Gathered { before, ..Gathered::default() },
        }
    }

    fn note(
        dialect: &mut D,
        gathered: &mut Gathered,
        line: Line<'_>,
        events: &mut Vec<AgentEvent>,
    ) {
        match line {
            Line::Whole(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                let mut said = Said { gathered, events };
                // Some agents print words before their first line, and one of them before its last.
                let beginnings = text.match_indices("{\"").take(BEGINNINGS_MAX);
                let mut is_read = |from: usize| dialect.line(&text[from..], &mut said);
                let found = beginnings.map(|(from, _)| from).find(|from| is_read(*from));
                gathered.note_noise(&text[..found.unwrap_or(text.len())]);
            }
            Line::TooLong { bytes } => {
                gathered.too_long = Some(bytes);
                events.push(AgentEvent::TooLong { bytes });
            }
        }
    }
}

impl Gathered {
    fn note_noise(&mut self, text: &str) {
        let room = NOISE_CHARS_MAX.saturating_sub(self.noise.chars().count());
        self.noise.extend(text.trim().chars().take(room));
    }

    fn finish(self, exit: Exit, stderr: &str, tells_its_end: bool) -> Returned {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if exit != Exit::Code(0) || (tells_its_end && !self.has_ended) {
            return Err(cut_off(exit, stderr, &self.noise));
        }
        if let Some(Value::Object(_)) = self.structured {
            return self.structured.ok_or_else(|| Fault::new(FaultClass::Malformed, ""));
        }
        match last_json_object(&self.text) {
            Some(object) => Ok(Value::Object(object)),
            None => Err(no_return(&self.text, self.too_long)),
        }
    }
}

impl<D: Dialect> Parser for Gather<D> {
    fn read(&mut self, bytes: &[u8], events: &mut Vec<AgentEvent>) {
        let Self { lines, dialect, gathered } = self;
        lines.read(bytes, |line| Self::note(dialect, gathered, line, events));
    }

    fn finish(
        mut self: Box<Self>,
        exit: Exit,
        stderr: &[u8],
        events: &mut Vec<AgentEvent>,
    ) -> Returned {
        let Self { lines, dialect, gathered } = &mut *self;
        lines.finish(|line| Self::note(dialect, gathered, line, events));
        self.gathered.finish(exit, &String::from_utf8_lossy(stderr), D::TELLS_ITS_END)
    }
}

/// What is known of an agent that ended without saying so, or badly.
fn cut_off(exit: Exit, stderr: &str, noise: &str) -> Fault {
    let how = match exit {
        Exit::Code(0) => "it ended without saying that it is done".to_owned(),
        Exit::Code(code) => format!("it ended with exit code {code}"),
        Exit::Signal(signal) => format!("it was ended by signal {signal}"),
    };
    let said = if stderr.trim().is_empty() { noise } else { stderr };
    let class = match exit {
        Exit::Code(_) => by_text(said).map_or(FaultClass::Crashed, |fault| fault.class),
        Exit::Signal(_) => FaultClass::Crashed,
    };
    let said = said.trim();
    let text = if said.is_empty() { how } else { format!("{how}: {said}") };
    Fault::new(class, &text)
}

/// An agent that said everything but its return.
fn no_return(text: &str, too_long: Option<u64>) -> Fault {
    let text = match (text.trim().is_empty(), too_long) {
        (_, Some(bytes)) => format!(
            "there is no return: it printed a line of {bytes} bytes, and {LINE_BYTES_MAX} are read"
        ),
        (true, None) => "its answer is empty, so there is no return".to_owned(),
        (false, None) => "its answer holds no JSON object, so there is no return".to_owned(),
    };
    Fault::new(FaultClass::Malformed, &text)
}

/// A value of a line if it has the shape that is wanted: other lines use the same key for other things.
pub(crate) fn shape<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

/// Dollars as millionths.
pub(crate) fn micro_usd(usd: Option<f64>) -> u64 {
    // The conversion stops at 0 and at the largest count, which is what is wanted.
    usd.map_or(0, |usd| (usd * 1e6).round() as u64)
}

/// A point in time in seconds, where one is told.
pub(crate) fn at_seconds(seconds: i64) -> Option<Timestamp> {
    seconds.checked_mul(1_000).filter(|ms| *ms > 0).map(Timestamp::from_ms)
}

/// A sum of counts that somebody else wrote down.
pub(crate) fn sum<const N: usize>(counts: [u64; N]) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}
