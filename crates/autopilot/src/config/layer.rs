//! One layer of configuration as it is written, and how layers combine.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use autopilot_agents::Wish;
use autopilot_core::{
    budget::Limits, id::AgentName, measure::Measure, phases::PASS_SCORE_DEFAULT, returns::Score,
    role::Role,
};
use serde::Deserialize;

use super::{
    Checks, Config,
    agents::{AgentLayer, RoleLayer},
    checks::{ChecksLayer, GuardLayer, ProtectLayer},
    gates::ProjectLayer,
};

/// How long a log may be silent when nobody says otherwise.
const HEARTBEAT_DEFAULT: Duration = Duration::from_secs(60);

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
    release: ReleaseLayer,
}

/// What follows a run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ReleaseLayer {
    bump: Option<bool>,
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
                    limits.run_micro_usd = micro(usd).ok_or("`limits.run_usd` must be above 0 and at most 1e12")?;
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
    debug_rounds: u32, at least 1;
    canary_breaks: u32, at least 0;
    no_progress: u32, at least 1;
    same_error: u32, at least 1;
    min_verify_seconds: u64, at least 0;
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
        self.agents.values_mut().for_each(|agent| agent.anchor(base));
    }
}

impl Config {
    /// What holds when nobody says anything.
    pub(crate) fn built_in() -> Self {
        Self {
            agents: BTreeMap::new(),
            roles: BTreeMap::new(),
            default_agent: None,
            wishes: BTreeMap::new(),
            default_wish: Wish::default(),
            limits: Limits::default(),
            checks: Checks::default(),
            measure: Measure::default(),
            pass_score: PASS_SCORE_DEFAULT,
            roadmap: None,
            spec_paths: None,
            ui: None,
            heartbeat: HEARTBEAT_DEFAULT,
            audit: true,
            bump: false,
            visual: None,
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
                self.default_wish = choice.wish.clone();
            } else {
                let role = Role::named(name).ok_or_else(|| unknown_role(name))?;
                self.roles.insert(role, agent);
                self.wishes.insert(role, choice.wish.clone());
            }
        }
        layer.limits.apply(&mut self.limits)?;
        self.checks.add(&layer.checks, &layer.guards)?;
        self.checks.command(&layer.project)?;
        self.spec_paths = layer.project.spec_paths().or(self.spec_paths.take());
        self.ui = layer.project.ui().or(self.ui.take());
        self.checks.protect(&layer.protect)?;
        layer.review.apply(&mut self.measure)?;
        if let Some(score) = layer.run.pass_score {
            self.pass_score =
                Score::floor(score).ok_or("`run.pass_score` must lie between 0.0 and 10.0")?;
        }
        if let Some(roadmap) = &layer.run.roadmap {
            self.roadmap = Some(roadmap.clone());
        }
        self.audit = layer.run.audit.unwrap_or(self.audit);
        self.bump = layer.release.bump.unwrap_or(self.bump);
        if let Some(visual) = layer.project.visual() {
            self.visual = Some(visual.over(self.visual.take()));
        }
        if let Some(seconds) = layer.run.heartbeat_seconds {
            if seconds == 0 {
                return Err("`run.heartbeat_seconds` must be at least 1".to_owned());
            }
            self.heartbeat = Duration::from_secs(seconds);
        }
        Ok(())
    }
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
    use crate::config::AgentKind;

    fn config(layers: &[&str]) -> Result<Config, String> {
        let mut config = Config::built_in();
        for text in layers {
            let layer: Layer = toml::from_str(text).map_err(|error| error.to_string())?;
            config.add(&layer)?;
        }
        Ok(config)
    }

    #[test]
    fn c49_a_log_gets_a_sign_of_life_every_minute_unless_settings_say_otherwise() {
        assert_eq!(Config::built_in().heartbeat, Duration::from_secs(60));
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
    fn what_is_wrong_is_named() {
        let rows = [
            ("[limits]\nrun_token = 10", "run_token"),
            ("[limits]\nrun_tokens = 0", "at least 1"),
            ("[limits]\nrun_usd = -1.0", "run_usd"),
            ("[roles]\nverifyer = \"a\"", "verifyer"),
            ("[roles]\nverifier = { agnt = \"a\" }", "agnt"),
            ("[roles]\nverifier = 3", "the name of an agent"),
            ("[agents.a]\nkind = \"claud\"", "claud"),
            ("[agents.claude]\nscript = \"x\"\nkind = \"claude\"", "no `script`"),
            ("[agents.gemini]\neffort = \"high\"", "how hard to think"),
            ("[agents.a]\nprogram = [\"x\"]\nmodel = \"m\"", "`model`"),
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
