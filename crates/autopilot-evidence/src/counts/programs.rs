//! Which programs run tests, and with which arguments.

use super::runner::Runner;

/// Tells which runner a program with these arguments is.
pub(super) fn recognise(program: &str, arguments: &[&str]) -> Option<Runner> {
    let runner = runner(program, arguments)?;
    if has_any(arguments, &["--help", "--version"]) || asks(runner, arguments, LOOKS) {
        return None;
    }
    if asks(runner, arguments, PRETENDS) {
        return Some(Runner::DryRun);
    }
    if runner == Runner::GoTest && names_every_test(arguments) {
        return Some(Runner::GoTestVerbose);
    }
    Some(reporter(runner, arguments).unwrap_or(runner))
}

/// Whether `go test` is asked to name its tests. What stands after `-args` is for the tests themselves.
fn names_every_test(arguments: &[&str]) -> bool {
    let own = arguments.iter().take_while(|word| !matches!(**word, "-args" | "--args"));
    own.into_iter().any(|word| matches!(*word, "-v" | "--v" | "-v=true" | "-test.v"))
}

fn runner(program: &str, arguments: &[&str]) -> Option<Runner> {
    let first = arguments.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    match program {
        "cargo" => cargo(arguments),
        "go" => (first == "test" || subcommand(arguments, &["-C"]) == Some("test"))
            .then_some(Runner::GoTest),
        "node" | "tsx" => arguments.contains(&"--test").then_some(Runner::NodeTest),
        "jest" => Some(Runner::Jest),
        "vitest" => (!matches!(first, "list" | "init" | "bench")).then_some(Runner::Vitest),
        "mocha" | "_mocha" => Some(Runner::Mocha),
        "pytest" | "py.test" => Some(Runner::Pytest),
        "manage.py" | "django-admin" => (first == "test").then_some(Runner::Unittest),
        _ if program.starts_with("python") || program.starts_with("pypy") => python(arguments),
        "coverage" => python_module(arguments),
        "bats" => Some(Runner::Bats),
        "prove" => Some(Runner::Prove),
        "rspec" => Some(Runner::Rspec),
        "rails" => (first == "test" || first.starts_with("test:")).then_some(Runner::Minitest),
        "ruby" => ruby(arguments),
        "phpunit" | "paratest" => Some(Runner::Phpunit),
        "dotnet" => matches!(first, "test" | "vstest").then_some(Runner::DotnetTest),
        "ctest" => Some(Runner::Ctest),
        "cmake" => value_of(arguments, &["--target", "-t"])
            .is_some_and(|target| target == "test")
            .then_some(Runner::Ctest),
        "gradle" | "gradlew" => gradle(arguments),
        "mvn" | "mvnw" | "mvnd" => has_any(arguments, &MAVEN_GOALS).then_some(Runner::Surefire),
        "mix" => (first == "test" || first.starts_with("test.")).then_some(Runner::ExUnit),
        "swift" => (first == "test").then_some(Runner::SwiftTest),
        "npm" | "yarn" | "pnpm" | "bun" => scripts(program, arguments),
        _ => OTHERS
            .iter()
            .any(|(name, commands)| {
                *name == program
                    && (commands.is_empty()
                        || arguments.iter().any(|word| is_named(word, commands)))
            })
            .then_some(Runner::Unknown),
    }
}

/// What makes Maven run tests and is asked for because of it. `package` and the like are for building.
const MAVEN_GOALS: [&str; 5] =
    ["test", "integration-test", "verify", "surefire:test", "failsafe:integration-test"];

