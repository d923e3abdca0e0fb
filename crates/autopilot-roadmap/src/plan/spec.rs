//! Test specs: the scripts of assertions that a planner writes beside the plan.
//!
//! A spec prints `PASS: x` or `FAIL: x` for each assertion and `RESULTS: p passed, f failed` at the end, and exits with 0
//! exactly when nothing failed. It is the planner's, whole, and stands as it is from the moment the plan does: whoever
//! carries out the task may add tests in other files, and an edit of this one is a request.

use serde::{Deserialize, Serialize};

use super::{Plan, Task, TaskId};
use autopilot_evidence::Criterion;

/// A test spec that was found beside a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestSpec {
    /// Its path below the project's root, as [`test_spec_of`] gives it.
    pub path: String,
    /// What stands in it.
    pub text: String,
}

/// The path of a task's test spec in the directory of its phase.
pub fn test_spec_of(directory: &str, task: &TaskId) -> String {
    format!("{}/tests/task-{task}.sh", directory.trim_end_matches('/'))
}

impl Plan {
    /// Its tasks, each with its test spec among its checks: a spec that nobody runs would show nothing.
    pub fn tasks_with_specs(&self, directory: &str) -> Vec<Task> {
        let with_spec = |task: &Task| {
            let mut task = task.clone();
            let path = test_spec_of(directory, &task.id);
            let is_written = self.specs.iter().any(|spec| spec.path == path);
            let is_named = |one: &Criterion| {
                one.command.as_ref().is_some_and(|command| command.contains(&path))
            };
            if is_written && !task.kind.needs_a_person() && !task.checks().any(is_named) {
                task.verify_commands.push(Criterion::of_command(&format!("bash {path}")));
            }
            task
        };
        self.tasks.iter().map(with_spec).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autopilot_evidence::counts::is_test_spec;

    #[test]
    fn e5_a_test_spec_is_run_whether_a_criterion_names_it_or_not() {
        let directory = ".planning/phases/1-lamp";
        let path = format!("{directory}/tests/task-1.sh");
        let run = |written: bool, criteria: &str, kind: &str| {
            let mut plan = Plan::parse(&format!(
                "<task type=\"{kind}\">\n<acceptance_criteria>\n{criteria}</acceptance_criteria>\n</task>\n"
            ));
            let spec = TestSpec { path: path.clone(), text: String::new() };
            plan.specs.extend(written.then_some(spec));
            let task = &plan.tasks_with_specs(directory)[0];
            let runs = |one: &Criterion| one.command == Some(format!("bash {path}"));
            task.checks().filter(|one| runs(one)).count()
        };
        let named = format!("- it holds -- verified by: `bash {path}`\n");
        let looked = "- it holds -- verified by: `test -f a`\n";
        assert_eq!((run(true, looked, "auto"), run(true, &named, "auto")), (1, 1));
        assert_eq!((run(true, looked, "checkpoint:decision"), run(false, looked, "auto")), (0, 0));
    }

    #[test]
    fn e5_the_path_of_a_test_spec_follows_from_its_task() {
        let task: TaskId = "24-01".parse().expect("an id");
        for directory in [".planning/phases/24-lamp", ".planning/phases/24-lamp/"] {
            let path = test_spec_of(directory, &task);
            assert_eq!(path, ".planning/phases/24-lamp/tests/task-24-01.sh");
            assert!(is_test_spec(&path));
        }
    }
}
