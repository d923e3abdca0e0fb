//! The first manifest decides; all that are there are told.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::project::{manifests, node, python, targets};

/// The files at the root of a project: every name, and the text of those that can be a manifest.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// The names of all files at the root.
    pub names: Vec<String>,
    /// Texts by name. One that could not be read is left out.
    pub texts: BTreeMap<String, String>,
}

impl Root {
    /// Whether the text of a file decides anything, so that it must be read.
    pub fn is_wanted(name: &str) -> bool {
        const TEXTS: [&str; 12] = [
            "package.json",
            "pyproject.toml",
            "build.gradle",
            "build.gradle.kts",
            "Gemfile",
            "mix.exs",
            "justfile",
            "Justfile",
            ".justfile",
            "Makefile",
            "makefile",
            "GNUmakefile",
        ];
        TEXTS.contains(&name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    pub(super) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }
}

/// What kind of project it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ecosystem {
    /// `package.json`
    Nodejs,
    /// `pyproject.toml`
    Python,
    /// `Cargo.toml`
    Rust,
    /// `go.mod`
    Go,
    /// Gradle's build files
    Gradle,
    /// `pom.xml`
    Maven,
    /// `Gemfile`
    Ruby,
    /// `mix.exs`
    Elixir,
    /// A project or solution of .NET
    Dotnet,
    /// `justfile`
    Just,
    /// `Makefile`
    Makefile,
    /// Nothing that is known here.
    Unknown,
}

impl Ecosystem {
    /// The name in files and to people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodejs => "nodejs",
            Self::Python => "python",
            Self::Rust => "rust",
            Self::Go => "go",
            Self::Gradle => "gradle",
            Self::Maven => "maven",
            Self::Ruby => "ruby",
            Self::Elixir => "elixir",
            Self::Dotnet => "dotnet",
            Self::Just => "just",
            Self::Makefile => "makefile",
            Self::Unknown => "unknown",
        }
    }
}

/// The commands of a project. One that is not there is not run, and fails nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Sees that everything compiles.
    pub compile: Option<String>,
    /// Runs the tests.
    pub test: Option<String>,
    /// Looks for faults without running anything.
    pub lint: Option<String>,
    /// Makes what is delivered.
    pub build: Option<String>,
}

impl Commands {
    /// The four, each as it is told.
    pub(super) fn of(
        compile: Option<&str>,
        test: Option<&str>,
        lint: Option<&str>,
        build: Option<&str>,
    ) -> Self {
        let owned = |command: Option<&str>| command.map(str::to_owned);
        Self { compile: owned(compile), test: owned(test), lint: owned(lint), build: owned(build) }
    }
}

/// A project as its manifests tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// What kind it is.
    pub ecosystem: Ecosystem,
    /// The manifest that decided.
    pub manifest: Option<String>,
    /// Every manifest that was found, the one that decided first.
    pub found: Vec<String>,
    /// Its commands.
    pub commands: Commands,
}

impl fmt::Display for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(manifest) = &self.manifest else {
            return f.write_str("of no kind that is known; no manifest was found");
        };
        write!(f, "{} by {manifest}", self.ecosystem.name())?;
        match self.found.get(1..) {
            Some(others) if !others.is_empty() => write!(f, " (also found: {})", others.join(", ")),
            Some(_) | None => Ok(()),
        }
    }
}

/// Tells commands from the files at the root of a project.
pub fn detect(root: &Root) -> Project {
    let found = manifests::found(root);
    let (ecosystem, manifest) = match found.first() {
        Some((ecosystem, name)) => (*ecosystem, Some(name.clone())),
        None => (Ecosystem::Unknown, None),
    };
    let name = manifest.as_deref().unwrap_or_default();
    let commands = match ecosystem {
        Ecosystem::Nodejs => node::commands(root),
        Ecosystem::Python => python::commands(root.text(name)),
        Ecosystem::Rust => Commands::of(
            Some("cargo check"),
            Some("cargo test"),
            Some("cargo clippy"),
            Some("cargo build"),
        ),
        Ecosystem::Go => manifests::go(root),
        Ecosystem::Gradle => manifests::gradle(root),
        Ecosystem::Maven => manifests::maven(root),
        Ecosystem::Ruby => manifests::ruby(root),
        Ecosystem::Elixir => manifests::elixir(root.text(name)),
        Ecosystem::Dotnet => manifests::dotnet(),
        Ecosystem::Just => targets::just(root.text(name)),
        Ecosystem::Makefile => targets::make(root.text(name)),
        Ecosystem::Unknown => Commands::default(),
    };
    let found = found.into_iter().map(|(_, name)| name).collect();
    Project { ecosystem, manifest, found, commands }
}
