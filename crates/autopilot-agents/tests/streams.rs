//! What the real programs printed against a model server that misbehaves, each read to the right end.

use std::{collections::BTreeMap, fs, path::Path};

use autopilot_agents::{
    Adapter, AgentEvent, Claude, Codex, Exit, FaultClass, Gemini, Goose, Opencode, Qwen, Reset,
    Returned, Settings, ToolKind,
};
use autopilot_core::time::Timestamp;

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Return,
    Auth,
    Unavailable,
    Limit,
    Overloaded,
    Context,
    Refused,
    Crashed,
    Malformed,
}

/// What each scenario comes to, for all agents unless an agent is named.
const EXPECTED: [(&str, End); 60] = [
    ("401", End::Auth),
    ("403", End::Auth),
    ("404", End::Unavailable),
    ("429", End::Limit),
    ("qwen-429", End::Crashed),
    ("qwen-429-walltime", End::Crashed),
    ("429-defaultretries-ra5", End::Limit),
    ("500", End::Overloaded),
    ("500-full", End::Overloaded),
    ("qwen-500", End::Crashed),
    ("opencode-500", End::Crashed),
    ("500-defaultretries", End::Overloaded),
    ("503", End::Overloaded),
    ("529", End::Overloaded),
    ("context", End::Context),
    ("credit", End::Auth),
    ("qwen-credit", End::Crashed),
    ("opencode-credit", End::Crashed),
    ("goose-credit", End::Auth),
    ("usage", End::Limit),
    ("qwen-usage", End::Crashed),
    ("opencode-usage", End::Crashed),
    ("usage-oauth", End::Limit),
    ("ra3600", End::Limit),
    ("codex-ra3600", End::Crashed),
    ("qwen-ra3600", End::Crashed),
    ("opencode-ra3600", End::Crashed),
    ("goose-ra3600", End::Crashed),
    ("refuse", End::Refused),
    ("goose-refuse", End::Crashed),
    ("claude-drop", End::Return),
    ("codex-drop", End::Overloaded),
    ("gemini-drop", End::Malformed),
    ("qwen-drop", End::Overloaded),
    ("goose-drop", End::Malformed),
    ("claude-midstream", End::Return),
    ("codex-midstream", End::Overloaded),
    ("codex-midstreamx1", End::Overloaded),
    ("gemini-midstream", End::Overloaded),
    ("html", End::Overloaded),
    ("gemini-html", End::Crashed),
    ("goose-html", End::Crashed),
    ("empty", End::Malformed),
    ("qwen-empty", End::Crashed),
    ("gemini-empty", End::Crashed),
    ("goose-empty", End::Crashed),
    ("maxtok", End::Malformed),
    ("maxturns", End::Crashed),
    ("maxbudget", End::Crashed),
    ("badflag", End::Crashed),
    ("badresume", End::Crashed),
    ("bypassroot", End::Crashed),
    ("hang", End::Crashed),
    ("gemini-hang-default", End::Overloaded),
    ("hang-default", End::Crashed),
    ("hang-apitimeout3s", End::Overloaded),
    ("stall", End::Crashed),
    ("stall-default", End::Crashed),
    ("stall-apitimeout3s", End::Crashed),
    ("codex-stall", End::Overloaded),
];

