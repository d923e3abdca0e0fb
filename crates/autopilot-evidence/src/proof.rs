//! What the command of a criterion could prove: nothing at all, what files say, or what something does when it runs.

use super::{
    Criterion, Expectation,
    counts::{COMMAND_BYTES_MAX, DEPTH_MAX, base_name, commands, is_shell, shell_line, unwrapped},
    ending::{KEYWORDS, Part, split},
};

/// What a command could prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing: it ends well whatever the work is like; the text says why.
    Nothing(&'static str),
    /// That files are there and what stands in them.
    Look,
    /// What something does: a build, a test, the program itself.
    Run,
}

/// Programs that end well whatever happens, and print only what they are told.
const IDLE: [&str; 6] = ["echo", "printf", "true", ":", "exit", "return"];

/// What surrounds other commands and says nothing itself.
const AROUND: [&str; 16] = [
    "cd", "pushd", "popd", "pwd", "set", "export", "unset", "local", "for", "case", "esac", "fi",
    "done", "select", "function", "in",
];

/// Programs that show what files say and run nothing of the work, and filters that only pass on what these show.
const LOOKS: [&str; 21] = [
    "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "test", "[", "[[", "ls", "find", "stat",
    "wc", "cat", "head", "tail", "sort", "uniq", "cut", "tr",
];

/// How `find` is told to run something.
const FIND_RUNS: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];

const RUNS_NOTHING: &str = "it runs nothing, so it ends well whatever the work is like";
const ONLY_PRINTS: &str = "it ends with the exit code of what prints, which is always 0";
const UNTOLD_IF: &str = "where its `if` does not hold it ends well all the same; name the condition itself as the command";
const HIDDEN_IN_SHELL: &str =
    "what it gives to the shell hides an exit code; name that command without `sh -c`";
const TRAPPED: &str = "its `trap` decides the exit code";

/// Tells what a criterion's command could prove; `None` where it has none.
pub fn proof_of(criterion: &Criterion) -> Option<Proof> {
    let command = criterion.command.as_deref()?;
    if command.len() > COMMAND_BYTES_MAX {
        return Some(Proof::Run);
    }
    let by_output = criterion.expect.is_about_output();
    Some(match (hidden(command, &criterion.expect), idle(command, by_output)) {
        (Some(why), _) | (None, Some(why)) => Proof::Nothing(why),
        (None, None) if only_looks(command, 0) => Proof::Look,
        (None, None) => Proof::Run,
    })
}

/// How a command still hides an exit code after its endings are taken off.
fn hidden(command: &str, expect: &Expectation) -> Option<&'static str> {
    let parts = split(command)?;
    if parts.iter().any(|part| part.program() == "trap" && part.text.contains("exit")) {
        return Some(TRAPPED);
    }
    if expect.is_about_output() || !expect.wants_success() {
        return None;
    }
    if last_if(&parts).is_some_and(|parts| !then_fails(parts) && !else_fails(parts)) {
        return Some(UNTOLD_IF);
    }
    let given = |words: Vec<String>| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (program, arguments) = unwrapped(&words).split_first()?;
        let line = shell_line(arguments).filter(|_| is_shell(base_name(program)))?;
        let inner = Criterion::of_command(line);
        // With `set -e` or `pipefail` what comes before an ending is heard all the same.
        let is_strict = line.trim_start().starts_with("set -") && !line.contains("||");
        let ends_as_given = || commands(inner.command.as_deref()?).pop();
        let is_cut = !is_strict && commands(line).pop() != ends_as_given();
        (is_cut || inner.objection().is_some()).then_some(HIDDEN_IN_SHELL)
    };
    commands(command).into_iter().find_map(given)
}

