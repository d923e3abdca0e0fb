//! A rehearsal for people: a sample project, an engine that is killed, and one that goes on.

use std::{
    env, fs,
    io::{self, PipeWriter, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use autopilot_core::{fact::Fact, id::RunId};

use crate::{
    book::{Book, read_all},
    driver::Driver,
    error::EngineError,
    home::Home,
    local::LocalDriver,
    process::find_orphans,
    work::Tools,
};

/// How often the journal is looked at while waiting for a step.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a step may take to begin.
const STEP_WAIT: Duration = Duration::from_secs(60);
/// How long agents may take to appear, or to be gone.
const AGENTS_WAIT: Duration = Duration::from_secs(5);
/// The agent of the step and the process it leaves behind.
const AGENTS_EXPECTED: usize = 2;

/// Set for an engine that is to end when its standard input does.
const TIED: &str = "AUTOPILOT_TIED_TO_STDIN";
/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// An engine that ends with this process, however that ends: the system closes the pipe between the two.
struct Tied {
    engine: Child,
    _tie: PipeWriter,
}

/// Ends this process when its standard input ends, if whoever started it has asked for that. The guardian then ends
/// every agent, and everything that was recorded is safe.
pub fn end_with_starter() {
    if env::var_os(TIED).is_none() {
        return;
    }
    // Without a thread it runs to its own end, like any other.
    drop(thread::Builder::new().name("tie".to_owned()).spawn(|| {
        let mut byte = [0];
        while matches!(io::stdin().read(&mut byte), Ok(count) if count > 0) {}
        #[expect(clippy::exit, reason = "whoever wanted to see it is gone")]
        std::process::exit(INTERRUPTED);
    }));
}

/// A file of a sample project.
#[derive(Clone, Copy, Debug)]
pub struct SampleFile {
    /// Where, below the project's root.
    pub path: &'static str,
    /// What.
    pub text: &'static str,
}

/// A sample project and its engine.
#[derive(Debug)]
pub struct Rehearsal {
    project: PathBuf,
    state: PathBuf,
    program: PathBuf,
}

/// What was seen when the engine was killed.
#[derive(Clone, Copy, Debug)]
pub struct Killed {
    /// The engine's process.
    pub pid: u32,
    /// How many processes of its agents were alive.
    pub alive_before: usize,
    /// How many were alive afterwards.
    pub alive_after: usize,
}

impl Rehearsal {
    /// Makes the sample project in a directory that must not exist yet.
    pub fn set_up(
        directory: &Path,
        files: &[SampleFile],
        script: &str,
    ) -> Result<Self, EngineError> {
        if let Some(above) = directory.parent() {
            fs::create_dir_all(above).map_err(EngineError::file("make", above))?;
        }
        fs::create_dir(directory).map_err(EngineError::file("make", directory))?;
        let directory =
            fs::canonicalize(directory).map_err(EngineError::file("find", directory))?;
        let program = env::current_exe().map_err(EngineError::file("find", "the own program"))?;
        let rehearsal =
            Self { project: directory.join("project"), state: directory.join("state"), program };
        let script_path = directory.join("script.toml");
        write(&script_path, script)?;
        for file in files {
            write(&rehearsal.project.join(file.path), file.text)?;
        }
        let config = format!(
            "[agents.scripted]\nscript = {:?}\n\n[roles]\ndefault = \"scripted\"\n",
            script_path.display().to_string()
        );
        write(&rehearsal.project.join("autopilot.toml"), &config)?;
        rehearsal.git(&["init", "--quiet", "--initial-branch=main"])?;
        rehearsal.git(&["add", "--all"])?;
        rehearsal.git(&[
            "commit",
            "--quiet",
            "--message",
            "A small greeter, before anything works",
        ])?;
        Ok(rehearsal)
    }

    /// The project's directory.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The state directory, as `XDG_STATE_HOME` names it.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Where the project's runs are.
    pub fn home(&self) -> Home {
        Home::within(&self.project, &self.state)
    }

    /// The newest run.
    pub fn newest_run(&self) -> Result<Option<RunId>, EngineError> {
        Ok(LocalDriver::new(self.home(), Tools::none()).list()?.pop())
    }

    /// Runs the engine until a step has begun, and kills it there with SIGKILL.
    pub fn run_until(&self, step: &str) -> Result<Killed, EngineError> {
        let Tied { mut engine, _tie } = self.engine(&["run", "--complete"])?;
        let run = self.wait_for(step, &mut engine)?;
        let lock = self.home().guardian_lock(&run);
        let alive = || find_orphans(&lock).len();
        wait_until(AGENTS_WAIT, || alive() >= AGENTS_EXPECTED);
        let alive_before = alive();
        let pid = engine.id();
        engine.kill().map_err(EngineError::file("kill", "the engine"))?;
        engine.wait().map_err(EngineError::file("wait for", "the engine"))?;
        wait_until(AGENTS_WAIT, || alive() == 0);
        Ok(Killed { pid, alive_before, alive_after: alive() })
    }

    /// Has a new engine go on, and gives its exit code.
    pub fn resume(&self) -> Result<i32, EngineError> {
        let Tied { mut engine, _tie } = self.engine(&["resume"])?;
        let status = engine.wait();
        let status = status.map_err(EngineError::file("wait for", "the engine"))?;
        Ok(status.code().unwrap_or(-1))
    }

    fn engine(&self, arguments: &[&str]) -> Result<Tied, EngineError> {
        let (stdin, tie) = io::pipe().map_err(EngineError::file("make", "a pipe"))?;
        let engine = self
            .command(&self.program)
            .args(arguments)
            .env("XDG_STATE_HOME", &self.state)
            .env("XDG_CONFIG_HOME", self.state.join("config"))
            .env(TIED, "1")
            .stdin(stdin)
            .spawn()
            .map_err(EngineError::file("start", &self.program))?;
        Ok(Tied { engine, _tie: tie })
    }

    fn wait_for(&self, step: &str, engine: &mut Child) -> Result<RunId, EngineError> {
        let until = Instant::now() + STEP_WAIT;
        while Instant::now() < until {
            if let Some(run) = self.newest_run()?.filter(|run| self.has_begun(run, step)) {
                return Ok(run);
            }
            let ended = engine.try_wait().map_err(EngineError::file("look at", "the engine"))?;
            if let Some(status) = ended {
                let why = format!("the engine ended with {status} before the step `{step}` began");
                return Err(EngineError::Bug(why));
            }
            thread::sleep(LOOK_EVERY);
        }
        Err(EngineError::Bug(format!("the step `{step}` did not begin in time")))
    }

    fn has_begun(&self, run: &RunId, step: &str) -> bool {
        let path = self.home().journal(run);
        // The journal may be in the making; then the next look finds more.
        let facts = read_all(&path).unwrap_or_default();
        let begun =
            |fact: &Fact| matches!(fact, Fact::Started { key } if key.step.as_str() == step);
        facts.iter().any(|record| begun(&record.fact)) && Book::holder(&path).is_ok()
    }

    /// A program in the sample project that nothing of the person's leads elsewhere: no `GIT_DIR` of a hook, and
    /// none of their settings, which could name an agent that costs money.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.project);
        for (name, _) in env::vars_os() {
            let bytes = name.as_encoded_bytes();
            if bytes.starts_with(b"GIT_") || bytes.starts_with(b"AUTOPILOT_CFG_") {
                command.env_remove(&name);
            }
        }
        command
    }

    fn git(&self, arguments: &[&str]) -> Result<(), EngineError> {
        let status = self
            .command(Path::new("git"))
            .args(["-c", "user.name=A person", "-c", "user.email=person@example.org"])
            .args(["-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null"])
            .args(arguments)
            .stdin(Stdio::null())
            .status()
            .map_err(EngineError::file("start", "git"))?;
        if status.success() {
            Ok(())
        } else {
            Err(EngineError::Bug(format!("`git {}` ended with {status}", arguments.join(" "))))
        }
    }
}

fn wait_until(time: Duration, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + time;
    while !holds() && Instant::now() < until {
        thread::sleep(LOOK_EVERY);
    }
}

fn write(path: &Path, text: &str) -> Result<(), EngineError> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).map_err(EngineError::file("make", directory))?;
    }
    fs::write(path, text).map_err(EngineError::file("write", path))
}