/// Programs that run tests, whose output is not understood or is that of another program.
const OTHERS: &[(&str, &[&str])] = &[
    ("make", TEST),
    ("gmake", TEST),
    ("ninja", TEST),
    ("meson", TEST),
    ("just", TEST),
    ("task", TEST),
    ("mise", TEST),
    ("turbo", TEST),
    ("nx", TEST),
    ("lerna", TEST),
    ("invoke", TEST),
    ("inv", TEST),
    ("pdm", TEST),
    ("poe", TEST),
    ("hatch", TEST),
    ("composer", TEST),
    ("artisan", TEST),
    ("bazel", TEST),
    ("bazelisk", TEST),
    ("buck2", TEST),
    ("deno", TEST),
    ("zig", TEST),
    ("sbt", TEST),
    ("lein", TEST),
    ("cabal", TEST),
    ("stack", TEST),
    ("dart", TEST),
    ("flutter", TEST),
    ("xcodebuild", TEST),
    ("playwright", TEST),
    ("rake", &["test", "spec"]),
    ("dune", &["test", "runtest"]),
    ("cypress", &["run"]),
    ("tox", &[]),
    ("nox", &[]),
    ("ava", &[]),
    ("tap", &[]),
    ("tape", &[]),
    ("pest", &[]),
    ("gotestsum", &[]),
    ("ginkgo", &[]),
];

const TEST: &[&str] = &["test", "tests"];

/// Whether a word is one of the names, or one of them with more said: `test:unit`, `test-all`, `unit-tests`.
fn is_named(word: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        let after = word.strip_prefix(name);
        let before = word.strip_suffix(name).filter(|before| !before.starts_with('-'));
        after.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '_']))
            || before.is_some_and(|rest| rest.ends_with([':', '-', '_']))
    })
}

/// The first word that is no flag; some flags take the next word with them.
fn subcommand<'a>(arguments: &[&'a str], values: &[&str]) -> Option<&'a str> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        if values.contains(word) {
            rest.next();
        } else if !word.starts_with(['-', '+']) {
            return Some(word);
        }
    }
    None
}

fn cargo(arguments: &[&str]) -> Option<Runner> {
    const VALUES: &[&str] = &["--manifest-path", "--config", "-Z", "-C", "--color", "--target-dir"];
    match subcommand(arguments, VALUES)? {
        "test" | "t" => Some(Runner::CargoTest),
        "nextest" => has_any(arguments, &["run", "r"]).then_some(Runner::Nextest),
        // These run the tests in their own way, or with other flags.
        "hack" | "llvm-cov" | "careful" | "miri" | "tarpaulin" => {
            if has_any(arguments, &["nextest"]) {
                Some(Runner::Nextest)
            } else if has_any(arguments, &["test", "t", "llvm-cov", "tarpaulin"]) {
                Some(Runner::CargoTest)
            } else {
                None
            }
        }
        "xtask" | "make" => {
            arguments.iter().any(|word| is_named(word, TEST)).then_some(Runner::Unknown)
        }
        _ => None,
    }
}

fn python(arguments: &[&str]) -> Option<Runner> {
    let (first, rest) = arguments.split_first()?;
    match *first {
        "-m" => python_module(arguments),
        "-W" | "-X" => python(rest.get(1..)?),
        flag if flag.starts_with("-m") && flag.len() > 2 => module(flag.get(2..)?, rest),
        flag if flag.starts_with('-') => python(rest),
        script if script == "manage.py" || script.ends_with("/manage.py") => {
            rest.contains(&"test").then_some(Runner::Unittest)
        }
        _ => None,
    }
}

/// What the last `-m` names: `coverage run -m pytest`.
fn python_module(arguments: &[&str]) -> Option<Runner> {
    let at = arguments.iter().rposition(|word| *word == "-m")?;
    module(arguments.get(at + 1)?, arguments.get(at + 2..)?)
}

fn module(name: &str, arguments: &[&str]) -> Option<Runner> {
    match name {
        "pytest" | "py.test" => Some(Runner::Pytest),
        "unittest" => Some(Runner::Unittest),
        "django" => (arguments.first() == Some(&"test")).then_some(Runner::Unittest),
        "nose2" | "tox" | "nox" | "twisted.trial" => Some(Runner::Unknown),
        _ => None,
    }
}

/// `ruby -Itest test/lamp_test.rb`.
fn ruby(arguments: &[&str]) -> Option<Runner> {
    let is_test = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or(word);
        name.ends_with("_test.rb") || (name.starts_with("test_") && name.ends_with(".rb"))
    };
    arguments.iter().any(|word| is_test(word)).then_some(Runner::Minitest)
}

