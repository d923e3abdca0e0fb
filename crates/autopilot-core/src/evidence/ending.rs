//! What hides the exit code of a command: `; echo EXIT:$?`, `|| true`, `| tail -5`, `sh test.sh; ls`.
//!
//! Endings are taken off where the command without them says the same and more, and what comes before a `;` must have
//! gone well for what comes after it. Where neither is certain the command is called masked, and a masked command
//! proves nothing.

use super::expectation::Expectation;

/// What cannot fail, and so says nothing about the command before it.
const IDLE: [&str; 4] = ["echo", "printf", "true", ":"];

/// Filters that end well whatever the command before them did.
const FILTERS: [&str; 17] = [
    "tail", "head", "tee", "sed", "awk", "sort", "uniq", "tr", "cut", "less", "more", "nl", "fold",
    "column", "rev", "tac", "paste",
];

/// What gets something ready, and may fail because it is ready already.
const SETUP: [&str; 26] = [
    "cd", "pushd", "popd", "mkdir", "rm", "rmdir", "cp", "mv", "ln", "touch", "chmod", "export",
    "unset", "set", "umask", "ulimit", "trap", "source", ".", "alias", "sleep", "wait", "kill",
    "pkill", "killall", "shopt",
];

/// Words that begin something which a `;` inside belongs to.
const KEYWORDS: [&str; 15] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "select", "function", "{",
];

/// A command without endings that hide its exit code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unmasked {
    pub(super) command: String,
    /// Why the command still hides its exit code, if it does.
    pub(super) masked: Option<String>,
}

/// Takes off what hides the exit code, as far as the expectation allows.
pub(super) fn unmask(command: &str, expect: &Expectation) -> Unmasked {
    let mut rest = command.trim();
    loop {
        let Some(parts) = split(rest) else {
            return masked(rest, "its quotes or brackets are not balanced");
        };
        let Some(last) = parts.last() else {
            return masked(rest, "it has no parts");
        };
        if let Some(why) = last.hides_inside() {
            return masked(rest, why);
        }
        match last.verdict(expect) {
            Ending::Fine => return joined(rest, &parts),
            Ending::TakeOff if last.start > 0 => rest = rest[..last.start].trim_end(),
            Ending::TakeOff => return masked(rest, "nothing of it is left without its ending"),
            Ending::Refuse(why) => return masked(rest, why),
        }
    }
}

/// A command in which no part can fail unnoticed, as far as that can be told without running it.
fn joined(command: &str, parts: &[Part<'_>]) -> Unmasked {
    if let Some(why) = parts.iter().find_map(Part::hides) {
        return masked(command, why);
    }
    let fine = |command: String| Unmasked { command, masked: None };
    // Whoever looks at `$?` decides by it.
    if parts.len() < 2 || command.contains("$?") {
        return fine(command.to_owned());
    }
    if parts.iter().any(|part| KEYWORDS.contains(&part.program())) {
        let is_strict = parts[0].program() == "set" && parts[0].argument().contains('e');
        return fine(if is_strict { command.to_owned() } else { format!("set -e; {command}") });
    }
    let mut strict = String::with_capacity(command.len() + 8);
    let mut from = 0;
    for pair in parts.windows(2) {
        let (before, part) = (&pair[0], &pair[1]);
        let must_hold = part.joined == Join::Then && !SETUP.contains(&before.program());
        if must_hold && !before.text.is_empty() {
            strict.push_str(command[from..part.start].trim_end());
            strict.push_str(" &&");
            from = part.start + 1;
        }
    }
    strict.push_str(&command[from..]);
    fine(strict)
}

fn masked(command: &str, why: &str) -> Unmasked {
    Unmasked { command: command.to_owned(), masked: Some(why.to_owned()) }
}

enum Ending {
    Fine,
    TakeOff,
    Refuse(&'static str),
}

/// A part of a command line and what joins it to the part before.
struct Part<'a> {
    joined: Join,
    /// Where the join starts; 0 for the first part.
    start: usize,
    text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    First,
    Then,
    And,
    Or,
    Pipe,
    Background,
}

impl Part<'_> {
    fn verdict(&self, expect: &Expectation) -> Ending {
        let program = self.program();
        match self.joined {
            Join::First | Join::And if self.text.is_empty() => Ending::Refuse("it is empty"),
            Join::First | Join::And => Ending::Fine,
            Join::Background => Ending::TakeOff,
            Join::Then if self.text.is_empty() => Ending::TakeOff,
            Join::Then => match program {
                _ if self.is_idle() => Ending::TakeOff,
                _ => Ending::Fine,
            },
            Join::Or => match program {
                _ if self.is_idle() => Ending::TakeOff,
                "exit" | "false" | "return" => Ending::Fine,
                _ => {
                    Ending::Refuse("the command after `||` can hide that the one before it failed")
                }
            },
            Join::Pipe => match program {
                "cat" => Ending::TakeOff,
                "grep" if self.is_filter() && !expect.is_about_output() => Ending::TakeOff,
                _ if FILTERS.contains(&program) && !expect.is_about_output() => Ending::TakeOff,
                "tail" if expect.is_met_by_silence() => Ending::TakeOff,
                "head" if expect.is_met_by_silence() => Ending::Refuse(
                    "`head` can hide what must not be there, and that a command failed",
                ),
                _ => Ending::Fine,
            },
        }
    }

    /// Whether it does nothing that could fail.
    fn is_idle(&self) -> bool {
        IDLE.contains(&self.program()) || self.program() == "exit" && self.argument() == "0"
    }

    /// Whether it only leaves lines out: `grep -v`.
    fn is_filter(&self) -> bool {
        let options = self.text.split_whitespace().skip(1).filter(|word| word.starts_with('-'));
        options
            .into_iter()
            .any(|word| word == "--invert-match" || !word.starts_with("--") && word.contains('v'))
    }

    /// How it lets something else fail unnoticed, wherever in the command it stands.
    fn hides(&self) -> Option<&'static str> {
        if self.joined == Join::Or && self.is_idle() {
            return Some("what comes after `||` hides that the command before it failed");
        }
        self.hides_inside()
    }

    /// Looks into a group that is the whole of the part.
    fn hides_inside(&self) -> Option<&'static str> {
        let inner = match self.text.as_bytes() {
            [b'(', .., b')'] | [b'{', .., b'}'] => &self.text[1..self.text.len() - 1],
            _ => return None,
        };
        let inner = inner.trim().trim_end_matches(';');
        let parts = split(inner)?;
        let last = parts.last()?;
        match last.verdict(&Expectation::DEFAULT) {
            Ending::Fine => parts.iter().find_map(Part::hides),
            Ending::TakeOff | Ending::Refuse(_) => {
                Some("the end of the group hides the exit code of what is in it")
            }
        }
    }

    fn program(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or("")
    }

    fn argument(&self) -> &str {
        self.text.split_whitespace().nth(1).unwrap_or("")
    }
}

