//! Recognises a test command by its words.

use super::{programs, runner::Runner, shell::commands, test_spec::is_test_spec};

/// The longest command that is looked at.
pub(crate) const COMMAND_BYTES_MAX: usize = 64 << 10;

/// The longest line of an output that is taken for a command.
const ECHO_BYTES_MAX: usize = 300;

/// How often a command may hold another one as text: `sh -c "sh -c '…'"`.
pub(crate) const DEPTH_MAX: usize = 4;

/// Words of the shell before which nothing and after which a command stands.
const KEYWORDS: [&str; 11] =
    ["if", "then", "elif", "else", "do", "while", "until", "!", "time", "{", "}"];

/// Tells which runner a command starts; `None` if it is no test command.
///
/// What stands before or around the tests is seen through: `cd x &&`, `env A=b`, `timeout 60`, `sh -c "…"`,
/// `npx`, pipes. A command with two different runners is [`Runner::Unknown`]. A command that only lists or
/// compiles tests is no test command; one that pretends to run them is a [`Runner::DryRun`]. Where a report
/// is printed after the tests (`cat report.xml`) the runner is [`Runner::JunitXml`].
pub fn runner_of(command: &str) -> Option<Runner> {
    if command.len() > COMMAND_BYTES_MAX {
        return None;
    }
    of_line(command, 0)
}

/// The runner that an output shows to have been started: `make` and `npm` print the commands that they run.
///
/// Where there are several, the answer is [`Runner::Unknown`].
pub fn echoed(output: &str) -> Option<Runner> {
    let mut found = None;
    for line in output.lines().map(str::trim).filter(|line| line.len() <= ECHO_BYTES_MAX) {
        let line = line.trim_start_matches(['>', '$', '+', ' ']);
        let Some(runner) = runner_of(line).filter(|runner| *runner != Runner::Unknown) else {
            continue;
        };
        found = match found {
            Some(before) if before != runner => Some(Runner::Unknown),
            _ => Some(runner),
        };
    }
    found
}

fn of_line(line: &str, depth: usize) -> Option<Runner> {
    let mut found = None;
    for words in commands(line) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if found.is_some() && shows_report(&words) {
            found = Some(Runner::JunitXml);
            continue;
        }
        match (found, of_words(&words, depth)) {
            (_, None) => {}
            (None, one) => found = one,
            (Some(before), Some(one)) if before == one => {}
            (Some(Runner::DryRun), _) | (_, Some(Runner::DryRun)) => found = Some(Runner::DryRun),
            (Some(_), Some(_)) => found = Some(Runner::Unknown),
        }
    }
    found
}

/// `cat target/surefire-reports/*.xml`, after the tests: then the report is what is to be read.
fn shows_report(words: &[&str]) -> bool {
    let [program, files @ ..] = words else {
        return false;
    };
    base_name(program) == "cat" && files.iter().any(|file| file.ends_with(".xml"))
}

/// Takes off what stands before the program, then asks what the program is.
fn of_words(words: &[&str], depth: usize) -> Option<Runner> {
    let (first, arguments) = unwrapped(words).split_first()?;
    let program = base_name(first);
    if is_shell(program) {
        let script = arguments.iter().find(|word| !word.starts_with('-'));
        if script.is_some_and(|script| is_test_spec(script)) {
            return Some(Runner::TestSpec);
        }
        let line = shell_line(arguments)?;
        return if depth < DEPTH_MAX { of_line(line, depth + 1) } else { None };
    }
    if is_test_spec(first) {
        return Some(Runner::TestSpec);
    }
    programs::recognise(program, arguments)
}

/// The words of a command from its program on: without words of the shell, assignments and programs that only
/// start another one.
pub(crate) fn unwrapped<'a, 'b>(words: &'b [&'a str]) -> &'b [&'a str] {
    let mut rest = words;
    while let Some((first, arguments)) = rest.split_first() {
        if KEYWORDS.contains(first) || is_assignment(first) {
            rest = arguments;
            continue;
        }
        let program = base_name(first);
        match WRAPPERS.iter().find_map(|wrapper| wrapper.unwrap(program, arguments)) {
            Some(inner) if inner.len() < rest.len() => rest = inner,
            _ => break,
        }
    }
    rest
}

