//! Fixture projects, one for each kind of manifest.

use serde_json::json;

use super::*;

fn root(files: &[(&str, &str)]) -> Root {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    Root {
        names: files.iter().map(|(name, _)| (*name).to_owned()).collect(),
        texts: files.iter().map(owned).collect(),
    }
}

fn told(files: &[(&str, &str)]) -> [Option<String>; 4] {
    let Commands { compile, test, lint, build } = detect(&root(files)).commands;
    [compile, test, lint, build]
}

fn is(commands: [Option<&str>; 4]) -> [Option<String>; 4] {
    commands.map(|command| command.map(str::to_owned))
}

#[test]
fn c4_scripts_of_a_package_are_run_by_its_package_manager() {
    let scripts = r#"{"scripts": {"typecheck": "tsc", "test": "vitest run", "lint": "eslint .", "build": "vite build"}}"#;
    let npm = is([
        Some("npm run typecheck"),
        Some("npm test"),
        Some("npm run lint"),
        Some("npm run build"),
    ]);
    assert_eq!(told(&[("package.json", scripts)]), npm);
    let pnpm = is([
        Some("pnpm run typecheck"),
        Some("pnpm test"),
        Some("pnpm run lint"),
        Some("pnpm run build"),
    ]);
    assert_eq!(told(&[("package.json", scripts), ("pnpm-lock.yaml", "")]), pnpm);
    let typed = r#"{"devDependencies": {"typescript": "5"}, "scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    assert_eq!(told(&[("package.json", typed)]), is([Some("npx tsc --noEmit"), None, None, None]));
    assert_eq!(told(&[("package.json", "{}")]), is([None; 4]));
    let compile = r#"{"scripts": {"compile": "a", "typecheck": "b"}}"#;
    assert_eq!(told(&[("package.json", compile)])[0].as_deref(), Some("npm run compile"));
}

#[test]
fn c4_python_tools_are_used_where_they_are_named() {
    let unittest = is([None, Some("python -m unittest discover"), None, None]);
    assert_eq!(told(&[("pyproject.toml", "[project]\nname = \"a\"\n")]), unittest);
    let dependency = "[project]\ndependencies = [\"requests\"]\n[project.optional-dependencies]\ndev = [\"pytest>=8\", \"flake8\"]\n[build-system]\n";
    let expected = is([None, Some("pytest"), Some("flake8"), Some("python -m build")]);
    assert_eq!(told(&[("pyproject.toml", dependency)]), expected);
    let section = "[tool.pytest.ini_options]\n[tool.ruff]\n";
    assert_eq!(
        told(&[("pyproject.toml", section)]),
        is([None, Some("pytest"), Some("ruff check ."), None])
    );
    let grouped = "[dependency-groups]\ndev = [\"pytest\", {include-group = \"x\"}]\n";
    assert_eq!(told(&[("pyproject.toml", grouped)])[1].as_deref(), Some("pytest"));
    let poetry = "[tool.poetry.group.dev.dependencies]\npytest = \"^8\"\n";
    assert_eq!(told(&[("pyproject.toml", poetry)])[1].as_deref(), Some("pytest"));
    // A package that only begins like the tool is another one.
    let other = "[project]\ndependencies = [\"pytest-socket\"]\n";
    assert_eq!(told(&[("pyproject.toml", other)]), unittest);
}

#[test]
fn c4_targets_are_lines_that_begin_with_their_name() {
    let makefile =
        "check: a\n\ttrue\ntests:\nlint :\n\ttrue\nall: build-it\nbuild := 1\ntest::\n\ttrue\n";
    assert_eq!(
        told(&[("Makefile", makefile)]),
        is([Some("make check"), Some("make test"), Some("make lint"), Some("make all")])
    );
    let justfile = "@test *args:\n  true\nlint-all:\nbuild := \"x\"\ncheck: test\n";
    assert_eq!(
        told(&[("justfile", justfile)]),
        is([Some("just check"), Some("just test"), None, None])
    );
}

#[test]
fn c4_compiled_languages_bring_their_own_commands() {
    let rust =
        is([Some("cargo check"), Some("cargo test"), Some("cargo clippy"), Some("cargo build")]);
    assert_eq!(told(&[("Cargo.toml", "")]), rust);
    assert_eq!(
        told(&[("go.mod", "")])[1..3],
        is([None, Some("go test ./..."), Some("go vet ./..."), None])[1..3]
    );
    assert_eq!(
        told(&[("build.gradle.kts", ""), ("gradlew", "")])[1].as_deref(),
        Some("./gradlew test")
    );
    assert_eq!(told(&[("pom.xml", "")])[1].as_deref(), Some("mvn -B test"));
    assert_eq!(
        told(&[("Gemfile", "gem 'rspec'\n"), ("Rakefile", "")])[1].as_deref(),
        Some("bundle exec rspec")
    );
    assert_eq!(
        told(&[("Gemfile", "gem \"minitest\"\n"), ("Rakefile", "")])[1].as_deref(),
        Some("bundle exec rake test")
    );
    assert_eq!(told(&[("mix.exs", "{:credo, \"1\"}")])[2].as_deref(), Some("mix credo"));
    assert_eq!(told(&[("App.csproj", "")])[1].as_deref(), Some("dotnet test"));
}

#[test]
fn e33_the_first_manifest_decides_and_all_are_told() {
    let project = detect(&root(&[
        ("Makefile", "test:\n"),
        ("go.mod", ""),
        ("Cargo.toml", ""),
        ("App.csproj", ""),
        ("App.sln", ""),
    ]));
    assert_eq!(project.ecosystem, Ecosystem::Rust);
    assert_eq!(project.found, ["Cargo.toml", "go.mod", "App.sln", "App.csproj", "Makefile"]);
    let nothing = detect(&root(&[("README.md", "")]));
    assert_eq!(
        (nothing.ecosystem, nothing.manifest, nothing.commands),
        (Ecosystem::Unknown, None, Commands::default())
    );
}

#[test]
fn c4_a_persons_word_counts_also_when_it_is_none() {
    let detected = detect(&root(&[("Cargo.toml", "")])).commands;
    let settings = json!({"commands": {"lint": null, "test": "make test", "build": "x"}, "commands_source": {"build": "auto-detected"}});
    let settled = settle(&detected, &settings);
    let Commands { compile, test, lint, build } = settled.commands;
    assert_eq!(
        [compile, test, lint, build],
        is([Some("cargo check"), Some("make test"), None, Some("cargo build")])
    );
    assert_eq!(settled.commands_source.lint, Source::UserOverride);
    assert_eq!(settled.commands_source.build, Source::AutoDetected);
}

#[test]
fn manifests_that_cannot_be_read_name_no_commands_of_their_own() {
    assert_eq!(told(&[("package.json", "{")]), is([None; 4]));
    assert_eq!(told(&[("pyproject.toml", "[")])[1].as_deref(), Some("python -m unittest discover"));
}
