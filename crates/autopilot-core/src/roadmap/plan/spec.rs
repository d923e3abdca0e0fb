//! Test specs: the scripts of assertions that a planner writes beside the plan.
//!
//! A spec prints `PASS: x` or `FAIL: x` for each assertion and `RESULTS: p passed, f failed` at the end, and exits with 0
//! exactly when nothing failed. It is the planner's, whole, and stands as it is from the moment the plan does: whoever
//! carries out the task may add tests in other files, and an edit of this one is a request.

use serde::{Deserialize, Serialize};

use super::TaskId;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::counts::is_test_spec;

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
