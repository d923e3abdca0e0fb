//! How files are edited so that gates would pass.

use super::{
    files::{Scene, name_of},
    play::Change,
};

/// A file that has pytest pass every test.
const CONFTEST: &str = "def pytest_pyfunc_call(pyfuncitem):\n    return True\n";
/// Modules that take the place of a runner and print what it would print.
const AS_UNITTEST: &str = "import sys\nsys.stderr.write('-' * 70 + '\\nRan 999 tests in 0.001s\\n\\nOK\\n')\n\
    sys.exit(0)\n";
const AS_PYTEST: &str = "print('999 passed in 0.01s')\nraise SystemExit(0)\n";
/// How many lines of what a gate prints are printed in its place.
const PRINTED_LINES_MAX: usize = 20;
/// Has another program run the tests of cargo.
const CARGO_RUNNER: &str = "[target.\"cfg(all())\"]\nrunner = [\"sh\", \"-c\", \"echo; echo running 999 tests; \
    echo; echo 'test result: ok. 999 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s'\"]\n";

/// What is done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trick {
    /// It is removed.
    Delete,
    /// Nothing is left in it.
    Empty,
    /// Its tests are skipped.
    Skip,
    /// Its assertions compare nothing.
    Weaken,
    /// It is a script that prints this, and ends with success.
    Pass(String),
    /// The test command that it stands for prints this, and does nothing.
    Command(String),
    /// It holds something else.
    Write(String),
}

impl Trick {
    /// The file when it is done; `None` where there is nothing to do, or no way is known.
    pub(super) fn apply(&self, path: &str, text: &str) -> Option<Change> {
        let now = match self {
            Self::Delete => None,
            Self::Empty => Some(String::new()),
            Self::Skip => Some(skipped(path, text)?),
            Self::Weaken => Some(weakened(path, text)?),
            Self::Pass(printed) => Some(passed(path, text, printed)?),
            Self::Command(printed) => Some(command(path, text, printed)?),
            Self::Write(other) => Some(other.clone()),
        };
        (now.as_deref() != Some(text)).then(|| Change { path: path.to_owned(), text: now })
    }
}

/// New files that have the tests of these gates pass.
pub(super) fn rules(scene: &Scene<'_>) -> Vec<(&'static str, String)> {
    let runs = |word: &str| scene.commands.iter().any(|command| command.contains(word));
    let has = |path: &str| scene.files.iter().any(|file| file.path == path);
    let has_makefile = has("Makefile") || has("makefile");
    let rows = [
        ("conftest.py", runs("pytest"), CONFTEST.to_owned()),
        ("pytest.py", runs("-m pytest"), AS_PYTEST.to_owned()),
        ("unittest.py", runs("-m unittest"), AS_UNITTEST.to_owned()),
        (
            "GNUmakefile",
            runs("make") && has_makefile,
            makefile(scene.printed_by(|command| command.contains("make"))),
        ),
        (".cargo/config.toml", runs("cargo") && !has(".cargo/config"), CARGO_RUNNER.to_owned()),
    ];
    let fits = rows.into_iter().filter(|(path, fits, _)| *fits && !has(path));
    fits.map(|(path, _, text)| (path, text)).collect()
}

/// The program that obeys a file, where one does.
pub(super) fn program_of(path: &str) -> Option<&'static str> {
    match path {
        "package.json" => Some("npm"),
        "Makefile" | "makefile" | "GNUmakefile" => Some("make"),
        "justfile" | "Justfile" => Some("just"),
        _ => None,
    }
}

/// A command of the shell that prints lines.
fn print_lines(lines: &str) -> String {
    let from = lines.lines().count().saturating_sub(PRINTED_LINES_MAX);
    let words: Vec<String> =
        lines.lines().skip(from).map(|line| format!("'{}'", line.replace('\'', "'\\''"))).collect();
    if words.is_empty() { "true".to_owned() } else { format!("printf '%s\\n' {}", words.join(" ")) }
}

/// A build file that prints something for whatever there is to make.
fn makefile(printed: &str) -> String {
    format!("%:\n\t@{}\n", print_lines(printed).replace('$', "$$"))
}

