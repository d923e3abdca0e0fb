//! Agents and roles as they are written.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use autopilot_agents::{KINDS, Settings, Wish, adapter_of};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{Agent, AgentKind};

/// An agent as one source describes it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AgentLayer {
    kind: Option<String>,
    program: Option<Vec<String>>,
    args: Option<Vec<String>>,
    model: Option<String>,
    effort: Option<String>,
    script: Option<PathBuf>,
    env: BTreeMap<String, String>,
    pass_env: Option<Vec<String>>,
}

/// The agent of a role: its name alone, or a table.
#[derive(Clone, Debug)]
pub(super) struct RoleLayer {
    pub(super) agent: String,
    pub(super) wish: Wish,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleTable {
    agent: String,
    model: Option<String>,
    effort: Option<String>,
}

impl<'de> Deserialize<'de> for RoleLayer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RoleLayer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of an agent, or a table with the key `agent`")
            }

            fn visit_str<E>(self, agent: &str) -> Result<RoleLayer, E> {
                Ok(RoleLayer { agent: agent.to_owned(), wish: Wish::default() })
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<RoleLayer, M::Error> {
                let RoleTable { agent, model, effort } =
                    RoleTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RoleLayer { agent, wish: Wish { model, effort } })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The agent of a name that nobody has described, if it is one that people use.
pub(crate) fn preset(name: &str) -> Option<Agent> {
    let kind = real(name)?;
    let kind = AgentKind::Real { kind, settings: Settings::default() };
    Some(Agent { kind, environment: BTreeMap::new(), pass_environment: Vec::new() })
}

fn real(name: &str) -> Option<&'static str> {
    KINDS.into_iter().find(|kind| *kind == name)
}

impl AgentLayer {
    /// This agent, with what an earlier layer said about it underneath.
    pub(super) fn over(&self, name: &str, known: Option<Agent>) -> Result<Agent, String> {
        let kind = self.kind_over(name, known.as_ref())?;
        let (mut environment, mut pass_environment) =
            known.map(|known| (known.environment, known.pass_environment)).unwrap_or_default();
        environment.extend(self.env.clone());
        if let Some(names) = &self.pass_env {
            pass_environment.clone_from(names);
        }
        Ok(Agent { kind, environment, pass_environment })
    }

    fn kind_over(&self, name: &str, known: Option<&Agent>) -> Result<AgentKind, String> {
        // A table with the name of an agent that people use is that agent, unless it says otherwise.
        let preset = match (&known, &self.script) {
            (None, None) => real(name),
            (Some(Agent { kind: AgentKind::Real { kind, .. }, .. }), _) => Some(*kind),
            _ => None,
        };
        let real = match self.kind.as_deref() {
            Some(kind) => real(kind),
            None => preset,
        };
        if let Some(kind) = real {
            return self.real(name, kind, known);
        }
        let alone = [
            ("args", self.args.is_some()),
            ("model", self.model.is_some()),
            ("effort", self.effort.is_some()),
        ];
        if let Some((key, _)) = alone.into_iter().find(|(_, is_set)| *is_set) {
            return Err(format!(
                "`agents.{name}` has the key `{key}`, which only agents of the kinds {} know",
                KINDS.join(", ")
            ));
        }
        match (self.kind.as_deref(), &self.program, &self.script, known) {
            (None | Some("command"), Some(program), None, _) if !program.is_empty() => {
                Ok(AgentKind::Command(program.clone()))
            }
            (None | Some("scripted"), None, Some(script), _) => {
                Ok(AgentKind::Scripted(script.clone()))
            }
            (None, None, None, Some(known)) => Ok(known.kind.clone()),
            (Some(other), ..) if other != "command" && other != "scripted" => Err(format!(
                "`agents.{name}.kind` is `{other}`; the kinds are command, scripted, {}",
                KINDS.join(", ")
            )),
            _ => Err(format!(
                "`agents.{name}` needs either `program` (a list: the program and its arguments) or \
                 `script` (the embedded agent's script)"
            )),
        }
    }

    /// One of the agents that people use.
    fn real(
        &self,
        name: &str,
        kind: &'static str,
        known: Option<&Agent>,
    ) -> Result<AgentKind, String> {
        if self.script.is_some() {
            return Err(format!(
                "`agents.{name}` is of the kind `{kind}`, which plays no `script`"
            ));
        }
        if self.program.as_ref().is_some_and(Vec::is_empty) {
            return Err(format!("`agents.{name}.program` is empty"));
        }
        let mut settings = match known {
            Some(Agent { kind: AgentKind::Real { kind: before, settings }, .. })
                if *before == kind =>
            {
                settings.clone()
            }
            _ => Settings::default(),
        };
        let Self { program, args, model, effort, .. } = self;
        program.iter().for_each(|program| settings.program.clone_from(program));
        args.iter().for_each(|args| settings.arguments.clone_from(args));
        settings.wish = Wish {
            model: model.clone().or(settings.wish.model),
            effort: effort.clone().or(settings.wish.effort),
        };
        if settings.wish.effort.is_some() && !takes_effort(kind) {
            return Err(format!("`agents.{name}.effort`: {kind} cannot be told how hard to think"));
        }
        Ok(AgentKind::Real { kind, settings })
    }

