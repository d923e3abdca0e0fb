//! The result of running one criterion's command.

use serde::{Deserialize, Serialize};

use super::Verdict;

/// How much of a command's output is kept with its result.
pub const OUTPUT_CHARS_MAX: usize = 500;

/// What came of one criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// The criterion, in words.
    pub criterion: String,
    /// The command that was run, where there is one.
    pub command: Option<String>,
    /// Whether it holds, and if not, why.
    pub verdict: Verdict,
    /// The command's exit code, where it ended by itself.
    pub exit_code: Option<i32>,
    /// The end of what it printed.
    pub output: String,
}

impl CheckResult {
    /// What was seen, in words.
    pub fn seen(&self) -> &str {
        match &self.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed(why) | Verdict::Unproven(why) => why,
        }
    }
}

/// Whether every check passed, and there was at least one: an empty check is a failed check.
pub fn all_passed(results: &[CheckResult]) -> bool {
    !results.is_empty() && results.iter().all(|result| result.verdict.is_passed())
}

/// How many of a hundred checks passed, rounded down; none of none.
pub fn passed_percent(results: &[CheckResult]) -> usize {
    let passed = results.iter().filter(|result| result.verdict.is_passed()).count();
    (passed * 100).checked_div(results.len()).unwrap_or(0)
}

/// What did not pass, in words that an agent can act on.
pub fn findings(results: &[CheckResult]) -> Vec<String> {
    if results.is_empty() {
        return vec!["no criterion could be checked, so nothing is proven".to_owned()];
    }
    results.iter().filter(|result| !result.verdict.is_passed()).map(finding).collect()
}

fn finding(result: &CheckResult) -> String {
    let command = result.command.as_deref().unwrap_or("no command");
    let mut text = format!("{} (`{command}`): {}", result.criterion, result.seen());
    if !result.output.is_empty() {
        text.push_str("\nIt printed:\n");
        text.push_str(&result.output);
    }
    text
}
