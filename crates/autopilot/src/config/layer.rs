//! One layer of configuration as it is written, and how layers combine.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use autopilot_core::{
    budget::Limits, id::AgentName, measure::Measure, phases::PASS_SCORE_DEFAULT, returns::Score,
    role::Role,
};
use autopilot_engine::sandbox::Sandbox;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{
    Agent, AgentKind, Checks, Config,
    checks::{ChecksLayer, GuardLayer, ProtectLayer},
    gates::ProjectLayer,
    sandbox::SandboxLayer,
};

/// How long a log may be silent when nobody says otherwise.
const HEARTBEAT_DEFAULT: Duration = Duration::from_secs(300);

/// What one source says. Everything may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Layer {
    agents: BTreeMap<String, AgentLayer>,
    roles: BTreeMap<String, RoleLayer>,
    limits: LimitsLayer,
    run: RunLayer,
    checks: ChecksLayer,
    guards: BTreeMap<String, GuardLayer>,
    pub(super) project: ProjectLayer,
    protect: ProtectLayer,
    review: ReviewLayer,
    sandbox: SandboxLayer,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct AgentLayer {
    kind: Option<String>,
    program: Option<Vec<String>>,
    script: Option<PathBuf>,
    env: BTreeMap<String, String>,
    pass_env: Option<Vec<String>>,
    state_dirs: Option<Vec<PathBuf>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RunLayer {
    pass_score: Option<f64>,
    roadmap: Option<PathBuf>,
    heartbeat_seconds: Option<u64>,
    audit: Option<bool>,
}

/// How those who judge are measured.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ReviewLayer {
    calibrate_every: Option<u32>,
    catch_percent: Option<u32>,
}

impl ReviewLayer {
    fn apply(&self, measure: &mut Measure) -> Result<(), String> {
        measure.every = self.calibrate_every.unwrap_or(measure.every);
        if let Some(percent) = self.catch_percent {
            if percent > 100 {
                return Err("`review.catch_percent` must lie between 0 and 100".to_owned());
            }
            measure.catch_percent_min = percent;
        }
        Ok(())
    }
}

/// Declares the limits that can be set and how each is taken over.
macro_rules! limits_layer {
    ($($key:ident: $type:ty, at least $min:literal;)*) => {
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct LimitsLayer {
            run_usd: Option<f64>,
            $($key: Option<$type>,)*
        }

        impl LimitsLayer {
            fn apply(&self, limits: &mut Limits) -> Result<(), String> {
                $(if let Some(value) = self.$key {
                    let least: $type = $min;
                    if value < least {
                        return Err(concat!("`limits.", stringify!($key), "` must be at least ", $min).to_owned());
                    }
                    limits.$key = value;
                })*
                if let Some(usd) = self.run_usd {
                    limits.run_micro_usd = micro(usd).ok_or("`limits.run_usd` must be above 0")?;
                }
                Ok(())
            }
        }
    };
}

limits_layer! {
    run_tokens: u64, at least 1;
    phase_tokens: u64, at least 1;
    run_minutes: u64, at least 1;
    phase_minutes: u64, at least 1;
    step_minutes: u64, at least 1;
    stall_seconds: u64, at least 1;
    check_seconds: u64, at least 1;
    guard_seconds: u64, at least 1;
    run_retries: u32, at least 0;
    step_tries: u32, at least 1;
    plan_rounds: u32, at least 1;
    task_debugs: u32, at least 0;
    phase_debugs: u32, at least 0;
    replans: u32, at least 0;
    remediations: u32, at least 0;
    reaudits: u32, at least 0;
    canary_breaks: u32, at least 0;
    no_progress: u32, at least 1;
    same_error: u32, at least 1;
    min_verify_seconds: u64, at least 0;
}

