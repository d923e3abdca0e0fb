//! What the guardian costs per child, and how fast and in how much memory output is read.

use std::{
    fs::{self, File},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::Instant,
};

use autopilot_engine::process::{
    Bounds, Cancel, Confinement, Ending, Environment, Guardian, GuardianSpec, Launch, Log, Network,
    environment, run,
};

use super::{
    contest::{Contest, timed},
    measure::anonymous_kib,
};
use crate::shell::{Outcome, say};

/// One child by `std::process::Command` and by the guardian, in turns.
pub(crate) fn spawn() -> Outcome {
    let setting = Setting::new()?;
    let script = setting.directory.path().join("agent");
    fs::write(&script, "#!/bin/sh\necho ok\n").map_err(|error| error.to_string())?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
        .map_err(|error| error.to_string())?;
    let variables = environment::from_own(environment::ALLOWED.iter().copied(), []);
    let launch = Launch::new(&script, variables.clone(), setting.directory.path());
    let mut confined = launch.clone();
    confined.confinement = Some(walls(setting.directory.path()));
    Contest::new("one child that says ok")
        .add("std Command, pipes, own group", || timed(|| plain(&script, &variables)))
        .add("process::run under the guardian", || timed(|| setting.run(&launch)))
        .add("the same, confined", || timed(|| setting.run(&confined)))
        .run(2000)?;
    let other = tempfile::tempdir().map_err(|error| error.to_string())?;
    let spec = spec(other.path())?;
    Contest::new("once per run")
        .add("guardian, start and dismissal", || {
            timed(|| {
                let guardian = Guardian::start(&spec).map_err(|error| error.to_string())?;
                guardian.dismiss().map_err(|error| error.to_string())
            })
        })
        .run(100)?;
    setting.guardian.dismiss().map_err(|error| error.to_string())
}

/// 500 MiB of output, with and without a log.
pub(crate) fn flood() -> Outcome {
    const BYTES: u64 = 500 << 20;
    let setting = Setting::new()?;
    let variables = environment::from_own(environment::ALLOWED.iter().copied(), []);
    let mut launch = Launch::new("head", variables, setting.directory.path());
    launch.arguments = vec!["-c".into(), BYTES.to_string().into(), "/dev/zero".into()];
    let file = File::create(setting.directory.path().join("log")).map_err(|e| e.to_string())?;
    for log in [None, Some(Log { tape: Arc::new(file), bytes_max: 16 << 20 })] {
        let what = log.as_ref().map_or("no log", |_| "log of 16 MiB");
        launch.log = log;
        let before = anonymous_kib().unwrap_or(0);
        let started = Instant::now();
        setting.run(&launch)?;
        let seconds = started.elapsed().as_secs_f64();
        say(&format!(
            "500 MiB of output, {what}: {:.0} MB/s, anonymous memory {} KiB, grown by {} KiB\n",
            BYTES as f64 / 1e6 / seconds,
            anonymous_kib().unwrap_or(0),
            anonymous_kib().unwrap_or(0).saturating_sub(before),
        ))?;
    }
    setting.guardian.dismiss().map_err(|error| error.to_string())
}

struct Setting {
    guardian: Guardian,
    cancel: Cancel,
    directory: tempfile::TempDir,
}

impl Setting {
    fn new() -> Result<Self, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let guardian =
            Guardian::start(&spec(directory.path())?).map_err(|error| error.to_string())?;
        let cancel = Cancel::new().map_err(|error| error.to_string())?;
        Ok(Self { guardian, cancel, directory })
    }

    fn run(&self, launch: &Launch) -> Outcome {
        match run(&self.guardian, launch, &self.cancel, &mut |_, _| {}) {
            Ok(finished) if finished.ending == Ending::Exited(0) => Ok(()),
            Ok(finished) => Err(format!("ended with {:?}", finished.ending)),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// What is hidden from a child of an ordinary run, in number and place.
fn walls(directory: &Path) -> Confinement {
    let home = std::env::var_os("HOME").map_or_else(|| PathBuf::from("/root"), PathBuf::from);
    let hidden = [".ssh", ".aws", ".gnupg", ".config/gh", ".local/state/autopilot"];
    let bounds =
        Bounds { processes_max: 4096, memory_bytes_max: u64::MAX, file_bytes_max: 16 << 30 };
    Confinement {
        hidden: hidden.iter().map(|path| home.join(path)).collect(),
        readable: Vec::new(),
        writable: vec![directory.to_owned(), home.join(".cache")],
        network: Network::Open,
        bounds,
    }
}

fn spec(directory: &Path) -> Result<GuardianSpec, String> {
    Ok(GuardianSpec {
        program: own_binary()?,
        arguments: vec!["__guardian".into()],
        run_id: "bench".into(),
        lock: directory.join("lock"),
        after: Vec::new(),
    })
}

fn own_binary() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("cannot find the own binary: {error}"))
}

fn plain(script: &Path, variables: &Environment) -> Outcome {
    let child = Command::new(script)
        .env_clear()
        .envs(variables.iter())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| error.to_string())?;
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.stdout == b"ok\n" { Ok(()) } else { Err("the child did not say ok".into()) }
}
