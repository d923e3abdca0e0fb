//! Carries a run forward and shows how it goes; what `run` and `resume` share.

use std::{path::PathBuf, sync::Arc, time::Duration};

use autopilot_agents::{Adapter, CommandAgent, ScriptedAgent};
use autopilot_core::{
    fact::Record,
    id::{AgentName, RunId},
    run::{Run, Standing},
};
use autopilot_engine::{
    driver::Driver,
    error::EngineError,
    home::Home,
    local::LocalDriver,
    process::Pulse,
    prompt::Prompts,
    sandbox,
    work::{AgentTool, Tools},
};
use autopilot_views::{Progress, status as view, status_text};

use crate::{
    commands::{audit::refuse_damaged, engine_failure, exit_for, own_program},
    config::{Agent, AgentKind, Config},
    exit::Exit,
    failure::{Failure, Outcome, chain},
    live::Live,
    project::{Project, forget_removed},
    ui::Ui,
};

/// Whoever carries the project's runs forward, and what is seen of their work meanwhile.
pub(crate) struct Crew {
    /// Whoever does it.
    pub(crate) driver: LocalDriver,
    pulse: Pulse,
    heartbeat: Duration,
    home: Home,
}

impl Crew {
    /// The crew of a project, with the agents that are configured.
    pub(crate) fn new(project: &Project, config: &Config, ui: &Ui) -> Result<Self, Failure> {
        // Before a run is begun for which nobody could be told anything.
        Prompts::of(&project.home.prompts()).map_err(|error| engine_failure(&error.into()))?;
        let pulse = Pulse::default();
        let screen = ui.screen();
        let driver = LocalDriver::new(project.home.clone(), tools(config, &pulse)?)
            .before_leaving(move || screen.clear_without_waiting());
        Ok(Self { driver, pulse, heartbeat: config.heartbeat, home: project.home.clone() })
    }

    /// The same, with the failed phases of a run tried again.
    pub(crate) fn retrying(self, retry: bool) -> Self {
        Self { driver: self.driver.retrying(retry), ..self }
    }

    fn journal(&self, run: &RunId) -> PathBuf {
        self.home.journal(run)
    }
}

/// Carries a run forward to wherever it stands still.
pub(crate) fn go(crew: &Crew, run: &RunId, ui: &mut Ui) -> Outcome {
    let driver = &crew.driver;
    let live = Live::begin(ui.screen(), crew.pulse.clone(), crew.heartbeat).map_err(no_thread)?;
    let mut progress = Progress::default();
    let mut watch = |run: &Run, records: &[Record]| {
        for record in records {
            for line in progress.lines(run, record) {
                ui.say(&line);
            }
        }
        live.heard(run);
    };
    let standing = driver.wait(run, &mut watch);
    drop(live);
    if let Some(error) = driver.untold() {
        warn_untold(&error, ui);
    }
    let standing = standing.map_err(|error| engine_failure(&error))?;
    if exit_for(&standing) == Exit::Done {
        // Nothing is said to be done whose proof has been tampered with meanwhile.
        refuse_damaged(&crew.journal(run), ui)?;
    }
    let mut state = driver.state(run).map_err(|error| engine_failure(&error))?;
    forget_removed(&mut state);
    ui.tell(format!("\n{}", status_text(&view(&state, false))));
    next_step(run, &standing, ui);
    Ok(exit_for(&standing))
}

/// Says that files which tell of a run are not up to date.
pub(super) fn warn_untold(error: &EngineError, ui: &mut Ui) {
    ui.warn(&format!(
        "{}; files below `.autopilot/` that tell of the run are not up to date, the run itself is not touched; \
         `autopilot resume` writes them again",
        chain(error)
    ));
}

