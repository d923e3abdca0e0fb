//! Codex: `codex exec --json`.
//!
//! Faults are told as text alone. `error` lines that only say that it connects again are no faults, and neither are items of
//! the type `error`. What it used is told for the whole conversation.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{
    Adapter, AgentEvent, Capabilities, CommandLine, Fault, FaultClass, Parser, Request, Resume,
    Settings, Usage,
    classify::by_text,
    gather::{Dialect, Gather, Said, shape, sum},
    strict::{loosened, strict},
    tool,
};

/// What it would ask of other hosts, and nobody to ask for permission.
const CONFIG: [&str; 8] = [
    "approval_policy=never",
    "check_for_update_on_startup=false",
    "analytics.enabled=false",
    "feedback.enabled=false",
    "features.plugins=false",
    "features.apps=false",
    "hide_agent_reasoning=true",
    "project_doc_max_bytes=65536",
];

/// Codex.
#[derive(Clone, Debug)]
pub struct Codex {
    /// How the person wants it.
    pub settings: Settings,
}

impl Adapter for Codex {
    fn capabilities(&self) -> Capabilities {
        Capabilities { resume: true, tools: true, effort: true, named: false, scratch: true }
    }

    fn passes(&self) -> &'static [&'static str] {
        &["CODEX_*", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORGANIZATION", "OPENAI_PROJECT"]
    }

    fn command_line(&self, request: &Request<'_>) -> CommandLine {
        // Whoever only looks has commands run, too, and these write; what is left there is thrown away.
        let sandbox = "workspace-write";
        let mut line = self.settings.command("codex", request);
        line.extend(["exec", "--json", "--skip-git-repo-check", "-s", sandbox]);
        for setting in CONFIG {
            line.extend(["-c", setting]);
        }
        // It would write every directory into the person's settings otherwise. Settings in the directory itself could have
        // been put there by an agent before it.
        let directory = Value::from(request.directory.display().to_string());
        let distrust = format!("projects={{{directory}={{trust_level=\"untrusted\"}}}}");
        line.extend(["-c", &distrust]);
        if let Some(effort) = line.effort {
            let effort = format!("model_reasoning_effort={effort}");
            line.extend(["-c", &effort]);
        }
        line.option("-m", line.model);
        if let Some(schema) = strict(request.schema) {
            let path = line.file("schema.json", schema);
            line.extend(["--output-schema", &path]);
        }
        match request.resume {
            Some(resume) => line.finish(&["resume", &resume.session, "-"]),
            None => line.finish(&["-"]),
        }
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
    thread_id: Option<&'a RawValue>,
    #[serde(borrow)]
    item: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Item<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    changes: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Change<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Trouble<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
}

/// What it read from its cache is among the tokens that went in.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input_tokens: u64,
    cached_input_tokens: u64,
    output_tokens: u64,
}

impl Dialect for Reading {
    const TELLS_ITS_END: bool = true;

    fn line(&mut self, line: &str, said: &mut Said<'_>) -> bool {
        let Ok(head) = serde_json::from_str::<Head<'_>>(line) else { return false };
        let Some(kind) = shape::<Cow<'_, str>>(head.kind) else { return false };
        match kind.as_ref() {
            "thread.started" => {
                if let Some(session) = shape::<String>(head.thread_id) {
                    said.event(AgentEvent::Session(session));
                }
            }
            // What a command printed may make the line too long that tells of its end.
            "item.started" => command(head.item, said),
            "item.completed" => item(head.item, said),
            "error" => said.event(AgentEvent::Retrying(shape(head.message).unwrap_or_default())),
            "turn.completed" => {
                said.ended();
                used(head.usage, said);
            }
            "turn.failed" => {
                said.ended();
                used(head.usage, said);
                let trouble = shape::<Trouble<'_>>(head.error);
                said.fault(fault(trouble.as_ref().map_or("", |trouble| &trouble.message)));
            }
            _ => {}
        }
        true
    }
}

fn command(item: Option<&RawValue>, said: &mut Said<'_>) {
    let Some(item) = shape::<Item<'_>>(item) else { return };
    if item.kind == "command_execution" {
        let command = shape::<Cow<'_, str>>(item.command);
        said.event(tool::command(command.as_deref().unwrap_or_default()));
    }
}

fn item(item: Option<&RawValue>, said: &mut Said<'_>) {
    let Some(item) = shape::<Item<'_>>(item) else { return };
    match item.kind.as_ref() {
        "agent_message" => {
            // Its last message is its answer; those before it are talk.
            said.last_word("");
            let text = item.text.as_deref().unwrap_or_default();
            said.text(text);
            said.structured_if(loosened(text));
        }
        "file_change" => {
            for change in shape::<Vec<Change<'_>>>(item.changes).unwrap_or_default() {
                said.event(tool::written(&change.path));
            }
        }
        _ => {}
    }
}

fn used(usage: Option<&RawValue>, said: &mut Said<'_>) {
    let Some(tokens) = shape::<Tokens>(usage) else { return };
    said.used_in_all(Usage {
        tokens: sum([tokens.input_tokens, tokens.output_tokens]),
        cached_tokens: tokens.cached_input_tokens,
        micro_usd: 0,
    });
}

fn fault(text: &str) -> Fault {
    if text.contains("max_output_tokens") {
        return Fault::new(FaultClass::Malformed, text);
    }
    by_text(text).unwrap_or_else(|| Fault::new(FaultClass::Crashed, text))
}
