//! Claude Code: `claude -p` with a stream of JSON lines.
//!
//! `result` is its last word. It calls faults of the service `success` with `is_error`, and what it was not allowed to do a
//! success as well.

use std::borrow::Cow;

use autopilot_core::role::Access;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Adapter, AgentEvent, Capabilities, CommandLine, Fault, FaultClass, Parser, Request, Reset,
    Resume, Settings, Usage,
    classify::{by_status, by_text},
    cli::blocks::blocks,
    gather::{Dialect, Gather, Said, at_seconds, micro_usd, shape, sum},
    strict::undated,
};

/// Tools that nobody is asked about, for those who write and for those who look.
const WRITER_TOOLS: &str = "Bash,Edit,Glob,Grep,MultiEdit,NotebookEdit,Read,TodoWrite,Write";
const READER_TOOLS: &str = "Bash,Glob,Grep,Read,TodoWrite";

/// Its own patience is short: waiting is the engine's.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("CLAUDE_CODE_MAX_RETRIES", "2"),
    ("API_TIMEOUT_MS", "300000"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
];

/// Claude Code.
#[derive(Clone, Debug)]
pub struct Claude {
    /// How the person wants it.
    pub settings: Settings,
}

impl Adapter for Claude {
    fn capabilities(&self) -> Capabilities {
        Capabilities { resume: true, tools: true, effort: true, named: false, scratch: true }
    }

    fn passes(&self) -> &'static [&'static str] {
        &["ANTHROPIC_*", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_*", "CLAUDE_CONFIG_DIR"]
    }

    fn command_line(&self, request: &Request<'_>) -> CommandLine {
        let tools = match request.role.access() {
            Access::Write => WRITER_TOOLS,
            Access::Read => READER_TOOLS,
        };
        let mut line = self.settings.command("claude", request);
        // Whatever is not allowed is denied with a reason, and nobody is asked: there is nobody.
        line.extend(["-p", "--output-format", "stream-json", "--verbose"]);
        line.extend(["--permission-mode", "dontAsk", "--allowedTools", tools]);
        if request.role.access() == Access::Read {
            // Settings in the directory, hooks among them, could be those of whoever is looked at.
            line.extend(["--setting-sources", "user"]);
        }
        line.option("--model", line.model);
        line.option("--effort", line.effort);
        line.option("--json-schema", Some(&undated(request.schema)));
        line.option("--resume", request.resume.map(|resume| resume.session.as_str()));
        line.variables(&ENVIRONMENT);
        line.finish(&[])
    }

    fn parser(&self, resume: Option<&Resume>) -> Box<dyn Parser + Send> {
        let before = resume.map_or_else(Usage::default, |resume| resume.used);
        Box::new(Gather::new(Reading::default(), before))
    }
}

/// What was read so far and is needed later.
#[derive(Default)]
struct Reading {
    /// When the account can be used again, as it was told before the last word.
    reset: Option<Reset>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow)]
    subtype: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    error_status: Option<&'a RawValue>,
    #[serde(borrow)]
    rate_limit_info: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RateLimit<'a> {
    #[serde(borrow)]
    status: Option<Cow<'a, str>>,
    resets_at: Option<i64>,
}

#[derive(Deserialize)]
struct Ending<'a> {
    #[serde(borrow)]
    subtype: Option<Cow<'a, str>>,
    #[serde(default)]
    is_error: bool,
    #[serde(borrow)]
    result: Option<Cow<'a, str>>,
    #[serde(borrow)]
    errors: Option<Vec<Cow<'a, str>>>,
    #[serde(borrow)]
    terminal_reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
    api_error_status: Option<u16>,
    #[serde(borrow)]
    api_error: Option<Cow<'a, str>>,
    #[serde(borrow)]
    structured_output: Option<&'a RawValue>,
    usage: Option<Tokens>,
    total_cost_usd: Option<f64>,
}

/// What it read from its cache is not among the tokens that went in.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_input_tokens: u64,
    cache_creation_input_tokens: u64,
}

impl Dialect for Reading {
    const TELLS_ITS_END: bool = true;

