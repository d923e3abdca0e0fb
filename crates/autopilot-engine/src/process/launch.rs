//! What to run and within which limits, and what came of it.

use std::{ffi::OsString, io, path::PathBuf, sync::Arc, time::Duration};

use super::{Captured, Confinement, Environment, Exceeded, Pulse, Strays, Tape};
use crate::redact::Redactor;

/// One program to run.
#[derive(Debug, Clone)]
pub struct Launch {
    /// A path, or a name that is looked up in the `PATH` of `environment`.
    pub program: OsString,
    /// Its arguments, without its name.
    pub arguments: Vec<OsString>,
    /// Its whole environment.
    pub environment: Environment,
    /// The directory it starts in.
    pub directory: PathBuf,
    /// What it reads.
    pub stdin: StdinSource,
    /// How long it may take and how much of its output is kept.
    pub limits: Limits,
    /// Gets a copy of what it prints.
    pub log: Option<Log>,
    /// Counts what it prints.
    pub pulse: Pulse,
    /// Takes secrets out of all that it prints before anybody sees it.
    pub redactor: Redactor,
    /// What it may touch and use; nothing where it may do what the engine may.
    pub confinement: Option<Confinement>,
}

impl Launch {
    /// Describes a program without arguments, with an empty stdin and the default limits.
    pub fn new(
        program: impl Into<OsString>,
        environment: Environment,
        directory: impl Into<PathBuf>,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment,
            directory: directory.into(),
            stdin: StdinSource::Null,
            limits: Limits::default(),
            log: None,
            pulse: Pulse::default(),
            redactor: Redactor::default(),
            confinement: None,
        }
    }
}

/// What a child reads from its standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StdinSource {
    /// Nothing: `/dev/null`.
    Null,
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// These bytes, then whatever the output callback sends through [`super::Stdin`] until it closes it.
    Open(Vec<u8>),
}

/// How long a child may take and how much of its output is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From start to end.
    pub wall: Duration,
    /// Without a byte on stdout or stderr.
    pub idle: Duration,
    /// Between the request to end and the kill.
    pub grace: Duration,
    /// Bytes kept from the beginning of each stream.
    pub head_bytes_max: usize,
    /// Bytes kept from the end of each stream.
    pub tail_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(2 * 60 * 60),
            idle: Duration::from_secs(15 * 60),
            grace: Duration::from_secs(5),
            head_bytes_max: 16 << 10,
            tail_bytes_max: 64 << 10,
        }
    }
}

/// A copy of stdout and stderr, in the order in which they came.
#[derive(Debug, Clone)]
pub struct Log {
    /// Where it goes.
    pub tape: Arc<dyn Tape>,
    /// How many bytes are recorded at most.
    pub bytes_max: u64,
}

/// What became of the log.
#[derive(Debug)]
pub enum LogOutcome {
    /// All was recorded, or no log was asked for.
    Whole,
    /// The limit was reached; so many bytes were not recorded.
    Cut {
        /// Bytes printed after the limit.
        bytes_left_out: u64,
    },
    /// Recording failed; the child was not disturbed.
    Failed(io::Error),
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that was not ours.
    Signalled(i32),
    /// It took longer than its wall time and was ended.
    TimedOut,
    /// It was silent for longer than its idle time and was ended.
    Stalled,
    /// It was ended through its [`super::Cancel`] handle.
    Cancelled,
}

/// What came of a launch.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// How long it took.
    pub duration: Duration,
    /// What it printed to stdout.
    pub stdout: Captured,
    /// What it printed to stderr.
    pub stderr: Captured,
    /// An output was still held open by some process when the child was gone, and was given up.
    pub leaky: bool,
    /// Processes it left behind, which were killed.
    pub strays: Strays,
    /// The bound that it went beyond, where it was ended for that.
    pub exceeded: Option<Exceeded>,
    /// What became of the log.
    pub log: LogOutcome,
}
