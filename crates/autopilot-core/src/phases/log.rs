//! What is noted of a phase while it goes on, for the papers that it leaves in its directory.

use serde::{Deserialize, Serialize};

use crate::{
    budget::Spend,
    evidence::{CheckResult, Verdict},
    fact::End,
    id::{CommitId, Key},
    phases::{Active, PhaseFact, Stage, Status},
    report::{Action, Span, SpanStatus},
    returns::Standalone,
    roadmap::{Complexity, PhaseId, Task},
    role::Role,
    sessions::clock::seconds,
    time::Timestamp,
};

/// How many spans of a phase are noted; what comes after is counted.
pub const SPANS_MAX: usize = 1_000;

/// What is noted of a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// What became of each task, in order.
    pub tasks: Vec<TaskNote>,
    /// The last time that an agent came to the end of what it can remember.
    pub handoff: Option<Handoff>,
    /// New files that nothing refers to, each with why nothing must.
    pub justified: Vec<Standalone>,
    /// The same of its parts, each with its directory.
    pub parts: Vec<(String, Self)>,
    /// What was done, span by span.
    pub spans: Vec<Span>,
    /// How many more there were.
    pub spans_left_out: u32,
    /// Whether there was a plan before anybody was asked for one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub had_plan: bool,
}

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskNote {
    /// The task.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The commit that holds it, where it is done.
    pub commit: Option<CommitId>,
    /// Why it was given up, where it was.
    pub why: Option<String>,
    /// What was run to see whether it is done: the command, and whether it passed or why not.
    pub checks: Vec<(String, Option<String>)>,
    /// How often it was repaired.
    pub repairs: u32,
}

/// An agent came to the end of what it can remember.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handoff {
    /// When.
    pub at: Timestamp,
    /// In which step.
    pub step: String,
    /// What is known of it.
    pub why: String,
    /// What it left, where it works on files.
    pub work: Option<CommitId>,
    /// The last commit of the phase then.
    #[serde(default)]
    pub head: Option<CommitId>,
    /// What was done then.
    #[serde(default)]
    pub done: Vec<DoneTask>,
    /// What was not.
    #[serde(default)]
    pub left: Vec<LeftTask>,
    /// The last thing that had gone well.
    #[serde(default)]
    pub last: Option<String>,
}

/// A task that was over when an agent came to the end of what it can remember.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoneTask {
    /// The task.
    pub id: String,
    /// The commit that holds it; none where it was given up.
    pub commit: Option<CommitId>,
    /// The files that it is about.
    pub files: Vec<String>,
}

/// A task that was not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftTask {
    /// The task.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How hard it is said to be.
    pub complexity: Option<Complexity>,
}

impl Handoff {
    /// How things stand, whatever comes later.
    fn of(
        active: &Active,
        at: Timestamp,
        (step, why): (&str, &str),
        work: Option<&CommitId>,
    ) -> Self {
        let files = |id: &str| {
            let task = active.tasks.iter().find(|task| task.id.as_str() == id);
            task.map(|task| task.files.clone()).unwrap_or_default()
        };
        let done = active.log.tasks.iter().map(|note| DoneTask {
            id: note.id.clone(),
            commit: note.commit.clone(),
            files: files(&note.id),
        });
        let left = active.tasks.iter().skip(active.ends.len()).map(|task| LeftTask {
            id: task.id.to_string(),
            name: task.name.clone(),
            complexity: task.complexity,
        });
        let went_well = |span: &&Span| span.status == SpanStatus::Success;
        let last = active.log.spans.iter().rev().find(went_well);
        Self {
            at,
            step: step.to_owned(),
            why: why.to_owned(),
            work: work.cloned(),
            head: Some(active.head.clone()),
            done: done.collect(),
            left: left.collect(),
            last: last.map(|span| format!("{}: {}", span.step, span.input_summary)),
        }
    }
}

impl Log {
    /// Takes in a fact about the phase; `active` is the phase before it.
    pub(super) fn take(active: &mut Active, phase: PhaseId, fact: &PhaseFact, now: Timestamp) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is not told in papers")]
        match fact {
            PhaseFact::TaskDone { task, commit } => {
                let note = TaskNote { commit: Some(commit.clone()), ..note(active, *task) };
                active.log.tasks.push(note);
            }
            PhaseFact::TaskGivenUp { task, why, .. } => {
                let note = TaskNote { why: Some(why.clone()), ..note(active, *task) };
                active.log.tasks.push(note);
            }
            PhaseFact::HandedOff { step, why, work } => {
                active.log.handoff =
                    Some(Handoff::of(active, now, (step.as_str(), why.as_str()), work.as_ref()));
            }
            PhaseFact::Justified { files } => active.log.justified.extend(files.iter().cloned()),
            // What was done for a plan that nobody follows any more is in the history.
            PhaseFact::PlanStands { .. } => active.log.tasks.clear(),
            _ => {}
        }
        if let Some((input, output, status)) = decision(fact) {
            let span = Span {
                timestamp: seconds(now),
                phase_id: phase.to_string(),
                step: name_of(&active.stage).to_owned(),
                action: Action::Decision,
                input_summary: input.to_owned(),
                output_summary: output,
                duration_ms: 0,
                status,
            };
            active.log.add(span);
        }
    }

    /// Takes in that a step has ended.
    fn ended(active: &mut Active, phase: PhaseId, ended: &Ended<'_>) {
        // Putting the phase on its branch is repeated after a crash, and must give the same commit.
        if matches!(active.stage, Stage::Integrate(_) | Stage::Reject(_)) {
            return;
        }
        let (status, output) = match ended.end {
            End::Done => (SpanStatus::Success, "done".to_owned()),
            End::Failed(failure) => {
                let text = format!("{}: {}", failure.class.name(), failure.detail);
                (SpanStatus::Failure, text)
            }
            End::Limited(failure) => (SpanStatus::Skipped, failure.detail.clone()),
            End::Lost | End::Interrupted => return,
        };
        let (action, input) = match active.stage.role() {
            Some(role) => (Action::AgentSpawn, format!("{role} ({})", ended.agent)),
            None if runs_commands(&active.stage) => (Action::CommandRun, ended.step.to_owned()),
            None => (Action::ToolCall, ended.step.to_owned()),
        };
        let began = ended.at.minus_ms(ended.spent.busy_ms);
        let span = Span {
            timestamp: seconds(began),
            phase_id: phase.to_string(),
            step: name_of(&active.stage).to_owned(),
            action,
            input_summary: input,
            output_summary: output,
            duration_ms: ended.spent.busy_ms,
            status,
        };
        active.log.add(span);
    }

    pub(super) fn add(&mut self, span: Span) {
        if self.spans.len() < SPANS_MAX {
            self.spans.push(span.shortened());
        } else {
            self.spans_left_out = self.spans_left_out.saturating_add(1);
        }
    }
}

