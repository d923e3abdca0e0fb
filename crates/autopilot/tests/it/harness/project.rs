//! A sample project with the program under test.

use std::ops::Deref;

use autopilot_testkit::program;

use super::Sample;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_autopilot");

/// A sample project in a sandbox.
pub(crate) struct Project(program::Project);

impl Project {
    /// A project of so many phases with an honest agent.
    pub(crate) fn honest(phases: usize) -> Self {
        Self::new(&Sample { phases, ..Sample::default() })
    }

    /// A project with one phase whose agent first tries these entries.
    pub(crate) fn scripted(script: &str) -> Self {
        Self::new(&Sample { phases: 1, script: script.to_owned(), ..Sample::default() })
    }

    /// A project made from a sample.
    pub(crate) fn new(sample: &Sample) -> Self {
        Self(program::Project::new(PROGRAM, sample))
    }
}

impl Deref for Project {
    type Target = program::Project;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
