//! The agents that are configured, ready for the engine, or why they cannot be.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::PathBuf,
    sync::Arc,
};

use autopilot_agents::{Adapter, CommandAgent, KINDS, ScriptedAgent, Wish, adapter_of};
use autopilot_core::{id::AgentName, role::Role};
use autopilot_engine::{
    process::{Pulse, environment, find_program},
    work::{AgentTool, Tools},
};

use crate::{
    commands::own_program,
    config::{Agent, AgentKind, Config, takes_effort},
    exit::Exit,
    failure::Failure,
};

/// Everything the engine needs besides the run itself.
pub(super) fn tools(config: &Config, pulse: &Pulse) -> Result<Tools, Failure> {
    let program = own_program()?;
    let used_as_they_are = KINDS.map(AgentName::new);
    let names = config.agents.keys().chain(&used_as_they_are);
    let tool = |name: &AgentName| {
        let agent = config.agent(name)?;
        let adapter: Arc<dyn Adapter> = match &agent.kind {
            AgentKind::Command(words) => Arc::new(command(words)),
            AgentKind::Scripted(script) => {
                Arc::new(ScriptedAgent { program: program.clone(), script: script.clone() })
            }
            AgentKind::Real { kind, settings } => adapter_of(kind, settings.clone())?,
        };
        let wishes = wishes(config, name);
        let environment = agent.environment.into_iter().collect();
        let pass_environment = agent.pass_environment;
        Some((name.clone(), AgentTool { adapter, wishes, environment, pass_environment }))
    };
    let agents = names.filter_map(tool).collect();
    let limits = config.limits.clone();
    Ok(Tools { program, agents, limits, retry: false, pulse: pulse.clone() })
}

/// What is wanted of an agent in the roles that are its.
fn wishes(config: &Config, name: &AgentName) -> BTreeMap<Role, Wish> {
    let chosen = |role: Role| {
        let (agent, wish) = config.chosen(role)?;
        (agent == name && *wish != Wish::default()).then(|| (role, wish.clone()))
    };
    Role::ALL.into_iter().filter_map(chosen).collect()
}

/// Refuses to start when the agent of a role cannot be used as it is wanted.
pub(crate) fn check_agents(config: &Config) -> Result<AgentName, Failure> {
    let default = config.default_agent.clone().ok_or_else(|| {
        Failure::new(
            Exit::NoAgent,
            "no agent is chosen",
            "without an agent nobody does the work",
            "set `[roles] default = \"NAME\"` in autopilot.toml, or use `--agent NAME`",
        )
    })?;
    for name in config.roles.values().chain([&default]) {
        let agent = config.agent(name).ok_or_else(|| unknown(config, name))?;
        if let Some(failure) =
            without_script(name, &agent).or_else(|| without_program(name, &agent))
        {
            return Err(failure);
        }
    }
    match Role::ALL.into_iter().find_map(|role| wanted_in_vain(config, role)) {
        Some(failure) => Err(failure),
        None => Ok(default),
    }
}

fn unknown(config: &Config, name: &AgentName) -> Failure {
    let known: Vec<&str> = config.agents.keys().map(AgentName::as_str).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Failure::new(
        Exit::NoAgent,
        format!("the agent `{name}` is not configured (configured: {known})"),
        "without an agent nobody does the work",
        format!(
            "add `[agents.{name}]` with a `program` to autopilot.toml, see docs/reference.md; {} need none",
            KINDS.join(", ")
        ),
    )
}

/// Why an embedded agent that a role asks for could not play.
fn without_script(name: &AgentName, agent: &Agent) -> Option<Failure> {
    let AgentKind::Scripted(script) = &agent.kind else { return None };
    (!script.is_file()).then(|| {
        Failure::new(
            Exit::NoAgent,
            format!("the script `{}` of the agent `{name}` is not there", script.display()),
            "without it the embedded agent has nothing to play",
            format!(
                "write it, or correct `agents.{name}.script`; docs/agents.md tells what is in one"
            ),
        )
    })
}

/// Why an agent that people use could not be started.
fn without_program(name: &AgentName, agent: &Agent) -> Option<Failure> {
    let AgentKind::Real { kind, settings } = &agent.kind else { return None };
    let program = settings.program.first().map_or(*kind, String::as_str);
    find(program, agent).is_none().then(|| {
        Failure::new(
            Exit::NoAgent,
            format!("there is no program `{program}` on your PATH, and the agent `{name}` is that program"),
            "without it nobody does the work",
            format!(
                "install it (docs/agents.md tells where it comes from), or set `agents.{name}.program` to where it is"
            ),
        )
    })
}

/// Why a role cannot be played as it is wanted.
fn wanted_in_vain(config: &Config, role: Role) -> Option<Failure> {
    let (name, wish) = config.chosen(role)?;
    let agent = config.agent(name)?;
    let (key, why) = match &agent.kind {
        AgentKind::Real { kind, .. } if wish.effort.is_some() && !takes_effort(kind) => {
            ("effort", format!("{kind} cannot be told how hard to think"))
        }
        AgentKind::Real { .. } => return None,
        AgentKind::Command(_) | AgentKind::Scripted(_) => match (&wish.model, &wish.effort) {
            (Some(_), _) => ("model", format!("only {} can be told a model", KINDS.join(", "))),
            (None, Some(_)) => ("effort", "it cannot be told how hard to think".to_owned()),
            (None, None) => return None,
        },
    };
    Some(Failure::refused(
        format!("the {role} is to be `{name}` with a `{key}` of its own: {why}"),
        "a setting that is silently ignored could cost money or lower what is done",
        format!("leave `{key}` out, or give the role to another agent"),
    ))
}

/// Where a run would find an agent's program.
pub(super) fn find(program: &str, agent: &Agent) -> Option<PathBuf> {
    let os = |(name, value): (&String, &String)| (OsString::from(name), OsString::from(value));
    let variables =
        environment::of_agent(&agent.pass_environment, agent.environment.iter().map(os));
    find_program(OsStr::new(program), &variables).ok()
}

fn command(words: &[String]) -> CommandAgent {
    let (program, arguments) =
        words.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
    CommandAgent { program: program.into(), arguments: arguments.to_vec() }
}
