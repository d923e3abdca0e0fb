//! The engine's side: starts the guardian and has it start children.

use std::{
    ffi::{OsStr, OsString},
    fs::{File, TryLockError},
    io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{fs::PermissionsExt, net::UnixStream, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};

use super::NAME;
use crate::process::{
    Abilities, Confinement, Network,
    environment::{Environment, LAUNCH_KEY, RUN_ID},
    error::{ProcessError, ProcessErrorKind},
    orphans, table,
    wire::{self, End, Kind, Report, Request, Rules, Spawn},
};

/// How a guardian is started.
#[derive(Debug, Clone)]
pub struct GuardianSpec {
    /// The binary that calls [`super::guardian_main`], usually the own one.
    pub program: PathBuf,
    /// The arguments that make it do so: the hidden subcommand.
    pub arguments: Vec<OsString>,
    /// The run; it is put into the environment of every child.
    pub run_id: String,
    /// The file whose lock the guardian holds for its life.
    pub lock: PathBuf,
    /// The command that the guardian runs when the engine has ended without dismissing it; may be empty.
    pub after: Vec<OsString>,
}

/// The guardian of a run. Dropping it without [`Guardian::dismiss`] counts as the death of the engine.
#[derive(Debug)]
pub struct Guardian {
    // Declared before the process: closing the socket is what ends it.
    control: Mutex<UnixStream>,
    process: Child,
    spec: GuardianSpec,
    /// What the keys of its launches begin with.
    launches_of: String,
    launches: AtomicU64,
    landlock: Option<u32>,
    /// The guardian of those that have a network of their own, once somebody has asked for it.
    offline: Offline,
}

/// The guardian of those that have a network of their own.
#[derive(Debug)]
enum Offline {
    /// Nobody has asked for it.
    Unasked,
    /// It cannot be had.
    Impossible { why: String },
    /// It runs under the first one, which ends it with everything below it.
    Running { control: Mutex<UnixStream>, _link: Supervised },
}

impl Guardian {
    /// Starts the guardian and waits until it watches.
    pub fn start(spec: &GuardianSpec) -> Result<Self, ProcessError> {
        let failed = |kind: ProcessErrorKind| ProcessError::new("start", NAME, kind);
        let (control, far) = UnixStream::pair().map_err(|error| failed(error.into()))?;
        let process = Command::new(&spec.program)
            // `pkill -f autopilot` must not hit it either.
            .arg0(NAME)
            .args(&spec.arguments)
            .stdin(OwnedFd::from(far))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| ProcessError::io("start", &spec.program, error))?;
        let setup = Request::Setup {
            lock: spec.lock.as_os_str(),
            after: spec.after.iter().map(OsString::as_os_str).collect(),
            network: Network::Open,
        };
        let landlock = set_up(&control, &setup).map_err(failed)?;
        Ok(Self {
            control: Mutex::new(control),
            process,
            spec: spec.clone(),
            launches_of: orphans::launches_of(&spec.lock),
            launches: AtomicU64::new(0),
            landlock,
            offline: Offline::Unasked,
        })
    }

    /// Makes a network for children that are to have one of their own. Where that cannot be, they get the machine's;
    /// [`Guardian::abilities`] tells.
    pub fn prepare_own_network(&mut self) {
        if matches!(self.offline, Offline::Unasked) {
            self.offline = match self.start_offline() {
                Ok(running) => running,
                Err(error) => {
                    let why = match error.kind() {
                        ProcessErrorKind::GuardianRefused(why) => why.clone(),
                        kind => kind.to_string(),
                    };
                    Offline::Impossible { why }
                }
            };
        }
    }

    /// Tells what can be enforced here.
    pub fn abilities(&self) -> Abilities {
        let no_own_network = match &self.offline {
            Offline::Running { .. } => None,
            Offline::Impossible { why } => Some(why.clone()),
            Offline::Unasked => Some("nobody has asked for it".to_owned()),
        };
        Abilities { landlock: self.landlock, no_own_network }
    }

    fn start_offline(&self) -> Result<Offline, ProcessError> {
        let failed = |kind: ProcessErrorKind| ProcessError::new("start", NAME, kind);
        let io_failed = |error: io::Error| failed(error.into());
        let (control, far) = UnixStream::pair().map_err(io_failed)?;
        let null = || File::options().read(true).write(true).open("/dev/null");
        let (stdout, stderr) = (null().map_err(io_failed)?, null().map_err(io_failed)?);
        let command = ChildCommand {
            program: self.spec.program.as_os_str(),
            arguments: &self.spec.arguments,
            environment: &Environment::default(),
            directory: Path::new("/"),
            confinement: None,
        };
        let stdio = [far.as_fd(), stdout.as_fd(), stderr.as_fd()];
        let link = self.launch(&command, stdio, Kind::Guardian)?;
        drop(far);
        let setup =
            Request::Setup { lock: OsStr::new(""), after: Vec::new(), network: Network::Own };
        set_up(&control, &setup).map_err(failed)?;
        Ok(Offline::Running { control: Mutex::new(control), _link: link })
    }

    /// Returns the process id of the guardian.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Ends the guardian and everything it watches, without the after command, and waits for it.
    pub fn dismiss(mut self) -> Result<(), ProcessError> {
        let gone = |error: io::Error| ProcessError::new("dismiss", NAME, error);
        let control = self.control.get_mut().unwrap_or_else(PoisonError::into_inner);
        wire::send(control, &Request::Dismiss, &[]).map_err(gone)?;
        self.process.wait().map_err(gone)?;
        Ok(())
    }

    /// Has a child started; the answer comes on the link.
    pub(in crate::process) fn spawn(
        &self,
        command: &ChildCommand<'_>,
        stdio: [BorrowedFd<'_>; 3],
    ) -> Result<Supervised, ProcessError> {
        self.launch(command, stdio, Kind::Step)
    }

    /// The socket of the guardian that a child belongs to.
    fn control_for(&self, command: &ChildCommand<'_>) -> &Mutex<UnixStream> {
        match (&self.offline, command.confinement.map(|within| within.network)) {
            (Offline::Running { control, .. }, Some(Network::Own)) => control,
            (_, Some(Network::Own | Network::Open) | None) => &self.control,
        }
    }

    fn launch(
        &self,
        command: &ChildCommand<'_>,
        stdio: [BorrowedFd<'_>; 3],
        kind: Kind,
    ) -> Result<Supervised, ProcessError> {
        let failed = |error: io::Error| ProcessError::new("start", command.program, error);
        let key = format!(
            "{}{}.{}",
            self.launches_of,
            self.process.id(),
            self.launches.fetch_add(1, Ordering::Relaxed)
        );
        let program = find_program(command.program, command.environment)?;
        let request = Request::Spawn(Spawn {
            program: program.as_os_str(),
            name: command.program,
            key: key.as_ref(),
            directory: command.directory.as_os_str(),
            arguments: command.arguments.iter().map(OsString::as_os_str).collect(),
            // Of a variable that is there twice the last one counts.
            environment: command
                .environment
                .iter()
                .chain([
                    (OsStr::new(RUN_ID), OsStr::new(&self.spec.run_id)),
                    (OsStr::new(LAUNCH_KEY), OsStr::new(&key)),
                ])
                .collect(),
            kind,
            rules: command.confinement.map(rules_of),
        });
        let (link, far) = UnixStream::pair().map_err(failed)?;
        let [stdin, stdout, stderr] = stdio;
        let files = [far.as_fd(), stdin, stdout, stderr];
        let control = self.control_for(command).lock();
        let control = control.unwrap_or_else(PoisonError::into_inner);
        wire::send(&control, &request, &files).map_err(|error| {
            if is_hang_up(&error) {
                ProcessError::new("start", command.program, ProcessErrorKind::GuardianGone)
            } else {
                failed(error)
            }
        })?;
        Ok(Supervised { link, key, pid: None })
    }
}

/// What to start.
#[derive(Debug, Clone, Copy)]
pub(in crate::process) struct ChildCommand<'a> {
    pub(in crate::process) program: &'a OsStr,
    pub(in crate::process) arguments: &'a [OsString],
    pub(in crate::process) environment: &'a Environment,
    pub(in crate::process) directory: &'a Path,
    pub(in crate::process) confinement: Option<&'a Confinement>,
}

/// A child of the guardian, seen from the engine. Dropping it has the child killed.
#[derive(Debug)]
pub(in crate::process) struct Supervised {
    link: UnixStream,
    key: String,
    /// Told only where processes cannot be found by their mark.
    pid: Option<Pid>,
}

impl Supervised {
    /// Receives the next report; to be called when the link has something to read.
    ///
    /// If the guardian is gone, the child is killed from here, as far as it can be found.
    pub(in crate::process) fn receive(&mut self) -> Result<Report, ProcessErrorKind> {
        let Ok(Some(frame)) = wire::receive(&self.link) else {
            self.kill_without_guardian();
            return Err(ProcessErrorKind::GuardianGone);
        };
        let report = frame.message().map_err(|_| ProcessErrorKind::Malformed)?;
        if let Report::Started { pid } = report {
            self.pid = Pid::from_raw(pid);
        }
        Ok(report)
    }

    /// Asks for the end of the child; a guardian that is gone is noticed by the next receive.
    pub(in crate::process) fn end(&self, grace: Duration) {
        let grace_ms = u64::try_from(grace.as_millis()).unwrap_or(u64::MAX);
        drop(wire::send(&self.link, &End { grace_ms }, &[]));
    }

    fn kill_without_guardian(&self) {
        if let Some(leader) = self.pid {
            let _ = kill_process_group(leader, Signal::KILL);
        }
        table::kill_trees(&orphans::find_launch(&self.key));
    }
}

impl AsFd for Supervised {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.link.as_fd()
    }
}