    /// Makes every file that it is started with a full path.
    pub(super) fn anchor(&mut self, base: &Path) {
        if let Some(script) = &mut self.script {
            *script = base.join(&*script);
        }
        if let Some((program, arguments)) =
            self.program.as_mut().and_then(|words| words.split_first_mut())
        {
            if program.contains('/') {
                *program = full(base, program);
            }
            for argument in arguments {
                anchor_argument(argument, base);
            }
        }
        for argument in self.args.iter_mut().flatten() {
            anchor_argument(argument, base);
        }
    }
}

/// Whether an agent of a kind can be told how hard to think.
pub(crate) fn takes_effort(kind: &str) -> bool {
    adapter_of(kind, Settings::default()).is_some_and(|adapter| adapter.capabilities().effort)
}

/// Completes an argument, or what stands behind its `=`, if it looks like a path and a file is there.
fn anchor_argument(argument: &mut String, base: &Path) {
    let at = if argument.starts_with('-') {
        match argument.find('=') {
            Some(equals) => equals + 1,
            None => return,
        }
    } else {
        0
    };
    let path = &argument[at..];
    if path.contains(['/', '.']) && base.join(path).is_file() {
        let path = full(base, path);
        argument.replace_range(at.., &path);
    }
}

/// A path below a directory; one that is no text stays as it is, since words are text.
fn full(base: &Path, path: &str) -> String {
    base.join(path).to_str().map_or_else(|| path.to_owned(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use autopilot_core::id::AgentName;

    use super::*;
    use crate::config::{Config, Layer};

    fn agent(layers: &[&str], name: &str) -> Agent {
        let mut config = Config::built_in();
        for text in layers {
            let layer: Layer = toml::from_str(text).expect("well formed");
            config.add(&layer).expect("understood");
        }
        config.agents[&AgentName::new(name)].clone()
    }

    #[test]
    fn a_table_with_the_name_of_an_agent_that_people_use_is_that_agent() {
        let own = agent(
            &[
                "[agents.claude]\nprogram = [\"/opt/claude\"]\nmodel = \"m\"",
                "[agents.claude]\neffort = \"high\"",
            ],
            "claude",
        );
        let wish = Wish { model: Some("m".to_owned()), effort: Some("high".to_owned()) };
        let settings =
            Settings { program: vec!["/opt/claude".to_owned()], arguments: vec![], wish };
        assert_eq!(own.kind, AgentKind::Real { kind: "claude", settings });
        let named = agent(&["[agents.cheap]\nkind = \"codex\"\nargs = [\"-p\", \"x\"]"], "cheap");
        assert!(matches!(named.kind, AgentKind::Real { kind: "codex", .. }));
        let other = agent(&["[agents.claude]\nkind = \"command\"\nprogram = [\"x\"]"], "claude");
        assert_eq!(other.kind, AgentKind::Command(vec!["x".to_owned()]));
        let played = agent(&["[agents.claude]\nscript = \"x\""], "claude");
        assert!(matches!(played.kind, AgentKind::Scripted(_)));
    }

    #[test]
    fn files_that_agents_are_started_with_are_looked_for_beside_the_configuration() {
        let base = tempfile::tempdir().expect("a directory");
        for name in ["agent.py", "tool", "settings.json"] {
            std::fs::write(base.path().join(name), "").expect("a file");
        }
        let here = |name: &str| base.path().join(name).display().to_string();
        let rows = [
            (vec!["python3", "agent.py"], vec!["python3".to_owned(), here("agent.py")]),
            (vec!["./tool", "run"], vec![here("./tool"), "run".to_owned()]),
            (vec!["tool", "tool"], vec!["tool".to_owned(), "tool".to_owned()]),
            (
                vec!["x", "--settings=settings.json", "-v", "absent.json"],
                vec![
                    "x".to_owned(),
                    format!("--settings={}", here("settings.json")),
                    "-v".to_owned(),
                    "absent.json".to_owned(),
                ],
            ),
            (vec!["/bin/sh", "-c", "a.b"], ["/bin/sh", "-c", "a.b"].map(str::to_owned).to_vec()),
        ];
        for (words, expected) in rows {
            let agent = AgentLayer {
                program: Some(words.iter().map(|word| (*word).to_owned()).collect()),
                ..AgentLayer::default()
            };
            let mut agent = agent;
            agent.anchor(base.path());
            assert_eq!(agent.program, Some(expected), "{words:?}");
        }
    }
}
