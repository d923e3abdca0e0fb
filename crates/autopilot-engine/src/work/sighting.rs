//! What is seen of an agent beside what it says: the tools it used, and whether the places it names are there.

use std::{collections::BTreeMap, path::Path};

use autopilot_agents::ToolKind;
use autopilot_core::{
    evidence::{Place, places_in},
    id::CommitId,
    role::Role,
};
use serde_json::Value;

use super::{Workshop, keep::hidden, tree::object};
use crate::{error::EngineError, git::RepoPath};

/// How many commands of an agent are kept.
const COMMANDS_MAX: usize = 200;
/// A longer command is cut.
const COMMAND_CHARS_MAX: usize = 500;
/// How many changed files are told.
pub(super) const CHANGED_MAX: usize = 500;

/// The tools that an agent tells of.
#[derive(Debug)]
pub(super) struct Tooling {
    tells: bool,
    commands: Vec<String>,
}

impl Tooling {
    /// The tools of an agent; `tells` says whether its stream tells of every one, also where there is none to tell of.
    pub(super) fn of(tells: bool) -> Self {
        Self { tells, commands: Vec::new() }
    }

    pub(super) fn note(&mut self, kind: ToolKind, what: &str) {
        self.tells = true;
        if kind == ToolKind::Command && self.commands.len() < COMMANDS_MAX {
            self.commands.push(what.chars().take(COMMAND_CHARS_MAX).collect());
        }
    }

    /// The same tools with those that another turn used.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.tells |= other.tells;
        self.commands.extend(other.commands);
        self.commands.truncate(COMMANDS_MAX);
        self
    }

    /// The commands that were seen. Who tells of no tool at all was not seen doing nothing: nobody could look.
    pub(super) fn commands(&self) -> Option<Vec<String>> {
        self.tells.then(|| self.commands.clone())
    }
}

impl Workshop {
    /// The lines of files that a return names and that are there: in a commit, not in what the agent made of it.
    pub(super) fn places(
        &self,
        returned: &Value,
        commit: &CommitId,
        workspace: &Path,
    ) -> Result<Vec<Place>, EngineError> {
        let commit = object(commit)?;
        let mut lines: BTreeMap<String, u64> = BTreeMap::new();
        let mut there = Vec::new();
        for place in places_in(returned) {
            let path = below(&place.path, workspace);
            let count = match lines.get(path) {
                Some(count) => *count,
                None => {
                    // What cannot be read shows nothing, whyever.
                    let read = |path: RepoPath| self.project.read_file_at(&commit, &path).ok();
                    let file = RepoPath::new(path).ok().and_then(read).flatten();
                    let count = file.map_or(0, |bytes| lines_in(&bytes));
                    lines.insert(path.to_owned(), count);
                    count
                }
            };
            if u64::from(place.line) <= count {
                there.push(place);
            }
        }
        Ok(there)
    }
}

/// A path without the directory that the agent worked in: many name files from the root of the machine.
fn below<'a>(path: &'a str, workspace: &Path) -> &'a str {
    let root = workspace.to_string_lossy();
    path.strip_prefix(root.as_ref()).map_or(path, |rest| rest.trim_start_matches('/'))
}

/// How many lines a file has; the last one may lack its end.
fn lines_in(bytes: &[u8]) -> u64 {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let rest = usize::from(bytes.last().is_some_and(|byte| *byte != b'\n'));
    u64::try_from(ends + rest).unwrap_or(u64::MAX)
}

/// The files that a diff is about. Only a line of git's own begins like this: those of files have a mark in front.
pub(super) fn changed_in(diff: &str) -> Vec<String> {
    let headers = diff.lines().filter_map(|line| line.strip_prefix("diff --git a/"));
    let path = |rest: &str| {
        // The same name twice, with ` b/` between.
        let length = rest.len().checked_sub(" b/".len())? / 2;
        rest.get(..length).map(str::to_owned)
    };
    headers.filter_map(path).take(CHANGED_MAX).collect()
}

/// A diff without the files that hold what others think: whoever may not see them must not read them here either.
pub(super) fn without_opinions(diff: &str) -> String {
    // Where it must be, and `/NAME`, or how the name ends where it may begin with anything.
    let parts = |pattern: &'static str| {
        let (place, name) = pattern.split_once("**").unwrap_or(("", pattern));
        (format!("b/{place}"), name.strip_prefix("/*").unwrap_or(name))
    };
    let names: Vec<(String, &str)> = hidden(Role::Rater).map(parts).collect();
    let is_wish = |path: &str| path.contains("/.planning/phases/") && path.ends_with("/CONTEXT.md");
    let mut is_shown = true;
    let mut shown = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        if line.starts_with("diff --git ") {
            let header = line.trim_end().trim_end_matches('"');
            let is_there = |place: &str| {
                let at = header.rfind(place).and_then(|at| header[..at].chars().next_back());
                place == "b/" || matches!(at, Some(' ' | '"'))
            };
            let is_hidden =
                |(place, name): &(String, &str)| header.ends_with(name) && is_there(place);
            is_shown = !names.iter().any(is_hidden) && !is_wish(header);
        }
        if is_shown {
            shown.push_str(line);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c15_what_hidden_files_say_is_not_in_the_change_that_is_shown_either() {
        let part = |path: &str| {
            format!(
                "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -0,0 +1 @@\n+in {path}\n"
            )
        };
        let hidden = [
            "VERIFICATION.md",
            "a/JUDGE-REPORT.md",
            "a/b/SCORECARD.md",
            "x/EXECUTION-LOG.md",
            "x/judge-trace.jsonl",
            "x/TRACE.jsonl",
            ".planning/phases/1-a/TRIAGE.json",
            ".planning/phases/1-a/1b/RESEARCH.md",
        ];
        let shown = [
            "a.rs",
            "NOT-VERIFICATION.md",
            "VERIFICATION.md.txt",
            "z/README.md",
            "z/TRACE.jsonl.rs",
            "trace.rs",
            "docs/RESEARCH.md",
            "x/.planning/phases/1/TRIAGE.json",
        ];
        let all: String =
            hidden.iter().zip(shown).map(|(one, other)| part(one) + &part(other)).collect();
        assert_eq!(without_opinions(&all), shown.map(part).concat());
        let quoted = "diff --git \"a/\\303\\244/VERIFICATION.md\" \"b/\\303\\244/VERIFICATION.md\"\n+secret\n";
        assert_eq!(without_opinions(quoted), "");
    }

    #[test]
    fn the_files_of_a_diff_are_told_by_gits_own_lines_alone() {
        let diff = "diff --git a/src/a b/c.rs b/src/a b/c.rs\nindex 1..2\n--- a/src/a b/c.rs\n+++ b/src/a b/c.rs\n@@ -1 +1 @@\n\
                    -diff --git a/x b/x\n+diff --git a/y b/y\n diff --git a/z b/z\ndiff --git a/n b/n\n";
        assert_eq!(changed_in(diff), ["src/a b/c.rs", "n"]);
        assert_eq!(changed_in("diff --git a/"), [""; 0]);
    }

    #[test]
    fn c27_who_tells_of_no_tool_was_not_seen_doing_nothing() {
        assert_eq!(Tooling::of(true).commands(), Some(Vec::new()));
        let mut tools = Tooling::of(false);
        assert_eq!(tools.commands(), None);
        tools.note(ToolKind::Read, "a");
        assert_eq!(tools.commands(), Some(Vec::new()));
        tools.note(ToolKind::Command, "true");
        assert_eq!(tools.commands(), Some(vec!["true".to_owned()]));
    }
}
