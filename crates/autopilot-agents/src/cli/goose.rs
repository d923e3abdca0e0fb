//! goose: `goose run --output-format stream-json`.
//!
//! Faults of the service are told as text in an answer that ends well. What it used is told for the whole conversation.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Adapter, Capabilities, CommandLine, Fault, FaultClass, Parser, Request, Resume, Settings,
    Usage,
    classify::by_text,
    gather::{Dialect, Gather, Said, shape},
    tool,
};

const ENVIRONMENT: [(&str, &str); 2] = [("GOOSE_MODE", "auto"), ("GOOSE_DISABLE_KEYRING", "1")];

/// What an answer begins with that is no answer.
const FAULTS: [&str; 3] = [
    "Ran into this error",
    "I've reached the maximum number of actions",
    "The model returned an empty response",
];

/// What a notice begins with that is its last one.
const GAVE_UP: &str = "Unable to continue";
/// How much of an answer is looked at to see whether it is one.
const ANSWER_CHARS_MAX: usize = 1_000;

/// goose.
#[derive(Clone, Debug)]
pub struct Goose {
    /// How the person wants it.
    pub settings: Settings,
}

impl Adapter for Goose {
    fn capabilities(&self) -> Capabilities {
        Capabilities { resume: true, tools: true, effort: false, named: true, scratch: true }
    }

    fn passes(&self) -> &'static [&'static str] {
        &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_HOST",
            "GOOGLE_API_KEY",
            "GOOSE_*",
            "OPENAI_*",
            "OPENROUTER_API_KEY",
        ]
    }

    fn command_line(&self, request: &Request<'_>) -> CommandLine {
        let mut line = self.settings.command("goose", request);
        line.extend(["run", "-q", "--output-format", "stream-json", "--with-builtin", "developer"]);
        line.option("--model", line.model);
        // Its stream does not name the conversation, so that it is given a name.
        match request.resume {
            Some(resume) => line.extend(["-n", &resume.session, "-r"]),
            None => line.extend(["-n", request.name]),
        }
        line.variables(&ENVIRONMENT);
        line.finish(&["-i", "-"])
    }

    fn parser(&self, resume: Option<&Resume>) -> Box<dyn Parser + Send> {
        let before = resume.map_or_else(Usage::default, |resume| resume.used);
        Box::new(Gather::new(Reading::default(), before))
    }
}

#[derive(Default)]
struct Reading {
    /// The message that is being told, in pieces.
    message: String,
    /// How the answer begins.
    answer: String,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    total_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow)]
    content: Vec<Block<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
    #[serde(borrow)]
    msg: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool_call: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ToolCall<'a> {
    #[serde(borrow)]
    value: Option<Call<'a>>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

impl Dialect for Reading {
    const TELLS_ITS_END: bool = true;

    fn line(&mut self, line: &str, said: &mut Said<'_>) -> bool {
        let Ok(head) = serde_json::from_str::<Head<'_>>(line) else { return false };
        let Some(kind) = shape::<Cow<'_, str>>(head.kind) else { return false };
        match kind.as_ref() {
            "message" => {
                if let Some(message) = shape::<Message<'_>>(head.message) {
                    self.message(&message, said);
                }
            }
            "error" => {
                let text = shape::<String>(head.error).unwrap_or_default();
                said.fault(fault(&text));
            }
            "complete" => self.complete(&head, said),
            _ => {}
        }
        true
    }
}

impl Reading {
    fn message(&mut self, message: &Message<'_>, said: &mut Said<'_>) {
        if message.role != "assistant" {
            return;
        }
        let id = message.id.as_deref().unwrap_or_default();
        if id != self.message {
            id.clone_into(&mut self.message);
            self.answer.clear();
            said.new_text();
        }
        for block in &message.content {
            match (block.kind.as_ref(), &block.text) {
                ("text", Some(text)) => {
                    let room = ANSWER_CHARS_MAX.saturating_sub(self.answer.chars().count());
                    self.answer.extend(text.chars().take(room));
                    said.text(text);
                }
                ("toolRequest", _) => {
                    let call = shape::<ToolCall<'_>>(block.tool_call).and_then(|call| call.value);
                    let call = call.map(|call| tool::call(&call.name, call.arguments));
                    call.into_iter().for_each(|event| said.event(event));
                }
                ("systemNotification", _) => {
                    let gave_up = block.msg.as_deref().filter(|msg| msg.starts_with(GAVE_UP));
                    gave_up.into_iter().for_each(|msg| said.fault(fault(msg)));
                }
                ("error", _) => {
                    said.fault(fault(block.message.as_deref().unwrap_or_default()));
                }
                _ => {}
            }
        }
    }

    fn complete(&mut self, head: &Head<'_>, said: &mut Said<'_>) {
        said.ended();
        said.used_in_all(Usage {
            tokens: head.total_tokens.unwrap_or_default(),
            cached_tokens: head.cache_read_input_tokens.unwrap_or_default(),
            micro_usd: 0,
        });
        let answer = self.answer.trim_start();
        if FAULTS.iter().any(|words| answer.starts_with(words)) {
            said.fault(fault(answer));
        }
    }
}

fn fault(text: &str) -> Fault {
    by_text(text).unwrap_or_else(|| Fault::new(FaultClass::Crashed, text))
}
