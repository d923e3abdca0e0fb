//! Has an agent do something, and looks at what it really did.

use std::{fs, path::Path};

use autopilot_agents::Usage;
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
    Workshop,
    keep::{KeptAttempt, view_of},
    sighting::{CHANGED_MAX, Tooling, changed_in, without_opinions},
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::Change,
    process::{Cancel, Ending, Finished, ProcessError, ProcessErrorKind},
};

/// How much of a change is put into a prompt.
const DIFF_BYTES_MAX: usize = 60_000;
/// A plan file that is larger is none.
const PLAN_BYTES_MAX: u64 = 1 << 20;
/// What the commit is called that holds what someone left.
const HANDOVER: &str = "docs: what is done and what remains";
/// What was seen of an agent while it ran.
pub struct Seen {
    pub(super) finished: Finished,
    pub(super) returned: Result<serde_json::Value, Failure>,
    /// Why it was stopped although it had time left: it tried the same thing again and again.
    pub(super) stuck: Option<String>,
    /// What it told of before it went silent, where that explains the silence.
    pub(super) waited: Option<Failure>,
    /// What its stream says it has used.
    pub(super) used: Usage,
    /// The same, as it counts.
    pub spent: Spend,
    /// The model that its stream says it is.
    pub(super) model: Option<String>,
    /// What its stream calls the conversation.
    pub(super) session: Option<String>,
    /// The tools that its stream tells of.
    pub(super) tools: Tooling,
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
        let plan =
            (task.role == Role::Planner).then(|| plan(&files, &task.brief.directory)).flatten();
        let kept = match self.keep(key, task, workspace)? {
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
    pub(super) fn diff_for(&self, task: &AgentTask) -> Result<(String, Vec<String>), EngineError> {
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
}

impl Seen {
    /// What was seen in two turns of a conversation: the second one counts, and what the first one used and did.
    pub(super) fn and(self, second: Self) -> Self {
        let mut spent = self.spent;
        spent += second.spent;
        Self {
            used: self.used + second.used,
            spent,
            model: second.model.or(self.model),
            session: second.session.or(self.session),
            tools: self.tools.and(second.tools),
            ..second
        }
    }

    /// What follows where the agent left nothing that could be taken as its work.
    fn without_work(&self, why: &str) -> Outcome {
        if self.finished.ending == Ending::Cancelled {
            return Outcome::Interrupted;
        }
        let detail = format!(
            "every file that it left is kept, but none counts as work, because its workspace is damaged: {why}"
        );
        failed(FailureClass::Engine, detail)
    }

    /// What follows from what was seen: a report only where everything is in order.
    pub fn outcome(&self, task: &AgentTask, work: Option<Work>, plan: Option<Plan>) -> Outcome {
        if let Some(stuck) = &self.stuck {
            return failed(FailureClass::Overloaded, stuck.clone());
        }
        match self.finished.ending {
            Ending::Cancelled => return Outcome::Interrupted,
            Ending::TimedOut => {
                let detail = format!("it took longer than {} s", task.time_ms_max / 1_000);
                return failed(FailureClass::Timeout, detail);
            }
            Ending::Stalled => {
                let explains = |failure: &&Failure| {
                    matches!(failure.class, FailureClass::Limit { .. } | FailureClass::Overloaded)
                };
                if let Some(failure) = self.waited.as_ref().filter(explains) {
                    return Outcome::Failed(failure.clone());
                }
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
                let model = self.model.clone();
                let seen = Sighting { commands: self.tools.commands(), ..self.sighting.clone() };
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
fn plan(workspace: &Path, directory: &str) -> Option<Plan> {
    let mut plan = Plan::parse(&written(&workspace.join(directory).join("PLAN.md"))?);
    let spec = |task: &Task| {
        let path = test_spec_of(directory, &task.id);
        let text = written(&workspace.join(&path))?;
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
