//! Moves bytes between the engine and one child until the child has ended or its time is over.

use std::{
    io::{self, PipeReader, Read},
    os::fd::{AsFd, OwnedFd},
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{
    Cancel, Captured, Ending, Exceeded, Finished, Launch, Limits, ProcessErrorKind, Pulse, Stdin,
    Strays,
    guardian::Supervised,
    log::LogWriter,
    stdin::set_nonblocking,
    wire::{Report, Status},
};
use crate::redact::Redaction;

/// How long an output may stay open after the child has ended.
const LEAK_WAIT_MAX: Duration = Duration::from_millis(200);

/// How long the end of a child is waited for after it was killed.
const KILLED_WAIT_MAX: Duration = Duration::from_secs(10);

/// How much is read at once: little at first, because most children print little and fresh memory is slow.
const READ_BYTES: usize = 4 << 10;

/// How much is read at once from a child that has printed more than that.
const READ_BYTES_MAX: usize = 64 << 10;

/// How often one stream is read before the others get their turn.
const READS_IN_A_ROW_MAX: u32 = 16;

/// The pipe of a child that prints much; fewer switches between the two processes.
#[cfg(target_os = "linux")]
const LARGE_PIPE_BYTES: usize = 1 << 20;

/// Everything that one running child needs.
pub(super) struct Pump<'a> {
    pub(super) child: Supervised,
    pub(super) stdin: Stdin,
    pub(super) stdout: Stream,
    pub(super) stderr: Stream,
    pub(super) log: LogWriter,
    pub(super) limits: Limits,
    pub(super) pulse: &'a Pulse,
    pub(super) cancel: &'a Cancel,
    pub(super) started: Instant,
}

/// How far the child is.
enum Progress {
    Running { last_output: Instant },
    Ending { cause: Ending, until: Instant },
    Ended(Ended),
}

/// What is known of a child that has ended.
struct Ended {
    ending: Ending,
    strays: Strays,
    exceeded: Option<Exceeded>,
    until: Instant,
}

impl Pump<'_> {
    pub(super) fn run(
        mut self,
        on_output: &mut dyn FnMut(&[u8], &mut Stdin),
    ) -> Result<Finished, ProcessErrorKind> {
        let mut buffer = vec![0; READ_BYTES];
        let mut progress = Progress::Running { last_output: self.started };
        self.stdin.flush();
        loop {
            let ready = self.wait(&progress)?;
            if ready.stdin {
                self.stdin.flush();
            }
            let read = self.read_output(&ready, &mut buffer, on_output)?;
            let now = Instant::now();
            if let Progress::Running { last_output } = &mut progress
                && read
            {
                *last_output = now;
            }
            if ready.child {
                progress = self.hear_child(progress, now)?;
            }
            progress = match progress {
                Progress::Running { last_output } => self.check_limits(last_output, now, &ready),
                Progress::Ending { until, .. } if now >= until => {
                    return Err(ProcessErrorKind::Unkillable);
                }
                Progress::Ended(ended) => {
                    let open = self.stdout.is_open() || self.stderr.is_open();
                    if !open || now >= ended.until {
                        if open {
                            self.give_up(on_output);
                        }
                        return Ok(self.finish(ended, open));
                    }
                    Progress::Ended(ended)
                }
                Progress::Ending { .. } => progress,
            };
        }
    }

    /// Sleeps until something can be moved or a limit is reached.
    fn wait(&self, progress: &Progress) -> Result<Ready, ProcessErrorKind> {
        let mut polled = Vec::with_capacity(5);
        let mut meaning = Vec::with_capacity(5);
        let mut add = |what, fd, flags| {
            polled.push(PollFd::from_borrowed_fd(fd, flags));
            meaning.push(what);
        };
        let deadline = match progress {
            Progress::Running { last_output } => {
                add(Polled::Cancel, self.cancel.as_fd(), PollFlags::IN);
                add(Polled::Child, self.child.as_fd(), PollFlags::IN);
                let wall = self.started.checked_add(self.limits.wall);
                let idle = last_output.checked_add(self.limits.idle);
                wall.into_iter().chain(idle).min()
            }
            Progress::Ending { until, .. } => {
                add(Polled::Child, self.child.as_fd(), PollFlags::IN);
                Some(*until)
            }
            Progress::Ended(ended) => Some(ended.until),
        };
        for (what, stream) in [(Polled::Stdout, &self.stdout), (Polled::Stderr, &self.stderr)] {
            if let Some(pipe) = &stream.pipe {
                add(what, pipe.as_fd(), PollFlags::IN);
            }
        }
        if let Some(pipe) = self.stdin.wants_to_write() {
            add(Polled::Stdin, pipe, PollFlags::OUT);
        }
        // Nothing left to wait for: the limits are checked by the caller.
        if !polled.is_empty() {
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            match poll(&mut polled, timeout.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(ProcessErrorKind::Io(error.into())),
            }
        }
        let mut ready = Ready::default();
        for (what, _) in
            meaning.into_iter().zip(&polled).filter(|(_, one)| !one.revents().is_empty())
        {
            *ready.field(what) = true;
        }
        Ok(ready)
    }

    /// Reads what is there; tells whether there was anything.
    fn read_output(
        &mut self,
        ready: &Ready,
        buffer: &mut Vec<u8>,
        on_output: &mut dyn FnMut(&[u8], &mut Stdin),
    ) -> io::Result<bool> {
        let before = self.stdout.captured.bytes() + self.stderr.captured.bytes();
        let (log, stdin) = (&mut self.log, &mut self.stdin);
        if ready.stdout {
            self.stdout.read(buffer, |chunk| {
                log.push(chunk);
                on_output(chunk, stdin);
            })?;
        }
        if ready.stderr {
            self.stderr.read(buffer, |chunk| log.push(chunk))?;
        }
        let more = self.stdout.captured.bytes() + self.stderr.captured.bytes() - before;
        if more > 0 {
            self.pulse.printed(more);
        }
        Ok(more > 0)
    }

    fn hear_child(
        &mut self,
        progress: Progress,
        now: Instant,
    ) -> Result<Progress, ProcessErrorKind> {
        match self.child.receive()? {
            Report::Started { .. } => Ok(progress),
            Report::NotStarted { errno } => {
                Err(ProcessErrorKind::Io(io::Error::from_raw_os_error(errno)))
            }
            Report::Exited { status, strays, exceeded } => Ok(Progress::Ended(Ended {
                ending: match (progress, status) {
                    (Progress::Ending { cause, .. }, _) => cause,
                    (_, Status::Code(code)) => Ending::Exited(code),
                    (_, Status::Signal(signal)) => Ending::Signalled(signal),
                },
                strays,
                exceeded,
                until: now + LEAK_WAIT_MAX,
            })),
            Report::Ready { .. } | Report::Refused { .. } => Err(ProcessErrorKind::Malformed),
        }
    }

    fn check_limits(&self, last_output: Instant, now: Instant, ready: &Ready) -> Progress {
        let cause = if ready.cancel {
            Ending::Cancelled
        } else if now.duration_since(self.started) >= self.limits.wall {
            Ending::TimedOut
        } else if now.duration_since(last_output) >= self.limits.idle {
            Ending::Stalled
        } else {
            return Progress::Running { last_output };
        };
        self.child.end(self.limits.grace);
        Progress::Ending { cause, until: now + self.limits.grace + KILLED_WAIT_MAX }
    }

    /// Takes what is there of outputs that somebody else still holds open.
    fn give_up(&mut self, on_output: &mut dyn FnMut(&[u8], &mut Stdin)) {
        let (log, stdin) = (&mut self.log, &mut self.stdin);
        self.stdout.end(&mut |chunk: &[u8]| {
            log.push(chunk);
            on_output(chunk, stdin);
        });
        self.stderr.end(&mut |chunk: &[u8]| log.push(chunk));
    }

    fn finish(self, ended: Ended, leaky: bool) -> Finished {
        let Ended { ending, strays, exceeded, until: _ } = ended;
        Finished {
            ending,
            duration: self.started.elapsed(),
            stdout: self.stdout.captured,
            stderr: self.stderr.captured,
            leaky,
            strays,
            exceeded,
            log: self.log.finish(),
        }
    }
}

