//! The commit that evidence is about.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A commit of the project, in git's hexadecimal form. Nothing here ever looks inside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CommitId(String);

impl CommitId {
    /// Takes a name that is already known to be well formed.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
