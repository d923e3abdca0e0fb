//! Gemini CLI: `gemini -o stream-json`.
//!
//! It ends with 0 on faults as well; `result.status` tells. A stream that the service cut off is called a success, so an
//! answer that holds no return is no return.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Adapter, AgentEvent, Capabilities, CommandLine, Fault, FaultClass, Parser, Request, Resume,
    Settings, Usage,
    classify::by_text,
    gather::{Dialect, Gather, Said, shape},
    tool,
};

/// It starts itself a second time otherwise, and a signal reaches only the first.
const ENVIRONMENT: [(&str, &str); 1] = [("GEMINI_CLI_NO_RELAUNCH", "true")];

/// Its own patience is short, and nothing is told or fetched.
const DEFAULTS: &str = r#"{
  "general": {"enableAutoUpdate": false, "maxAttempts": 2},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false}
}
"#;

/// Gemini CLI.
#[derive(Clone, Debug)]
pub struct Gemini {
    /// How the person wants it.
    pub settings: Settings,
}

impl Adapter for Gemini {
    fn capabilities(&self) -> Capabilities {
        Capabilities { resume: true, tools: true, effort: false, named: false, scratch: true }
    }

    fn passes(&self) -> &'static [&'static str] {
        &["GEMINI_API_KEY", "GOOGLE_*"]
    }

    fn command_line(&self, request: &Request<'_>) -> CommandLine {
        let mut line = self.settings.command("gemini", request);
        // An untrusted folder would take its permissions away again.
        line.extend(["-o", "stream-json", "--approval-mode", "yolo", "--skip-trust"]);
        line.option("-m", line.model);
        line.option("--resume", request.resume.map(|resume| resume.session.as_str()));
        // Beneath what the person's own settings say.
        let defaults = line.file("gemini.json", DEFAULTS.to_owned());
        line.variables(&[("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", &defaults)]);
        line.variables(&ENVIRONMENT);
        line.finish(&[])
    }

    fn parser(&self, _resume: Option<&Resume>) -> Box<dyn Parser + Send> {
        // What it used is told for this step alone.
        Box::new(Gather::new(Reading::default(), Usage::default()))
    }
}

#[derive(Default)]
struct Reading {
    /// The last thing that went wrong.
    trouble: Option<String>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    role: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_name: Option<&'a RawValue>,
    #[serde(borrow)]
    parameters: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    stats: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Trouble<'a> {
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Stats {
    total_tokens: u64,
    cached: u64,
}

impl Dialect for Reading {
    const TELLS_ITS_END: bool = true;

    fn line(&mut self, line: &str, said: &mut Said<'_>) -> bool {
        let Ok(head) = serde_json::from_str::<Head<'_>>(line) else { return false };
        let Some(kind) = shape::<Cow<'_, str>>(head.kind) else { return false };
        match kind.as_ref() {
            "init" => {
                let session = shape::<String>(head.session_id);
                session.into_iter().for_each(|name| said.event(AgentEvent::Session(name)));
                let model = shape::<String>(head.model);
                model.into_iter().for_each(|name| said.event(AgentEvent::Model(name)));
            }
            "message" => {
                let is_its_own = shape::<Cow<'_, str>>(head.role).as_deref() == Some("assistant");
                let text = shape::<Cow<'_, str>>(head.content).filter(|_| is_its_own);
                text.into_iter().for_each(|text| said.text(&text));
            }
            "tool_use" => {
                let name = shape::<Cow<'_, str>>(head.tool_name);
                said.event(tool::call(name.as_deref().unwrap_or_default(), head.parameters));
                said.new_text();
            }
            "error" => {
                self.trouble = shape::<String>(head.message);
                said.event(AgentEvent::Retrying(self.trouble.clone().unwrap_or_default()));
            }
            "result" => self.ending(&head, said),
            _ => {}
        }
        true
    }
}

impl Reading {
    fn ending(&mut self, head: &Head<'_>, said: &mut Said<'_>) {
        said.ended();
        let stats = shape::<Stats>(head.stats).unwrap_or_default();
        let Stats { total_tokens: tokens, cached: cached_tokens } = stats;
        said.used(Usage { tokens, cached_tokens, micro_usd: 0 });
        if shape::<Cow<'_, str>>(head.status).as_deref() == Some("success") {
            return;
        }
        let told = shape::<Trouble<'_>>(head.error).and_then(|error| error.message);
        let text = told.map(Cow::into_owned).or(self.trouble.take()).unwrap_or_default();
        let known = by_text(&text);
        said.fault(known.unwrap_or_else(|| Fault::new(FaultClass::Crashed, &text)));
    }
}