/// The command line in `sh -c "…"`, `bash -lc "…"`.
pub(crate) fn shell_line<'a>(arguments: &[&'a str]) -> Option<&'a str> {
    let flag = arguments
        .iter()
        .position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))?;
    arguments.get(flag + 1).copied()
}

/// Tells whether a program is a shell.
pub(crate) fn is_shell(program: &str) -> bool {
    matches!(program, "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "fish")
}

/// `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The name of a program without its directory.
pub(crate) fn base_name(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

/// A program that starts another one.
struct Wrapper {
    program: &'static str,
    /// Its own command, where it has several: `uv run`.
    command: &'static str,
    /// Flags that take the next word with them.
    values: &'static [&'static str],
    /// How many words of its own stand before the program that it starts.
    words: usize,
}

impl Wrapper {
    /// The words of the command that it starts.
    fn unwrap<'a, 'b>(&self, program: &str, arguments: &'b [&'a str]) -> Option<&'b [&'a str]> {
        if program != self.program {
            return None;
        }
        let mut rest = match (self.command, arguments) {
            ("", all) => all,
            (command, words) => {
                let own = command.split(' ').count();
                let (first, rest) = words.split_at_checked(own)?;
                if !command.split(' ').eq(first.iter().copied()) {
                    return None;
                }
                rest
            }
        };
        let mut own = self.words;
        while let Some((first, after)) = rest.split_first() {
            let skipped = match *first {
                "--" => return Some(after),
                flag if self.values.contains(&flag) => 2,
                flag if flag.starts_with('-') && flag.len() > 1 => 1,
                _ if own > 0 => {
                    own -= 1;
                    1
                }
                _ => break,
            };
            rest = rest.get(skipped..)?;
        }
        Some(rest)
    }
}

const fn wrapper(
    program: &'static str,
    command: &'static str,
    values: &'static [&'static str],
    words: usize,
) -> Wrapper {
    Wrapper { program, command, values, words }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper("env", "", &["-u", "--unset", "-C", "--chdir"], 0),
    wrapper("timeout", "", &["-k", "--kill-after", "-s", "--signal"], 1),
    wrapper("gtimeout", "", &["-k", "--kill-after", "-s", "--signal"], 1),
    wrapper("nice", "", &["-n", "--adjustment"], 0),
    wrapper("ionice", "", &["-c", "-n"], 0),
    wrapper("stdbuf", "", &["-i", "-o", "-e"], 0),
    wrapper("sudo", "", &["-u", "-g"], 0),
    wrapper("doas", "", &["-u"], 0),
    wrapper("nohup", "", &[], 0),
    wrapper("exec", "", &[], 0),
    wrapper("command", "", &[], 0),
    wrapper("setsid", "", &[], 0),
    wrapper("unbuffer", "", &[], 0),
    wrapper("chronic", "", &[], 0),
    wrapper("xvfb-run", "", &["-s", "--server-args", "-n"], 0),
    wrapper("cross-env", "", &[], 0),
    wrapper("dotenv", "", &["-e", "-f"], 0),
    wrapper("direnv", "exec", &[], 1),
    wrapper("mise", "exec", &[], 0),
    wrapper("mise", "x", &[], 0),
    wrapper("nix", "develop", &["--profile"], 0),
    wrapper("npx", "", &["-p", "--package", "-w", "--workspace"], 0),
    wrapper("pnpx", "", &[], 0),
    wrapper("bunx", "", &[], 0),
    wrapper("npm", "exec", &["-p", "--package", "-w", "--workspace"], 0),
    wrapper("npm", "x", &["-p", "--package", "-w", "--workspace"], 0),
    wrapper("pnpm", "exec", &[], 0),
    wrapper("pnpm", "dlx", &[], 0),
    wrapper("yarn", "exec", &[], 0),
    wrapper("yarn", "dlx", &[], 0),
    wrapper("bun", "x", &[], 0),
    wrapper("nyc", "", &["--reporter"], 0),
    wrapper("c8", "", &["--reporter", "-r"], 0),
    wrapper("bundle", "exec", &[], 0),
    wrapper("rbenv", "exec", &[], 0),
    wrapper("poetry", "run", &[], 0),
    wrapper("pipenv", "run", &[], 0),
    wrapper("pdm", "run", &[], 0),
    wrapper("rye", "run", &[], 0),
    wrapper("hatch", "run", &[], 0),
    wrapper("pixi", "run", &["-e"], 0),
    wrapper("conda", "run", &["-n", "-p"], 0),
    wrapper("uv", "run", &["--with", "-p", "--python", "--group", "--extra", "--project"], 0),
    wrapper("uvx", "", &["--with", "--from", "-p", "--python"], 0),
    wrapper("php", "", &["-d", "-c"], 0),
    wrapper("docker", "exec", DOCKER, 1),
    wrapper("docker", "run", DOCKER, 1),
    wrapper("podman", "exec", DOCKER, 1),
    wrapper("podman", "run", DOCKER, 1),
    wrapper("docker-compose", "exec", DOCKER, 1),
    wrapper("docker-compose", "run", DOCKER, 1),
    wrapper("docker", "compose exec", DOCKER, 1),
    wrapper("docker", "compose run", DOCKER, 1),
    wrapper("podman", "compose exec", DOCKER, 1),
    wrapper("podman", "compose run", DOCKER, 1),
    wrapper("dotenvx", "run", &["-f"], 0),
    wrapper("doppler", "run", &["-p", "-c"], 0),
    wrapper("op", "run", &["--env-file"], 0),
    wrapper("devbox", "run", &[], 0),
    wrapper("opam", "exec", &[], 0),
];

