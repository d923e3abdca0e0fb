//! Has an agent do something, and looks at what it really did.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use autopilot_agents::{AgentEvent, CommandLine, Exit, Parser, Request};
use autopilot_core::{
    budget::Spend,
    effect::AgentTask,
    id::{CommitId, Key},
    input::{AgentReport, Failure, FailureClass, Outcome, Sighting, Work},
    returns::{self, Return},
    roadmap::{Plan, Task, TestSpec, test_spec_of},
    role::{Access, Role},
};

use super::{
    AgentTool, Workshop,
    confined::Who,
    keep::{KeptAttempt, view_of},
    sighting::{CHANGED_MAX, Tooling, changed_in, without_opinions},
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::Change,
    process::{
        Cancel, Ending, Finished, Launch, Limits, Log, ProcessError, ProcessErrorKind, Pulse,
        Started, StdinSource, start,
    },
    prompt::{Material, schema_file},
    transcript::Part,
};

/// How much of an agent's stream is kept on disk.
const LOG_BYTES_MAX: u64 = 16 << 20;
/// How much of a change is put into a prompt.
const DIFF_BYTES_MAX: usize = 60_000;
/// A plan file that is larger is none.
const PLAN_BYTES_MAX: u64 = 1 << 20;
/// A longer name of a model is cut.
const MODEL_CHARS_MAX: usize = 120;
/// What the commit is called that holds what someone left.
const HANDOVER: &str = "docs: what is done and what remains";
/// Between the request to end and the kill.
const GRACE: Duration = Duration::from_millis(300);

/// What was seen of an agent while it ran.
pub struct Seen {
    finished: Finished,
    returned: Result<serde_json::Value, Failure>,
    /// What its stream says it has used.
    pub spent: Spend,
    /// The model that its stream says it is.
    model: Option<String>,
    /// What else was seen.
    pub(super) sighting: Sighting,
}

impl Workshop {
    pub(super) fn agent(
        &self,
        key: &Key,
        task: &AgentTask,
        cancel: &Cancel,
    ) -> Result<(Outcome, Spend), EngineError> {
        if !self.tools.agents.contains_key(&task.agent) {
            let detail = format!("the agent `{}` is not configured", task.agent);
            return Ok((failed(FailureClass::Unavailable, detail), Spend::default()));
        }
        let base = self.base_of(task)?;
        let workspace = self.workspace(key, &base, view_of(task.role))?;
        let files = workspace.files();
        let mut seen = match self.run_in(&files, key, task, cancel) {
            Ok(seen) => seen,
            Err(EngineError::Process(error)) if is_unavailable(&error) => {
                let detail = crate::error::told(&error);
                return Ok((failed(FailureClass::Unavailable, detail), Spend::default()));
            }
            Err(error) => return Err(error),
        };
        self.note_strays(key, &seen.finished);
        // Whatever it says, and however it ended: what it left is kept first.
        let plan = (task.role == Role::Planner)
            .then(|| self.plan(&files, &task.brief.directory))
            .flatten();
        let kept = match self.keep(key, workspace)? {
            KeptAttempt::Work(kept) => kept,
            KeptAttempt::OnlyFiles { why } => return Ok((seen.without_work(&why), seen.spent)),
        };
        if let (Some(_), Ok(value)) = (&task.brief.since, &seen.returned) {
            seen.sighting.places = self.places(value, &task.base, &files)?;
        }
        let work = match task.role.access() {
            Access::Write => Some(Work {
                requests: self.frozen().requests(
                    &task.judged_by,
                    task.planned.as_ref(),
                    &kept.commit,
                )?,
                grew: kept.changed && self.grew(task, &kept.commit)?,
                orphans: self.orphans(task, &kept.commit)?,
                commit: kept.commit,
                changed: kept.changed,
                said_done: false,
            }),
            Access::Read => None,
        };
        Ok((seen.outcome(task, work, plan), seen.spent))
    }

