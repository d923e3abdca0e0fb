//! What the real programs printed against a model server that misbehaves, each read to the right end.
//!
//! `samples/` holds what each printed, and `table.txt` beside it what each must come to. A stream that is named in the table and
//! has no file is one that printed nothing.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use autopilot_agents::{
    Adapter, AgentEvent, Claude, Codex, Exit, FaultClass, Gemini, Goose, LINE_BYTES_MAX, Opencode,
    Qwen, Reset, Resume, Returned, Settings, ToolKind, Usage,
};
use autopilot_core::time::Timestamp;
use proptest::prelude::*;

const AGENTS: [&str; 6] = ["claude", "codex", "gemini", "goose", "opencode", "qwen"];
/// How much of what is said stands in the table.
const SAID_CHARS_MAX: usize = 60;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

fn adapter(name: &str) -> Box<dyn Adapter> {
    let settings = Settings::default();
    match name {
        "claude" => Box::new(Claude { settings }),
        "codex" => Box::new(Codex { settings }),
        "gemini" => Box::new(Gemini { settings }),
        "qwen" => Box::new(Qwen { settings }),
        "opencode" => Box::new(Opencode { settings }),
        "goose" => Box::new(Goose { settings }),
        other => panic!("no agent `{other}`"),
    }
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(samples().join(format!("{name}.jsonl"))).unwrap_or_default()
}

fn play(name: &str, bytes: &[u8], exit: i32, piece: usize) -> (Returned, Vec<AgentEvent>) {
    let agent = name.split_once('-').expect("agent-scenario").0;
    let mut parser = adapter(agent).parser(None);
    let mut events = Vec::new();
    for piece in bytes.chunks(piece) {
        parser.read(piece, &mut events);
    }
    let stderr = fs::read(samples().join(format!("{name}.stderr"))).unwrap_or_default();
    // Whoever ran it ended it by then.
    let exit = if exit == 124 { Exit::Signal(15) } else { Exit::Code(exit) };
    (parser.finish(exit, &stderr, &mut events), events)
}

fn class_of(class: &FaultClass) -> String {
    match class {
        FaultClass::Limit(None) => "limit".to_owned(),
        FaultClass::Limit(Some(Reset::At(at))) => format!("limit until {}", at.as_ms()),
        FaultClass::Limit(Some(Reset::After(ms))) => format!("limit for {ms} ms"),
        FaultClass::Limit(Some(Reset::Clock { hour, minute, zone })) => {
            format!("limit until {hour}:{minute:02} {}", zone.as_deref().unwrap_or("here"))
        }
        other => format!("{other:?}").to_lowercase(),
    }
}

/// The row of a stream: what it came to, what it used, what it was seen to do, what was said last.
fn row(name: &str, exit: i32) -> String {
    let bytes = sample(name);
    let (returned, events) = play(name, &bytes, exit, usize::MAX);
    assert_eq!((&returned, &events), (&play(name, &bytes, exit, 7).0, &events), "{name}");
    let used = used(&events);
    let count = |wanted: ToolKind| {
        let of_kind = |event: &&AgentEvent| matches!(event, AgentEvent::ToolCall { kind, .. } if *kind == wanted);
        events.iter().filter(of_kind).count()
    };
    let (commands, writes) = (count(ToolKind::Command), count(ToolKind::Write));
    let (end, said) = match &returned {
        Ok(value) => ("return".to_owned(), value.to_string()),
        Err(fault) => (class_of(&fault.class), fault.detail.clone()),
    };
    let said: String = said.chars().take(SAID_CHARS_MAX).collect();
    let Usage { tokens, cached_tokens, micro_usd } = used;
    format!(
        "{name} | {exit} | {end} | {tokens} {cached_tokens} {micro_usd} | {commands} {writes} | {said}"
    )
}

fn used(events: &[AgentEvent]) -> Usage {
    let usage = |event: &AgentEvent| match event {
        AgentEvent::Usage(usage) => *usage,
        _ => Usage::default(),
    };
    events.iter().map(usage).fold(Usage::default(), |sum, one| sum + one)
}