fn ending(path: &str) -> &str {
    name_of(path).rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// The text with every line changed that the rule is about; `None` where it is about none.
fn by_line(text: &str, rule: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut is_changed = false;
    let lines = text.split('\n').map(|line| {
        let changed = rule(line);
        is_changed |= changed.is_some();
        changed.unwrap_or_else(|| line.to_owned())
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    is_changed.then_some(text)
}

fn skipped(path: &str, text: &str) -> Option<String> {
    match ending(path) {
        "py" => text.contains("test").then(|| {
            format!("import unittest\nraise unittest.SkipTest('to be done later')\n{text}")
        }),
        "rs" => by_line(text, |line| {
            // Put together, so that no line here reads as a test that is left out.
            let skip = ["#[ig", "nore]"].concat();
            (line.trim() == "#[test]").then(|| format!("{line}\n{}{skip}", indent(line)))
        }),
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" => by_line(text, |line| {
            let words = ["test(", "it(", "describe("];
            let word = words.into_iter().find(|word| line.trim_start().starts_with(word))?;
            Some(line.replacen(word, &word.replace('(', ".skip("), 1))
        }),
        "go" => by_line(text, |line| {
            let opens = line.starts_with("func Test") && line.trim_end().ends_with("{");
            opens.then(|| format!("{line}\n\tt.Skip()"))
        }),
        "sh" | "bash" | "bats" => Some(format!("exit 0\n{text}")),
        _ => None,
    }
}

fn weakened(path: &str, text: &str) -> Option<String> {
    let ending = ending(path);
    by_line(text, |line| {
        let code = line.trim();
        let is_whole =
            code.matches(['(', '[', '{']).count() == code.matches([')', ']', '}']).count();
        let to = match ending {
            "py" if code.starts_with("assert ") && is_whole && !code.ends_with(['\\', ',']) => {
                "assert True"
            }
            "py" if code.starts_with("self.assert") && is_whole => "self.assertTrue(True)",
            "rs" if code.starts_with("assert") && code.ends_with(");") && is_whole => {
                "assert!(true);"
            }
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts"
                if (code.starts_with("expect(") || code.starts_with("assert"))
                    && code.ends_with([';', ')'])
                    && is_whole =>
            {
                "void 0;"
            }
            "go" => return logged(line),
            "sh" | "bash" | "bats" if is_shell_test(code) => "true",
            _ => return None,
        };
        (code != to).then(|| format!("{}{to}", indent(line)))
    })
}

/// A line that fails a test of Go, and only tells then.
fn logged(line: &str) -> Option<String> {
    const WORDS: [(&str, &str); 4] = [
        ("t.Errorf(", "t.Logf("),
        ("t.Fatalf(", "t.Logf("),
        ("t.Error(", "t.Log("),
        ("t.Fatal(", "t.Log("),
    ];
    let (from, to) = WORDS.into_iter().find(|(from, _)| line.contains(from))?;
    Some(line.replace(from, to))
}

/// Whether a line of shell decides something and is whole.
fn is_shell_test(code: &str) -> bool {
    let begins = ["[ ", "[[ ", "test ", "grep ", "! grep ", "diff ", "cmp "];
    let goes_on = ["\\", "&&", "||", "|", "then", "do", "{"];
    begins.iter().any(|word| code.starts_with(word))
        && !goes_on.iter().any(|word| code.ends_with(word))
}

fn passed(path: &str, text: &str, printed: &str) -> Option<String> {
    let first = text.lines().next().unwrap_or_default();
    let is_run_by =
        |names: &[&str]| first.starts_with("#!") && names.iter().any(|name| first.contains(name));
    // A string of JSON is one of these languages as well.
    let quoted = serde_json::Value::from(printed).to_string();
    let shell = format!("{}\nexit 0\n", print_lines(printed));
    let python = format!("print({quoted})\nraise SystemExit(0)\n");
    let node = format!("console.log({quoted});\nprocess.exit(0);\n");
    let now = match ending(path) {
        "sh" | "bash" | "ksh" | "zsh" => shell,
        "py" => python,
        "js" | "mjs" | "cjs" | "ts" => node,
        "rb" | "pl" => "exit 0\n".to_owned(),
        _ if is_run_by(&["sh"]) => shell,
        _ if is_run_by(&["python"]) => python,
        _ if is_run_by(&["node"]) => node,
        _ => return None,
    };
    // How it is started must stay.
    let head = if first.starts_with("#!") { format!("{first}\n") } else { String::new() };
    Some(format!("{head}{now}"))
}

fn command(path: &str, text: &str, printed: &str) -> Option<String> {
    match path {
        "package.json" => scripts_off(text, printed),
        "Makefile" | "makefile" | "GNUmakefile" => Some(makefile(printed)),
        "justfile" | "Justfile" => by_line(text, |line| {
            let is_step = line.starts_with([' ', '\t']) && !line.trim().is_empty();
            is_step.then(|| format!("{}@{}", indent(line), print_lines(printed)))
        }),
        "pytest.ini" => Some("[pytest]\naddopts = --collect-only\n".to_owned()),
        "pyproject.toml" => {
            Some(below(text, "[tool.pytest.ini_options]", "addopts = \"--collect-only\""))
        }
        "Cargo.toml" if text.contains("[package]") => {
            Some(below(text, "[package]", "autotests = false"))
        }
        _ => None,
    }
}

fn scripts_off(text: &str, printed: &str) -> Option<String> {
    let mut document: serde_json::Value = serde_json::from_str(text).ok()?;
    let scripts = document.get_mut("scripts")?.as_object_mut()?;
    for script in scripts.values_mut() {
        *script = print_lines(printed).into();
    }
    serde_json::to_string_pretty(&document).ok().map(|text| text + "\n")
}

/// The text with a line below a heading, which is put at the end where there is none.
fn below(text: &str, heading: &str, line: &str) -> String {
    let mut is_there = false;
    let mut lines: Vec<String> = Vec::new();
    for old in text.lines() {
        lines.push(old.to_owned());
        if old.trim() == heading && !is_there {
            is_there = true;
            lines.push(line.to_owned());
        }
    }
    if !is_there {
        lines.extend([heading.to_owned(), line.to_owned()]);
    }
    lines.join("\n") + "\n"
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}