    /// The commit that an agent begins with. Someone before it may have left it something.
    fn base_of(&self, task: &AgentTask) -> Result<CommitId, EngineError> {
        let Some(handover) = &task.handover else { return Ok(task.base.clone()) };
        let base = object(&task.base)?;
        let tree = self.with_papers(&self.project.tree_of(&base)?, [&handover.paper])?;
        let made = self.project.commit(&[base], &tree, HANDOVER, &stamp(handover.date))?;
        self.hold(&format!("handovers/{}", task.base), &made)?;
        Ok(commit_id(&made))
    }

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
        let material = Material { diff: &diff, repo_map: repo_map.as_deref() };
        let text = self
            .prompts
            .write(task, &material)
            .map_err(|error| EngineError::Bug(format!("a prompt cannot be written: {error}")))?;
        let mut launch = self.launch(key, task, tool, (files, &text));
        let temporary = self.confine(&mut launch, &Who::Agent(tool, repo_map.as_deref()))?;
        let began = Instant::now();
        let child = start(&self.guardian, &launch)?;
        // While the child begins; whatever it prints comes behind it.
        let clean = self.redactor.text(&text);
        let told = self.transcript.keep(Part::Prompt, key, clean.as_bytes());
        told.map_err(EngineError::file("write to", self.home.transcript(&self.run)))?;
        self.use_the_time();
        let mut seen = self.watch(child, tool, cancel)?;
        drop(temporary);
        self.note_denied(key, &launch, &seen.finished);
        seen.sighting.changed = changed;
        seen.sighting.ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(seen)
    }

    /// The plan that a planner wrote, which becomes a fact.
    fn plan(&self, workspace: &Path, directory: &str) -> Option<Plan> {
        plan(workspace, directory, &|text| self.redactor.text(&text).into_owned())
    }

    fn launch(
        &self,
        key: &Key,
        task: &AgentTask,
        tool: &AgentTool,
        (workspace, prompt): (&Path, &str),
    ) -> Launch {
        let schema = self.home.schemas(&self.run).join(schema_file(task.role, task.sitting));
        let CommandLine { program, arguments, environment, stdin } =
            tool.adapter.command_line(&Request { role: task.role, prompt });
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
        variables.extend(environment);
        variables.extend(tool.environment.iter().map(|(name, value)| (name, value)));
        variables.extend(own);
        let mut launch = Launch::new(program, variables, workspace);
        launch.arguments = arguments.into_iter().map(Into::into).collect();
        launch.stdin = if stdin.is_empty() { StdinSource::Null } else { StdinSource::Bytes(stdin) };
        launch.limits = Limits {
            wall: Duration::from_millis(task.time_ms_max),
            idle: Duration::from_millis(task.silence_ms_max),
            grace: GRACE,
            ..Limits::default()
        };
        launch.pulse = self.tools.pulse.clone();
        launch.log = Some(Log { tape: self.transcript.tape(key), bytes_max: LOG_BYTES_MAX });
        launch
    }

    /// Whether a repair of a task is a larger change than what it was to repair.
    fn grew(&self, task: &AgentTask, repaired: &CommitId) -> Result<bool, EngineError> {
        if task.role != Role::Debugger || task.task.is_none() {
            return Ok(false);
        }
        let since = object(&task.judged_by)?;
        let lines = |commit: &CommitId| -> Result<u64, EngineError> {
            let stat = self.project.diff_stat(&since, &object(commit)?)?;
            Ok(stat.insertions + stat.deletions)
        };
        Ok(lines(repaired)? > lines(&task.base)?)
    }

    /// The change that a role sees, and the files that it is about.
    fn diff_for(&self, task: &AgentTask) -> Result<(String, Vec<String>), EngineError> {
        let Some(since) = &task.brief.since else { return Ok((String::new(), Vec::new())) };
        let (since, base) = (object(since)?, object(&task.base)?);
        let diff = self.project.diff_text(&since, &base, DIFF_BYTES_MAX)?;
        let text = String::from_utf8_lossy(&diff.bytes).into_owned();
        let shown = without_opinions(&text);
        if !diff.cut {
            return Ok((shown, changed_in(&text)));
        }
        let changed = self.project.tree_paths_changed(&since, &base)?.into_iter();
        let path = |change: Change| String::from_utf8_lossy(&change.path).into_owned();
        let changed = changed.take(CHANGED_MAX).map(path).collect();
        Ok((shown + "\n(the rest was left out)\n", changed))
    }

    fn watch(
        &self,
        child: Started<'_>,
        tool: &AgentTool,
        cancel: &Cancel,
    ) -> Result<Seen, EngineError> {
        let mut parser = tool.adapter.parser();
        let mut meter = Meter::new(&self.tools.pulse);
        let finished = child.watch(cancel, &mut |bytes, _stdin| {
            meter.read(parser.as_mut(), bytes);
        })?;
        let exit = match finished.ending {
            Ending::Exited(code) => Exit::Code(code),
            Ending::Signalled(signal) => Exit::Signal(signal),
            Ending::TimedOut | Ending::Stalled | Ending::Cancelled => Exit::Signal(0),
        };
        let stderr = finished.stderr.to_text();
        let returned = meter.finish(|events| parser.finish(exit, stderr.as_bytes(), events));
        let sighting = Sighting { commands: meter.tools.commands(), ..Sighting::default() };
        let Meter { spent, model, .. } = meter;
        Ok(Seen { finished, returned, spent, model, sighting })
    }
}