    fn line(&mut self, line: &str, said: &mut Said<'_>) -> bool {
        let Ok(head) = serde_json::from_str::<Head<'_>>(line) else { return false };
        let Some(kind) = shape::<Cow<'_, str>>(head.kind) else { return false };
        match kind.as_ref() {
            "assistant" => blocks(head.message, said),
            "system" if subtype(&head).as_deref() == Some("api_retry") => {
                said.event(AgentEvent::Retrying(retry(&head)));
            }
            "system" => begun(&head, said),
            "rate_limit_event" => self.limit(head.rate_limit_info),
            "result" => return self.ending(line, said),
            _ => {}
        }
        true
    }
}

fn subtype<'a>(head: &Head<'a>) -> Option<Cow<'a, str>> {
    shape(head.subtype)
}

/// Why it tries again.
fn retry(head: &Head<'_>) -> String {
    let status = shape::<u16>(head.error_status);
    let error = shape::<String>(head.error).unwrap_or_default();
    status.map_or_else(|| error.clone(), |status| format!("{status} {error}"))
}

/// The first line names the conversation and the model.
fn begun(head: &Head<'_>, said: &mut Said<'_>) {
    if subtype(head).as_deref() != Some("init") {
        return;
    }
    if let Some(session) = shape::<String>(head.session_id) {
        said.event(AgentEvent::Session(session));
    }
    if let Some(model) = shape::<String>(head.model) {
        said.event(AgentEvent::Model(model));
    }
}

impl Reading {
    fn limit(&mut self, info: Option<&RawValue>) {
        let Some(info) = shape::<RateLimit<'_>>(info) else { return };
        if info.status.as_deref() == Some("rejected") {
            self.reset = info.resets_at.and_then(at_seconds).map(Reset::At);
        }
    }

    fn ending(&mut self, line: &str, said: &mut Said<'_>) -> bool {
        let Ok(ending) = serde_json::from_str::<Ending<'_>>(line) else { return false };
        said.ended();
        let tokens = ending.usage.unwrap_or_default();
        said.used_in_all(Usage {
            tokens: 0,
            cached_tokens: 0,
            micro_usd: micro_usd(ending.total_cost_usd),
        });
        said.used(Usage {
            tokens: sum([
                tokens.input_tokens,
                tokens.output_tokens,
                tokens.cache_read_input_tokens,
                tokens.cache_creation_input_tokens,
            ]),
            cached_tokens: tokens.cache_read_input_tokens,
            micro_usd: 0,
        });
        if let Some(result) = &ending.result {
            said.last_word(result);
        }
        if let Some(value) = ending.structured_output {
            said.structured(value);
        }
        if ending.is_error {
            said.fault(self.fault(&ending));
        }
        true
    }

    fn fault(&mut self, ending: &Ending<'_>) -> Fault {
        let errors = ending.errors.as_deref().unwrap_or_default().join("; ");
        let result = ending.result.as_deref().filter(|text| !text.is_empty());
        let text = result.unwrap_or(&errors);
        let named = |reason: &str| ending.terminal_reason.as_deref() == Some(reason);
        if ending.stop_reason.as_deref() == Some("refusal") {
            return Fault::new(FaultClass::Refused, text);
        }
        if named("prompt_too_long") {
            return Fault::new(FaultClass::Context, text);
        }
        if ending.api_error.as_deref() == Some("max_output_tokens") {
            return Fault::new(FaultClass::Malformed, text);
        }
        let known = match ending.api_error_status {
            Some(status) => by_status(status, text),
            None if named("api_error") => {
                by_text(text).or_else(|| Some(Fault::new(FaultClass::Overloaded, text)))
            }
            None => None,
        };
        match known {
            Some(Fault { class: FaultClass::Limit(told), detail }) => {
                Fault { class: FaultClass::Limit(self.reset.take().or(told)), detail }
            }
            Some(fault) => fault,
            None => {
                let how = ending.subtype.as_deref().unwrap_or("an error");
                Fault::new(FaultClass::Crashed, &format!("it ended with {how}: {text}"))
            }
        }
    }
}