/// A step that has ended.
struct Ended<'a> {
    at: Timestamp,
    step: &'a str,
    end: &'a End,
    spent: &'a Spend,
    agent: &'a str,
}

fn note(active: &Active, task: usize) -> TaskNote {
    let named = active.tasks.get(task);
    let result = |result: &CheckResult| {
        let command = result.command.clone().unwrap_or_else(|| result.name.clone());
        let why = match &result.verdict {
            Verdict::Passed => None,
            Verdict::Failed(why) | Verdict::Unproven(why) => Some(why.clone()),
        };
        (command, why)
    };
    // A person's task is checked by nobody else.
    let is_checked = named.is_some_and(|task| !task.kind.needs_a_person());
    let checked = active.checked.iter().filter(|_| is_checked);
    TaskNote {
        id: named.map(|task: &Task| task.id.to_string()).unwrap_or_default(),
        name: named.map(|task| task.name.clone()).unwrap_or_default(),
        commit: None,
        why: None,
        checks: checked.map(result).collect(),
        repairs: active.tries.task_fixes,
    }
}

/// What was decided, where a fact is a decision that people want to trace.
fn decision(fact: &PhaseFact) -> Option<(&'static str, String, SpanStatus)> {
    let passed = |pass: bool| if pass { SpanStatus::Success } else { SpanStatus::Failure };
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the rest follows from steps, which are told"
    )]
    Some(match fact {
        PhaseFact::Planned { tasks, .. } => {
            ("the plan", format!("{} tasks", tasks.len()), SpanStatus::Success)
        }
        PhaseFact::PlanSentBack { issues } => ("the plan", issues.join("; "), SpanStatus::Failure),
        PhaseFact::TaskDone { commit, .. } => {
            ("a task", format!("done in {commit}"), SpanStatus::Success)
        }
        PhaseFact::TaskGivenUp { why, .. } => ("a task", why.clone(), SpanStatus::Failure),
        PhaseFact::HandedOff { why, .. } => ("a handoff", why.clone(), SpanStatus::Failure),
        PhaseFact::Verified { pass, failures, .. } => {
            ("the verifier's word", failures.join("; "), passed(*pass))
        }
        PhaseFact::Judged { recommendation, concerns, .. } => {
            let text = format!("{}: {}", recommendation.name(), concerns.join("; "));
            ("the judge's word", text, SpanStatus::Success)
        }
        PhaseFact::Rated { score, .. } => {
            ("the rater's word", format!("{score}/10"), SpanStatus::Success)
        }
        PhaseFact::SentBack { to, findings } => {
            (to.name(), findings.join("; "), SpanStatus::Failure)
        }
        _ => return None,
    })
}

/// Whether commands are run in a stage.
const fn runs_commands(stage: &Stage) -> bool {
    matches!(
        stage,
        Stage::Triage
            | Stage::Origin
            | Stage::OriginCanary(_)
            | Stage::Baseline
            | Stage::TaskCheck(..)
            | Stage::RequestCheck(..)
            | Stage::Replay
            | Stage::Canary
            | Stage::Look
            | Stage::Seed(_)
            | Stage::RepairCheck(_)
    )
}

/// The step in whose file a stage is told: one of the nine, or the repair between them.
pub(super) fn name_of(stage: &Stage) -> &'static str {
    match stage.role() {
        Some(Role::Debugger) => "debug",
        _ => NAMES[stage.shown_as()],
    }
}

/// The nine steps as files name them.
const NAMES: [&str; 9] =
    ["preflight", "triage", "research", "plan", "plan_check", "execute", "verify", "judge", "rate"];

impl crate::phases::Phases {
    /// Notes the end of a step for the papers of its phase.
    pub(crate) fn trace(
        &mut self,
        key: &Key,
        end: &End,
        spent: &Spend,
        (at, agent): (Timestamp, &str),
    ) {
        let Some((place, phase, _)) = self.active_at(&key.step) else { return };
        let id = phase.spec.id;
        if let Status::Active(active) = &mut self.list[place].status {
            let ended = Ended { at, step: key.step.as_str(), end, spent, agent };
            Log::ended(active, id, &ended);
        }
    }
}
