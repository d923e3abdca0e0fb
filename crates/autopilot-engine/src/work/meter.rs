//! What the events of an agent's stream come to.

use autopilot_agents::{AgentEvent, Parser, Usage};
use autopilot_core::budget::Spend;

use super::sighting::Tooling;
use crate::process::Pulse;

/// A longer name of a model or a conversation is cut.
const NAME_CHARS_MAX: usize = 120;
/// How often in a row an agent may fail to get through to its service without doing anything else: one that goes on is
/// stopped, since it would do so for ever.
const RETRIES_MAX: u32 = 20;

/// Adds up what an agent's stream tells.
pub(super) struct Meter<'a> {
    events: Vec<AgentEvent>,
    pulse: &'a Pulse,
    pub(super) used: Usage,
    pub(super) model: Option<String>,
    pub(super) session: Option<String>,
    pub(super) tools: Tooling,
    retries: u32,
    trouble: String,
}

impl<'a> Meter<'a> {
    /// A meter; `tells_tools` says whether the stream tells of every tool.
    pub(super) fn new(pulse: &'a Pulse, tells_tools: bool) -> Self {
        Self {
            events: Vec::new(),
            pulse,
            used: Usage::default(),
            model: None,
            session: None,
            tools: Tooling::of(tells_tools),
            retries: 0,
            trouble: String::new(),
        }
    }

    pub(super) fn read(&mut self, parser: &mut (dyn Parser + Send), bytes: &[u8]) {
        parser.read(bytes, &mut self.events);
        self.add_up();
    }

    pub(super) fn finish<T>(&mut self, finish: impl FnOnce(&mut Vec<AgentEvent>) -> T) -> T {
        let finished = finish(&mut self.events);
        self.add_up();
        finished
    }

    /// What was spent.
    pub(super) fn spent(&self) -> Spend {
        let Usage { tokens, micro_usd, .. } = self.used;
        Spend { tokens, micro_usd, busy_ms: 0 }
    }

    /// Why an agent does not come on, if it tries the same thing again and again.
    pub(super) fn stuck(&self) -> Option<String> {
        (self.retries >= RETRIES_MAX)
            .then(|| format!("it tried {} times in a row: {}", self.retries, self.trouble))
    }

    /// What the last thing was that an agent did not get through with, if it has not come on since.
    pub(super) fn trouble(&self) -> Option<&str> {
        (self.retries > 0).then_some(self.trouble.as_str())
    }

    fn add_up(&mut self) {
        for event in self.events.drain(..) {
            // Once it was too often, what comes after it changes nothing: it is being stopped.
            if !matches!(event, AgentEvent::Retrying(_)) && self.retries < RETRIES_MAX {
                self.retries = 0;
            }
            match event {
                AgentEvent::Usage(usage) => {
                    self.used += usage;
                    self.pulse.used(usage.tokens, usage.micro_usd);
                }
                AgentEvent::Model(name) => self.model = Some(cut(&name)),
                AgentEvent::Session(name) => self.session = Some(cut(&name)),
                AgentEvent::ToolCall { kind, what } => self.tools.note(kind, &what),
                AgentEvent::Retrying(trouble) => {
                    self.retries += 1;
                    self.trouble = cut(&trouble);
                }
                AgentEvent::Text(_) | AgentEvent::Limit { .. } | AgentEvent::TooLong { .. } => {}
            }
        }
    }
}

fn cut(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}