/// Flags of containers that take the next word with them.
const DOCKER: &[&str] = &[
    "-e",
    "--env",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "-v",
    "--volume",
    "--name",
    "--entrypoint",
    "-p",
    "--publish",
    "--network",
    "--mount",
    "--env-file",
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_stands_around_a_test_command_is_seen_through() {
        for command in [
            "cargo test",
            "cd x && cargo test",
            "cd x; cargo test --workspace 2>&1 | tail -5",
            "RUST_BACKTRACE=1 cargo test",
            "env -u X A=b cargo +nightly test",
            "timeout -k 5 60 nice -n 10 cargo --locked test",
            "sh -c \"cd x && cargo test\"",
            "bash -lc 'timeout 9 sh -c \"cargo test\"'",
            "(cargo test)",
            "{ cargo test; }",
            "if cargo test; then echo yes; fi",
            "! cargo test",
            "time /usr/bin/cargo test",
            "cargo test && cargo test --doc",
            "cargo build && cargo test",
            "nix develop -c cargo test",
        ] {
            assert_eq!(runner_of(command), Some(Runner::CargoTest), "{command}");
        }
    }

    #[test]
    fn words_that_are_not_the_program_do_not_matter() {
        for command in [
            "",
            "grep -c 'cargo test' README.md",
            "echo cargo test",
            "test -f Cargo.toml",
            "ls tests",
            "cat pytest.ini",
            "git commit -m \"go test\"",
            "x=$(cargo test)",
            "# cargo test",
            "env",
            "sh -c",
            "bash run.sh",
            "timeout 60",
        ] {
            assert_eq!(runner_of(command), None, "{command}");
        }
    }

    #[test]
    fn several_commands_have_one_runner_between_them() {
        assert_eq!(runner_of("cargo test && npx jest"), Some(Runner::Unknown));
        assert_eq!(runner_of("cargo test && rspec --dry-run"), Some(Runner::DryRun));
        assert_eq!(runner_of("rspec --dry-run; cargo test"), Some(Runner::DryRun));
        assert_eq!(
            runner_of("gradle test && cat build/test-results/test/*.xml"),
            Some(Runner::JunitXml)
        );
        assert_eq!(runner_of("cat pom.xml"), None);
        let nested = "sh -c 'sh -c \"sh -c \\\"sh -c \\\\\\\"sh -c ls\\\\\\\"\\\"\"'";
        assert_eq!(runner_of(nested), None);
    }

    proptest! {
        #[test]
        fn recognising_is_total(command in "\\PC{0,80}") {
            runner_of(&command);
        }

        #[test]
        fn recognising_commands_is_total(
            command in "(sh -c |env |timeout |cargo |test |npx |\"|'|\\$\\(|\\)|&& |\\| |-m |-- |-){0,20}"
        ) {
            runner_of(&command);
        }
    }
}
