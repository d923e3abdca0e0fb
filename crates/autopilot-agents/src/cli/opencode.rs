//! opencode: `opencode run --format json`.
//!
//! Nothing tells its end but the end of the process. Each step tells what it used by itself.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Adapter, AgentEvent, Capabilities, CommandLine, Fault, FaultClass, Parser, Request, Resume,
    Settings, Usage,
    classify::{by_status, by_text},
    gather::{Dialect, Gather, Said, micro_usd, shape, sum},
    tool,
};

/// Nothing is fetched, and nobody is asked.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
    ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
    ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
    ("OPENCODE_PERMISSION", r#"{"edit":"allow","bash":"allow","webfetch":"deny"}"#),
];

/// opencode.
#[derive(Clone, Debug)]
pub struct Opencode {
    /// How the person wants it.
    pub settings: Settings,
}

impl Adapter for Opencode {
    fn capabilities(&self) -> Capabilities {
        Capabilities { resume: true, tools: true, effort: true, named: false, scratch: true }
    }

    fn passes(&self) -> &'static [&'static str] {
        &[
            "ANTHROPIC_API_KEY",
            "GEMINI_API_KEY",
            "GOOGLE_GENERATIVE_AI_API_KEY",
            "GROQ_API_KEY",
            "OPENAI_API_KEY",
            "OPENCODE_*",
            "OPENROUTER_API_KEY",
        ]
    }

    fn command_line(&self, request: &Request<'_>) -> CommandLine {
        let mut line = self.settings.command("opencode", request);
        line.extend(["run", "--pure", "--format", "json"]);
        line.option("-m", line.model);
        line.option("--variant", line.effort);
        line.option("-s", request.resume.map(|resume| resume.session.as_str()));
        line.variables(&ENVIRONMENT);
        line.finish(&[])
    }

    fn parser(&self, _resume: Option<&Resume>) -> Box<dyn Parser + Send> {
        Box::new(Gather::new(Reading::default(), Usage::default()))
    }
}

#[derive(Default)]
struct Reading {
    has_begun: bool,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow, rename = "sessionID")]
    session: Option<&'a RawValue>,
    #[serde(borrow)]
    part: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool: Option<Cow<'a, str>>,
    #[serde(borrow)]
    state: Option<&'a RawValue>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
    tokens: Option<Tokens>,
    cost: Option<f64>,
}

#[derive(Deserialize)]
struct State<'a> {
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

/// What it read from its cache is not among the tokens that went in.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input: u64,
    output: u64,
    reasoning: u64,
    cache: Cache,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Cache {
    read: u64,
    write: u64,
}

#[derive(Deserialize)]
struct Trouble<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detail<'a> {
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
    status_code: Option<u16>,
}

impl Dialect for Reading {
    const TELLS_ITS_END: bool = false;

    fn line(&mut self, line: &str, said: &mut Said<'_>) -> bool {
        let Ok(head) = serde_json::from_str::<Head<'_>>(line) else { return false };
        let Some(kind) = shape::<Cow<'_, str>>(head.kind) else { return false };
        if !self.has_begun
            && let Some(session) = shape::<String>(head.session)
        {
            self.has_begun = true;
            said.event(AgentEvent::Session(session));
        }
        match (kind.as_ref(), shape::<Part<'_>>(head.part)) {
            ("text", Some(part)) => {
                said.text(part.text.as_deref().unwrap_or_default());
                said.new_text();
            }
            ("tool_use", Some(part)) => {
                let input = shape::<State<'_>>(part.state).and_then(|state| state.input);
                said.event(tool::call(part.tool.as_deref().unwrap_or_default(), input));
            }
            ("step_finish", Some(part)) => finished(&part, said),
            ("error", _) => said.fault(fault(head.error)),
            _ => {}
        }
        true
    }
}

fn finished(part: &Part<'_>, said: &mut Said<'_>) {
    let Tokens { input, output, reasoning, cache } = part.tokens.unwrap_or_default();
    said.used(Usage {
        tokens: sum([input, output, reasoning, cache.read, cache.write]),
        cached_tokens: cache.read,
        micro_usd: micro_usd(part.cost),
    });
    if part.reason.as_deref() == Some("length") {
        said.fault(Fault::new(FaultClass::Malformed, "its answer was cut off: it was too long"));
    } else {
        said.recovered();
    }
}

fn fault(error: Option<&RawValue>) -> Fault {
    let trouble = shape::<Trouble<'_>>(error);
    let name = trouble.as_ref().and_then(|trouble| trouble.name.as_deref()).unwrap_or_default();
    let detail = trouble.as_ref().and_then(|trouble| shape::<Detail<'_>>(trouble.data));
    let message = detail.as_ref().and_then(|detail| detail.message.as_deref()).unwrap_or_default();
    let text = format!("{name}: {message}");
    let status = detail.as_ref().and_then(|detail| detail.status_code);
    // The name of a fault is more telling than its status.
    let named = by_text(name);
    let known = named.or_else(|| status.and_then(|status| by_status(status, &text)));
    known.or_else(|| by_text(&text)).unwrap_or_else(|| Fault::new(FaultClass::Crashed, &text))
}