/// Tasks called `test`, `:app:test`, `testDebugUnitTest` or `integrationTest`, which are not left out.
fn gradle(arguments: &[&str]) -> Option<Runner> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        if matches!(*word, "-x" | "--exclude-task" | "--tests" | "-p" | "-b" | "-I" | "-c") {
            rest.next();
            continue;
        }
        let task = word.rsplit(':').next().unwrap_or(word);
        if !word.starts_with('-') && (task == "test" || task.ends_with("Test")) {
            return Some(Runner::Gradle);
        }
    }
    None
}

/// A script of a package is whatever the package says; a program of it is that program.
fn scripts(manager: &str, arguments: &[&str]) -> Option<Runner> {
    const VALUES: &[&str] = &["--prefix", "-C", "--dir", "-w", "--workspace", "--filter", "-F"];
    let mut words = arguments.iter();
    let mut rest: Vec<&str> = Vec::new();
    while let Some(word) = words.next() {
        if rest.is_empty() && VALUES.contains(word) {
            words.next();
        } else if !rest.is_empty() || !word.starts_with('-') {
            rest.push(word);
        }
    }
    let (first, arguments) = rest.split_first()?;
    match *first {
        "run" | "run-script" => arguments
            .iter()
            .find(|word| !word.starts_with('-'))
            .and_then(|script| is_named(script, TEST).then_some(Runner::Unknown)),
        "t" | "tst" if manager == "npm" => Some(Runner::Unknown),
        "workspace" | "workspaces" if manager == "yarn" => {
            arguments.iter().any(|word| is_named(word, TEST)).then_some(Runner::Unknown)
        }
        script if is_named(script, TEST) => Some(Runner::Unknown),
        // npm runs programs only by `exec`.
        program if manager != "npm" => runner(program, arguments),
        _ => None,
    }
}

/// Arguments that ask to list or to compile tests, which proves what it says by its exit code.
const LOOKS: &[(Runner, &[&str])] = &[
    (Runner::CargoTest, &["--no-run", "--list"]),
    (Runner::Nextest, &["--no-run"]),
    (Runner::Pytest, &["--collect-only", "--co", "--fixtures", "--markers", "-h"]),
    (Runner::Jest, &["--listTests", "--showConfig", "--clearCache"]),
    (Runner::GoTest, &["-c", "-n", "-list", "-h"]),
    (Runner::Bats, &["-c", "--count", "-h", "-v"]),
    (Runner::Phpunit, &["--list-tests", "--list-suites", "--list-groups"]),
    (Runner::DotnetTest, &["--list-tests", "-t"]),
    (Runner::Ctest, &["-N", "--show-only"]),
    (Runner::SwiftTest, &["list", "--list-tests", "-l"]),
];

/// Arguments that ask for a report as if the tests had been run.
const PRETENDS: &[(Runner, &[&str])] = &[
    (Runner::Rspec, &["--dry-run"]),
    (Runner::Mocha, &["--dry-run"]),
    (Runner::Gradle, &["--dry-run", "-m"]),
    (Runner::Prove, &["--dry", "-D"]),
];

fn asks(runner: Runner, arguments: &[&str], table: &[(Runner, &[&str])]) -> bool {
    let flags = table.iter().find(|(known, _)| *known == runner);
    flags.is_some_and(|(_, flags)| {
        arguments
            .iter()
            .any(|word| flags.contains(&word.split_once('=').map_or(*word, |(flag, _)| flag)))
    })
}

/// The format that the arguments ask for, where that is not the runner's own.
fn reporter(runner: Runner, arguments: &[&str]) -> Option<Runner> {
    const FLAGS: &[&str] =
        &["--reporter", "-R", "--test-reporter", "-F", "--formatter", "--format", "-f"];
    let choosers = [Runner::Mocha, Runner::Vitest, Runner::Bats, Runner::Rspec, Runner::NodeTest];
    if !choosers.contains(&runner) {
        return None;
    }
    // The parsers of these two read TAP too, and better.
    let knows_tap = [Runner::NodeTest, Runner::Bats].contains(&runner);
    match value_of(arguments, FLAGS)? {
        "junit" | "xunit" | "RspecJunitFormatter" => Some(Runner::JunitXml),
        "tap" | "tap13" | "tap-flat" if !knows_tap => Some(Runner::Tap),
        _ => None,
    }
}

