//! How each of the agents that people use is started.

use std::path::Path;

use autopilot_agents::{CommandLine, KINDS, Request, Resume, Settings, Usage, Wish, adapter_of};
use autopilot_core::{
    returns::{Sitting, schema},
    role::Role,
};

/// Longer than any word of a command line may be.
const PROMPT_BYTES: usize = 300_000;

fn line(kind: &str, role: Role, resume: Option<&Resume>) -> CommandLine {
    let wish = |model: &str, effort: Option<&str>| Wish {
        model: Some(model.to_owned()),
        effort: effort.map(str::to_owned),
    };
    let settings = Settings {
        program: vec!["/opt/agent".to_owned(), "first".to_owned()],
        arguments: vec!["--of-the-person".to_owned()],
        wish: wish("everywhere", Some("high")),
    };
    let request = Request {
        role,
        prompt: &"p".repeat(PROMPT_BYTES),
        schema: &schema(role, Sitting::First).to_string(),
        name: "run-1-step-2",
        resume,
        directory: Path::new("/run/work/step"),
        scratch: Path::new("/run/scratch"),
        wish: &wish("here", None),
    };
    adapter_of(kind, settings).expect("it is known").command_line(&request)
}

/// What stands behind a word.
fn after<'a>(line: &'a CommandLine, word: &str) -> Option<&'a str> {
    let at = line.arguments.iter().position(|argument| argument == word)?;
    line.arguments.get(at + 1).map(String::as_str)
}

#[test]
fn a_prompt_of_any_length_is_on_standard_input_and_in_no_word() {
    for kind in KINDS {
        let line = line(kind, Role::Executor, None);
        assert_eq!(line.stdin.len(), PROMPT_BYTES, "{kind}");
        assert!(line.arguments.iter().all(|word| word.len() < 100_000), "{kind}");
    }
}

#[test]
fn what_a_person_says_counts_over_what_is_usual() {
    for kind in KINDS {
        let line = line(kind, Role::Executor, None);
        assert_eq!(line.program, Path::new("/opt/agent"), "{kind}");
        assert_eq!(line.arguments[0], "first", "{kind}");
        assert!(line.arguments.iter().any(|word| word == "--of-the-person"), "{kind}");
        let model = after(&line, "--model").or_else(|| after(&line, "-m"));
        assert_eq!(model, Some("here"), "{kind}: a role's model counts over that of all roles");
        let says_effort = line.arguments.iter().any(|word| word.contains("high"));
        let adapter = adapter_of(kind, Settings::default()).expect("it is known");
        assert_eq!(says_effort, adapter.capabilities().effort, "{kind}");
        let temporary = ("TMPDIR".to_owned(), "/run/scratch".to_owned());
        assert!(line.environment.contains(&temporary), "{kind}");
    }
}

#[test]
fn a_conversation_is_gone_on_with_by_its_name() {
    let resume = Resume { session: "the-session".to_owned(), used: Usage::default() };
    for kind in KINDS {
        let anew = line(kind, Role::Executor, None);
        let again = line(kind, Role::Executor, Some(&resume));
        let names = |line: &CommandLine| line.arguments.iter().any(|word| word == "the-session");
        assert_eq!((names(&anew), names(&again)), (false, true), "{kind}");
        let adapter = adapter_of(kind, Settings::default()).expect("it is known");
        let is_given_a_name = after(&anew, "-n") == Some("run-1-step-2");
        assert_eq!(is_given_a_name, adapter.capabilities().named, "{kind}");
    }
    assert_eq!(
        line("codex", Role::Judge, Some(&resume)).arguments.last().map(String::as_str),
        Some("-")
    );
}

#[test]
fn whoever_only_looks_is_given_no_tool_that_edits_where_that_can_be_said() {
    let tools = |role| {
        let line = line("claude", role, None);
        after(&line, "--allowedTools").expect("it is told").to_owned()
    };
    for tool in ["Edit", "Write", "NotebookEdit"] {
        assert!(tools(Role::Executor).split(',').any(|one| one == tool));
        assert!(!tools(Role::Verifier).split(',').any(|one| one == tool));
    }
    assert!(tools(Role::Verifier).split(',').any(|one| one == "Bash"), "it must run commands");
    let settings =
        |role| after(&line("claude", role, None), "--setting-sources").map(str::to_owned);
    assert_eq!((settings(Role::Executor), settings(Role::Judge).as_deref()), (None, Some("user")));
    let sandbox = |role| after(&line("codex", role, None), "-s").map(str::to_owned);
    let both = [Role::Executor, Role::Verifier].map(sandbox);
    assert_eq!(both, [(); 2].map(|()| Some("workspace-write".to_owned())), "tests write files");
}

#[test]
fn a_schema_goes_to_those_who_take_one() {
    let text = |kind| {
        let line = line(kind, Role::Rater, None);
        let found = after(&line, "--json-schema").or_else(|| after(&line, "--output-schema"));
        found.map(str::to_owned)
    };
    let schema = text("claude").expect("it is told");
    assert!(schema.contains("alignment_score") && !schema.contains("$schema"), "{schema}");
    assert_eq!(text("qwen").as_deref(), Some("@/run/scratch/schema.json"));
    assert_eq!(text("codex").as_deref(), Some("/run/scratch/schema.json"));
    let file =
        line("codex", Role::Rater, None).files.into_iter().find(|(name, _)| *name == "schema.json");
    assert!(file.is_some_and(|(_, text)| text.contains(r#""additionalProperties":false"#)));
    for kind in ["gemini", "goose", "opencode"] {
        assert_eq!(text(kind), None, "{kind}");
    }
}

#[test]
fn nothing_is_told_to_anybody_and_nothing_is_fetched() {
    let rows = [
        ("claude", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"),
        ("claude", "DISABLE_AUTOUPDATER=1"),
        ("codex", "analytics.enabled=false"),
        ("codex", "check_for_update_on_startup=false"),
        ("gemini", "\"usageStatisticsEnabled\": false"),
        ("opencode", "OPENCODE_DISABLE_MODELS_FETCH=1"),
        ("qwen", "\"usageStatisticsEnabled\": false"),
    ];
    for (kind, switch) in rows {
        let line = line(kind, Role::Executor, None);
        let mut all = line.arguments;
        all.extend(line.environment.iter().map(|(name, value)| format!("{name}={value}")));
        all.extend(line.files.into_iter().map(|(_, text)| text));
        assert!(all.iter().any(|one| one.contains(switch)), "{kind}: {switch}");
    }
}

/// Settings in the directory itself could have been put there by an agent before this one.
#[test]
fn codex_does_not_trust_the_directory_that_it_works_in() {
    let line = line("codex", Role::Verifier, None);
    let distrust = r#"projects={"/run/work/step"={trust_level="untrusted"}}"#;
    assert!(line.arguments.iter().any(|word| word == distrust), "{:?}", line.arguments);
}