fn next_step(run: &RunId, standing: &Standing, ui: &mut Ui) {
    let text = match exit_for(standing) {
        Exit::Done => format!("`autopilot land {run}` brings it to your branch"),
        Exit::Incomplete => {
            format!(
                "`autopilot log {run}` tells what happened, rejected work is on its own branch; \
                 `autopilot resume --retry` tries failed phases once more; `autopilot land {run} --incomplete` brings over what is complete"
            )
        }
        Exit::Stopped => "raise the limit or look at the cause, then `autopilot resume`".to_owned(),
        Exit::NoAgent => {
            "`autopilot doctor` tells what is missing; then `autopilot resume`".to_owned()
        }
        Exit::Interrupted => "`autopilot resume` goes on from here".to_owned(),
        // The status above tells the question and how to answer it.
        Exit::Waiting => return,
        Exit::Refused | Exit::Usage | Exit::Bug | Exit::Disk => return,
    };
    ui.tell(text);
}

fn no_thread(error: std::io::Error) -> Failure {
    Failure::refused(
        format!("a thread cannot be started: {error}"),
        "agents need many more processes and threads than that",
        "end other programs, or raise the limit on processes (`ulimit -u`)",
    )
}

/// Everything the engine needs besides the run itself.
fn tools(config: &Config, pulse: &Pulse) -> Result<Tools, Failure> {
    let program = own_program()?;
    let agents = config
        .agents
        .iter()
        .map(|(name, agent)| {
            let adapter: Arc<dyn Adapter> = match &agent.kind {
                AgentKind::Command(words) => Arc::new(command(words)),
                AgentKind::Scripted(script) => {
                    Arc::new(ScriptedAgent { program: program.clone(), script: script.clone() })
                }
            };
            (name.clone(), tool(adapter, agent))
        })
        .collect();
    let limits = config.limits.clone();
    let sandbox = config.sandbox.clone();
    Ok(Tools { program, agents, limits, retry: false, pulse: pulse.clone(), sandbox })
}

/// Refuses to start when a role's agent is not configured.
pub(crate) fn check_agents(config: &Config) -> Result<AgentName, Failure> {
    let missing = |name: &AgentName| {
        let known: Vec<&str> = config.agents.keys().map(AgentName::as_str).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Failure::new(
            Exit::NoAgent,
            format!("the agent `{name}` is not configured (configured: {known})"),
            "without an agent nobody does the work",
            format!(
                "add `[agents.{name}]` with a `program` to autopilot.toml; see docs/reference.md"
            ),
        )
    };
    let default = config.default_agent.clone().ok_or_else(|| {
        Failure::new(
            Exit::NoAgent,
            "no agent is chosen",
            "without an agent nobody does the work",
            "set `[roles] default = \"NAME\"` in autopilot.toml, or use `--agent NAME`",
        )
    })?;
    let unknown = |name: &&AgentName| !config.agents.contains_key(*name);
    let mut used = config.roles.values().chain([&default]);
    if let Some(name) = used.clone().find(unknown) {
        return Err(missing(name));
    }
    let unplayable = used.find_map(|name| without_script(name, config.agents.get(name)?));
    match unplayable {
        Some(failure) => Err(failure),
        None => Ok(default.clone()),
    }
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

/// Where an agent keeps its login when nobody says so.
fn state_of(kind: &AgentKind) -> Vec<PathBuf> {
    match kind {
        AgentKind::Command(words) => {
            words.first().map(|program| sandbox::state_of(program.as_ref())).unwrap_or_default()
        }
        AgentKind::Scripted(_) => Vec::new(),
    }
}

/// The files that an agent is started with: they may lie in the checkout, of which it sees nothing else.
fn started_with(kind: &AgentKind) -> Vec<PathBuf> {
    let words = match kind {
        AgentKind::Scripted(script) => return vec![script.clone()],
        AgentKind::Command(words) => words.iter(),
    };
    let paths = words.map(|word| word.split_once('=').map_or(word.as_str(), |(_, path)| path));
    paths.map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file()).collect()
}

fn command(words: &[String]) -> CommandAgent {
    let (program, arguments) =
        words.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
    CommandAgent { program: program.into(), arguments: arguments.to_vec() }
}

fn tool(adapter: Arc<dyn Adapter>, agent: &Agent) -> AgentTool {
    AgentTool {
        adapter,
        environment: agent.environment.clone().into_iter().collect(),
        pass_environment: agent.pass_environment.clone(),
        state: agent.state.clone().unwrap_or_else(|| state_of(&agent.kind)),
        reads: started_with(&agent.kind),
    }
}
