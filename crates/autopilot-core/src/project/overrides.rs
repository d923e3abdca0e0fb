//! What a person says about commands, beside what was told from manifests.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::project::Commands;

/// Where a command comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A person said so, also where they said that there is none.
    UserOverride,
    /// It was told from a manifest.
    AutoDetected,
}

/// Commands, and where each comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sourced {
    /// The commands.
    pub commands: Commands,
    /// Where they come from.
    pub commands_source: Sources,
}

/// Where each command comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// Of `compile`.
    pub compile: Source,
    /// Of `test`.
    pub test: Source,
    /// Of `lint`.
    pub lint: Source,
    /// Of `build`.
    pub build: Source,
}

/// Puts the table `project` of a person's settings over detected commands.
///
/// A key that is there counts, also as `null`: then nothing is run. What an earlier run wrote there by itself is
/// no word of a person's; `commands_source` tells the two apart.
pub fn settle(detected: &Commands, settings: &Value) -> Sourced {
    let pick = |name: &str, detected: &Option<String>| {
        let written = settings["commands"].get(name);
        let by_itself = settings["commands_source"][name] == "auto-detected";
        match written {
            Some(value) if !by_itself && (value.is_string() || value.is_null()) => {
                let command = value.as_str().filter(|command| !command.trim().is_empty());
                (command.map(str::to_owned), Source::UserOverride)
            }
            Some(_) | None => (detected.clone(), Source::AutoDetected),
        }
    };
    let (compile, compile_source) = pick("compile", &detected.compile);
    let (test, test_source) = pick("test", &detected.test);
    let (lint, lint_source) = pick("lint", &detected.lint);
    let (build, build_source) = pick("build", &detected.build);
    Sourced {
        commands: Commands { compile, test, lint, build },
        commands_source: Sources {
            compile: compile_source,
            test: test_source,
            lint: lint_source,
            build: build_source,
        },
    }
}
