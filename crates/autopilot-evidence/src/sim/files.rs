//! What of a project is looked at.

use crate::{
    mutate::{is_code, worth_mutating},
    protect::{Class, Edit, manifest},
};

/// A file of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// What it is protected as, by the project's settings.
    pub class: Option<Class>,
    /// What it would be protected as without them.
    pub usual: Option<Class>,
}

/// A source that the last commit changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// Its path.
    pub path: String,
    /// What it held; `None` where it was not there.
    pub text: Option<String>,
}

/// Everything that the choice rests on.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The files that are looked at, by path.
    pub files: &'a [File],
    /// The commands of the gates.
    pub commands: &'a [String],
    /// The end of what each of them prints when all is well, in the same order.
    pub printed: &'a [String],
    /// The code before the last commit, as far as that changed it.
    pub before: &'a [Before],
    /// Which of many equal choices is made.
    pub seed: u64,
}

/// Whether a file of this name can be part of a misbehaviour.
pub fn is_looked_at(path: &str, class: Option<Class>, commands: &[String]) -> bool {
    class.is_some()
        || (worth_mutating(path) && is_code(path, ""))
        || manifest::is_manifest(path.as_bytes())
        || is_named_in(path, commands)
}

impl Scene<'_> {
    /// What the first gate prints that something is true of.
    pub(super) fn printed_by(&self, is_meant: impl Fn(&String) -> bool) -> &str {
        let gates = self.commands.iter().zip(self.printed);
        let mut meant = gates.filter(|(command, _)| is_meant(command));
        meant.next().map_or("", |(_, printed)| printed)
    }
}

/// Whether a command names a file.
pub(super) fn is_named_in(path: &str, commands: &[String]) -> bool {
    let is_end = |c: char| c.is_whitespace() || "'\"`;&|()<>=".contains(c);
    let mut words = commands.iter().flat_map(|command| command.split(is_end));
    words.any(|word| word.strip_prefix("./").unwrap_or(word) == path)
}

impl File {
    /// Whether it is code that is judged, and does not judge.
    pub(super) fn is_source(&self) -> bool {
        let judges = self.class.is_some()
            || self.usual == Some(Class::Test)
            || manifest::is_manifest(self.path.as_bytes());
        !judges && worth_mutating(&self.path) && is_code(&self.path, &self.text)
    }

    /// Whether it is there for tests alone, protected or not.
    pub(super) fn is_test(&self) -> bool {
        self.class == Some(Class::Test) || self.usual == Some(Class::Test)
    }

    /// Whether there are tests in it, beside whatever else it holds.
    pub(super) fn holds_tests(&self) -> bool {
        let now = Some(self.text.as_bytes());
        Edit::between(self.path.as_bytes(), Class::Test, None, now).tests_added > 0
    }

    /// The name without directories.
    pub(super) fn name(&self) -> &str {
        name_of(&self.path)
    }
}

pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
