//! What a plan must be like before anyone is paid to look at it.
//!
//! Start at [`lint`]; [`RULES`] is all of it in one table. Looking at a plan is total: any plan gives findings, none a crash.

mod coverage;
mod plan;
mod task;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    evidence::Criterion,
    phases::PhaseSpec,
    returns::{PlanCheck, Severity},
    roadmap::{Plan, Task, TaskId},
};

/// How sure a plan-checker must be.
const CONFIDENCE_MIN: f64 = 7.0;

/// The most findings about one plan; a plan with more has said enough.
const FINDINGS_MAX: usize = 100;

/// Something that a rule has found in a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The rule, by its id in [`RULES`]; `no-plan` where there was nothing to look at.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// The task it is about; none where it is about the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The line of the plan to look at.
    pub line: u32,
    /// What was found, and what to do about it.
    pub what: String,
}

/// A rule for plans.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The name by which findings tell of it.
    pub id: &'static str,
    /// How bad it is to break it.
    pub severity: Severity,
    /// What it asks for.
    pub asks: &'static str,
    look: Look,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
enum Look {
    /// The plan as a whole.
    Plan(fn(&Plan, &PhaseSpec) -> Vec<Found>),
    /// Each task that an agent does.
    Task(fn(&Task, &Plan, &PhaseSpec) -> Option<String>),
    /// Each criterion of each such task.
    Criterion(fn(&Criterion) -> Option<String>),
}

/// Where a rule about the whole plan has found something.
struct Found {
    task: Option<TaskId>,
    line: u32,
    what: String,
}

/// Every rule, in the order in which findings are told.
pub const RULES: [Rule; 27] = [
    blocker("unreadable", "the plan can be read as a plan", Look::Plan(plan::unreadable)),
    blocker("no-task", "there is a task", Look::Plan(plan::no_task)),
    blocker("duplicate-id", "no two tasks have one id", Look::Plan(plan::duplicate_id)),
    blocker(
        "missing-field",
        "files, action, verify and done are told",
        Look::Task(task::missing_field),
    ),
    blocker("thin-action", "an action has 20 words or more", Look::Task(task::thin_action)),
    blocker(
        "generic-action",
        "an action says something about this task",
        Look::Task(task::generic_action),
    ),
    blocker("stub", "nothing is left to be filled in", Look::Task(task::stub)),
    blocker("no-proof", "a command shows that the task is done", Look::Task(task::no_proof)),
    blocker(
        "trace-alone",
        "what is traced is shown by a command too",
        Look::Task(task::trace_alone),
    ),
    blocker("prose", "no phrase stands in the place of proof", Look::Criterion(task::prose)),
    blocker(
        "no-command",
        "a criterion has a command or is traced",
        Look::Criterion(task::no_command),
    ),
    blocker(
        "unreadable-check",
        "what is expected can be read",
        Look::Criterion(task::unreadable_check),
    ),
    blocker(
        "hidden-exit",
        "a command fails when the work is wrong",
        Look::Criterion(task::hidden_exit),
    ),
    blocker("grep-only", "something is run, not only looked at", Look::Task(task::grep_only)),
    blocker("spec-missing", "a test spec that is run is there", Look::Task(task::spec_missing)),
    blocker("spec-form", "a test spec tells what it found", Look::Task(task::spec_form)),
    blocker(
        "requirement-uncovered",
        "every requirement has a task",
        Look::Plan(coverage::requirements),
    ),
    blocker("unknown-task", "tasks that are named are there", Look::Plan(plan::unknown_task)),
    blocker("cycle", "no task waits for itself", Look::Plan(plan::cycle)),
    warning(
        "criterion-uncovered",
        "every criterion of the phase has a task",
        Look::Plan(coverage::criteria),
    ),
    warning("task-count", "a plan has two to five tasks", Look::Plan(plan::task_count)),
    warning("no-complexity", "a task says how complex it is", Look::Task(task::no_complexity)),
    warning(
        "untraced-handler",
        "a handler is traced to what it does",
        Look::Task(task::untraced_handler),
    ),
    warning("weight", "a weight can be read", Look::Criterion(task::weight)),
    info("no-spec", "a task has a test spec", Look::Task(task::no_spec)),
    info("batched", "more than eight tasks are a lot for one plan", Look::Plan(plan::batched)),
    info("wave-split", "tasks of one wave share no file", Look::Plan(plan::wave_split)),
];

