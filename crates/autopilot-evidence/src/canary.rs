//! Whether a check goes red when the work is broken: a check that cannot fail proves nothing.

mod aim;
mod stake;

use serde::{Deserialize, Serialize};

use super::{Criterion, protect::named_files, runs_tests};

pub use self::{
    aim::{Aim, Break, Source, aimed},
    stake::{Stake, brings_examples, stake},
};

/// What a check did when the work was broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Canary {
    /// The check's name.
    pub check: String,
    /// Its command.
    pub command: String,
    /// Whether it went red, and by what.
    pub bite: Bite,
}

/// What made a check go red, if anything did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Bite {
    /// It was red on the base, which lacks nothing but the work.
    Base,
    /// It is red with every changed file put back that is no test; the text says what is seen.
    Reverted(String),
    /// It is red with a small mutation.
    Mutant {
        /// What was changed, and where.
        what: String,
        /// What is seen.
        seen: String,
    },
    /// It stays green whatever is broken.
    Green {
        /// What was broken.
        tried: Vec<String>,
    },
    /// There is nothing that could be broken; the text says why.
    Untried(String),
}

/// Whether red on the base does not yet say that a check looks at the work: it runs tests, or a script, and these may
/// have come with the work.
pub fn may_judge_itself(criterion: &Criterion) -> bool {
    let command = criterion.command.as_deref().unwrap_or_default();
    runs_tests(criterion) || !named_files(command).is_empty()
}

/// Whether an output says that tests could not be loaded: code that cannot be read any more shows nothing of what they
/// look at.
pub fn is_not_loaded(output: &str) -> bool {
    const MARKS: [&str; 5] = [
        "error during collection",
        "errors during collection",
        "Failed to import test module",
        "Test suite failed to run",
        "SyntaxError: ",
    ];
    MARKS.iter().any(|mark| output.contains(mark))
}

impl Canary {
    /// Whether the check may be believed.
    pub fn bites(&self) -> bool {
        !matches!(self.bite, Bite::Green { .. })
    }

    /// Whether it was seen to go red.
    pub fn has_gone_red(&self) -> bool {
        !matches!(self.bite, Bite::Green { .. } | Bite::Untried(_))
    }

    /// What is wrong with a check that does not bite.
    pub fn seen(&self) -> String {
        let Bite::Green { tried } = &self.bite else {
            return format!("`{}` goes red when the work is broken", self.command);
        };
        format!("`{}` does not bite: it stays green with {}", self.command, tried.join(", with "))
    }

    /// The same in words that an agent can act on.
    pub fn finding(&self) -> String {
        format!(
            "{}. A check that cannot go red proves nothing: write tests that fail when the work is broken",
            self.seen()
        )
    }
}
