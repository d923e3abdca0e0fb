//! A guardian and a directory for one test.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use autopilot_engine::process::{
    Cancel, Environment, Finished, Guardian, GuardianSpec, Launch, ProcessError, StdinSource, run,
};
use tempfile::TempDir;

/// How long a process may live on after its end was asked for.
pub(crate) const GONE_WITHIN: Duration = Duration::from_secs(1);

/// How long a test waits for something that should happen at once, on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(10);

pub(crate) struct World {
    pub(crate) guardian: Guardian,
    pub(crate) directory: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let guardian = Guardian::start(&spec(directory.path())).unwrap();
        Self { guardian, directory }
    }

    pub(crate) fn launch(&self, script: &str) -> Launch {
        let environment = Environment::from_iter([("PATH", "/usr/bin:/bin")]);
        let mut launch = Launch::new("sh", environment, self.directory.path());
        launch.arguments = vec!["-c".into(), script.into()];
        launch.limits.grace = Duration::from_millis(100);
        launch
    }

    pub(crate) fn run(&self, launch: &Launch) -> Result<Finished, ProcessError> {
        run(&self.guardian, launch, &Cancel::new().unwrap(), &mut |_, _| {})
    }

    pub(crate) fn sh(&self, script: &str) -> Finished {
        self.run(&self.launch(script)).unwrap()
    }

    pub(crate) fn sh_with_input(&self, script: &str, input: &[u8]) -> Finished {
        let mut launch = self.launch(script);
        launch.stdin = StdinSource::Bytes(input.to_vec());
        self.run(&launch).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

pub(crate) fn spec(directory: &Path) -> GuardianSpec {
    GuardianSpec {
        program: probe(),
        arguments: vec!["__guardian".into()],
        run_id: directory.to_string_lossy().into_owned(),
        lock: directory.join("lock"),
        after: Vec::new(),
    }
}

pub(crate) fn probe() -> PathBuf {
    env!("CARGO_BIN_EXE_autopilot-engine-probe").into()
}
