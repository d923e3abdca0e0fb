//! What a plan must be like before anyone is paid to look at it.

use crate::{
    returns::{PlanCheck, Severity},
    roadmap::{Plan, Task},
};

/// How sure a plan-checker must be.
const CONFIDENCE_MIN: f64 = 7.0;

/// What is wrong with a plan, as far as code can tell.
pub(super) fn lint(plan: Option<&Plan>) -> Vec<String> {
    let Some(plan) = plan else {
        return vec!["no plan file was found where the prompt asked for one".to_owned()];
    };
    let mut issues: Vec<String> = plan
        .problems
        .iter()
        .map(|problem| format!("line {}: {}", problem.line, problem.message))
        .collect();
    if plan.tasks.is_empty() {
        issues.push("the plan has no task".to_owned());
    }
    for (at, task) in plan.tasks.iter().enumerate() {
        if plan.tasks[..at].iter().any(|earlier| earlier.id == task.id) {
            issues.push(format!("two tasks have the id {}", task.id));
        }
        issues.extend(task_issues(task));
    }
    issues
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

fn task_issues(task: &Task) -> Vec<String> {
    if task.kind.needs_a_person() {
        return Vec::new();
    }
    let mut issues: Vec<String> = Vec::new();
    for criterion in task.checks() {
        let why = criterion.objection();
        issues.extend(why.map(|why| format!("task {}: {}: {why}", task.id, criterion.text)));
    }
    if !task.checks().any(|criterion| criterion.command.is_some()) {
        issues.push(format!(
            "task {} has no criterion with a command (`… -- verified by: `cmd``), so it could never be proven",
            task.id
        ));
    }
    issues
}