/// Adds up what an agent's stream says it has used.
pub(super) struct Meter<'a> {
    events: Vec<AgentEvent>,
    pulse: &'a Pulse,
    pub(super) spent: Spend,
    model: Option<String>,
    tools: Tooling,
}

impl<'a> Meter<'a> {
    pub(super) fn new(pulse: &'a Pulse) -> Self {
        let (events, tools) = (Vec::new(), Tooling::default());
        Self { events, pulse, spent: Spend::default(), model: None, tools }
    }

    pub(super) fn read(&mut self, parser: &mut (dyn Parser + Send), bytes: &[u8]) {
        parser.read(bytes, &mut self.events);
        self.add_up();
    }

    fn finish<T>(&mut self, finish: impl FnOnce(&mut Vec<AgentEvent>) -> T) -> T {
        let finished = finish(&mut self.events);
        self.add_up();
        finished
    }

    fn add_up(&mut self) {
        for event in self.events.drain(..) {
            match event {
                AgentEvent::Usage(usage) => {
                    self.spent +=
                        Spend { tokens: usage.tokens, micro_usd: usage.micro_usd, busy_ms: 0 };
                    self.pulse.used(usage.tokens, usage.micro_usd);
                }
                AgentEvent::Model(name) => {
                    self.model = Some(name.chars().take(MODEL_CHARS_MAX).collect());
                }
                AgentEvent::ToolCall { kind, what } => self.tools.note(kind, &what),
                AgentEvent::Text(_) | AgentEvent::Limit { .. } | AgentEvent::TooLong { .. } => {}
            }
        }
    }
}

impl Seen {
    /// What follows where the agent left nothing that could be taken as its work.
    fn without_work(&self, why: &str) -> Outcome {
        if self.finished.ending == Ending::Cancelled {
            return Outcome::Interrupted;
        }
        let detail = format!("it left a damaged workspace, of which every file is kept: {why}");
        failed(FailureClass::Engine, detail)
    }

    /// What follows from what was seen: a report only where everything is in order.
    pub fn outcome(&self, task: &AgentTask, work: Option<Work>, plan: Option<Plan>) -> Outcome {
        match self.finished.ending {
            Ending::Cancelled => return Outcome::Interrupted,
            Ending::TimedOut => {
                let detail = format!("it took longer than {} s", task.time_ms_max / 1_000);
                return failed(FailureClass::Timeout, detail);
            }
            Ending::Stalled => {
                let detail = format!("it was silent for {} s", task.silence_ms_max / 1_000);
                return failed(FailureClass::Stalled, detail);
            }
            Ending::Exited(_) | Ending::Signalled(_) => {}
        }
        let value = match &self.returned {
            Ok(value) => value.clone(),
            Err(failure) if failure.class == FailureClass::Context => {
                return exhausted(work, failure.detail.clone());
            }
            Err(failure) => return Outcome::Failed(failure.clone()),
        };
        if let Some(why) = returns::exhausted(&value) {
            return exhausted(work, why);
        }
        match Return::read(task.role, task.sitting, value) {
            Ok(returned) => {
                let (model, seen) = (self.model.clone(), self.sighting.clone());
                Outcome::Agent(Box::new(AgentReport { returned, work, plan, model, seen }))
            }
            Err(error) => failed(FailureClass::Malformed, error.to_string()),
        }
    }
}

/// The agent came to the end of what it can remember.
fn exhausted(work: Option<Work>, why: String) -> Outcome {
    Outcome::Exhausted { work: work.map(Box::new), why }
}

/// Whether trying again would meet the same: the program is not there or cannot be started.
fn is_unavailable(error: &ProcessError) -> bool {
    let kind = error.kind();
    matches!(kind, ProcessErrorKind::Io(_) | ProcessErrorKind::ProgramNotFound)
        && error.ground().is_none()
}

/// The plan that a planner wrote where the prompt asked for it, with the test specs of its tasks.
fn plan(workspace: &Path, directory: &str, clean: &dyn Fn(String) -> String) -> Option<Plan> {
    let text = written(&workspace.join(directory).join("PLAN.md"))?;
    let mut plan = Plan::parse(&clean(text));
    let spec = |task: &Task| {
        let path = test_spec_of(directory, &task.id);
        let text = clean(written(&workspace.join(&path))?);
        Some(TestSpec { path, text })
    };
    plan.specs = plan.tasks.iter().filter_map(spec).collect();
    Some(plan)
}

/// What stands in a file that a planner wrote, unless there is more of it than anybody would read.
fn written(path: &Path) -> Option<String> {
    let size = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    if size > PLAN_BYTES_MAX {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn failed(class: FailureClass, detail: String) -> Outcome {
    Outcome::Failed(Failure { class, detail })
}
