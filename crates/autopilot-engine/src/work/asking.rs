//! Asks an agent: starts it, watches it, and asks once more in the same conversation where what it returned cannot be used.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use autopilot_agents::{CommandLine, Exit, Request, Resume, Wish, fault_in};
use autopilot_core::{
    effect::AgentTask,
    id::Key,
    input::{FailureClass, Sighting},
    returns::{self, Return},
};
use tempfile::TempDir;

use super::{AgentTool, Seen, Workshop, meter::Meter, reset::ends};
use crate::{
    error::EngineError,
    local::now,
    private::tempdir_in,
    process::{Cancel, Ending, Environment, Launch, Limits, Log, Started, StdinSource, start},
    prompt::{Material, repair, schema, schema_file},
    transcript::Part,
};

/// How much of an agent's stream is kept on disk.
const LOG_BYTES_MAX: u64 = 16 << 20;
/// Between the request to end and the kill.
const GRACE: Duration = Duration::from_millis(300);
/// A longer path is none for a directory of an agent's own: some put sockets there, whose names are short.
const SCRATCH_PATH_BYTES_MAX: usize = 70;

/// One time that an agent is asked.
struct Turn<'a> {
    key: &'a Key,
    task: &'a AgentTask,
    tool: &'a AgentTool,
    /// Where it works.
    files: &'a Path,
    /// What is only there while it runs.
    scratch: &'a Path,
}

/// What an agent is told in one turn.
struct Told<'a> {
    prompt: &'a str,
    resume: Option<&'a Resume>,
    /// How long it may take.
    wall: Duration,
}

impl Workshop {
    /// Runs an agent in a directory that is ready for it, and keeps nothing: the middle of a step.
    pub fn run_in(
        &self,
        files: &Path,
        key: &Key,
        task: &AgentTask,
        cancel: &Cancel,
    ) -> Result<Seen, EngineError> {
        let missing = || EngineError::Bug(format!("the agent `{}` is not configured", task.agent));
        let tool = self.tools.agents.get(&task.agent).ok_or_else(missing)?;
        let (diff, changed) = self.diff_for(task)?;
        let repo_map = self.repo_map(task, files);
        let album = self.home.screenshots(&self.run);
        let screenshots = (!task.brief.screens.is_empty()).then_some(album.as_path());
        let material = Material { diff: &diff, repo_map: repo_map.as_deref(), screenshots };
        let text = self
            .prompts
            .write(task, &material)
            .map_err(|error| EngineError::Bug(format!("a prompt cannot be written: {error}")))?;
        let began = Instant::now();
        let scratch = self.scratch(tool)?;
        let place = scratch.as_ref().map_or(files, TempDir::path);
        let turn = Turn { key, task, tool, files, scratch: place };
        let wall = Duration::from_millis(task.time_ms_max);
        let mut seen = self.ask(&turn, &Told { prompt: &text, resume: None, wall }, cancel)?;
        if let Some((resume, why)) = self.to_repair(&turn, &seen) {
            self.note_strays(key, &seen.finished);
            let prompt = repair(&why, schema(task.role, task.sitting));
            let wall = wall.saturating_sub(began.elapsed());
            let told = Told { prompt: &prompt, resume: Some(&resume), wall };
            seen = seen.and(self.ask(&turn, &told, cancel)?);
        }
        seen.sighting.changed = changed;
        seen.sighting.ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(seen)
    }

    /// A directory for what an agent needs only while it runs, where it needs one.
    fn scratch(&self, tool: &AgentTool) -> Result<Option<TempDir>, EngineError> {
        if !tool.adapter.capabilities().scratch {
            return Ok(None);
        }
        let near = self.home.run(&self.run);
        let is_short = near.as_os_str().len() <= SCRATCH_PATH_BYTES_MAX;
        let above: PathBuf = if is_short { near } else { std::env::temp_dir() };
        tempdir_in(&above).map(Some).map_err(EngineError::file("make a directory in", &above))
    }

    /// How an agent can be asked once more in the same conversation, and why it should be: what it returned cannot be used.
    fn to_repair(&self, turn: &Turn<'_>, seen: &Seen) -> Option<(Resume, String)> {
        let capabilities = turn.tool.adapter.capabilities();
        let by_itself = matches!(seen.finished.ending, Ending::Exited(_));
        if !capabilities.resume || !by_itself {
            return None;
        }
        let why = match &seen.returned {
            Err(failure) if failure.class == FailureClass::Malformed => failure.detail.clone(),
            Err(_) => return None,
            Ok(value) if returns::exhausted(value).is_some() => return None,
            Ok(value) => {
                Return::read(turn.task.role, turn.task.sitting, value.clone()).err()?.to_string()
            }
        };
        let named = capabilities.named.then(|| self.name_of(turn.key));
        let session = seen.session.clone().or(named)?;
        Some((Resume { session, used: seen.used }, why))
    }