/// Tells a guardian what it is and waits until it watches; returns the version of Landlock.
fn set_up(control: &UnixStream, setup: &Request<'_>) -> Result<Option<u32>, ProcessErrorKind> {
    wire::send(control, setup, &[])?;
    let answer = wire::receive(control)?.ok_or(ProcessErrorKind::GuardianGone)?;
    match answer.message() {
        Ok(Report::Ready { landlock }) => Ok(Some(landlock).filter(|version| *version > 0)),
        Ok(Report::Refused { why }) => Err(ProcessErrorKind::GuardianRefused(why)),
        Ok(_) | Err(_) => Err(ProcessErrorKind::Malformed),
    }
}

fn rules_of(confinement: &Confinement) -> Rules<'_> {
    Rules {
        hidden: confinement.hidden.iter().map(|path| path.as_os_str()).collect(),
        readable: confinement.readable.iter().map(|path| path.as_os_str()).collect(),
        writable: confinement.writable.iter().map(|path| path.as_os_str()).collect(),
        bounds: confinement.bounds,
    }
}

/// Waits until no guardian holds the lock, or the time is over; tells whether it is free.
pub fn wait_until_gone(lock: &Path, time: Duration) -> Result<bool, ProcessError> {
    let failed = |error: io::Error| ProcessError::io("look at the lock", lock, error);
    let file = match File::open(lock) {
        Ok(file) => file,
        // Where there is no directory for it there is no lock; whoever makes the directory tells what is wrong.
        Err(error) if is_absent(&error) => return Ok(true),
        Err(error) => return Err(failed(error)),
    };
    match file.try_lock_shared() {
        Ok(()) => return Ok(true),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    // flock has no timeout, so a thread of its own waits for the lock. If that is in vain it ends with this process,
    // which goes no further then.
    let (sender, gone) = mpsc::channel();
    let waiting = thread::Builder::new().name("guardian-lock".to_owned());
    let wait = move || {
        let locked = file.lock_shared();
        // Whoever hears of it finds the lock free.
        drop(file);
        drop(sender.send(locked));
    };
    waiting.spawn(wait).map_err(failed)?;
    match gone.recv_timeout(time) {
        Ok(locked) => locked.map(|()| true).map_err(failed),
        Err(_) => Ok(false),
    }
}

/// Finds the program as a shell would, but in the child's `PATH`. A path with several parts is taken as it is: one
/// that does not begin with `/` is then looked up from the directory that the child starts in.
pub fn find_program(program: &OsStr, environment: &Environment) -> Result<PathBuf, ProcessError> {
    let given = Path::new(program);
    if given.components().count() > 1 || given.is_absolute() {
        return Ok(given.to_owned());
    }
    let path = environment.get("PATH").unwrap_or_else(|| OsStr::new("/usr/bin:/bin"));
    std::env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(given))
        .find(|candidate| is_executable(candidate))
        .ok_or_else(|| ProcessError::new("start", program, ProcessErrorKind::ProgramNotFound))
}

fn is_hang_up(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
