//! Where an issue comes from: its directory, a file, or a forge.

use std::{fs, process::Command};

use autopilot_core::issue::{About, Lack, lacks};
use autopilot_engine::git::{self, ObjectId, RepoPath};
use serde_json::Value;

use crate::{
    args::StartIssue,
    commands::{engine_failure, run::slug},
    config::Forge,
    failure::Failure,
    project::{Project, read},
};

/// Where the documents of issues are.
const DIRECTORY: &str = "docs/issues";
/// A longer text of an issue is cut.
const TEXT_CHARS_MAX: usize = 100_000;

/// What is known of an issue.
pub(super) struct Source {
    pub(super) title: String,
    /// What it says, where its requirements are to be made from it.
    pub(super) text: String,
    /// The directory of its documents, below the project's root.
    pub(super) directory: String,
    labels: Vec<String>,
    /// Its requirements as of the last commit.
    pub(super) committed: Option<Vec<u8>>,
}

impl Source {
    /// Finds an issue: by its directory in the last commit, then by the file that was named, then at the forge.
    pub(super) fn find(
        project: &Project,
        repository: &git::Project,
        commit: &ObjectId,
        (number, options, forge): (u64, &StartIssue, Option<Forge>),
    ) -> Result<Self, Failure> {
        let mut source = match (directory_of(project, number)?, &options.from, forge) {
            (Some(directory), None, _) => Self::in_directory(repository, commit, directory)?,
            (found, Some(file), _) => {
                let text = String::from_utf8_lossy(&read(file)?).into_owned();
                Self::of_text(number, &text, found)
            }
            (None, None, Some(forge)) => ask(number, forge)?,
            (None, None, None) => return Err(unknown(number)),
        };
        source.labels.extend(options.label.iter().cloned());
        Ok(source)
    }

    /// What it lacks to be worked on without anybody being asked.
    pub(super) fn lacks(&self) -> Vec<Lack> {
        lacks(self.about().body, &self.labels)
    }

    pub(super) fn about(&self) -> About<'_> {
        let body = match &self.committed {
            Some(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
            None => &self.text,
        };
        About { labels: &self.labels, title: &self.title, body }
    }

    fn in_directory(
        repository: &git::Project,
        commit: &ObjectId,
        directory: String,
    ) -> Result<Self, Failure> {
        let path = format!("{directory}/prd.md");
        let found = RepoPath::new(path.as_bytes())
            .and_then(|path| repository.read_file_at(commit, &path))
            .map_err(|error| engine_failure(&error.into()))?;
        let bytes = found.ok_or_else(|| {
            Failure::refused(
                format!("the last commit has no `{path}`"),
                "what is asked for must stand where nobody changes it while the work goes on",
                "write it and commit it, or name a file with the issue's text (`--from FILE`)",
            )
        })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let title = title_of(&text).unwrap_or_else(|| directory.clone());
        Ok(Self {
            title,
            text: String::new(),
            directory,
            labels: Vec::new(),
            committed: Some(bytes),
        })
    }

    fn of_text(number: u64, text: &str, directory: Option<String>) -> Self {
        let title = title_of(text).unwrap_or_else(|| format!("issue {number}"));
        Self::of_issue(number, title, text, directory)
    }

    fn of_issue(number: u64, title: String, text: &str, directory: Option<String>) -> Self {
        let directory =
            directory.unwrap_or_else(|| format!("{DIRECTORY}/{number}-{}", slug(&title)));
        let text = text.chars().take(TEXT_CHARS_MAX).collect();
        Self { title, text, directory, labels: Vec::new(), committed: None }
    }
}

/// The first line that says anything; a front matter says nothing about the matter itself.
fn title_of(text: &str) -> Option<String> {
    let body = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
        Some((_, body)) => body,
        None => text,
    };
    let line = body.lines().map(|line| line.trim().trim_start_matches('#').trim());
    line.into_iter().find(|line| !line.is_empty() && *line != "---").map(str::to_owned)
}

/// The directory of an issue, as `docs/issues/42-greet`.
fn directory_of(project: &Project, number: u64) -> Result<Option<String>, Failure> {
    let Ok(entries) = fs::read_dir(project.root.join(DIRECTORY)) else { return Ok(None) };
    let is_plain = |name: &str| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let of_issue = |name: &String| {
        let digits = name.split_once('-').map_or(name.as_str(), |(digits, _)| digits);
        is_plain(name) && digits.parse::<u64>() == Ok(number)
    };
    let mut found: Vec<String> = names.filter(of_issue).collect();
    found.sort_unstable();
    match found.as_slice() {
        [] => Ok(None),
        [name] => Ok(Some(format!("{DIRECTORY}/{name}"))),
        several => Err(Failure::refused(
            format!("issue {number} has {} directories: {}", several.len(), several.join(", ")),
            "its log and its evidence must be in one place",
            "keep one of them",
        )),
    }
}

fn unknown(number: u64) -> Failure {
    Failure::refused(
        format!("issue {number} is not known: there is no `{DIRECTORY}/{number}-…`"),
        "there must be something that the work is measured by",
        "write `prd.md` there and commit it, name a file with the issue's text (`--from FILE`), or set `issue.forge`",
    )
}

/// Asks a forge for an issue, by its command line. The number is the only thing that is told.
fn ask(number: u64, forge: Forge) -> Result<Source, Failure> {
    let told = number.to_string();
    let (program, arguments) = match forge {
        Forge::Gh => ("gh", vec!["issue", "view", &told, "--json", "title,body,labels"]),
        Forge::Glab => ("glab", vec!["issue", "view", &told, "--output", "json"]),
    };
    let failed = |why: String| {
        Failure::refused(
            format!("`{program}` does not tell issue {number}: {why}"),
            "there must be something that the work is measured by",
            format!(
                "see that `{program} issue view {number}` works, or name a file with the issue's text (`--from FILE`)"
            ),
        )
    };
    let answer = Command::new(program).args(&arguments).output();
    let answer = answer.map_err(|error| failure_of(&failed, &error.to_string()))?;
    if !answer.status.success() {
        let why = String::from_utf8_lossy(&answer.stderr);
        return Err(failure_of(&failed, why.lines().next().unwrap_or("it failed")));
    }
    let value: Value = serde_json::from_slice(&answer.stdout)
        .map_err(|error| failure_of(&failed, &error.to_string()))?;
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let body = if text("body").is_empty() { text("description") } else { text("body") };
    let mut source = Source::of_issue(number, text("title"), &body, None);
    let labels = value["labels"].as_array().cloned().unwrap_or_default();
    // One tells names, the other one objects with them.
    let label =
        |label: &Value| label.as_str().or_else(|| label["name"].as_str()).map(str::to_owned);
    source.labels = labels.iter().filter_map(label).collect();
    Ok(source)
}

/// What others print does not reach the terminal as it is.
fn failure_of(failed: &dyn Fn(String) -> Failure, why: &str) -> Failure {
    failed(autopilot_views::clean(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_line_that_says_anything() {
        let cases = [
            ("# Greet\n\nmore", Some("Greet")),
            ("\n\nGreet them\n", Some("Greet them")),
            ("---\napproved: true\n---\n\n# Greet\n", Some("Greet")),
            ("", None),
        ];
        for (text, title) in cases {
            assert_eq!(title_of(text).as_deref(), title, "{text}");
        }
    }

    #[test]
    fn a_title_never_becomes_a_path_of_its_own() {
        let source = Source::of_text(7, "# ../../etc/passwd\n", None);
        assert_eq!(source.directory, "docs/issues/7-etc-passwd");
    }
}
