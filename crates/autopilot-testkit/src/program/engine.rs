//! The program while it runs.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use super::Output;
use crate::processes::awaited;

/// Nothing in these tests takes as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program. Dropping it kills it.
#[derive(Debug)]
pub struct Engine {
    child: Child,
    root: PathBuf,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Engine {
    /// Starts a command whose output goes to files, so that nobody has to read it meanwhile.
    pub fn start(mut command: Command, root: &Path, name: &str) -> Self {
        let [stdout, stderr] = ["out", "err"].map(|end| root.join(format!("{name}.{end}")));
        let file = |path| File::create(path).expect("a file can be made");
        let child = command
            .stdin(Stdio::null())
            .stdout(file(&stdout))
            .stderr(file(&stderr))
            .spawn()
            .expect("the program can be started");
        Self { child, root: root.to_owned(), stdout, stderr }
    }

    /// Starts a command at a terminal; what it prints is left to whoever reads there.
    pub fn start_at(mut command: Command, root: &Path, terminal: &File) -> Self {
        let side = || terminal.try_clone().expect("a file can be shared");
        command.stdin(side()).stdout(side()).stderr(side());
        let child = command.spawn().expect("the program can be started");
        let nothing = PathBuf::new();
        Self { child, root: root.to_owned(), stdout: nothing.clone(), stderr: nothing }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        self.ended().is_none()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        // Not collected yet, so the id cannot belong to another process.
        kill_process(Pid::from_child(&self.child), signal).expect("it is our child");
    }

    /// Kills it with SIGKILL and collects it.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
    }

    /// What it has printed as data so far.
    pub fn printed(&self) -> String {
        text(&self.stdout)
    }

    /// What it has said to people so far.
    pub fn said(&self) -> String {
        text(&self.stderr)
    }

    /// Waits for its end.
    pub fn wait(mut self) -> Output {
        awaited("the program ends", PATIENCE, || !self.is_running());
        let status = self.ended().expect("it has ended");
        let read = |path: &Path| std::fs::read(path).unwrap_or_default();
        let (stdout, stderr) = (read(&self.stdout), read(&self.stderr));
        Output::new(&std::process::Output { status, stdout, stderr }, &self.root)
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("it is our child")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.is_running() {
            self.kill();
        }
    }
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}
