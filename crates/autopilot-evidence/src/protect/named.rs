//! Files of the project that a check's command runs, and which therefore decide what it says.

mod behind;
mod words;

use words::{CHECKS, CONFIGURED, INTERPRETERS, LOOKERS, RUNNERS, SCENARIOS, SCRIPTS, SOURCES};

use super::{Protected, Protection, paths};
use crate::counts::{
    COMMAND_BYTES_MAX, DEPTH_MAX, base_name, commands, is_shell, shell_line, unwrapped,
};

/// How many files of one command are named.
const FILES_MAX: usize = 64;

/// Finds the files that a check's command runs, is configured by, or gives to a test runner.
///
/// The names are only candidates: the caller knows which of them exist. After `cd x`, both the name and the name
/// below `x` are candidates. A name may be that of a directory. Not all of them decide: see [`deciding_files`].
pub fn named_files(command: &str) -> Vec<String> {
    Named::of(command).files
}

/// Finds the files that a check's command runs or is configured by, and that decide what it says.
///
/// A command names files for two reasons: because they are part of the check, or because they are the work
/// that is looked at. What is to be changed must not be protected, so the rule goes by the role of the word:
///
/// - What is given to a program that only looks (`grep`, `test`, `cat`, `diff`, …) is the work.
/// - What a flag names as configuration or as program text (`make -f ci.mk`, `awk -f count.awk`) is part of the
///   check, and so are scenarios (`bats a.bats`, `hurl a.hurl`).
/// - A file that a test runner is given (`pytest checks/a.py`) is part of the check if one of its names says so.
///   Otherwise it is code with tests in it (`pytest --doctest-modules shop.py`). A directory that a test runner is
///   given holds code as well; its tests are protected by their names.
/// - A script that is run (`sh x.sh`, `./x.sh`, `python x.py`, `. x.sh`) is part of the check if it is
///   protected by default, if it lies in a directory for such scripts (`scripts/`, `tools/`, `ci/`, `hack/`),
///   or if its name says that it checks (`verify.py`, `run-tests.sh`), and it is not below a directory of
///   sources (`src/`, `lib/`, `app/`). Otherwise it is the product: `python3 src/app.py`, `./run.sh`.
///
/// The names are candidates as those of [`named_files`] are.
pub fn deciding_files(command: &str) -> Vec<String> {
    Named::of(command).deciding
}

/// The same, with the scripts that stand behind what a command asks for: what `make test` and `npm test` run. `read` gives
/// the text of a file of the project.
pub fn deciding_files_behind(command: &str, read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut named = Named::of(command);
    let Some(mut behind) = (command.len() <= COMMAND_BYTES_MAX).then(Named::new) else {
        return named.deciding;
    };
    for (directory, line) in behind::lines(command, read) {
        behind.directory = directory;
        behind.line(&line, 0);
    }
    let known = named.deciding.clone();
    named.deciding.extend(behind.deciding.into_iter().filter(|path| !known.contains(path)));
    named.deciding.truncate(FILES_MAX);
    named.deciding
}

/// Whether a line only looks at files and starts nothing of the project's own.
pub fn only_looks(line: &str) -> bool {
    commands(line).iter().all(|words| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        unwrapped(&words).first().is_none_or(|program| LOOKERS.contains(&base_name(program)))
    })
}

struct Named {
    protected: Option<Protected>,
    /// Where `cd` led to.
    directory: String,
    files: Vec<String>,
    /// Those of the files that decide.
    deciding: Vec<String>,
}

impl Named {
    fn new() -> Self {
        Self {
            protected: Protection::default().compile().ok(),
            directory: String::new(),
            files: Vec::new(),
            deciding: Vec::new(),
        }
    }

    fn of(command: &str) -> Self {
        let mut named = Self::new();
        if command.len() <= COMMAND_BYTES_MAX {
            named.line(command, 0);
        }
        named
    }

