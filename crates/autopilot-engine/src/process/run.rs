//! Runs one program from start to end, in the calling thread.

use std::{io, os::fd::AsFd, time::Instant};

use super::{
    Cancel, Finished, Guardian, Launch, ProcessError, ProcessErrorKind, Stdin,
    guardian::{ChildCommand, Supervised},
    log::LogWriter,
    pump::{Pump, Stream},
};

/// Runs a program under the guardian until it has ended, and everything it started with it.
///
/// `on_output` gets each piece of stdout as it comes, of any size and cut anywhere, and may answer on
/// the child's input if that was opened for it. Memory does not grow with the output.
pub fn run(
    guardian: &Guardian,
    launch: &Launch,
    cancel: &Cancel,
    on_output: &mut dyn FnMut(&[u8], &mut Stdin),
) -> Result<Finished, ProcessError> {
    start(guardian, launch)?.watch(cancel, on_output)
}

/// A program that was started and that nobody watches yet. Dropping it has it killed with all it started.
#[must_use]
pub struct Started<'a> {
    launch: &'a Launch,
    child: Supervised,
    stdin: Stdin,
    stdout: Stream,
    stderr: Stream,
    at: Instant,
}

/// Starts a program under the guardian. A process takes a while to begin: meanwhile the caller can do what has to be
/// done before [`Started::watch`] but not before the start.
pub fn start<'a>(guardian: &Guardian, launch: &'a Launch) -> Result<Started<'a>, ProcessError> {
    let at = Instant::now();
    let failed = |error: io::Error| ProcessError::new("start", &launch.program, error);
    let (stdin, child_stdin) = Stdin::open(&launch.stdin).map_err(failed)?;
    let (stdout, child_stdout) = Stream::open(launch).map_err(failed)?;
    let (stderr, child_stderr) = Stream::open(launch).map_err(failed)?;
    let command = ChildCommand {
        program: &launch.program,
        arguments: &launch.arguments,
        environment: &launch.environment,
        directory: &launch.directory,
        confinement: launch.confinement.as_ref(),
    };
    let stdio = [child_stdin.as_fd(), child_stdout.as_fd(), child_stderr.as_fd()];
    let child = guardian.spawn(&command, stdio)?;
    // The ends of the child must be open nowhere else, or its end would not be seen.
    drop((child_stdin, child_stdout, child_stderr));
    Ok(Started { launch, child, stdin, stdout, stderr, at })
}

impl Started<'_> {
    /// Feeds it and reads what it prints until it has ended, as [`run`] does.
    pub fn watch(
        self,
        cancel: &Cancel,
        on_output: &mut dyn FnMut(&[u8], &mut Stdin),
    ) -> Result<Finished, ProcessError> {
        let Self { launch, child, stdin, stdout, stderr, at: started } = self;
        let log = LogWriter::new(launch.log.as_ref());
        let (limits, pulse) = (launch.limits, &launch.pulse);
        let pump = Pump { child, stdin, stdout, stderr, log, limits, pulse, cancel, started };
        pump.run(on_output)
            .map_err(|kind| ProcessError::new("run", &launch.program, explain(kind, launch)))
    }
}

/// The system says "not found" for the program, for its interpreter and for the directory alike.
fn explain(kind: ProcessErrorKind, launch: &Launch) -> ProcessErrorKind {
    if let ProcessErrorKind::Io(error) = &kind
        && error.kind() == io::ErrorKind::NotFound
        && !launch.directory.is_dir()
    {
        return ProcessErrorKind::DirectoryMissing;
    }
    kind
}
