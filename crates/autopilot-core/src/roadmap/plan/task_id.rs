//! The id of a task: safe in paths, git refs and commit messages.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use super::super::title;

/// The longest id of a task.
const TASK_ID_BYTES_MAX: usize = 40;

/// The id of a task, such as `24-01`.
///
/// It starts with a letter or digit, goes on with letters, digits, `.`, `_` and `-`, and has at
/// most 40 characters; it never holds `..` and never ends in `.` or `.lock`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(String);

/// A text that cannot be the id of a task.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{raw}` is not a task id (letters, digits, `.`, `_` and `-`, at most 40)")]
pub struct TaskIdError {
    raw: String,
}

impl TaskId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id of a task that states none.
    pub(super) fn of_place(place: usize) -> Self {
        Self(place.to_string())
    }
}

/// The ids in a list such as `24-01, 24-02` or `Task 1 and Task 2 (the reader)`, as written; none of `none`.
pub(super) fn listed(text: &str) -> Vec<String> {
    const NO_IDS: [&str; 9] = ["", "and", "none", "nothing", "task", "tasks", "-", "—", "–"];
    let mut depth = 0_usize;
    let outside: String = text
        .chars()
        .filter(|c| {
            depth = depth.saturating_add(usize::from(*c == '('));
            let is_outside = depth == 0;
            depth = depth.saturating_sub(usize::from(*c == ')'));
            is_outside
        })
        .collect();
    let words = outside.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '+' | '/'));
    words
        .map(|word| word.trim_matches(|c: char| "`*[]\"'#.:".contains(c)))
        .filter(|word| !NO_IDS.contains(&word.to_ascii_lowercase().as_str()))
        .map(title::clean)
        .collect()
}

impl FromStr for TaskId {
    type Err = TaskIdError;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let valid = raw.len() <= TASK_ID_BYTES_MAX
            && raw.starts_with(|c: char| c.is_ascii_alphanumeric())
            && raw.chars().all(allowed)
            && !raw.contains("..")
            && !raw.ends_with('.')
            && !raw.to_ascii_lowercase().ends_with(".lock");
        if valid {
            Ok(Self(raw.to_owned()))
        } else {
            let raw = raw.chars().filter(|c| !c.is_control());
            Err(TaskIdError { raw: raw.take(TASK_ID_BYTES_MAX).collect() })
        }
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for TaskId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