/// The `if` that a command ends with, from its condition on.
fn last_if<'a, 'b>(parts: &'b [Part<'a>]) -> Option<&'b [Part<'a>]> {
    parts.last().filter(|part| part.program() == "fi")?;
    let mut closed = 0_usize;
    let opens = |part: &Part<'_>| {
        let keywords = part.text.split_whitespace().take_while(|word| KEYWORDS.contains(word));
        keywords.filter(|word| *word == "if").count()
    };
    let from = parts.iter().rposition(|part| {
        closed += usize::from(part.program() == "fi");
        closed = closed.saturating_sub(opens(part));
        closed == 0
    })?;
    Some(&parts[from..])
}

/// Whether what comes after `then` says that it fails: `if grep -q x f; then exit 1; fi`.
fn then_fails(parts: &[Part<'_>]) -> bool {
    let mut then = parts.iter().take_while(|part| part.program() != "else");
    then.any(|part| matches!(decision(part), ("false", _) | ("exit" | "return", Some(1..))))
}

/// Whether what comes after `else` can fail.
fn else_fails(parts: &[Part<'_>]) -> bool {
    let otherwise = parts.iter().skip_while(|part| !matches!(part.program(), "else" | "elif"));
    otherwise.take_while(|part| part.program() != "fi").any(|part| match decision(part) {
        ("exit" | "return", code) => code != Some(0),
        (program, _) => !IDLE.contains(&program),
    })
}

/// The program that a branch runs, and the code that it ends with where it says so.
fn decision<'a>(part: &Part<'a>) -> (&'a str, Option<u8>) {
    let is_keyword = |word: &&str| matches!(*word, "then" | "else");
    let mut words = part.text.split_whitespace().skip_while(is_keyword);
    (words.next().unwrap_or_default(), words.next().and_then(|code| code.parse().ok()))
}

/// Why a command that starts nothing but what prints cannot fail.
fn idle(command: &str, by_output: bool) -> Option<&'static str> {
    let is_idle = |words: &Vec<String>| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let program = unwrapped(&words).first().map_or("", |program| base_name(program));
        // `exit 1` and `exit $code` are somebody's decision.
        let decides = matches!(program, "exit" | "return") && words.last() != Some(&"0");
        // An assignment alone ends with the exit code of what it holds: `x=$(./app)`.
        let is_held =
            |word: &&str| word.ends_with('$') || word.contains("$(") || word.contains('`');
        let decides = decides || program.is_empty() && words.iter().any(is_held);
        (program.is_empty() || IDLE.contains(&program) || AROUND.contains(&program)) && !decides
    };
    if !commands(command).iter().all(is_idle) {
        return None;
    }
    match substituted(command).is_empty() && !command.contains('$') {
        true => Some(RUNS_NOTHING),
        false if by_output => None,
        false => Some(ONLY_PRINTS),
    }
}

/// Whether all that a command line starts only looks at files.
fn only_looks(line: &str, depth: usize) -> bool {
    if depth > DEPTH_MAX {
        return false;
    }
    let looks = |words: &Vec<String>| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some((program, arguments)) = unwrapped(&words).split_first() else { return true };
        let program = base_name(program);
        match shell_line(arguments) {
            Some(line) if is_shell(program) => only_looks(line, depth + 1),
            _ if program == "find" => !arguments.iter().any(|word| FIND_RUNS.contains(word)),
            _ if program == "git" => arguments.contains(&"grep") || arguments.contains(&"ls-files"),
            _ => LOOKS.contains(&program) || IDLE.contains(&program) || AROUND.contains(&program),
        }
    };
    commands(line).iter().all(looks)
        && substituted(line).into_iter().all(|inner| only_looks(inner, depth + 1))
}

/// What the shell runs to make words of: the insides of `$(…)` and of backticks.
fn substituted(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut quoted, mut from) = (false, 0);
    for (at, c) in line.char_indices() {
        if at < from {
            continue;
        }
        let rest = &line[at..];
        match c {
            '\'' => quoted = !quoted,
            '$' if !quoted && rest.starts_with("$(") => {
                let inner = &rest[2..];
                let end = balanced(inner);
                found.push(&inner[..end]);
                from = at + 2 + end;
            }
            '`' if !quoted => {
                let inner = &rest[1..];
                let end = inner.find('`').unwrap_or(inner.len());
                found.push(&inner[..end]);
                from = at + 2 + end;
            }
            _ => {}
        }
    }
    found
}