/// One output of the child.
pub(super) struct Stream {
    pipe: Option<PipeReader>,
    captured: Captured,
    redaction: Redaction,
    #[cfg(target_os = "linux")]
    enlarged: bool,
}

impl Stream {
    /// Opens the stream and returns it with the child's end.
    pub(super) fn open(launch: &Launch) -> io::Result<(Self, OwnedFd)> {
        let limits = &launch.limits;
        let (pipe, far) = io::pipe()?;
        set_nonblocking(&pipe)?;
        let stream = Self {
            pipe: Some(pipe),
            captured: Captured::with_limits(limits.head_bytes_max, limits.tail_bytes_max),
            redaction: launch.redactor.stream(),
            #[cfg(target_os = "linux")]
            enlarged: false,
        };
        Ok((stream, far.into()))
    }

    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    fn read(&mut self, buffer: &mut Vec<u8>, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        for _ in 0..READS_IN_A_ROW_MAX {
            let Some(pipe) = &mut self.pipe else {
                return Ok(());
            };
            match pipe.read(buffer) {
                Ok(0) => {
                    self.pipe = None;
                    self.end(&mut each);
                }
                Ok(count) => {
                    let captured = &mut self.captured;
                    self.redaction.push(&buffer[..count], |clean| {
                        captured.push(clean);
                        each(clean);
                    });
                    if count < buffer.len() {
                        return Ok(());
                    }
                    if count < READ_BYTES_MAX {
                        buffer.resize(READ_BYTES_MAX, 0);
                    } else {
                        self.enlarge();
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Takes in what was held back: it might have become a secret.
    fn end(&mut self, each: &mut impl FnMut(&[u8])) {
        let captured = &mut self.captured;
        self.redaction.finish(|clean| {
            captured.push(clean);
            each(clean);
        });
    }

    /// Gives a child that fills its pipe a larger one; a quiet child does not pay for it.
    #[cfg(target_os = "linux")]
    fn enlarge(&mut self) {
        if !self.enlarged
            && let Some(pipe) = &self.pipe
        {
            self.enlarged = true;
            // The system may refuse when the user has many; then it stays as it is.
            let _ = rustix::pipe::fcntl_setpipe_size(pipe, LARGE_PIPE_BYTES);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn enlarge(&mut self) {}
}

/// What can be read or written.
#[derive(Default)]
struct Ready {
    cancel: bool,
    child: bool,
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

enum Polled {
    Cancel,
    Child,
    Stdin,
    Stdout,
    Stderr,
}

impl Ready {
    fn field(&mut self, what: Polled) -> &mut bool {
        match what {
            Polled::Cancel => &mut self.cancel,
            Polled::Child => &mut self.child,
            Polled::Stdin => &mut self.stdin,
            Polled::Stdout => &mut self.stdout,
            Polled::Stderr => &mut self.stderr,
        }
    }
}