    /// A name for the conversation of an attempt.
    fn name_of(&self, key: &Key) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        format!("{}-{key}", self.run).chars().map(plain).collect()
    }

    fn ask(&self, turn: &Turn<'_>, told: &Told<'_>, cancel: &Cancel) -> Result<Seen, EngineError> {
        let launch = self.launch(turn, told)?;
        let child = start(&self.guardian, &launch)?;
        // While the child begins; whatever it prints comes behind it.
        let kept = self.transcript.keep(Part::Prompt, turn.key, told.prompt.as_bytes());
        kept.map_err(EngineError::file("write to", self.home.transcript(&self.run)))?;
        self.use_the_time();
        self.watch(child, (turn.tool, told.resume), cancel)
    }

    fn launch(&self, turn: &Turn<'_>, told: &Told<'_>) -> Result<Launch, EngineError> {
        let Turn { key, task, tool, files, scratch } = turn;
        let schema_path = self.home.schemas(&self.run).join(schema_file(task.role, task.sitting));
        let anything = Wish::default();
        let request = Request {
            role: task.role,
            prompt: told.prompt,
            schema: schema(task.role, task.sitting),
            name: &self.name_of(key),
            resume: told.resume,
            directory: files,
            scratch,
            wish: tool.wishes.get(&task.role).unwrap_or(&anything),
        };
        let line = tool.adapter.command_line(&request);
        for (name, text) in &line.files {
            let path = scratch.join(name);
            fs::write(&path, text).map_err(EngineError::file("write", &path))?;
        }
        let variables = self.variables(turn, &line, &schema_path);
        let mut launch = Launch::new(line.program, variables, *files);
        launch.arguments = line.arguments.into_iter().map(Into::into).collect();
        launch.stdin =
            if line.stdin.is_empty() { StdinSource::Null } else { StdinSource::Bytes(line.stdin) };
        launch.limits = Limits {
            wall: told.wall,
            idle: Duration::from_millis(task.silence_ms_max),
            grace: GRACE,
            ..Limits::default()
        };
        launch.pulse = self.tools.pulse.clone();
        launch.log = Some(Log { tape: self.transcript.tape(key), bytes_max: LOG_BYTES_MAX });
        Ok(launch)
    }

    /// The environment of an agent: what is let through to it, what it needs, what the person gives it, where it is.
    fn variables(&self, turn: &Turn<'_>, line: &CommandLine, schema: &Path) -> Environment {
        let Turn { key, task, tool, .. } = turn;
        let own: [(&str, String); 7] = [
            ("AUTOPILOT_RUN_ID", self.run.to_string()),
            ("AUTOPILOT_ROLE", task.role.to_string()),
            ("AUTOPILOT_PHASE", task.phase.map(|phase| phase.to_string()).unwrap_or_default()),
            ("AUTOPILOT_TASK", task.task.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("AUTOPILOT_ATTEMPT", key.attempt.to_string()),
            ("AUTOPILOT_TURN", task.sitting.number().to_string()),
            ("AUTOPILOT_RESULT_SCHEMA", schema.display().to_string()),
        ];
        let mut variables = self.allowed.get(&task.agent).cloned().unwrap_or_default();
        variables.extend(line.environment.iter().map(|(name, value)| (name, value)));
        variables.extend(tool.environment.iter().map(|(name, value)| (name, value)));
        variables.extend(own);
        variables
    }

    fn watch(
        &self,
        child: Started<'_>,
        (tool, resume): (&AgentTool, Option<&Resume>),
        cancel: &Cancel,
    ) -> Result<Seen, EngineError> {
        let mut parser = tool.adapter.parser(resume);
        let mut meter = Meter::new(&self.tools.pulse, tool.adapter.capabilities().tools);
        let finished = child.watch(cancel, &mut |bytes, stdin| {
            meter.read(parser.as_mut(), bytes);
            if meter.stuck().is_some() {
                stdin.end_child();
            }
        })?;
        let exit = match finished.ending {
            Ending::Exited(code) => Exit::Code(code),
            Ending::Signalled(signal) => Exit::Signal(signal),
            Ending::TimedOut | Ending::Stalled | Ending::Cancelled => Exit::Signal(0),
        };
        let stderr = finished.stderr.to_text();
        let returned = meter.finish(|events| parser.finish(exit, stderr.as_bytes(), events));
        // Whoever was stopped on a person's word was not stopped for this.
        let stuck = meter.stuck().filter(|_| !cancel.is_cancelled());
        let spent = meter.spent();
        let told = now();
        // One that was told to come back later may wait for that in silence.
        let waited = meter.trouble().filter(|_| finished.ending == Ending::Stalled);
        let waited =
            waited.and_then(fault_in).map(|fault| fault.into_failure(|reset| ends(reset, told)));
        let Meter { used, model, session, tools, .. } = meter;
        Ok(Seen {
            finished,
            returned: returned.map_err(|fault| fault.into_failure(|reset| ends(reset, told))),
            stuck,
            waited,
            used,
            spent,
            model,
            session,
            tools,
            sighting: Sighting::default(),
        })
    }
}
