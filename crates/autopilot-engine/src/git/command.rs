//! Calls the git program, always in a known environment.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
};

use super::{GitError, GitErrorKind};
use crate::{error::Ground, process::Environment};

/// How much of git's error output goes into an error.
const STDERR_BYTES_MAX: usize = 2000;

/// Settings of every call: nothing of the person's or an agent's may run, rewrite or lag behind.
const SETTINGS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "core.safecrlf=false",
    // Larger files pass through git piece by piece instead of as a whole in its memory.
    "core.bigFileThreshold=64m",
    "core.fsync=objects,reference",
    "core.fsyncMethod=batch",
    "core.multiPackIndex=true",
    "index.sparse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "diff.ignoreSubmodules=all",
    "i18n.commitEncoding=UTF-8",
    "commit.gpgSign=false",
];

/// What git sees of the environment: where things are, and which configuration the person chose.
const ALLOWED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_EXEC_PATH",
];

/// The git program and the environment it runs in.
#[derive(Debug, Clone)]
pub struct Git {
    program: OsString,
    environment: Environment,
}

impl Git {
    /// Takes `git` from `PATH` with what git may see of this process's environment.
    pub fn from_own_environment() -> Self {
        Self::with_environment(std::env::vars_os())
    }

    /// Takes `git` with what it may see of the given environment.
    pub fn with_environment(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let fixed = [
            ("LC_ALL", "C"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_TERMINAL_PROMPT", "0"),
            // Paths are paths, never patterns.
            ("GIT_LITERAL_PATHSPECS", "1"),
            ("GIT_ADVICE", "0"),
        ];
        let fixed = fixed.map(|(name, value)| (name.into(), value.into()));
        Self {
            program: "git".into(),
            environment: crate::process::environment::build(
                variables,
                ALLOWED.iter().copied(),
                fixed,
            ),
        }
    }

    /// Prepares a call in a directory, with the settings that keep git from running anything.
    pub(crate) fn call<S: AsRef<OsStr>>(
        &self,
        directory: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> Call {
        let mut call = self.bare_call(directory);
        for setting in SETTINGS {
            call.command.args(["-c", setting]);
        }
        call.command.args(arguments);
        call
    }

    /// Prepares a call as the person would make it, with their hooks.
    pub(crate) fn call_as_person<S: AsRef<OsStr>>(
        &self,
        directory: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> Call {
        let mut call = self.bare_call(directory);
        // Their hooks may call git too, and expect it to work as usual.
        for name in ["GIT_LITERAL_PATHSPECS", "GIT_OPTIONAL_LOCKS", "GIT_ADVICE"] {
            call.command.env_remove(name);
        }
        call.command.args(arguments);
        call
    }

    fn bare_call(&self, directory: &Path) -> Call {
        let mut command = Command::new(&self.program);
        command.env_clear().envs(self.environment.iter()).current_dir(directory);
        Call { command, directory: directory.to_owned(), input: Vec::new() }
    }
}

/// One prepared call of git.
pub(crate) struct Call {
    command: Command,
    directory: PathBuf,
    input: Vec<u8>,
}

/// What a call gave.
pub(crate) struct Answer {
    /// The process that it was.
    pub(crate) pid: u32,
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Call {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Gives it something to read.
    pub(crate) fn input(mut self, bytes: Vec<u8>) -> Self {
        self.input = bytes;
        self
    }

    /// Runs it to its end, whatever that is.
    pub(crate) fn answer(mut self) -> Result<Answer, GitError> {
        let stdin = match self.input.is_empty() {
            true => Stdio::null(),
            false => Stdio::piped(),
        };
        let started = self.start(stdin)?;
        finish(started, self.input, |_| Ok(())).map_err(|error| GitError::new("run", "git", error))
    }

    /// Runs it with an input that is written piece by piece.
    pub(crate) fn answer_to(
        mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send,
    ) -> Result<Answer, GitError> {
        let started = self.start(Stdio::piped())?;
        finish(started, Vec::new(), write).map_err(|error| GitError::new("run", "git", error))
    }

    /// Runs it and gives what it printed, or an error if it failed.
    pub(crate) fn output(
        self,
        attempt: &'static str,
        subject: &OsStr,
    ) -> Result<Vec<u8>, GitError> {
        self.answer()?.success(attempt, subject)
    }

    /// Runs it and gives the first bytes it printed, and whether there were more.
    pub(crate) fn bounded_output(
        mut self,
        bytes_max: usize,
        attempt: &'static str,
        subject: &OsStr,
    ) -> Result<(Vec<u8>, bool), GitError> {
        let failed = |error| GitError::new(attempt, subject, GitErrorKind::Io(error));
        let mut child = self.start(Stdio::null())?;
        let mut kept = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let limit = bytes_max as u64 + 1;
            stdout.take(limit).read_to_end(&mut kept).map_err(failed)?;
        }
        if kept.len() > bytes_max {
            kept.truncate(bytes_max);
            // It reads only, so it can be stopped anywhere.
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            return Ok((kept, true));
        }
        let mut answer = finish(child, Vec::new(), |_| Ok(())).map_err(failed)?;
        answer.stdout = kept;
        Ok((answer.success(attempt, subject)?, false))
    }

    /// Starts it with pipes for what it prints.
    pub(crate) fn start(&mut self, stdin: Stdio) -> Result<Child, GitError> {
        self.command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| not_started(error, &self.directory))
    }
}

impl Answer {
    /// Gives what it printed, or an error if it failed.
    pub(crate) fn success(
        self,
        attempt: &'static str,
        subject: &OsStr,
    ) -> Result<Vec<u8>, GitError> {
        if self.status.success() {
            Ok(self.stdout)
        } else {
            let kind = GitErrorKind::Failed { status: self.status, stderr: self.stderr };
            Err(GitError::new(attempt, subject, kind))
        }
    }
}

/// Tells why git was not started. The system says the same of a program and of a directory that is not there.
fn not_started(error: io::Error, directory: &Path) -> GitError {
    let refused = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied);
    match refused && directory.join(".").is_dir() {
        true => {
            let why = format!("it cannot be started: {error}");
            GitError::new("start", "git", GitErrorKind::GaveWay { ground: Ground::NoGit, why })
        }
        false => GitError::io("start git in", directory, error),
    }
}

/// Feeds and reads a child at the same time, so that neither waits for the other.
fn finish(
    mut child: Child,
    input: Vec<u8>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send,
) -> io::Result<Answer> {
    let (pid, stdin) = (child.id(), child.stdin.take());
    let output = thread::scope(|scope| {
        let writer = stdin.map(|mut stdin| {
            scope.spawn(move || {
                stdin.write_all(&input)?;
                write(&mut stdin)
            })
        });
        let output = child.wait_with_output();
        // A git that fails early does not read its input; its exit code tells more than the pipe.
        let written = writer.map_or(Ok(()), |writer| writer.join().unwrap_or(Ok(())));
        match (output, written) {
            (Ok(output), Err(error)) if output.status.success() => Err(error),
            (output, _) => output,
        }
    })?;
    let shown = output.stderr.len().min(STDERR_BYTES_MAX);
    Ok(Answer {
        pid,
        status: output.status,
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr[..shown]).trim().to_owned(),
    })
}
