//! Qwen Code: `qwen -o stream-json`, in lines like those of Claude Code.
//!
//! What it used is told for the whole conversation. Where its own limits end it, there is no last line.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Adapter, AgentEvent, Capabilities, CommandLine, Fault, FaultClass, Parser, Request, Resume,
    Settings, Usage,
    classify::by_text,
    cli::blocks::blocks,
    gather::{Dialect, Gather, Said, shape, sum},
    strict::undated,
};

/// Its own patience is short, and nothing is told or fetched.
const DEFAULTS: &str = r#"{
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
  "model": {"generationConfig": {"maxRetries": 1, "timeout": 300000}},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false}
}
"#;

/// Qwen Code.
#[derive(Clone, Debug)]
pub struct Qwen {
    /// How the person wants it.
    pub settings: Settings,
}

impl Adapter for Qwen {
    fn capabilities(&self) -> Capabilities {
        Capabilities { resume: true, tools: true, effort: false, named: false, scratch: true }
    }

    fn passes(&self) -> &'static [&'static str] {
        &["DASHSCOPE_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "QWEN_*"]
    }

    fn command_line(&self, request: &Request<'_>) -> CommandLine {
        let mut line = self.settings.command("qwen", request);
        line.extend(["-o", "stream-json", "--approval-mode", "yolo"]);
        line.option("-m", line.model);
        let schema = line.file("schema.json", undated(request.schema));
        line.option("--json-schema", Some(&format!("@{schema}")));
        line.option("--resume", request.resume.map(|resume| resume.session.as_str()));
        let defaults = line.file("qwen.json", DEFAULTS.to_owned());
        line.variables(&[("QWEN_CODE_SYSTEM_DEFAULTS_PATH", &defaults)]);
        line.finish(&[])
    }

    fn parser(&self, resume: Option<&Resume>) -> Box<dyn Parser + Send> {
        let before = resume.map_or_else(Usage::default, |resume| resume.used);
        Box::new(Gather::new(Reading, before))
    }
}

struct Reading;

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    subtype: Option<&'a RawValue>,
    #[serde(borrow)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Ending<'a> {
    #[serde(default)]
    is_error: bool,
    #[serde(borrow)]
    result: Option<Cow<'a, str>>,
    #[serde(borrow)]
    error: Option<Trouble<'a>>,
    #[serde(borrow)]
    structured_result: Option<&'a RawValue>,
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Trouble<'a> {
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
}

/// What it read from its cache is among the tokens that went in.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_input_tokens: u64,
}

impl Dialect for Reading {
    const TELLS_ITS_END: bool = true;

    fn line(&mut self, line: &str, said: &mut Said<'_>) -> bool {
        let Ok(head) = serde_json::from_str::<Head<'_>>(line) else { return false };
        let Some(kind) = shape::<Cow<'_, str>>(head.kind) else { return false };
        match kind.as_ref() {
            "assistant" => blocks(head.message, said),
            "system" if shape::<Cow<'_, str>>(head.subtype).as_deref() == Some("init") => {
                let session = shape::<String>(head.session_id);
                session.into_iter().for_each(|name| said.event(AgentEvent::Session(name)));
                let model = shape::<String>(head.model);
                model.into_iter().for_each(|name| said.event(AgentEvent::Model(name)));
            }
            "system" if shape::<Cow<'_, str>>(head.subtype).as_deref() == Some("retry") => {
                said.event(AgentEvent::Retrying("its service does not answer".to_owned()));
            }
            "result" => return ending(line, said),
            _ => {}
        }
        true
    }
}

fn ending(line: &str, said: &mut Said<'_>) -> bool {
    let Ok(ending) = serde_json::from_str::<Ending<'_>>(line) else { return false };
    said.ended();
    let tokens = ending.usage.unwrap_or_default();
    said.used_in_all(Usage {
        tokens: sum([tokens.input_tokens, tokens.output_tokens]),
        cached_tokens: tokens.cache_read_input_tokens,
        micro_usd: 0,
    });
    if let Some(result) = &ending.result {
        said.last_word(result);
    }
    if let Some(value) = ending.structured_result {
        said.structured(value);
    }
    if ending.is_error {
        let told = ending.error.and_then(|error| error.message);
        let text = told.or(ending.result).unwrap_or_default();
        let known = by_text(&text);
        said.fault(known.unwrap_or_else(|| Fault::new(FaultClass::Crashed, &text)));
    }
    true
}
