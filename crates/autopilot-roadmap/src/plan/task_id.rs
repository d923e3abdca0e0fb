//! The id of a task: safe in paths, git refs and commit messages.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use super::{super::title, Task};

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

/// The place of the task that is meant by `24-01`, or by `24-1` or `1` where no other task could be.
pub(super) fn place_of(tasks: &[Task], named: &str) -> Option<usize> {
    if let Some(place) = tasks.iter().position(|task| task.id.as_str() == named) {
        return Some(place);
    }
    let wanted = pieces(named);
    let is_meant = |task: &Task| pieces(task.id.as_str()).ends_with(&wanted);
    let mut meant = tasks.iter().enumerate().filter(|(_, task)| is_meant(task));
    match (meant.next(), meant.next()) {
        (Some((place, _)), None) if !named.is_empty() => Some(place),
        _ => None,
    }
}

/// Whether an id is that of a task in another phase: `23-01` in phase 24.
pub fn is_of_another_phase(named: &str, phase: &str) -> bool {
    let (named, phase) = (pieces(named), pieces(phase));
    let is_number = |piece: &String| piece.bytes().all(|byte| byte.is_ascii_digit());
    named.len() > 1 && named.iter().all(is_number) && !named.starts_with(&phase)
}

/// What an id is made of, without what can be left out of it: `24-01` and `24.1` are the same.
fn pieces(id: &str) -> Vec<String> {
    let piece = |piece: &str| match piece.trim_start_matches('0') {
        "" if !piece.is_empty() => "0".to_owned(),
        bare => bare.to_ascii_lowercase(),
    };
    id.split(['-', '.', '_']).map(piece).collect()
}

/// Whether a word looks like an id: `24-7` beside `24-01`.
pub(super) fn is_alike(word: &str, id: &TaskId) -> bool {
    let shape = |text: &str| {
        let mut shape: Vec<char> =
            text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        shape.dedup_by(|one, other| *one == '0' && *other == '0');
        shape
    };
    word.contains(|c: char| c.is_ascii_digit()) && shape(word) == shape(id.as_str())
}

/// The ids in a list such as `24-01, 24-02` or `Task 1 and Task 2 (the reader)`, as written; none of `none`.
pub(super) fn listed(text: &str) -> Vec<String> {
    const NO_IDS: [&str; 12] =
        ["and", "none", "null", "no", "nil", "nothing", "n/a", "task", "tasks", "-", "—", "–"];
    /// What comes after these is something else's number.
    const OTHERS: [&str; 8] =
        ["phase", "phases", "plan", "plans", "wave", "step", "steps", "version"];
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
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '+');
    let mut of_another = false;
    let is_id = |word: &&str| {
        let word = word.to_ascii_lowercase();
        let is_other = OTHERS.contains(&word.as_str());
        let was_other = std::mem::replace(&mut of_another, is_other);
        !is_other && !was_other && !NO_IDS.contains(&word.as_str())
    };
    outside
        .split(is_between)
        .map(|word| word.trim_matches(|c: char| "`*[]\"'#.:".contains(c)))
        .filter(|word| !word.is_empty())
        .filter(is_id)
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