/// What `--flag value` or `--flag=value` gives.
fn value_of<'a>(arguments: &[&'a str], flags: &[&str]) -> Option<&'a str> {
    arguments.iter().enumerate().find_map(|(at, word)| match word.split_once('=') {
        Some((flag, value)) if flags.contains(&flag) => Some(value),
        None if flags.contains(word) => arguments.get(at + 1).copied(),
        _ => None,
    })
}

fn has_any(arguments: &[&str], words: &[&str]) -> bool {
    arguments.iter().any(|word| words.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::counts::{Runner, runner_of};

    #[test]
    fn test_commands_are_recognised() {
        use Runner::{
            Bats, CargoTest, Ctest, DotnetTest, ExUnit, GoTest, GoTestVerbose, Gradle, Jest,
            JunitXml, Minitest, Mocha, Nextest, NodeTest, Phpunit, Prove, Pytest, Rspec, Surefire,
            SwiftTest, Tap, Unittest, Unknown, Vitest,
        };
        for (command, runner) in [
            ("cargo test -p lamp -- --nocapture", CargoTest),
            ("cargo --config x.toml t", CargoTest),
            ("cargo llvm-cov --html", CargoTest),
            ("cargo nextest run --workspace", Nextest),
            ("cargo llvm-cov nextest", Nextest),
            ("cargo xtask test", Unknown),
            ("pytest -q tests/", Pytest),
            ("python -m pytest", Pytest),
            ("python3.12 -W error -m pytest -x", Pytest),
            ("uv run --with x pytest", Pytest),
            ("poetry run python -m pytest", Pytest),
            ("coverage run -m pytest", Pytest),
            ("python -m coverage run -m unittest discover", Unittest),
            ("python -m unittest", Unittest),
            ("python manage.py test app", Unittest),
            ("npx jest --ci", Jest),
            ("node_modules/.bin/jest", Jest),
            ("yarn jest", Jest),
            ("npx --yes vitest run", Vitest),
            ("npx vitest run --reporter=junit", JunitXml),
            ("pnpm exec vitest run", Vitest),
            ("npx nyc mocha", Mocha),
            ("npx mocha -R tap", Tap),
            ("node --test", NodeTest),
            ("node --import tsx --test --test-reporter=tap src/", NodeTest),
            ("npm test", Unknown),
            ("npm --prefix web run test:unit -- --ci", Unknown),
            ("npm t", Unknown),
            ("pnpm --filter web test", Unknown),
            ("yarn workspace web test", Unknown),
            ("go test ./...", GoTest),
            ("go test ./... -args -v", GoTest),
            ("go test -v ./...", GoTestVerbose),
            ("go -C sub test -json ./...", GoTest),
            ("bats test/", Bats),
            ("bats -F junit test/", JunitXml),
            ("prove -r t", Prove),
            ("bundle exec rspec", Rspec),
            ("ruby -Itest test/lamp_test.rb", Minitest),
            ("bin/rails test", Minitest),
            ("bundle exec rake test", Unknown),
            ("vendor/bin/phpunit", Phpunit),
            ("php -d memory_limit=-1 vendor/bin/phpunit", Phpunit),
            ("dotnet test Lamp.sln", DotnetTest),
            ("ctest --test-dir build", Ctest),
            ("cmake --build build --target test", Ctest),
            ("./gradlew :app:test", Gradle),
            ("./gradlew testDebugUnitTest --tests X", Gradle),
            ("./mvnw -B test", Surefire),
            ("mix test --cover", ExUnit),
            ("MIX_ENV=test mix test", ExUnit),
            ("swift test", SwiftTest),
            ("make -C sub test", Unknown),
            ("just test-all", Unknown),
            ("tox", Unknown),
        ] {
            assert_eq!(runner_of(command), Some(runner), "{command}");
        }
    }

    /// Test commands as people write them in roadmaps, around the runners.
    const WRITTEN: &[(&str, Runner)] = &[
        ("uv run pytest -q", Runner::Pytest),
        ("uv run -m pytest", Runner::Pytest),
        ("uv run python -m pytest", Runner::Pytest),
        ("uvx --with x pytest", Runner::Pytest),
        ("pdm test", Runner::Unknown),
        ("hatch test", Runner::Unknown),
        ("pipenv run pytest", Runner::Pytest),
        ("docker compose run app pytest", Runner::Pytest),
        ("docker compose run --rm -e A=b app pytest -q", Runner::Pytest),
        ("docker-compose exec -T app npm test", Runner::Unknown),
        ("docker exec -it web python manage.py test", Runner::Unittest),
        ("yarn test", Runner::Unknown),
        ("pnpm -r test", Runner::Unknown),
        ("pnpm -r --parallel run test", Runner::Unknown),
        ("pnpm vitest run", Runner::Vitest),
        ("npm run unit-tests", Runner::Unknown),
        ("npm run unit:test", Runner::Unknown),
        ("npm -w web test", Runner::Unknown),
        ("npx playwright test", Runner::Unknown),
        ("turbo test", Runner::Unknown),
        ("turbo run test", Runner::Unknown),
        ("nx test web", Runner::Unknown),
        ("npx nx run-many -t test", Runner::Unknown),
        ("lerna run test", Runner::Unknown),
        ("bun test", Runner::Unknown),
        ("bun run test", Runner::Unknown),
        ("deno test -A", Runner::Unknown),
        ("deno task test", Runner::Unknown),
        ("cargo nextest r", Runner::Nextest),
        ("go test ./... | tee log", Runner::GoTest),
        ("gotestsum ./...", Runner::Unknown),
        ("bash -c 'pytest -q'", Runner::Pytest),
        ("bash -euo pipefail -c 'pytest -q | tee log'", Runner::Pytest),
        ("mvn -q test", Runner::Surefire),
        ("mvn verify", Runner::Surefire),
        ("./mvnw clean verify", Runner::Surefire),
        ("nox -s tests", Runner::Unknown),
        ("python -m nox", Runner::Unknown),
        ("python -m unittest discover -s tests", Runner::Unittest),
        ("rake test", Runner::Unknown),
        ("bin/rspec", Runner::Rspec),
        ("bin/rake spec", Runner::Unknown),
        ("mix test.all", Runner::ExUnit),
        ("phpunit", Runner::Phpunit),
        ("vendor/bin/pest", Runner::Unknown),
        ("composer run test", Runner::Unknown),
        ("php artisan test", Runner::Unknown),
        ("make test-unit", Runner::Unknown),
        ("make unit-test", Runner::Unknown),
        ("meson test -C build", Runner::Unknown),
        ("task test", Runner::Unknown),
        ("mise run test", Runner::Unknown),
        ("inv test", Runner::Unknown),
        ("bazel test //...", Runner::Unknown),
    ];

    #[test]
    fn test_commands_are_recognised_as_people_write_them() {
        for (command, runner) in WRITTEN {
            assert_eq!(runner_of(command), Some(*runner), "{command}");
        }
    }

    #[test]
    fn other_uses_of_the_same_programs_are_not_test_commands() {
        for command in [
            "cargo build --tests",
            "cargo test --no-run",
            "cargo test -- --list",
            "cargo nextest list",
            "pytest --collect-only",
            "pytest --version",
            "python -m build",
            "python test.py",
            "npm run build",
            "npm ci",
            "npm jest",
            "yarn",
            "node server.js",
            "go build ./...",
            "go test -c",
            "go vet ./...",
            "gradle build -x test",
            "mvn package",
            "mix compile",
            "swift build",
            "swift test list",
            "dotnet build",
            "dotnet test --list-tests",
            "ctest -N",
            "ctest --show-only=json-v1",
            "cmake --build build",
            "make",
            "make lint",
            "ruby lamp.rb",
            "rails server",
        ] {
            assert_eq!(runner_of(command), None, "{command}");
        }
    }

    #[test]
    fn what_only_pretends_to_run_tests_is_a_dry_run() {
        for command in ["rspec --dry-run", "npx mocha --dry-run", "gradle -m test", "prove -D t"] {
            assert_eq!(runner_of(command), Some(Runner::DryRun), "{command}");
        }
    }
}