/// Splits a command line at the operators that are outside of quotes and groups.
fn split(command: &str) -> Option<Vec<Part<'_>>> {
    let bytes = command.as_bytes();
    let mut parts = Vec::new();
    let (mut joined, mut start, mut from) = (Join::First, 0, 0);
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\'' => at = after_quote(bytes, at)?,
            b'"' => at = after_double_quote(bytes, at)?,
            b'(' | b'{' => {
                depth += 1;
                at += 1;
            }
            b')' | b'}' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            _ if depth > 0 => at += 1,
            byte => match operator(&bytes[at..], byte, at.checked_sub(1).map(|at| bytes[at])) {
                Some((join, length)) => {
                    parts.push(Part { joined, start, text: command[from..at].trim() });
                    (joined, start, from) = (join, at, at + length);
                    at += length;
                }
                None => at += 1,
            },
        }
    }
    if depth > 0 {
        return None;
    }
    parts.push(Part { joined, start, text: command.get(from..)?.trim() });
    Some(parts)
}

/// Recognises an operator; `>&`, `&>` and `2>&1` are redirections.
fn operator(rest: &[u8], byte: u8, before: Option<u8>) -> Option<(Join, usize)> {
    let next = rest.get(1).copied();
    match (byte, next) {
        (b';' | b'\n', _) => Some((Join::Then, 1)),
        (b'|', Some(b'|')) => Some((Join::Or, 2)),
        (b'|', Some(b'&')) => Some((Join::Pipe, 2)),
        (b'|', _) if before != Some(b'>') => Some((Join::Pipe, 1)),
        (b'&', Some(b'&')) => Some((Join::And, 2)),
        (b'&', after) if before != Some(b'>') && before != Some(b'<') && after != Some(b'>') => {
            Some((Join::Background, 1))
        }
        _ => None,
    }
}

fn after_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let length = bytes[open + 1..].iter().position(|byte| *byte == b'\'')?;
    Some(open + length + 2)
}

