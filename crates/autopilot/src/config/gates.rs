//! The project's own commands as guards: told from its manifests, or by a person.

use std::path::PathBuf;

use autopilot_core::{
    evidence::{Check, CheckKind, Criterion},
    phases::{GATES, UI_BUILD},
    project::{Commands, settle},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    checks::{Checks, GuardLayer},
    visual::VisualLayer,
};

/// The table `project` of a layer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ProjectLayer {
    commands: CommandsLayer,
    spec_paths: Option<Vec<PathBuf>>,
    ui: UiLayer,
    visual_testing: Option<VisualLayer>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct UiLayer {
    source_dir: Option<String>,
}

/// An empty text says that there is no such command.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CommandsLayer {
    compile: Option<String>,
    test: Option<String>,
    lint: Option<String>,
    build: Option<String>,
}

impl ProjectLayer {
    /// The table `project` as earlier programs wrote it, which is a person's word only where they say so.
    pub(super) fn of_earlier_programs(project: &Value) -> Result<Self, String> {
        let said = |name: &str| {
            let written = project["commands"].get(name)?;
            let by_itself = project["commands_source"][name] == "auto-detected";
            (!by_itself).then(|| written.as_str().unwrap_or_default().to_owned())
        };
        let paths = project["spec_paths"].as_array();
        let path = |path: &Value| path.as_str().map(PathBuf::from);
        Ok(Self {
            visual_testing: VisualLayer::of_earlier_programs(project)?,
            commands: CommandsLayer {
                compile: said("compile"),
                test: said("test"),
                lint: said("lint"),
                build: said("build"),
            },
            spec_paths: paths.map(|paths| paths.iter().filter_map(path).collect()),
            ui: UiLayer { source_dir: project["ui"]["source_dir"].as_str().map(str::to_owned) },
        })
    }

    /// What it says of pages.
    pub(super) const fn visual(&self) -> Option<&VisualLayer> {
        self.visual_testing.as_ref()
    }

    /// The same, and where it says nothing, what another one does.
    pub(super) fn or(mut self, other: Self) -> Self {
        if self.names_no_command() {
            self.commands = other.commands;
        }
        self.visual_testing = self.visual_testing.or(other.visual_testing);
        self.spec_paths = self.spec_paths.or(other.spec_paths);
        self.ui.source_dir = self.ui.source_dir.or(other.ui.source_dir);
        self
    }

    /// Whether it says anything.
    pub(super) fn is_silent(&self) -> bool {
        self.visual_testing.is_none()
            && self.spec_paths.is_none()
            && self.ui.source_dir.is_none()
            && self.names_no_command()
    }

    fn names_no_command(&self) -> bool {
        let CommandsLayer { compile, test, lint, build } = &self.commands;
        [compile, test, lint, build].iter().all(|command| command.is_none())
    }

    /// Where the document that the roadmap is a plan for is looked for, where it says so.
    pub(super) fn spec_paths(&self) -> Option<Vec<PathBuf>> {
        self.spec_paths.clone()
    }

    /// The directory of what people see, where it names one.
    pub(super) fn ui(&self) -> Option<String> {
        self.ui.source_dir.clone()
    }
}

impl Checks {
    /// Puts a layer about the project's own commands on top.
    pub(super) fn command(&mut self, layer: &ProjectLayer) -> Result<(), String> {
        let CommandsLayer { compile, test, lint, build } = &layer.commands;
        for (name, command) in
            [("compile", compile), ("test", test), ("lint", lint), ("build", build)]
        {
            let Some(command) = command.as_deref().map(str::trim) else { continue };
            let value = match command {
                "" => Value::Null,
                command => {
                    GuardLayer::Command(command.to_owned())
                        .criterion(name)
                        .map_err(|error| format!("`project.commands`: {error}"))?;
                    command.into()
                }
            };
            self.commands.insert(name.to_owned(), value);
        }
        Ok(())
    }

    /// What makes what people see, where no guard does that already.
    pub(crate) fn build(&self, detected: &Commands, guards: &[Check]) -> Option<Check> {
        let command = settle(detected, &json!({ "commands": self.commands })).commands.build?;
        let is_known = guards.iter().any(|guard| {
            guard.name == "build" || guard.criterion.command.as_deref() == Some(&*command)
        });
        (!is_known).then(|| Check {
            name: UI_BUILD.to_owned(),
            kind: CheckKind::Guard,
            criterion: Criterion {
                text: format!("gate {UI_BUILD}"),
                ..Criterion::of_command(&command)
            },
        })
    }

