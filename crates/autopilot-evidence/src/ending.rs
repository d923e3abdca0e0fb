//! What hides the exit code of a command: `; echo EXIT:$?`, `|| true`, `| tail -5`, `sh test.sh; ls`.
//!
//! Endings are taken off where the command without them says the same and more, and what comes before a `;` must have
//! gone well for what comes after it. Where neither is certain the command is called masked, and a masked command
//! proves nothing. A filter that can decide is no such ending: `| sort -c`, `| grep x`, `| awk '… exit 1'`.

mod filter;
mod line;
mod told;

use self::told::{Told, told};
pub(super) use self::{
    filter::never_decides,
    line::{Join, Part, split},
};
use super::expectation::Expectation;

/// What cannot fail, and so says nothing about the command before it.
const IDLE: [&str; 4] = ["echo", "printf", "true", ":"];

/// What gets something ready, and may fail because it is ready already.
const SETUP: [&str; 26] = [
    "cd", "pushd", "popd", "mkdir", "rm", "rmdir", "cp", "mv", "ln", "touch", "chmod", "export",
    "unset", "set", "umask", "ulimit", "trap", "source", ".", "alias", "sleep", "wait", "kill",
    "pkill", "killall", "shopt",
];

/// Words that begin something which a `;` inside belongs to.
pub(super) const KEYWORDS: [&str; 15] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "select", "function", "{",
];

const IN_BACKGROUND: &str = "what it checks runs in the background, and its exit code is lost";

/// A command without endings that hide its exit code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unmasked {
    pub(super) command: String,
    /// What is expected of the command as it is now.
    pub(super) expect: Expectation,
    /// Why the command still hides its exit code, if it does.
    pub(super) masked: Option<String>,
}

/// Takes off what hides the exit code, as far as the expectation allows.
pub(super) fn unmask(command: &str, expect: &Expectation) -> Unmasked {
    let mut expect = expect.clone();
    let mut rest = command.trim();
    let (command, masked) = loop {
        let Some(parts) = split(rest) else {
            break masked(rest, "its quotes or brackets are not balanced");
        };
        let Some(last) = parts.last() else {
            break masked(rest, "it has no parts");
        };
        if let Some(why) = hides_inside(last) {
            break masked(rest, why);
        }
        match verdict(last, &expect) {
            Ending::Fine => break joined(rest, &parts),
            Ending::TakeOff if last.start == 0 => {
                break masked(rest, "nothing of it is left without its ending");
            }
            Ending::TakeOff => rest = rest[..last.start].trim_end(),
            Ending::Means(other) => {
                expect = other;
                rest = rest[..last.start].trim_end();
            }
            Ending::Keep => break kept(rest, &parts, last),
            Ending::Refuse(why) => break masked(rest, why),
        }
    };
    Unmasked { command, expect, masked }
}

/// A command, and why it hides its exit code, if it does.
type Read = (String, Option<String>);

fn masked(command: &str, why: &str) -> Read {
    (command.to_owned(), Some(why.to_owned()))
}