/// Where the bracket that opened before a text is closed.
fn balanced(text: &str) -> usize {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        depth = match c {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        };
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn proof(check: &str) -> &'static str {
        match proof_of(&Criterion::parse(&format!("it holds -- verified by: {check}"))) {
            None => "none",
            Some(Proof::Nothing(_)) => "nothing",
            Some(Proof::Look) => "look",
            Some(Proof::Run) => "run",
        }
    }

    #[test]
    fn e1_a_command_that_ends_well_whatever_the_work_is_like_proves_nothing() {
        for check in [
            "`true`",
            "`echo ok`",
            "`echo ok` (output contains \"ok\")",
            "`cd src; exit 0`",
            "`echo $(cargo test)`",
            "`if cargo test; then echo PASS; else echo FAIL; fi`",
            "`if cargo test; then echo PASS; fi`",
            "`if cargo test; then echo PASS; else exit 0; fi`",
            "`if cargo test; then exit 0; fi`",
            "`make; if [ -d t ]; then if cargo test; then echo PASS; fi; fi`",
            "`sh -c 'cargo test || true'`",
            "`bash -lc \"cargo test; echo done\"`",
            "`trap 'exit 0' EXIT; cargo test`",
        ] {
            assert_eq!(proof(check), "nothing", "{check}");
        }
    }

    #[test]
    fn c8_looking_at_files_is_told_from_running_something() {
        for check in [
            "`grep -q x src/a.rs`",
            "`! grep -rn TODO src | grep -v tests`",
            "`test -f a && test -d b`",
            "`[ $(grep -c x f) -ge 3 ]`",
            "`cd src && wc -l a.rs` (expect >= 9)",
            "`for f in a b; do grep -q x \"$f\" || exit 1; done`",
            "`sh -c 'grep -q x f'`",
            "`git grep -q x`",
            "`n=$(cat f | wc -l); [ \"$n\" -gt 2 ]`",
        ] {
            assert_eq!(proof(check), "look", "{check}");
        }
        for check in [
            "`cargo test`",
            "`./app --version | grep -q 1.0`",
            "`test \"$(./app --version)\" = 1.0`",
            "``[ \"`./app`\" = x ]``",
            "`sh tests/a.sh`",
            "`cmp a b`",
            "`grep -q x f && make check`",
            "`if cargo test; then echo ok; else exit 1; fi`",
            "`if cargo test; then echo ok; else echo no; fi` (output contains \"ok\")",
            "`echo $(./app)` (output contains \"ok\")",
            "`git diff --exit-code`",
            "`find . -name '*.sh' -exec sh -n {} +`",
            "`awk -F, 'NF != 3 { exit 1 }' data.csv`",
            "`out=$(./app) && echo \"$out\"`",
            "`if ./app --bad; then exit 1; fi`",
            "`if ! ./app; then echo no; exit 1; fi`",
            "`if [ ! -d node_modules ]; then npm ci; fi; npm test`",
            "`bash -c 'cd web; npm test'`",
            "`bash -c 'set -euo pipefail; ./app | tail -1; echo ok'`",
            "`bash -c 'diff <(./app) <(cat expected)'`",
            "`bash -c 'source lib.sh; check 1'`",
        ] {
            assert_ne!(proof(check), "look", "{check}");
            assert_ne!(proof(check), "nothing", "{check}");
        }
        assert_eq!(proof("looking at it"), "none");
    }

    proptest! {
        #[test]
        fn c8_every_command_gives_an_answer(
            command in "(if |then |else |; |fi|\\$\\(|\\)|'|\"|grep x|sh -c |true|`|\\| |[a-z]{1,3} |é){0,16}"
        ) {
            proof_of(&Criterion::of_command(&command));
        }
    }
}