    /// The guards as checks: the project's own commands, in the order in which they make sense, and those that are
    /// named. A named one takes the place of a command of its name, and none is run under two names.
    pub(crate) fn guards(&self, detected: &Commands) -> Vec<Check> {
        let guard = |name: &str, criterion: &Criterion| Check {
            name: name.to_owned(),
            kind: CheckKind::Guard,
            criterion: criterion.clone(),
        };
        let own: Map<String, Value> = self.commands.clone();
        let settled = settle(detected, &json!({ "commands": own })).commands;
        let mut guards = Vec::new();
        for name in GATES {
            let command = match name {
                "compile" => &settled.compile,
                "lint" => &settled.lint,
                _ => &settled.test,
            };
            let named = self.guards.get(name).cloned();
            let told = command.as_deref().map(|command| Criterion {
                text: format!("gate {name}"),
                ..Criterion::of_command(command)
            });
            let is_known = |criterion: &Criterion| {
                self.guards.values().any(|guard| guard.command == criterion.command)
            };
            let told = told.filter(|criterion| !is_known(criterion));
            guards.extend(named.or(told).map(|criterion| guard(name, &criterion)));
        }
        let others = self.guards.iter().filter(|(name, _)| !GATES.contains(&name.as_str()));
        guards.extend(others.map(|(name, criterion)| guard(name, criterion)));
        guards
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Layer};

    fn guards(settings: &str, detected: &Commands) -> Vec<(String, String)> {
        let table: toml::Table = toml::from_str(settings).expect("well formed");
        let layer = Layer::deserialize_table(table).expect("a layer");
        let mut config = Config::built_in();
        config.add(&layer).expect("settings");
        let guards = config.checks.guards(detected).into_iter();
        guards.map(|guard| (guard.name, guard.criterion.command.unwrap_or_default())).collect()
    }

    fn rust() -> Commands {
        Commands {
            compile: Some("cargo check".to_owned()),
            test: Some("cargo test".to_owned()),
            lint: Some("cargo clippy".to_owned()),
            build: Some("cargo build".to_owned()),
        }
    }

    fn owned(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter().map(|(name, command)| ((*name).to_owned(), (*command).to_owned())).collect()
    }

    #[test]
    fn c10_the_commands_of_a_project_are_its_gates_and_a_missing_one_is_none() {
        let all = [("compile", "cargo check"), ("lint", "cargo clippy"), ("test", "cargo test")];
        assert_eq!(guards("", &rust()), owned(&all));
        assert_eq!(guards("", &Commands::default()), owned(&[]));
        let said = "[project.commands]\nlint = \"\"\ntest = \"make test\"\n";
        let rows = [("compile", "cargo check"), ("test", "make test")];
        assert_eq!(guards(said, &rust()), owned(&rows));
    }

    #[test]
    fn e12_what_people_see_must_come_out_of_the_build() {
        let built = |settings: &str| {
            let table: toml::Table = toml::from_str(settings).expect("well formed");
            let mut config = Config::built_in();
            config.add(&Layer::deserialize_table(table).expect("a layer")).expect("settings");
            let guards = config.checks.guards(&rust());
            let build = config.checks.build(&rust(), &guards);
            build.map(|check| (check.name, check.criterion.command.unwrap_or_default()))
        };
        let own = |command: &str| Some((UI_BUILD.to_owned(), command.to_owned()));
        assert_eq!(built(""), own("cargo build"));
        assert_eq!(built("[project.commands]\nbuild = \"make all\"\n"), own("make all"));
        assert_eq!(built("[project.commands]\nbuild = \"\"\n"), None);
        assert_eq!(built("[guards]\nbuild = \"make all\"\n"), None, "a person's guard does it");
        assert_eq!(built("[guards]\nall = \"cargo build\"\n"), None, "one does it already");
    }

    #[test]
    fn c10_a_guard_of_a_person_takes_the_place_of_a_gate() {
        let named = "[guards]\nlint = \"./lint.sh\"\nall = \"cargo test\"\n";
        let rows = [("compile", "cargo check"), ("lint", "./lint.sh"), ("all", "cargo test")];
        assert_eq!(guards(named, &rust()), owned(&rows));
    }

    #[test]
    fn c4_what_an_earlier_program_detected_by_itself_is_nobodys_word() {
        let written = json!({
            "type": "rust",
            "commands": { "compile": null, "test": "make test", "lint": "old", "build": null },
            "commands_source": { "compile": "user-override", "test": "user-override", "lint": "auto-detected" }
        });
        let layer = ProjectLayer::of_earlier_programs(&written).expect("it is read");
        let mut checks = Checks::default();
        checks.command(&layer).expect("commands");
        let guards = checks.guards(&rust()).into_iter().map(|guard| guard.criterion.command);
        let commands: Vec<_> = guards.flatten().collect();
        assert_eq!(commands, ["cargo clippy", "make test"]);
    }
}