fn samples() -> impl AsRef<Path> {
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

fn exits() -> BTreeMap<String, i32> {
    let text = fs::read_to_string(samples().as_ref().join("exits.txt")).expect("readable");
    let row = |line: &str| {
        let (name, code) = line.split_once(' ')?;
        Some((name.to_owned(), code.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

fn play(name: &str, bytes: &[u8], exit: i32, piece: usize) -> (Returned, Vec<AgentEvent>) {
    let agent = name.split_once('-').expect("agent-scenario").0;
    let mut parser = adapter(agent).parser(None);
    let mut events = Vec::new();
    for piece in bytes.chunks(piece) {
        parser.read(piece, &mut events);
    }
    let stderr = samples().as_ref().join(name).with_extension("stderr");
    let stderr = fs::read(stderr).unwrap_or_default();
    // Whoever ran it ended it by then.
    let exit = if exit == 124 { Exit::Signal(15) } else { Exit::Code(exit) };
    (parser.finish(exit, &stderr, &mut events), events)
}

fn end_of(returned: &Returned) -> End {
    match returned {
        Ok(_) => End::Return,
        Err(fault) => match fault.class {
            FaultClass::Auth => End::Auth,
            FaultClass::Unavailable => End::Unavailable,
            FaultClass::Limit(_) => End::Limit,
            FaultClass::Overloaded => End::Overloaded,
            FaultClass::Context => End::Context,
            FaultClass::Refused => End::Refused,
            FaultClass::Crashed => End::Crashed,
            FaultClass::Malformed => End::Malformed,
        },
    }
}

fn expected(name: &str) -> Option<End> {
    let stem = name.strip_suffix(".jsonl").expect("a stream");
    let (_, scenario) = stem.split_once('-').expect("agent-scenario");
    let row = |wanted: &str| EXPECTED.iter().find(|(name, _)| *name == wanted);
    row(stem).or_else(|| row(scenario)).map(|(_, end)| *end)
}

#[test]
fn every_recorded_stream_ends_as_it_should() {
    let mut wrong = Vec::new();
    let exits = exits();
    for (name, exit) in &exits {
        let Ok(bytes) = fs::read(samples().as_ref().join(name)) else { continue };
        let (returned, events) = play(name, &bytes, *exit, usize::MAX);
        let (in_pieces, events_in_pieces) = play(name, &bytes, *exit, 7);
        assert_eq!((&returned, &events), (&in_pieces, &events_in_pieces), "{name}");
        if let Some(expected) = expected(name)
            && end_of(&returned) != expected
        {
            wrong.push(format!("{name}: {returned:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_agent_that_did_its_work_is_seen_to_do_it() {
    for agent in ["claude", "codex", "gemini", "qwen", "opencode", "goose"] {
        let name = format!("{agent}-ok.jsonl");
        let bytes = fs::read(samples().as_ref().join(&name)).expect("readable");
        let (returned, events) = play(&name, &bytes, 0, usize::MAX);
        assert_eq!(returned.expect("a return")["status"], "done", "{agent}");
        let acts = |event: &AgentEvent| {
            matches!(event, AgentEvent::ToolCall { kind: ToolKind::Command | ToolKind::Write, .. })
        };
        assert!(events.iter().any(acts), "{agent}: {events:?}");
        let tokens = |event: &AgentEvent| match event {
            AgentEvent::Usage(usage) => usage.tokens,
            _ => 0,
        };
        assert_eq!(events.iter().map(tokens).sum::<u64>(), TOKENS[agent], "{agent}");
    }
}

#[test]
fn a_limit_ends_when_the_service_says_so() {
    let rows = [
        ("claude-usage-oauth.jsonl", Reset::At(Timestamp::from_ms(1_794_774_638_000))),
        ("codex-usage.jsonl", Reset::Clock { hour: 20, minute: 34, zone: None }),
        ("gemini-ra3600.jsonl", Reset::After(3_600_000)),
        ("goose-429.jsonl", Reset::After(1_000)),
        ("opencode-429.jsonl", Reset::After(1_000)),
    ];
    for (name, reset) in rows {
        let bytes = fs::read(samples().as_ref().join(name)).expect("readable");
        let (returned, _) = play(name, &bytes, 1, usize::MAX);
        let class = returned.expect_err("it met a limit").class;
        assert_eq!(class, FaultClass::Limit(Some(reset)), "{name}");
    }
}

#[test]
fn what_a_conversation_used_before_is_not_counted_again() {
    use autopilot_agents::{Resume, Usage};
    for (agent, before, now) in
        [("claude", 0, TOKENS["claude"] / 2), ("codex", 2468, 2468), ("goose", 2468, 1234), ("qwen", 2468, 2468)]
    {
        let name = format!("{agent}-sess2-resume.jsonl");
        let bytes = fs::read(samples().as_ref().join(&name)).expect("readable");
        let used = Usage { tokens: before, ..Usage::default() };
        let resume = Resume { session: "s".to_owned(), used };
        let mut parser = adapter(agent).parser(Some(&resume));
        let mut events = Vec::new();
        parser.read(&bytes, &mut events);
        drop(parser.finish(Exit::Code(0), b"", &mut events));
        let tokens = events.iter().map(|event| match event {
            AgentEvent::Usage(usage) => usage.tokens,
            _ => 0,
        });
        assert_eq!(tokens.sum::<u64>(), now, "{agent}");
    }
}

/// What each agent used for the same work.
static TOKENS: std::sync::LazyLock<BTreeMap<&str, u64>> = std::sync::LazyLock::new(|| {
    let with_cache_apart = 2400 + 1600 + 68;
    BTreeMap::from([
        ("claude", with_cache_apart),
        ("codex", 2468),
        ("gemini", 2468),
        ("qwen", 2468),
        ("opencode", 2 * (400 + 34 + 800)),
        ("goose", 2468),
    ])
});