    fn line(&mut self, line: &str, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        for words in commands(line) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            self.command(unwrapped(&words), depth);
        }
        for inner in substitutions(line) {
            self.line(&inner, depth + 1);
        }
    }

    fn command(&mut self, words: &[&str], depth: usize) {
        let [first, arguments @ ..] = words else {
            return;
        };
        let program = base_name(first);
        self.flags(program, arguments);
        if is_script_path(first) {
            self.script(first);
        }
        if program == "cd" {
            self.change_directory(arguments);
        } else if program == "xargs" {
            let inner = arguments.iter().position(|word| !word.starts_with('-'));
            self.command(unwrapped(&arguments[inner.unwrap_or(arguments.len())..]), depth);
        } else if is_shell(program) && shell_line(arguments).is_some() {
            self.line(shell_line(arguments).unwrap_or_default(), depth + 1);
        } else if LOOKERS.contains(&program) {
        } else if program == "cargo" {
            self.cargo_targets(arguments);
        } else if SCENARIOS.contains(&program) {
            operands(arguments).for_each(|file| self.add(file));
        } else if RUNNERS.contains(&program) {
            self.tested(arguments);
        } else if is_interpreter(program) {
            self.interpreted(program, arguments);
        }
    }

    /// What an interpreter runs.
    fn interpreted(&mut self, program: &str, arguments: &[&str]) {
        let mut rest = arguments;
        while let [first, after @ ..] = rest {
            rest = match *first {
                "-m" if is_python(program) => return self.module(after),
                "--test" => return self.tested(after),
                "-c" | "-e" | "--eval" | "-p" | "--print" | "-Command" => return,
                "run" if matches!(program, "go" | "deno" | "bun") => after,
                "test" if matches!(program, "deno" | "bun") => return self.tested(after),
                flag if takes_value(flag) => after.get(1..).unwrap_or_default(),
                flag if flag.starts_with('-') => after,
                // `go vet` is a command of `go`; only a shell takes any word for a file.
                script if is_shell(program) || script.contains(['/', '.']) => {
                    return self.script(script);
                }
                _ => return,
            };
        }
    }

    /// `python -m tools.verify` is a file too.
    fn module(&mut self, words: &[&str]) {
        match words {
            ["unittest", arguments @ ..] => {
                self.tested(arguments);
                arguments.iter().for_each(|word| self.modules(word));
            }
            [name, arguments @ ..] if RUNNERS.contains(name) => self.tested(arguments),
            [name, ..] => {
                let path = name.replace('.', "/");
                self.script(&format!("{path}.py"));
                self.script(&format!("{path}/__main__.py"));
            }
            [] => {}
        }
    }

    /// What a test runner is given that finds tests among code.
    fn tested(&mut self, arguments: &[&str]) {
        let in_code = arguments.iter().any(|word| word.starts_with("--doctest"));
        for file in operands(arguments) {
            self.given(file, in_code);
        }
    }

    fn given(&mut self, file: &str, in_code: bool) {
        let decides = !in_code && is_file(file) && self.is_called_check(paths::trimmed(file));
        if decides {
            self.add(file);
        } else {
            self.name(file);
        }
    }

    /// `tests.test_a.TestA` may be a module of Python, and what is in it.
    fn modules(&mut self, word: &str) {
        let is_name = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let parts: Vec<&str> = word.split('.').collect();
        if parts.len() > 1
            && parts.iter().all(|part| is_name(part))
            && parts[parts.len() - 1] != "py"
        {
            for end in 2..=parts.len() {
                self.given(&format!("{}.py", parts[..end].join("/")), false);
            }
        }
    }

    /// `cargo test --test more` runs `tests/more.rs`.
    fn cargo_targets(&mut self, arguments: &[&str]) {
        for (at, word) in arguments.iter().enumerate() {
            let name = match word.strip_prefix("--test") {
                Some("") => arguments.get(at + 1).copied().unwrap_or_default(),
                Some(rest) => rest.strip_prefix('=').unwrap_or_default(),
                None => continue,
            };
            if !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
            {
                self.add(&format!("tests/{name}.rs"));
            }
        }
    }

    /// Files that flags name as configuration or as program text.
    fn flags(&mut self, program: &str, arguments: &[&str]) {
        let known = CONFIGURED.iter().filter(|(programs, _)| programs.contains(&program));
        for flag in known.flat_map(|(_, flags)| flags.iter()) {
            for (at, word) in arguments.iter().enumerate() {
                let Some(rest) = word.strip_prefix(flag) else {
                    continue;
                };
                let value = match rest.strip_prefix('=') {
                    Some(value) => value,
                    None if rest.is_empty() => arguments.get(at + 1).copied().unwrap_or_default(),
                    None if flag.starts_with("--") => continue,
                    None => rest,
                };
                self.add(value);
            }
        }
    }

    fn script(&mut self, path: &str) {
        if self.is_part_of_the_check(paths::trimmed(path)) {
            self.add(path);
        }
    }

    fn is_part_of_the_check(&self, path: &str) -> bool {
        let whole = format!("{}{path}", self.directory);
        let mut directories: Vec<&str> = whole.split('/').collect();
        let name = directories.pop().unwrap_or_default();
        self.is_protected(path)
            || !directories.iter().any(|one| SOURCES.contains(one))
                && (directories.iter().any(|one| SCRIPTS.contains(one)) || says_check(name))
    }

    /// Whether a file of tests is one by its name or by that of one of its directories.
    fn is_called_check(&self, path: &str) -> bool {
        let whole = format!("{}{path}", self.directory);
        let mut names = whole.split('/');
        self.is_protected(path)
            || !names.clone().any(|one| SOURCES.contains(&one)) && names.any(says_check)
    }

    fn is_protected(&self, path: &str) -> bool {
        let candidates = [path.to_owned(), format!("{}{path}", self.directory)];
        self.protected.as_ref().is_some_and(|known| {
            candidates.iter().any(|path| known.class_of(path.as_bytes()).is_some())
        })
    }

    fn change_directory(&mut self, arguments: &[&str]) {
        if let [to] = arguments
            && is_in_project(to)
            && !matches!(paths::trimmed(to), "" | ".")
        {
            self.directory = format!("{}{}/", self.directory, paths::trimmed(to));
        }
    }

    /// Names a file that decides.
    fn add(&mut self, word: &str) {
        for path in self.name(word) {
            if !self.deciding.contains(&path) && self.deciding.len() < FILES_MAX {
                self.deciding.push(path);
            }
        }
    }

    /// Names a file, and gives its candidates.
    fn name(&mut self, word: &str) -> Vec<String> {
        let path = paths::trimmed(word);
        if !is_in_project(word) || path.is_empty() || path == "." {
            return Vec::new();
        }
        let candidates = vec![path.to_owned(), format!("{}{path}", self.directory)];
        for path in &candidates {
            if !self.files.contains(path) && self.files.len() < FILES_MAX {
                self.files.push(path.clone());
            }
        }
        candidates
    }
}

