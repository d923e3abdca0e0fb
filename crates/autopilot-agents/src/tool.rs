//! What a call of a tool does, told by the tool's name and by what it is given.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{AgentEvent, ToolKind};

/// How much of what a tool is given goes into an event.
const WHAT_CHARS_MAX: usize = 1_000;

/// Parts of names, the first that fits counts: a tool that edits files is often named after what it reads as well.
const KINDS: [(&str, ToolKind); 18] = [
    ("bash", ToolKind::Command),
    ("shell", ToolKind::Command),
    ("exec", ToolKind::Command),
    ("command", ToolKind::Command),
    ("terminal", ToolKind::Command),
    ("todo", ToolKind::Other),
    ("write", ToolKind::Write),
    ("edit", ToolKind::Write),
    ("patch", ToolKind::Write),
    ("replace", ToolKind::Write),
    ("create", ToolKind::Write),
    ("read", ToolKind::Read),
    ("glob", ToolKind::Read),
    ("grep", ToolKind::Read),
    ("search", ToolKind::Read),
    ("list", ToolKind::Read),
    ("view", ToolKind::Read),
    ("fetch", ToolKind::Read),
];

/// What a tool may be given, as far as it says what the call is about.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Given<'a> {
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    cmd: Option<&'a RawValue>,
    #[serde(borrow)]
    file_path: Option<&'a RawValue>,
    #[serde(borrow, rename = "filePath")]
    file_path_camel: Option<&'a RawValue>,
    #[serde(borrow)]
    path: Option<&'a RawValue>,
    #[serde(borrow)]
    pattern: Option<&'a RawValue>,
    #[serde(borrow)]
    query: Option<&'a RawValue>,
    #[serde(borrow)]
    url: Option<&'a RawValue>,
}

/// The event of a call of the tool `name` with `input`.
pub(crate) fn call(name: &str, input: Option<&RawValue>) -> AgentEvent {
    let lower = name.to_lowercase();
    let found = KINDS.iter().find(|(part, _)| lower.contains(part));
    let kind = found.map_or(ToolKind::Other, |(_, kind)| *kind);
    let what = input.and_then(about).unwrap_or_else(|| name.to_owned());
    AgentEvent::ToolCall { kind, what }
}

/// A command that was seen to run.
pub(crate) fn command(what: &str) -> AgentEvent {
    AgentEvent::ToolCall { kind: ToolKind::Command, what: cut(&in_shell(what)) }
}

/// The command that a shell was given as its one word, without the shell around it.
fn in_shell(what: &str) -> Cow<'_, str> {
    let word = what.split_once(" -lc ").or_else(|| what.split_once(" -c "));
    let is_shell = |shell: &str| shell.ends_with("sh") && !shell.contains(' ');
    let Some((_, word)) = word.filter(|(shell, _)| is_shell(shell)) else {
        return Cow::Borrowed(what);
    };
    let within = |quote: char| {
        let inner = word.trim().strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner)
    };
    if let Some(inner) = within('\'').filter(|inner| !inner.contains('\'')) {
        return Cow::Borrowed(inner);
    }
    let Some(inner) = within('"') else { return Cow::Borrowed(word) };
    let mut plain = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        let escaped = (character == '\\').then(|| characters.clone().next()).flatten();
        match escaped.filter(|next| matches!(next, '"' | '\\' | '$' | '`')) {
            Some(next) => {
                plain.push(next);
                characters.next();
            }
            None => plain.push(character),
        }
    }
    Cow::Owned(plain)
}

/// A file that was seen to change.
pub(crate) fn written(path: &str) -> AgentEvent {
    AgentEvent::ToolCall { kind: ToolKind::Write, what: cut(path) }
}

fn about(input: &RawValue) -> Option<String> {
    let given: Given<'_> = serde_json::from_str(input.get()).ok()?;
    let parts = [
        given.command,
        given.cmd,
        given.file_path,
        given.file_path_camel,
        given.path,
        given.pattern,
        given.query,
        given.url,
    ];
    parts.into_iter().flatten().find_map(text)
}

/// A text, or a list of words.
fn text(raw: &RawValue) -> Option<String> {
    if let Ok(text) = serde_json::from_str::<Cow<'_, str>>(raw.get()) {
        return Some(cut(&text));
    }
    let words: Vec<Value> = serde_json::from_str(raw.get()).ok()?;
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    Some(cut(&words.join(" ")))
}

fn cut(text: &str) -> String {
    text.chars().take(WHAT_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use AgentEvent::ToolCall;

    #[test]
    fn c27_a_command_is_told_as_it_was_meant_without_the_shell_around_it() {
        let rows = [
            ("cargo test", "cargo test"),
            ("/bin/bash -lc 'cargo test'", "cargo test"),
            ("/bin/bash -lc ls", "ls"),
            (r#"bash -lc "grep -q \"a b\" it's.txt""#, r#"grep -q "a b" it's.txt"#),
            (r#"/bin/sh -c "printf '%s' '\$x' > a""#, "printf '%s' '$x' > a"),
            ("git push -c 'x'", "git push -c 'x'"),
            ("bash -lc", "bash -lc"),
            ("bash -lc \"", "\""),
        ];
        for (told, meant) in rows {
            let ToolCall { what, .. } = command(told) else { panic!("a tool call") };
            assert_eq!(what, meant, "{told}");
        }
    }
}