fn table() -> Vec<String> {
    let text = fs::read_to_string(samples().join("table.txt")).expect("the table is there");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

fn named(line: &str) -> (&str, i32) {
    let mut columns = line.split(" | ");
    let name = columns.next().expect("a name");
    (name, columns.next().and_then(|exit| exit.parse().ok()).expect("an exit code"))
}

#[test]
fn every_recorded_stream_ends_as_the_table_says() {
    let table = table();
    let mut wrong = Vec::new();
    for line in &table {
        let (name, exit) = named(line);
        let found = row(name, exit);
        if found.trim_end() != line.trim_end() {
            wrong.push(format!("is  {found}\nnot {line}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    let listed: BTreeSet<&str> = table.iter().map(|line| named(line).0).collect();
    for entry in fs::read_dir(samples()).expect("the samples are there") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let is_listed = name == "table" || listed.contains(name.as_str());
        assert!(is_listed, "{name} is not in the table");
    }
}

/// What is said of an end of 0 in the table must be true for every agent: it proves nothing.
#[test]
fn an_exit_code_of_0_without_a_last_word_is_no_return() {
    for agent in AGENTS {
        let name = format!("{agent}-ok");
        let bytes = sample(&name);
        assert!(play(&name, &bytes, 0, usize::MAX).0.is_ok(), "{agent}");
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let last_word = match agent {
            // It tells its end by ending: here it is cut off before it has said anything.
            "opencode" => 1,
            _ => lines.len() - 1,
        };
        let (returned, _) = play(&name, &lines[..last_word].concat(), 0, usize::MAX);
        assert!(returned.is_err(), "{agent}: {returned:?}");
    }
}

#[test]
fn a_return_of_a_program_that_was_killed_is_not_believed() {
    for agent in AGENTS {
        let name = format!("{agent}-ok");
        let (returned, _) = play(&name, &sample(&name), 124, usize::MAX);
        let class = returned.expect_err("it was killed").class;
        assert_eq!(class, FaultClass::Crashed, "{agent}");
    }
}

#[test]
fn a_success_that_is_an_error_is_an_error() {
    let text = String::from_utf8(sample("claude-401")).expect("text");
    assert!(text.contains(r#""subtype":"success""#) && text.contains(r#""is_error":true"#));
    let (returned, _) = play("claude-401", text.as_bytes(), 0, usize::MAX);
    assert_eq!(returned.expect_err("it is an error").class, FaultClass::Auth);
}

#[test]
fn words_that_stick_to_a_line_do_not_hide_it() {
    for words in ["Yes — what would you like me to do?", "a {b} c", "{"] {
        for agent in AGENTS {
            let name = format!("{agent}-ok");
            let text = String::from_utf8(sample(&name)).expect("text");
            let glued: String = text.lines().map(|line| format!("{words}{line}\n")).collect();
            let (returned, _) = play(&name, glued.as_bytes(), 0, usize::MAX);
            assert!(returned.is_ok(), "{agent} after `{words}`: {returned:?}");
        }
    }
}

#[test]
fn a_line_that_is_too_long_is_told_and_the_rest_is_read() {
    for agent in AGENTS {
        let name = format!("{agent}-ok");
        let bytes = sample(&name);
        let first = bytes.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        let text = "x".repeat(LINE_BYTES_MAX);
        let long = format!("{{\"type\":\"x\",\"text\":\"{text}\"}}\n");
        let with_it = [&bytes[..first], long.as_bytes(), &bytes[first..]].concat();
        let (returned, events) = play(&name, &with_it, 0, 8192);
        assert!(returned.is_ok(), "{agent}: {returned:?}");
        assert!(events.iter().any(|event| matches!(event, AgentEvent::TooLong { .. })), "{agent}");
    }
}

#[test]
fn what_a_conversation_used_before_is_not_counted_again() {
    for (agent, before, now) in [
        ("claude", 4_068, 2_034),
        ("codex", 2_468, 2_468),
        ("goose", 2_468, 1_234),
        ("qwen", 2_468, 2_468),
    ] {
        let bytes = sample(&format!("{agent}-sess2-resume"));
        let all = |before: u64, micro_usd: u64| {
            let used_before = Usage { tokens: before, cached_tokens: 0, micro_usd };
            let resume = Resume { session: "s".to_owned(), used: used_before };
            let mut parser = adapter(agent).parser(Some(&resume));
            let mut events = Vec::new();
            parser.read(&bytes, &mut events);
            drop(parser.finish(Exit::Code(0), b"", &mut events));
            used(&events)
        };
        assert_eq!(all(before, 0).tokens, now, "{agent}");
        if agent == "claude" {
            // Its tokens are those of this step, its money is that of the whole conversation.
            assert_eq!((all(0, 0).micro_usd, all(0, 8_700).micro_usd), (13_050, 4_350));
        }
    }
}

#[test]
fn a_limit_that_was_told_with_its_end_is_told_in_the_stream_too() {
    let (_, events) = play("claude-usage-oauth", &sample("claude-usage-oauth"), 1, usize::MAX);
    let until = Some(Timestamp::from_ms(1_794_774_638_000));
    let told =
        |event: &AgentEvent| matches!(event, AgentEvent::Limit { until: at, .. } if *at == until);
    assert!(events.iter().any(told), "{events:?}");
}

/// A stream with pieces of it cut out, doubled or spoiled.
fn spoiled() -> impl Strategy<Value = (usize, Vec<u8>)> {
    let edit = (any::<prop::sample::Index>(), 0_usize..200, any::<Option<Vec<u8>>>());
    (0..AGENTS.len(), prop::collection::vec(edit, 0..6)).prop_map(|(agent, edits)| {
        let mut bytes = sample(&format!("{}-ok", AGENTS[agent]));
        for (at, length, put) in edits {
            let at = at.index(bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, put.unwrap_or_default());
        }
        (agent, bytes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_survived((agent, bytes) in spoiled(), noise in any::<Vec<u8>>()) {
        let name = format!("{}-ok", AGENTS[agent]);
        let (returned, events) = play(&name, &[bytes, noise].concat(), 0, 64);
        let said = |event: &AgentEvent| match event {
            AgentEvent::Text(text) => text.len(),
            AgentEvent::ToolCall { what, .. } => what.len(),
            _ => 0,
        };
        prop_assert!(events.iter().map(said).all(|length| length <= 8_000));
        drop(returned);
    }
}
