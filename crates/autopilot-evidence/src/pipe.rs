//! Has a pipe end with the exit code of what it is about.
//!
//! `cargo test | tail -3` ends as `tail` does, whatever became of the tests. Where such a pipe has to stay, because it is
//! the output that counts, it is run so that the last part decides which can: here `cargo test`.

use std::borrow::Cow;

use super::{
    counts::runner_of,
    ending::{Join, KEYWORDS, Part, never_decides, split},
};

/// What ends badly when all is well: where files differ or are not there, and where nobody reads on.
const NEVER_BLAMED: [&str; 5] = ["ls", "find", "diff", "cmp", "yes"];

/// The script for a command; the command itself where no pipe of it ends in a filter that never fails.
///
/// What stands in a group, in a loop or in a substitution is left as it is.
pub(super) fn script(command: &str) -> Cow<'_, str> {
    match witnessed(command) {
        Some(witnessed) => Cow::Owned(deciding(&witnessed).into_owned()),
        None => deciding(command),
    }
}

/// A command with tests that nothing is left of but whether something matches, so that what their runner tells is seen
/// as well: it goes past the search, to standard error.
fn witnessed(command: &str) -> Option<String> {
    let parts = split(command)?;
    let starts_pipe = |at: usize| parts[at].joined != Join::Pipe;
    let first =
        (0..parts.len()).find(|at| starts_pipe(*at) && runner_of(parts[*at].text).is_some())?;
    let piped = parts.iter().skip(first + 1).take_while(|part| part.joined == Join::Pipe);
    let last = piped.last()?;
    let at = parts[first].end;
    if !only_tells_whether(last) || command[at..].trim_start().starts_with("|&") {
        return None;
    }
    let (runner, rest) = (command[..at].trim_end(), command[at..].trim_start());
    Some(format!("{runner} | tee /dev/stderr {rest}"))
}

/// Whether a part is a search that prints no line of what it finds.
fn only_tells_whether(part: &Part<'_>) -> bool {
    let Some(words) = part.words() else { return false };
    let is_search = ["grep", "egrep", "fgrep", "rg"].contains(&part.program());
    is_search
        && words.iter().skip(1).any(|word| {
            let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            ["--count", "--quiet", "--silent"].contains(&word.as_str())
                || short.is_some_and(|flags| flags.contains(['c', 'q']))
        })
}

fn deciding(command: &str) -> Cow<'_, str> {
    let Some(parts) = split(command) else { return Cow::Borrowed(command) };
    let is_plain = |part: &Part<'_>| {
        let is_whole = part.inside().is_some() || !KEYWORDS.contains(&part.program());
        part.joined != Join::Background && is_whole
    };
    if !parts.iter().all(is_plain) || command.contains("<<") {
        return Cow::Borrowed(command);
    }
    let mut text = String::new();
    let mut from = 0;
    let mut rest = parts.as_slice();
    while !rest.is_empty() {
        let piped = rest.iter().skip(1).take_while(|part| part.joined == Join::Pipe).count();
        let (pipe, after) = rest.split_at(piped + 1);
        if let (Some(last), Some(decided)) = (pipe.last(), decided(command, pipe)) {
            text.push_str(&command[from..pipe[0].from]);
            text.push(' ');
            text.push_str(&decided);
            text.push(' ');
            from = last.end;
        }
        rest = after;
    }
    if from == 0 {
        return Cow::Borrowed(command);
    }
    text.push_str(&command[from..]);
    Cow::Owned(text.trim().to_owned())
}

/// A pipe that ends with the exit code of its last part that can fail, where that is not the last one anyway.
fn decided(command: &str, pipe: &[Part<'_>]) -> Option<String> {
    let decider = pipe.iter().rposition(|part| !never_decides(part)).unwrap_or(0);
    let (left, right) = pipe.split_at(decider + 1);
    let (first, last) = (left.first()?, left.last()?);
    let (filter, end) = (right.first()?, right.last()?);
    let takes_errors = command[filter.start..].starts_with("|&");
    if takes_errors || NEVER_BLAMED.contains(&last.program()) {
        return None;
    }
    let left = command[first.from..last.end].trim();
    let (not, left) = match left.strip_prefix("! ") {
        Some(left) => ("! ", left),
        None => ("", left),
    };
    let filters = command[filter.from..end.end].trim();
    // What is cut off must not end the command before it early, which would look as if it had failed.
    let stops = right.iter().any(|part| part.program() == "head");
    let drain = if stops { "cat > /dev/null\n" } else { "" };
    // The output goes to 4 and the exit code to 3, past the filters.
    let told = format!("{{ ( {left}\n) 3>&- 4>&- && echo 0 >&3 || echo $? >&3; }}");
    let shown = format!("{{ {filters}\n{drain}}} >&4 3>&- 4>&-");
    let code = format!("{{ autopilot_code=$( {{ {told} | {shown}; }} 3>&1 ); }} 4>&1");
    Some(format!("{not}{{ {code}; ( exit \"${{autopilot_code:-1}}\" ); }}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_runner_tells_goes_past_a_search_that_prints_none_of_it() {
        let rows = [
            ("pytest -q | grep -q '2 passed'", "pytest -q | tee /dev/stderr | grep -q '2 passed'"),
            (
                "cargo test 2>&1 | grep -c \"test result: ok\"",
                "cargo test 2>&1 | tee /dev/stderr | grep -c \"test result: ok\"",
            ),
            (
                "cd a && go test ./... | grep -vc x",
                "cd a && go test ./... | tee /dev/stderr | grep -vc x",
            ),
            ("pytest -q | grep passed", "pytest -q | grep passed"),
            ("cat hay | grep -q a", "cat hay | grep -q a"),
            ("pytest -q", "pytest -q"),
        ];
        for (command, expected) in rows {
            assert_eq!(script(command), expected);
        }
    }

    #[test]
    fn only_pipes_that_end_in_a_filter_that_never_fails_are_rewritten() {
        for command in [
            "cargo test",
            "cat hay | grep -q a",
            "sort f | awk 'END{exit NR!=5}'",
            "ls *.bak 2>/dev/null | wc -l",
            "diff a b | wc -l",
            "yes | head -1",
            "./server | tail -1 & curl x",
            "for f in *; do cat $f | tail -1; done",
            "test $(cat f | wc -l) -eq 3",
            "cat <<E | tail -1\nE",
            "echo 'open | tail",
            "",
        ] {
            assert_eq!(script(command), command);
        }
        for command in ["a | tail -1", "a && b | sort | uniq", "{ a; } | cat -n", "a | head; b"] {
            let script = script(command);
            assert!(script.contains("autopilot_code"), "{command}: {script}");
            assert!(split(&script).is_some(), "{command}: {script}");
        }
    }
}
