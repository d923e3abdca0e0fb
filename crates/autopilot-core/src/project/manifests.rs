//! Which manifests there are, and the commands of those that say little themselves.

use crate::project::{Commands, Ecosystem, Root};

/// Names of manifests, in the order in which they decide.
const NAMES: [(Ecosystem, &[&str]); 10] = [
    (Ecosystem::Nodejs, &["package.json"]),
    (Ecosystem::Python, &["pyproject.toml"]),
    (Ecosystem::Rust, &["Cargo.toml"]),
    (Ecosystem::Go, &["go.mod"]),
    (
        Ecosystem::Gradle,
        &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
    ),
    (Ecosystem::Maven, &["pom.xml"]),
    (Ecosystem::Ruby, &["Gemfile"]),
    (Ecosystem::Elixir, &["mix.exs"]),
    (Ecosystem::Dotnet, &[]),
    (Ecosystem::Just, &["justfile", "Justfile", ".justfile"]),
];
const MAKEFILES: [&str; 3] = ["Makefile", "makefile", "GNUmakefile"];

/// Every manifest at the root, the one that decides first.
pub(super) fn found(root: &Root) -> Vec<(Ecosystem, String)> {
    let mut found = Vec::new();
    for (ecosystem, names) in NAMES {
        let mut here: Vec<&str> = names.iter().copied().filter(|name| root.has(name)).collect();
        if ecosystem == Ecosystem::Dotnet {
            here = dotnet_projects(root);
        }
        found.extend(here.into_iter().map(|name| (ecosystem, name.to_owned())));
    }
    let make = MAKEFILES.iter().filter(|name| root.has(name));
    found.extend(make.map(|name| (Ecosystem::Makefile, (*name).to_owned())));
    found
}

/// Solutions come before the projects they hold.
fn dotnet_projects(root: &Root) -> Vec<&str> {
    let mut names = Vec::new();
    for ending in [".sln", ".slnx", ".csproj", ".fsproj", ".vbproj"] {
        let mut of_kind: Vec<&str> =
            root.names.iter().map(String::as_str).filter(|name| name.ends_with(ending)).collect();
        of_kind.sort_unstable();
        names.extend(of_kind);
    }
    names
}

/// Go knows what to do; a linter is only there where it is set up.
pub(super) fn go(root: &Root) -> Commands {
    let configured = root.names.iter().any(|name| name.starts_with(".golangci."));
    let lint = if configured { "golangci-lint run" } else { "go vet ./..." };
    Commands::of(Some("go build ./..."), Some("go test ./..."), Some(lint), Some("go build ./..."))
}

pub(super) fn gradle(root: &Root) -> Commands {
    let gradle = if root.has("gradlew") { "./gradlew" } else { "gradle" };
    let task = |name: &str| Some(format!("{gradle} {name}"));
    Commands { compile: task("classes"), test: task("test"), lint: None, build: task("assemble") }
}

pub(super) fn maven(root: &Root) -> Commands {
    let maven = if root.has("mvnw") { "./mvnw" } else { "mvn" };
    let goal = |name: &str| Some(format!("{maven} -B -q {name}"));
    // Quiet tests say nothing that could be counted.
    let test = Some(format!("{maven} -B test"));
    Commands { compile: goal("compile"), test, lint: None, build: goal("package -DskipTests") }
}

pub(super) fn ruby(root: &Root) -> Commands {
    let gems = root.text("Gemfile");
    let names = |gem: &str| {
        let mut lines = gems.lines().map(str::trim_start).filter(|line| line.starts_with("gem"));
        lines.any(|line| line.contains(&format!("'{gem}'")) || line.contains(&format!("\"{gem}\"")))
    };
    let rspec = names("rspec") || names("rspec-rails") || root.has(".rspec");
    let rake = root.has("Rakefile");
    let test = match (rspec, rake) {
        (true, _) => Some("bundle exec rspec"),
        (false, true) => Some("bundle exec rake test"),
        (false, false) => None,
    };
    let rubocop = names("rubocop") || names("rubocop-rails") || root.has(".rubocop.yml");
    Commands::of(None, test, rubocop.then_some("bundle exec rubocop"), None)
}

pub(super) fn elixir(manifest: &str) -> Commands {
    let lint =
        if manifest.contains(":credo") { "mix credo" } else { "mix format --check-formatted" };
    Commands::of(
        Some("mix compile --warnings-as-errors"),
        Some("mix test"),
        Some(lint),
        Some("mix compile"),
    )
}

pub(super) fn dotnet() -> Commands {
    Commands::of(
        Some("dotnet build"),
        Some("dotnet test"),
        Some("dotnet format --verify-no-changes"),
        Some("dotnet build -c Release"),
    )
}