fn after_double_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evidence::expectation::Comparison;

    fn plain(command: &str, expect: &Expectation) -> Option<String> {
        let unmasked = unmask(command, expect);
        unmasked.masked.is_none().then_some(unmasked.command)
    }

    #[test]
    fn endings_that_hide_the_exit_code_are_taken_off() {
        for (command, expected) in [
            ("cargo test", "cargo test"),
            ("cargo test 2>&1; echo EXIT:$?", "cargo test 2>&1"),
            ("cargo test; echo \"EXIT:$?\"", "cargo test"),
            ("cargo test || true", "cargo test"),
            ("cargo test || echo FAIL", "cargo test"),
            ("cargo test; true", "cargo test"),
            ("cargo test; :", "cargo test"),
            ("cargo test;", "cargo test"),
            ("cargo test; exit 0", "cargo test"),
            ("cargo test | tail -5", "cargo test"),
            ("cargo test 2>&1 | tail -5; echo EXIT:$?", "cargo test 2>&1"),
            ("cargo test | head -n 3 | cat", "cargo test"),
            ("cargo test &", "cargo test"),
            ("a && b || echo no", "a && b"),
            ("a && echo yes", "a && echo yes"),
            ("a || exit 1", "a || exit 1"),
            ("grep -q 'a; echo b' f", "grep -q 'a; echo b' f"),
            ("grep -q \"x || true\" f", "grep -q \"x || true\" f"),
            ("grep -q a\\|b f", "grep -q a\\|b f"),
            ("test -z \"$(git status; true)\"", "test -z \"$(git status; true)\""),
            ("if a; then b; else c; fi", "set -e; if a; then b; else c; fi"),
            ("set -eu; for f in *; do sh $f; done", "set -eu; for f in *; do sh $f; done"),
            ("for f in *; do sh $f; done", "set -e; for f in *; do sh $f; done"),
            ("sh t.sh | sed s/a/b/", "sh t.sh"),
            ("sh t.sh | grep -v noise", "sh t.sh"),
            ("sh t.sh | grep -iv noise | sort", "sh t.sh"),
            ("prog --help | grep usage", "prog --help | grep usage"),
            ("sh t.sh; test 1", "sh t.sh && test 1"),
            ("sh t.sh; true && echo ok", "sh t.sh && true && echo ok"),
            ("rm -rf out; make; ./out/app", "rm -rf out; make && ./out/app"),
            ("cd sub; cargo test", "cd sub; cargo test"),
            ("grep -q x f; test $? -eq 1", "grep -q x f; test $? -eq 1"),
            (
                "test -d node_modules || npm ci || exit 1",
                "test -d node_modules || npm ci || exit 1",
            ),
            ("echo hello", "echo hello"),
            ("make &> log", "make &> log"),
        ] {
            assert_eq!(
                plain(command, &Expectation::DEFAULT).as_deref(),
                Some(expected),
                "{command}"
            );
        }
    }

    #[test]
    fn what_cannot_be_taken_off_is_masked() {
        for command in [
            "test -f a || test -f b",
            "(cargo test; true)",
            "{ cargo test || true; }",
            "((a; true))",
            "echo 'open",
            "echo \"open",
            "a )",
            "( a",
            "",
            "; echo EXIT:$?",
            "|| true",
            "sh t.sh || true && echo ok",
            "{ sh t.sh || true; } && echo ok",
            "sh t.sh || echo bad; ls t.sh",
            "(sh t.sh || :) && make",
        ] {
            assert_eq!(plain(command, &Expectation::DEFAULT), None, "{command}");
        }
    }

    #[test]
    fn a_cut_of_the_output_stays_when_the_output_is_what_counts() {
        let some = Expectation::Count(Comparison::AtLeast, 1);
        assert_eq!(plain("grep x f | tail -1", &some).as_deref(), Some("grep x f | tail -1"));
        assert_eq!(plain("grep -c x f || true", &some).as_deref(), Some("grep -c x f"));
        assert_eq!(
            plain("grep x f | tail -1", &Expectation::NoMatches).as_deref(),
            Some("grep x f")
        );
        assert_eq!(plain("grep x f | head -1", &Expectation::NoMatches), None);
        assert_eq!(
            plain("grep x f | wc -l", &Expectation::NoMatches).as_deref(),
            Some("grep x f | wc -l")
        );
    }

    proptest! {
        #[test]
        fn unmasking_is_total_and_what_it_gives_needs_no_more(command in "[ -~\n]{0,60}") {
            let once = unmask(&command, &Expectation::DEFAULT);
            let again = unmask(&once.command, &Expectation::DEFAULT);
            prop_assert_eq!(once, again);
        }

        #[test]
        fn nothing_that_remains_ends_in_a_mask(
            command in "[a-c]{1,3}( && [a-c]| \\| tail| \\|\\| true|; true|; echo \\$\\?| \\| cat){0,5}"
        ) {
            let unmasked = unmask(&command, &Expectation::DEFAULT);
            for mask in ["| tail", "|| true", "; true", "; echo $?", "| cat"] {
                prop_assert!(!unmasked.command.ends_with(mask), "{}", unmasked.command);
            }
        }
    }
}
