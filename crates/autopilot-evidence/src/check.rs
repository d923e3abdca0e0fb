//! Checks: commands that decide something, and what came of them.

use serde::{Deserialize, Serialize};

use super::{
    Criterion, Verdict,
    counts::{Counts, runner_of},
    pipe,
};

/// How much of a command's output is kept with its result.
pub const OUTPUT_CHARS_MAX: usize = 500;

/// What runs a command: its first words, and the command as the last.
const SHELL: [&str; 2] = ["sh", "-c"];

/// The words that a command is started with; its pipes end with the exit code of what they are about.
pub fn argv(command: &str) -> [String; 3] {
    let [shell, option] = SHELL;
    [shell.to_owned(), option.to_owned(), pipe::script(command).into_owned()]
}

/// What a check is there for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckKind {
    /// It must become true.
    #[default]
    Criterion,
    /// It must stay true.
    Guard,
}

/// A command that decides something, under the name by which people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// `3/2` is the second criterion of phase 3, `3-01/1` the first of task 3-01; a guard has the name that the
    /// configuration gives it.
    pub name: String,
    /// What it is there for.
    pub kind: CheckKind,
    /// What must hold, and the command that shows it.
    pub criterion: Criterion,
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// The check's name.
    pub name: String,
    /// What it is there for.
    pub kind: CheckKind,
    /// What must hold, in words.
    pub criterion: String,
    /// The command that was run, where there is one.
    pub command: Option<String>,
    /// Whether it holds, and if not, why.
    pub verdict: Verdict,
    /// The command's exit code, where it ended by itself.
    pub exit_code: Option<i32>,
    /// How many tests it ran, where it is a test command and tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The names of the tests it ran, where it tells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<String>,
    /// The end of what it printed.
    pub output: String,
    /// SHA-256 of what was looked at of its output.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output_sha256: String,
}

impl CheckResult {
    /// Whether tests ran and some of them failed.
    pub fn has_failed_tests(&self) -> bool {
        self.counts.is_some_and(|counts| counts.failed > 0)
    }

    /// Whether tests may have failed: some did, or the command failed before any could be counted, for want of what they
    /// call.
    pub fn was_red(&self) -> bool {
        let ran = self.counts.is_some_and(|counts| counts.executed() > 0);
        self.has_failed_tests() || (!ran && matches!(self.verdict, Verdict::Failed(_)))
    }

    /// Whether its command runs tests, and how many cannot be told.
    pub fn is_uncounted(&self) -> bool {
        let runs_tests = self.command.as_deref().is_some_and(|one| runner_of(one).is_some());
        self.counts.is_none() && runs_tests
    }

    /// What was seen, in words.
    pub fn seen(&self) -> &str {
        match &self.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed(why) | Verdict::Unproven(why) => why,
        }
    }
}

/// How many of a hundred criteria passed, rounded down; none of none.
pub fn passed_percent(results: &[CheckResult]) -> usize {
    let criteria = results.iter().filter(|result| result.kind == CheckKind::Criterion);
    let (all, passed) = criteria.fold((0, 0), |(all, passed), result| {
        (all + 1, passed + usize::from(result.verdict.is_passed()))
    });
    (passed * 100_usize).checked_div(all).unwrap_or(0)
}

/// What is wrong with a check, in words that an agent can act on.
pub(super) fn finding(result: &CheckResult, why: &str) -> String {
    let command = result.command.as_deref().unwrap_or("no command");
    let mut text = format!("{} (`{command}`): {why}", result.criterion);
    if !result.output.is_empty() {
        text.push_str("\nIt printed:\n");
        text.push_str(&result.output);
    }
    text
}
