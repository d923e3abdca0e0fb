//! What a person is asked when a task is theirs.

use crate::{id::GateId, roadmap::Task, run::Run};

/// The most characters of one part of a question; the plan has the rest.
const PART_CHARS_MAX: usize = 2_000;

/// Everything that the task tells a person: what it is, what was done, how to look, what to decide.
pub(super) fn question(task: &Task) -> String {
    let name = if task.name.is_empty() { format!("task {}", task.id) } else { task.name.clone() };
    let mut text = name;
    if !task.action.is_empty() {
        text.push_str(&format!(": {}", bounded(&task.action)));
    }
    for (label, part) in
        [("how to verify", &task.verify), ("to decide", &task.question), ("done when", &task.done)]
    {
        if !part.is_empty() {
            text.push_str(&format!("\n{label}: {}", bounded(part)));
        }
    }
    text
}

/// Whether a run of phases may ask a question of this name.
pub fn may_ask(run: &Run, gate: &GateId) -> bool {
    if let Some(issue) = run.work.issue() {
        return issue.may_ask(gate);
    }
    let work = run.work.phases();
    let mut parts = gate.as_str().split('/');
    let phase = parts.next().and_then(|id| id.parse().ok());
    phase.is_some_and(|id| work.place(&id).is_some())
        && matches!(parts.next(), Some("human" | "change"))
        && parts.next().is_some_and(|rest| !rest.is_empty())
}

fn bounded(part: &str) -> String {
    match part.char_indices().nth(PART_CHARS_MAX) {
        Some((end, _)) => format!("{}… (cut; the plan has all of it)", &part[..end]),
        None => part.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roadmap::Plan;

    fn asked(body: &str) -> String {
        let plan = Plan::parse(&format!(
            "<task id=\"1\" type=\"checkpoint:decision\">\n{body}\n</task>\n"
        ));
        question(&plan.tasks[0])
    }

    #[test]
    fn everything_that_the_task_has_is_asked() {
        assert_eq!(
            asked("<name>Look</name>\n<how-to-verify>ok?</how-to-verify>"),
            "Look\nhow to verify: ok?"
        );
        assert_eq!(
            asked(
                "<name>Light</name>\n<what-built>A lamp</what-built>\n<how-to-verify>Open it</how-to-verify>\n\
                 <decision>Which colour?</decision>\n<options>\n<option id=\"a\"><name>red</name></option>\n\
                 <option id=\"b\"><name>white, if x < 3</name></option>\n</options>\n<done>seen</done>"
            ),
            "Light: A lamp\nhow to verify: Open it\nto decide: Which colour?\na: red\nb: white, if x < 3\ndone when: seen"
        );
        assert_eq!(asked("**How to verify:** look at it"), "task 1\nhow to verify: look at it");
    }

    #[test]
    fn a_long_part_is_cut_and_says_so() {
        let text = asked(&format!("<name>Look</name>\n<action>{}</action>", "é".repeat(5_000)));
        assert!(text.ends_with("… (cut; the plan has all of it)"), "{text}");
        assert!(text.chars().count() < PART_CHARS_MAX + 100);
    }
}