/// The agent of a role: its name alone, or a table.
#[derive(Clone, Debug)]
struct RoleLayer {
    agent: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleTable {
    agent: String,
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
                Ok(RoleLayer { agent: agent.to_owned() })
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<RoleLayer, M::Error> {
                RoleTable::deserialize(MapAccessDeserializer::new(map))
                    .map(|table| RoleLayer { agent: table.agent })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl Layer {
    /// Reads a layer from a table that was put together key by key.
    pub(crate) fn deserialize_table(table: toml::Table) -> Result<Self, String> {
        toml::Value::Table(table).try_into().map_err(|error: toml::de::Error| error.to_string())
    }

    /// Makes every file that agents are started with a full path.
    ///
    /// An agent works in a directory that it fills itself: a program that were looked for there could be put
    /// there by one agent and be run as the next one, its own checker.
    pub(crate) fn anchor(&mut self, base: &Path) {
        for agent in self.agents.values_mut() {
            if let Some(script) = &mut agent.script {
                *script = base.join(&*script);
            }
            if let Some((program, arguments)) =
                agent.program.as_mut().and_then(|words| words.split_first_mut())
            {
                if program.contains('/') {
                    *program = full(base, program);
                }
                for argument in arguments {
                    anchor_argument(argument, base);
                }
            }
        }
    }
}

impl Config {
    /// What holds when nobody says anything.
    pub(crate) fn built_in() -> Self {
        Self {
            agents: BTreeMap::new(),
            roles: BTreeMap::new(),
            default_agent: None,
            limits: Limits::default(),
            checks: Checks::default(),
            measure: Measure::default(),
            pass_score: PASS_SCORE_DEFAULT,
            roadmap: None,
            heartbeat: HEARTBEAT_DEFAULT,
            audit: true,
            sandbox: Sandbox::default(),
            sources: Vec::new(),
        }
    }

    /// Puts a layer on top.
    pub(crate) fn add(&mut self, layer: &Layer) -> Result<(), String> {
        for (name, agent) in &layer.agents {
            let known = self.agents.remove(&AgentName::new(name));
            self.agents.insert(AgentName::new(name), agent.over(name, known)?);
        }
        for (name, choice) in &layer.roles {
            let agent = AgentName::new(&choice.agent);
            if name == "default" {
                self.default_agent = Some(agent);
            } else {
                let role = Role::named(name).ok_or_else(|| unknown_role(name))?;
                self.roles.insert(role, agent);
            }
        }
        layer.limits.apply(&mut self.limits)?;
        self.checks.add(&layer.checks, &layer.guards)?;
        self.checks.command(&layer.project)?;
        self.checks.protect(&layer.protect)?;
        layer.review.apply(&mut self.measure)?;
        layer.sandbox.apply(&mut self.sandbox, layer.checks.network)?;
        if let Some(score) = layer.run.pass_score {
            self.pass_score =
                Score::floor(score).ok_or("`run.pass_score` must lie between 0.0 and 10.0")?;
        }
        if let Some(roadmap) = &layer.run.roadmap {
            self.roadmap = Some(roadmap.clone());
        }
        self.audit = layer.run.audit.unwrap_or(self.audit);
        if let Some(seconds) = layer.run.heartbeat_seconds {
            if seconds == 0 {
                return Err("`run.heartbeat_seconds` must be at least 1".to_owned());
            }
            self.heartbeat = Duration::from_secs(seconds);
        }
        Ok(())
    }
}

impl AgentLayer {
    /// This agent, with what an earlier layer said about it underneath.
    fn over(&self, name: &str, known: Option<Agent>) -> Result<Agent, String> {
        let kind = match (self.kind.as_deref(), &self.program, &self.script, &known) {
            (None | Some("command"), Some(program), None, _) if !program.is_empty() => {
                AgentKind::Command(program.clone())
            }
            (None | Some("scripted"), None, Some(script), _) => AgentKind::Scripted(script.clone()),
            (None, None, None, Some(known)) => known.kind.clone(),
            (Some(other), ..) if other != "command" && other != "scripted" => {
                return Err(format!(
                    "`agents.{name}.kind` is `{other}`; the kinds are `command` and `scripted`"
                ));
            }
            _ => {
                return Err(format!(
                    "`agents.{name}` needs either `program` (a list: the program and its arguments) or \
                     `script` (the embedded agent's script)"
                ));
            }
        };
        let (mut environment, mut pass_environment, mut state) = known
            .map(|known| (known.environment, known.pass_environment, known.state))
            .unwrap_or_default();
        environment.extend(self.env.clone());
        if let Some(names) = &self.pass_env {
            pass_environment.clone_from(names);
        }
        state = self.state_dirs.clone().or(state);
        Ok(Agent { kind, environment, pass_environment, state })
    }
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

fn unknown_role(name: &str) -> String {
    let names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
    format!("`roles.{name}` is no role; the roles are default, {}", names.join(", "))
}

fn micro(usd: f64) -> Option<u64> {
    let micro = (usd * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked in the same expression"
    )]
    (1.0..=1e18).contains(&micro).then_some(micro as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(layers: &[&str]) -> Result<Config, String> {
        let mut config = Config::built_in();
        for text in layers {
            let layer: Layer = toml::from_str(text).map_err(|error| error.to_string())?;
            config.add(&layer)?;
        }
        Ok(config)
    }

    #[test]
    fn a_later_layer_wins_key_by_key() {
        let config = config(&[
            "[limits]\nrun_tokens = 10\nphase_minutes = 5\n[roles]\ndefault = \"a\"\n\
             [agents.a]\nprogram = [\"one\"]\nenv = { X = \"1\" }",
            "[limits]\nrun_tokens = 20\nrun_usd = 1.5\n[roles]\nverifier = { agent = \"b\" }\n\
             [agents.a]\nenv = { Y = \"2\" }",
        ])
        .expect("both layers are well formed");
        assert_eq!((config.limits.run_tokens, config.limits.phase_minutes), (20, 5));
        assert_eq!(config.limits.run_micro_usd, 1_500_000);
        assert_eq!(config.default_agent, Some(AgentName::new("a")));
        assert_eq!(config.roles[&Role::Verifier], AgentName::new("b"));
        let agent = &config.agents[&AgentName::new("a")];
        assert_eq!(agent.kind, AgentKind::Command(vec!["one".to_owned()]));
        assert_eq!(agent.environment.len(), 2);
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
            let mut layer = Layer::default();
            layer.agents.insert("a".to_owned(), agent);
            layer.anchor(base.path());
            assert_eq!(layer.agents["a"].program, Some(expected), "{words:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let rows = [
            ("[limits]\nrun_token = 10", "run_token"),
            ("[limits]\nrun_tokens = 0", "at least 1"),
            ("[limits]\nrun_usd = -1.0", "run_usd"),
            ("[roles]\nverifyer = \"a\"", "verifyer"),
            ("[roles]\nverifier = { agnt = \"a\" }", "agnt"),
            ("[roles]\nverifier = 3", "the name of an agent"),
            ("[agents.a]\nkind = \"claud\"", "claud"),
            ("[agents.a]\nprogram = []", "agents.a"),
            ("[run]\npass_score = 11.0", "pass_score"),
            ("[run]\nheartbeat_seconds = 0", "heartbeat_seconds"),
        ];
        for (text, expected) in rows {
            let error = config(&[text]).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
