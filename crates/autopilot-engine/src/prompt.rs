//! Turns a brief into the prompt of a role.

use autopilot_core::{effect::AgentTask, returns, role::Role};
use minijinja::{
    Environment, context,
    value::{Serde, Value},
};

/// The templates, by name. A role's template carries its name; parts begin with an underscore.
const TEMPLATES: [(&str, &str); 12] = [
    ("_head", include_str!("prompts/_head.md")),
    ("_tail", include_str!("prompts/_tail.md")),
    ("_findings", include_str!("prompts/_findings.md")),
    ("_diff", include_str!("prompts/_diff.md")),
    ("researcher", include_str!("prompts/researcher.md")),
    ("planner", include_str!("prompts/planner.md")),
    ("plan-checker", include_str!("prompts/plan-checker.md")),
    ("executor", include_str!("prompts/executor.md")),
    ("debugger", include_str!("prompts/debugger.md")),
    ("verifier", include_str!("prompts/verifier.md")),
    ("judge", include_str!("prompts/judge.md")),
    ("rater", include_str!("prompts/rater.md")),
];

/// Writes the prompt for a task; `diff` is the change under review, for roles that see one.
pub fn prompt(task: &AgentTask, diff: &str) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    let schema = serde_json::to_string_pretty(&returns::schema(task.role)).unwrap_or_default();
    environment.get_template(task.role.name())?.render(context! {
        role => task.role.name(),
        phase => task.phase.as_str(),
        schema,
        diff,
        ..Value::from(Serde(&task.brief))
    })
}

/// Whether a role can be asked to do something yet.
pub fn has_prompt(role: Role) -> bool {
    TEMPLATES.iter().any(|(name, _)| *name == role.name())
}