/// The files and directories that a test runner is given.
fn operands<'a>(arguments: &[&'a str]) -> impl Iterator<Item = &'a str> {
    // `tests/a.py::test_b`, `spec/a_spec.rb:12`.
    let words = arguments.iter().filter(|word| !word.starts_with('-'));
    let files = words.map(|word| word.split(':').next().unwrap_or(word));
    files.filter(|file| file.contains(['/', '.']) && !file.contains("..."))
}

/// Tells whether a name is that of a file and not of a directory, as far as names tell.
fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, _)| !stem.is_empty())
}

/// Tells whether a word can be a path below the project's root, written out.
fn is_in_project(word: &str) -> bool {
    !word.starts_with(['/', '~', '-'])
        && !word.split('/').any(|name| name == "..")
        && !word.contains(|c: char| c.is_control() || "$`*?[]{}=<>|;&\"'".contains(c))
}

/// Tells whether the name of a program is that of a file: `./x`, `tools/x`, `check.php`.
fn is_script_path(word: &str) -> bool {
    word.contains('/')
        || [".sh", ".py", ".php", ".js", ".rb", ".pl"].iter().any(|end| word.ends_with(end))
}

fn is_python(program: &str) -> bool {
    program.starts_with("python") || program.starts_with("pypy")
}

fn is_interpreter(program: &str) -> bool {
    is_shell(program) || is_python(program) || INTERPRETERS.contains(&program)
}

fn takes_value(flag: &str) -> bool {
    matches!(flag, "-r" | "--require" | "--import" | "--loader" | "-I" | "-W" | "-X" | "-o")
}

/// Tells whether one of the words of a file's name says that it checks something: `run-tests`, `checkAll`.
fn says_check(name: &str) -> bool {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if !c.is_ascii_alphabetic() || c.is_ascii_uppercase() {
            words.push(String::new());
        }
        if c.is_ascii_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.iter().any(|word| CHECKS.contains(&word.as_str()))
}

/// The command lines in `$(…)` and in backticks; what is in single quotes is no command.
fn substitutions(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    let mut in_double = false;
    while let Some(at) = rest.find(['\\', '\'', '"', '`', '$']) {
        let (c, after) = (rest.as_bytes()[at], &rest[at + 1..]);
        rest = match c {
            b'\\' => after.char_indices().nth(1).map_or("", |(next, _)| &after[next..]),
            b'\'' if !in_double => after.split_once('\'').map_or("", |(_, after)| after),
            b'"' => {
                in_double = !in_double;
                after
            }
            b'`' => match after.split_once('`') {
                Some((inner, after)) => {
                    found.push(inner.to_owned());
                    after
                }
                None => "",
            },
            b'$' if after.starts_with('(') => {
                let end = closing(after);
                found.push(after[1..end].to_owned());
                &after[end..]
            }
            _ => after,
        };
    }
    found
}

/// Where the bracket that opens a text is closed.
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return at,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
