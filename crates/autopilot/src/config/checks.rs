//! What checks need to know: guards, patterns for counts, what makes a checkout ready.

use std::collections::BTreeMap;

use autopilot_core::evidence::{
    Criterion, Expectation,
    counts::Pattern,
    protect::{AddedTests, Protection, deciding_files_behind},
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The settings about checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checks {
    /// What makes a fresh checkout ready for checks.
    pub(crate) prepare: Option<String>,
    /// What must stay true, by name.
    pub(crate) guards: BTreeMap<String, Criterion>,
    /// The pattern that counts the tests of commands that contain a text.
    pub(crate) counts: BTreeMap<String, String>,
    /// What a person says of the project's own commands, by their names; null where there is to be none.
    pub(super) commands: Map<String, Value>,
    /// Which files decide, and are not the agents' to change.
    pub(crate) protection: Protection,
}

/// The table `checks` of a layer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ChecksLayer {
    prepare: Option<String>,
    counts: BTreeMap<String, String>,
    /// Belongs to what commands may touch.
    pub(super) network: Option<bool>,
}

/// The table `protect` of a layer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ProtectLayer {
    add: Option<Vec<String>>,
    allow: Option<Vec<String>>,
    locks: Option<bool>,
    added_tests: Option<AddedTests>,
}

/// A guard: its command alone, or a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum GuardLayer {
    Command(String),
    Table(GuardTable),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GuardTable {
    command: String,
    expect: Option<String>,
    counts: Option<String>,
}

impl Checks {
    /// Puts a layer on top.
    pub(super) fn add(
        &mut self,
        layer: &ChecksLayer,
        guards: &BTreeMap<String, GuardLayer>,
    ) -> Result<(), String> {
        if let Some(prepare) = &layer.prepare {
            self.prepare = Some(prepare.clone()).filter(|command| !command.trim().is_empty());
        }
        for (command, pattern) in &layer.counts {
            check_pattern(&format!("checks.counts.\"{command}\""), pattern)?;
            self.counts.insert(command.clone(), pattern.clone());
        }
        for (name, guard) in guards {
            self.guards.insert(name.clone(), guard.criterion(name)?);
        }
        Ok(())
    }

    /// Puts a layer about protected files on top.
    pub(super) fn protect(&mut self, layer: &ProtectLayer) -> Result<(), String> {
        let ProtectLayer { add, allow, locks, added_tests } = layer.clone();
        let own = &mut self.protection;
        own.add = add.unwrap_or_else(|| std::mem::take(&mut own.add));
        own.allow = allow.unwrap_or_else(|| std::mem::take(&mut own.allow));
        own.locks = locks.unwrap_or(own.locks);
        own.added_tests = added_tests.unwrap_or(own.added_tests);
        own.compile().map(drop).map_err(|error| format!("`protect`: {error}"))
    }

    /// What is protected where these criteria and guards decide: their commands name files too. `read` gives the text of a file of
    /// the project, for what stands behind a command.
    pub(crate) fn protection<'a>(
        &self,
        criteria: impl Iterator<Item = &'a Criterion>,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Protection {
        let commands = criteria.filter_map(|criterion| criterion.command.as_deref());
        let mut named: Vec<String> =
            commands.flat_map(|command| deciding_files_behind(command, read)).collect();
        named.sort_unstable();
        named.dedup();
        Protection { named, ..self.protection.clone() }
    }
}

impl GuardLayer {
    pub(super) fn criterion(&self, name: &str) -> Result<Criterion, String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("`guards.{name}`: a name has letters, digits, `-` and `_` only"));
        }
        let (command, expect, counts) = match self {
            Self::Command(command) => (command, None, None),
            Self::Table(table) => (&table.command, table.expect.as_ref(), table.counts.as_ref()),
        };
        if command.trim().is_empty() {
            return Err(format!("`guards.{name}` has no command"));
        }
        let mut criterion = Criterion::of_command(command);
        criterion.text = format!("guard {name}");
        if let Some(text) = expect {
            criterion.expect = Expectation::parse(text);
        }
        if let Expectation::Unreadable(text) = &criterion.expect {
            return Err(format!("`guards.{name}.expect`: `{text}` is no expectation"));
        }
        if let Expectation::Masked(why) = &criterion.expect {
            return Err(format!("`guards.{name}`: the command hides its own result: {why}"));
        }
        if let Some(pattern) = counts {
            check_pattern(&format!("guards.{name}.counts"), pattern)?;
            criterion.counts = Some(pattern.clone());
        }
        Ok(criterion)
    }
}

fn check_pattern(key: &str, pattern: &str) -> Result<(), String> {
    Pattern::new(pattern).map(drop).map_err(|error| format!("`{key}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Written {
        #[serde(default)]
        checks: ChecksLayer,
        #[serde(default)]
        guards: BTreeMap<String, GuardLayer>,
    }

    fn read(text: &str) -> Result<Checks, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut checks = Checks::default();
        checks.add(&written.checks, &written.guards).map(|()| checks)
    }

    #[test]
    fn guards_are_commands_with_or_without_more() {
        let checks = read(
            "[guards]\ntest = \"cargo test\"\n\
             lint = { command = \"./lint.sh\", expect = \"exits 2\", counts = \"(\\\\d+) rules\" }\n\
             [checks]\nprepare = \"npm ci\"\ncounts = { \"./check\" = \"ran (\\\\d+)\" }\n",
        )
        .expect("well formed");
        assert_eq!(checks.prepare.as_deref(), Some("npm ci"));
        let guards = checks.guards(&autopilot_core::project::Commands::default());
        assert_eq!(
            guards.iter().map(|guard| guard.name.as_str()).collect::<Vec<_>>(),
            ["lint", "test"]
        );
        assert_eq!(guards[0].criterion.expect, Expectation::Exit(2));
        assert_eq!(guards[0].criterion.counts.as_deref(), Some("(\\d+) rules"));
        assert_eq!(checks.counts["./check"], "ran (\\d+)");
    }

    #[test]
    fn what_could_never_prove_anything_is_refused() {
        for (text, expected) in [
            ("[guards]\n\"a/b\" = \"x\"", "letters"),
            ("[guards]\na = \"\"", "no command"),
            ("[guards]\na = { command = \"x\", expect = \"is nice\" }", "no expectation"),
            ("[guards]\na = { command = \"x\", counts = \"(\" }", "regular expression"),
            ("[checks]\ncounts = { x = \"no group\" }", "no group"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
