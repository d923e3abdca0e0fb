//! A sample project with the program under test.

use std::{fs, ops::Deref};

use autopilot_testkit::program;

use super::{Engine, Sample};

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

    /// Starts a run whose first criterion takes for ever, and comes back when its command runs.
    pub(crate) fn start_with_a_slow_check(&self) -> Engine {
        let roadmap = self.sandbox.project().join(".planning/ROADMAP.md");
        let text = fs::read_to_string(&roadmap).expect("readable");
        let slow = format!("touch {}; sleep 600", self.path("signs/check").display());
        fs::write(&roadmap, text.replace("grep -qx 'part 1' part-1.txt", &slow)).expect("writable");
        let engine = self.start(&["run"]);
        self.await_sign("check");
        engine
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