/// A command whose ending prints what is expected: it is run, if what is before it went well.
fn kept(command: &str, parts: &[Part<'_>], last: &Part<'_>) -> Read {
    if parts.iter().any(is_keyword) {
        return joined(command, parts);
    }
    let strict = format!("{} && {}", command[..last.start].trim_end(), last.text);
    match split(&strict) {
        Some(parts) => joined(&strict, &parts),
        None => masked(command, "a comment stands before its ending"),
    }
}

/// A command in which no part can fail unnoticed, as far as that can be told without running it.
fn joined(command: &str, parts: &[Part<'_>]) -> Read {
    if let Some(why) = parts.iter().find_map(hides) {
        return masked(command, why);
    }
    // Whoever looks at `$?` decides by it.
    if parts.len() < 2 || command.contains("$?") {
        return (command.to_owned(), None);
    }
    if parts.iter().any(is_keyword) {
        let is_strict = parts[0].program() == "set" && parts[0].argument().contains('e');
        let strict = if is_strict { command.to_owned() } else { format!("set -e; {command}") };
        return (strict, None);
    }
    let mut strict = String::with_capacity(command.len() + 8);
    let mut from = 0;
    for (at, part) in parts.iter().enumerate().skip(1) {
        let before = &parts[at - 1];
        let is_held = SETUP.contains(&before.program()) || before.program() == "exit";
        if part.joined != Join::Then || is_held || before.text.is_empty() {
            continue;
        }
        strict.push_str(command[from..before.end].trim_end());
        let comment = command[before.end..part.start].trim();
        // `a && b & c` would have `a` run in the background too.
        let (join, end) = if is_sent_away(&parts[at..]) { (" || exit", ";") } else { (" &&", "") };
        strict.push_str(join);
        if comment.is_empty() {
            strict.push_str(end);
        } else {
            strict.push(' ');
            strict.push_str(comment);
            strict.push('\n');
        }
        from = part.from;
    }
    strict.push_str(&command[from..]);
    (strict, None)
}

/// Whether what begins here is run in the background.
fn is_sent_away(parts: &[Part<'_>]) -> bool {
    let ends = |part: &&Part<'_>| matches!(part.joined, Join::Then | Join::Background);
    parts.iter().skip(1).find(ends).is_some_and(|part| part.joined == Join::Background)
}

enum Ending {
    Fine,
    TakeOff,
    /// It is taken off, and what was expected of it is expected of the exit code.
    Means(Expectation),
    /// It prints what is expected.
    Keep,
    Refuse(&'static str),
}

fn verdict(part: &Part<'_>, expect: &Expectation) -> Ending {
    match part.joined {
        Join::First | Join::And if part.text.is_empty() => Ending::Refuse("it is empty"),
        Join::First | Join::And => Ending::Fine,
        Join::Background => match part.program() {
            "wait" if !part.argument().is_empty() => Ending::Fine,
            program if part.text.is_empty() || is_idle(part) || SETUP.contains(&program) => {
                Ending::Refuse(IN_BACKGROUND)
            }
            _ => Ending::Fine,
        },
        Join::Then if part.text.is_empty() => Ending::TakeOff,
        Join::Then if is_idle(part) => printed(part, expect),
        Join::Then => Ending::Fine,
        Join::Or if is_idle(part) => printed(part, expect),
        Join::Or => match part.program() {
            "exit" | "false" | "return" => Ending::Fine,
            _ => Ending::Refuse("the command after `||` can hide that the one before it failed"),
        },
        Join::Pipe => filtered(part, expect),
    }
}

/// What follows for an ending that does nothing but print.
fn printed(part: &Part<'_>, expect: &Expectation) -> Ending {
    match told(part, expect) {
        Told::Nothing => Ending::TakeOff,
        Told::Kept => Ending::Keep,
        Told::Means(other) => Ending::Means(other),
        Told::Unclear(why) => Ending::Refuse(why),
    }
}

/// What follows for the last part of a pipe.
fn filtered(part: &Part<'_>, expect: &Expectation) -> Ending {
    if !never_decides(part) {
        return Ending::Fine;
    }
    match part.program() {
        _ if !expect.is_about_output() => Ending::TakeOff,
        "cat" if matches!(part.argument(), "" | "-" | "-u") => Ending::TakeOff,
        "tail" if expect.is_met_by_silence() => Ending::TakeOff,
        "head" if expect.is_met_by_silence() => {
            Ending::Refuse("`head` can hide what must not be there, and that a command failed")
        }
        _ => Ending::Fine,
    }
}

fn is_keyword(part: &Part<'_>) -> bool {
    KEYWORDS.contains(&part.program())
}

/// Whether it does nothing that could fail.
fn is_idle(part: &Part<'_>) -> bool {
    let ends_well = matches!(part.program(), "exit" | "return") && part.argument() == "0";
    IDLE.contains(&part.program()) || ends_well
}

/// How a part lets something else fail unnoticed, wherever in the command it stands.
fn hides(part: &Part<'_>) -> Option<&'static str> {
    if part.joined == Join::Or && is_idle(part) {
        return Some("what comes after `||` hides that the command before it failed");
    }
    hides_inside(part)
}

/// Looks into a group that is the whole of the part.
fn hides_inside(part: &Part<'_>) -> Option<&'static str> {
    let parts = split(part.inside()?)?;
    let last = parts.last()?;
    match verdict(last, &Expectation::DEFAULT) {
        Ending::Fine => parts.iter().find_map(hides),
        Ending::TakeOff | Ending::Means(_) | Ending::Keep | Ending::Refuse(_) => {
            Some("the end of the group hides the exit code of what is in it")
        }
    }
}

#[cfg(test)]
mod tests;
