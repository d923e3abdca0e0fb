//! What failed phases teach those that come after them.

use serde::{Deserialize, Serialize};

use crate::{policy::FailureCategory, roadmap::PhaseId};

/// How many lessons agents are told at most: the newest ones, so that prompts do not grow with the run.
pub const LESSONS_MAX: usize = 20;

/// What the failure of a phase teaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The phase.
    pub phase: PhaseId,
    /// What kind of failure it was.
    pub category: FailureCategory,
    /// What to do so that it does not happen again.
    pub rule: String,
}

/// Adds a lesson. The same rule twice teaches nothing new; it stays with the phase that failed last.
pub(super) fn add(lessons: &mut Vec<Lesson>, lesson: Lesson) {
    lessons.retain(|before| before.rule != lesson.rule);
    if lessons.len() == LESSONS_MAX {
        lessons.remove(0);
    }
    lessons.push(lesson);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c34_lessons_are_told_once_and_do_not_grow_without_end() {
        let mut lessons = Vec::new();
        for at in 1..=100_u32 {
            let phase: PhaseId = at.to_string().parse().expect("an id");
            let rule = format!("rule {}", at % 30);
            add(
                &mut lessons,
                Lesson { phase, category: FailureCategory::LintFailure, rule: rule.clone() },
            );
            add(&mut lessons, Lesson { phase, category: FailureCategory::LintFailure, rule });
        }
        assert_eq!(lessons.len(), LESSONS_MAX);
        assert_eq!(lessons.last().map(|last| last.phase.as_str()), Some("100"));
        assert_eq!(lessons[0].phase.as_str(), "81");
    }
}