const fn blocker(id: &'static str, asks: &'static str, look: Look) -> Rule {
    Rule { id, severity: Severity::Blocker, asks, look }
}

const fn warning(id: &'static str, asks: &'static str, look: Look) -> Rule {
    Rule { id, severity: Severity::Warning, asks, look }
}

const fn info(id: &'static str, asks: &'static str, look: Look) -> Rule {
    Rule { id, severity: Severity::Info, asks, look }
}

/// Everything that the rules find in the plan of a phase.
pub fn lint(plan: Option<&Plan>, phase: &PhaseSpec) -> Vec<Finding> {
    let Some(plan) = plan else {
        return vec![Finding {
            rule: "no-plan".to_owned(),
            severity: Severity::Blocker,
            task: None,
            line: 1,
            what: "no plan file was found where the prompt asked for one".to_owned(),
        }];
    };
    let found = RULES.iter().flat_map(|rule| rule.findings(plan, phase));
    found.take(FINDINGS_MAX).collect()
}

impl Rule {
    fn findings(&self, plan: &Plan, phase: &PhaseSpec) -> Vec<Finding> {
        let of_agents = plan.tasks.iter().filter(|task| !task.kind.needs_a_person());
        let about =
            |task: &Task, what| Found { task: Some(task.id.clone()), line: task.line, what };
        let found: Vec<Found> = match self.look {
            Look::Plan(look) => look(plan, phase),
            Look::Task(look) => of_agents
                .filter_map(|task| look(task, plan, phase).map(|what| about(task, what)))
                .collect(),
            Look::Criterion(look) => of_agents
                .flat_map(|task| task.checks().map(move |criterion| (task, criterion)))
                .filter_map(|(task, criterion)| {
                    let what = look(criterion)?;
                    Some(about(task, format!("{}: {what}", words::excerpt(&criterion.text))))
                })
                .collect(),
        };
        let finding = |Found { task, line, what }| Finding {
            rule: self.id.to_owned(),
            severity: self.severity,
            task,
            line,
            what,
        };
        found.into_iter().map(finding).collect()
    }
}

impl Finding {
    /// Whether the plan cannot stand with it.
    pub fn is_blocker(&self) -> bool {
        self.severity == Severity::Blocker
    }

    /// Whether it is worth telling to whoever does a task: a warning about that task. What is wrong with the plan as a
    /// whole is nothing that they could mend.
    pub fn concerns(&self, task: &TaskId) -> bool {
        self.severity == Severity::Warning && self.task.as_ref() == Some(task)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Blocker => "blocker",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        write!(f, "{severity} {} (", self.rule)?;
        if let Some(task) = &self.task {
            write!(f, "task {task}, ")?;
        }
        write!(f, "line {}): {}", self.line, self.what)
    }
}

/// Why a plan-checker's word does not let the plan stand.
pub(super) fn objections(check: &PlanCheck) -> Vec<String> {
    let blockers = check.issues.iter().filter(|issue| issue.severity == Severity::Blocker);
    let mut issues: Vec<String> = blockers
        .map(|issue| match &issue.fix_hint {
            Some(hint) => format!("{} ({hint})", issue.description),
            None => issue.description.clone(),
        })
        .collect();
    if issues.is_empty() && !check.pass {
        issues.extend(check.issues.iter().map(|issue| issue.description.clone()));
        if issues.is_empty() {
            issues.push("the plan-checker rejected the plan without saying why".to_owned());
        }
    }
    if issues.is_empty() && check.confidence < CONFIDENCE_MIN {
        issues.push(format!("the plan-checker is only {} of 10 sure of it", check.confidence));
    }
    issues
}
