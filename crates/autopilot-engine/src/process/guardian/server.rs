//! The guardian's side: starts children, reports their end, and ends everything with the engine.
//!
//! Single-threaded. It sleeps in one `poll` on the control socket, the children's links and a pipe
//! that SIGCHLD writes to; there is no timer except the grace of a child that was asked to end.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read},
    os::{
        fd::{AsFd, OwnedFd},
        unix::{ffi::OsStrExt, net::UnixStream},
    },
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, WaitOptions, WaitStatus, kill_process_group},
};

use super::{
    begin::{become_guardian, hold_lock, landlock, leave},
    spawn::start_child,
    watch::{LOOK_EVERY, Usage},
};
use crate::process::{
    Bounds, Exceeded,
    environment::LAUNCH_KEY,
    table,
    wire::{self, End, Kind, Report, Request, STRAY_NAMES_MAX, Spawn, Status, Strays},
};

/// How long leftovers of a child are waited for after they were killed.
const STRAYS_WAIT_MAX: Duration = Duration::from_millis(500);

/// How long everything is waited for after it was killed at the end of the run.
const END_WAIT_MAX: Duration = Duration::from_secs(5);

/// How long one search-and-kill round waits for the deaths it caused before it searches again.
const ROUND_WAIT: Duration = Duration::from_millis(10);

/// Runs the guardian; the binary calls it for its hidden subcommand. Standard input is the socket.
pub fn guardian_main() -> ExitCode {
    // Without the socket there is no one to tell.
    let Ok(control) = io::stdin().as_fd().try_clone_to_owned() else {
        return ExitCode::FAILURE;
    };
    let control = UnixStream::from(control);
    match Server::set_up(control) {
        Ok(server) => server.serve(),
        Err(()) => ExitCode::FAILURE,
    }
}

struct Server {
    control: UnixStream,
    deaths: UnixStream,
    children: Vec<Child>,
    after: Vec<OsString>,
    /// What the machine was used for when there was no child.
    used: Usage,
    look_at: Option<Instant>,
    _lock: Option<File>,
}

struct Child {
    pid: Pid,
    mark: Vec<u8>,
    link: UnixStream,
    listening: bool,
    kill_at: Option<Instant>,
    kind: Kind,
    bounds: Option<Bounds>,
    exceeded: Option<Exceeded>,
    ended: Option<Status>,
}

/// What the control socket asks of the loop.
enum Next {
    GoOn,
    EndAll { run_after: bool },
}

impl Server {
    fn set_up(control: UnixStream) -> Result<Self, ()> {
        let refuse = |why: String| {
            // The engine also notices that the socket closes.
            drop(wire::send(&control, &Report::Refused { why }, &[]));
        };
        let frame = wire::receive(&control).ok().flatten().ok_or(())?;
        let Ok(Request::Setup { lock, after, network }) = frame.message() else {
            return Err(());
        };
        // Before there is a second thread.
        leave(network).map_err(|error| refuse(error.to_string()))?;
        let deaths = become_guardian(network).map_err(|error| refuse(error.to_string()))?;
        let lock = hold_lock(lock).map_err(refuse)?;
        let used = Usage::now();
        wire::send(&control, &Report::Ready { landlock: landlock() }, &[]).map_err(drop)?;
        Ok(Self {
            control,
            deaths,
            children: Vec::new(),
            after: after.into_iter().map(OsStr::to_owned).collect(),
            used,
            look_at: None,
            _lock: lock,
        })
    }

    fn serve(mut self) -> ExitCode {
        loop {
            let Ok(ready) = self.wait() else {
                return self.end_all(true);
            };
            // Links first: collecting the dead changes the places of the children.
            self.read_links(&ready.links);
            if ready.deaths {
                self.drain_deaths();
                self.reap();
            }
            if ready.control {
                match self.read_control() {
                    Next::GoOn => {}
                    Next::EndAll { run_after } => return self.end_all(run_after),
                }
            }
            self.kill_overdue();
            self.hold_to_bounds();
        }
    }

    /// Sleeps until something happens and tells what.
    fn wait(&self) -> rustix::io::Result<Ready> {
        let mut polled = Vec::with_capacity(2 + self.children.len());
        polled.push(PollFd::new(&self.control, PollFlags::IN));
        polled.push(PollFd::new(&self.deaths, PollFlags::IN));
        let listened: Vec<usize> =
            (0..self.children.len()).filter(|at| self.children[*at].listening).collect();
        for at in &listened {
            polled.push(PollFd::new(&self.children[*at].link, PollFlags::IN));
        }
        let next = self.children.iter().filter_map(|child| child.kill_at).chain(self.look_at).min();
        let timeout = next.map(|at| timespec(at.saturating_duration_since(Instant::now())));
        match poll(&mut polled, timeout.as_ref()) {
            Ok(_) => {}
            // Nearly always a death, which the engine waits to hear of.
            Err(rustix::io::Errno::INTR) => return Ok(Ready::death()),
            Err(error) => return Err(error),
        }
        let mut ready = polled.iter().map(|one| !one.revents().is_empty());
        Ok(Ready {
            control: ready.next().unwrap_or_default(),
            deaths: ready.next().unwrap_or_default(),
            links: listened
                .into_iter()
                .zip(ready)
                .filter_map(|(at, ready)| ready.then_some(at))
                .collect(),
        })
    }

    fn read_control(&mut self) -> Next {
        let Ok(Some(mut frame)) = wire::receive(&self.control) else {
            return Next::EndAll { run_after: true };
        };
        let files = std::mem::take(&mut frame.files);
        match frame.message() {
            Ok(Request::Spawn(spawn)) => {
                self.start(&spawn, files);
                Next::GoOn
            }
            Ok(Request::Dismiss) => Next::EndAll { run_after: false },
            // A second setup or bytes we do not know: the engine is not the one we trust.
            Ok(Request::Setup { .. }) | Err(_) => Next::EndAll { run_after: true },
        }
    }

    fn start(&mut self, spawn: &Spawn<'_>, files: Vec<OwnedFd>) {
        let Ok([link, stdin, stdout, stderr]) = <[OwnedFd; 4]>::try_from(files) else {
            return;
        };
        let link = UnixStream::from(link);
        let mark = [LAUNCH_KEY.as_bytes(), b"=", spawn.key.as_bytes()].concat();
        match start_child(spawn, [stdin, stdout, stderr]) {
            Ok(pid) => {
                // Where the engine finds a child by its mark it need not be woken for this.
                if cfg!(not(target_os = "linux")) {
                    let pid = pid.as_raw_pid();
                    drop(wire::send(&link, &Report::Started { pid }, &[]));
                }
                self.children.push(Child {
                    pid,
                    mark,
                    link,
                    listening: true,
                    kill_at: None,
                    kind: spawn.kind,
                    bounds: spawn.rules.as_ref().map(|rules| rules.bounds),
                    exceeded: None,
                    ended: None,
                });
                if spawn.rules.is_some() && self.look_at.is_none() {
                    self.look_at = Some(Instant::now() + LOOK_EVERY);
                }
            }
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or_default();
                drop(wire::send(&link, &Report::NotStarted { errno }, &[]));
            }
        }
    }

    fn read_links(&mut self, ready: &[usize]) {
        for at in ready {
            let child = &mut self.children[*at];
            let frame = wire::receive(&child.link).ok().flatten();
            match frame.and_then(|frame| frame.message::<End>().ok()) {
                Some(end) => child.end(Duration::from_millis(end.grace_ms)),
                // No one waits for this child any more.
                None => {
                    child.listening = false;
                    child.end(Duration::ZERO);
                }
            }
        }
    }

    fn kill_overdue(&mut self) {
        let now = Instant::now();
        for child in &mut self.children {
            if child.kill_at.is_some_and(|at| at <= now) {
                child.kill_at = None;
                kill_group(child.pid, Signal::KILL);
                table::kill_trees(&[child.pid]);
            }
        }
    }

    /// Ends what uses more than it may. A short child never waits for this, and costs nothing.
    fn hold_to_bounds(&mut self) {
        if self.look_at.is_none_or(|at| at > Instant::now()) {
            return;
        }
        let now = Usage::now();
        for at in 0..self.children.len() {
            let child = &self.children[at];
            let Some(bounds) = child.bounds.filter(|_| child.ended.is_none()) else { continue };
            let roots = || {
                let mut roots = self.leftovers_of(child);
                roots.push(child.pid);
                roots
            };
            if let Some(exceeded) = self.used.exceeded_by(now, bounds, roots) {
                table::kill_trees(&roots());
                self.children[at].exceeded = Some(exceeded);
            }
        }
        let bounded = self.children.iter().any(|child| child.bounds.is_some());
        self.look_at = bounded.then(|| Instant::now() + LOOK_EVERY);
    }

    /// The orphans that a child has left so far: they are direct children of the guardian by then. While other children
    /// run, only those are taken that bear this child's group or mark.
    fn leftovers_of(&self, child: &Child) -> Vec<Pid> {
        let others = self.children.iter().filter(|other| other.pid != child.pid);
        let mut others = others.filter(|other| other.kind == Kind::Step);
        let others_run = others.any(|other| other.ended.is_none());
        table::own_children()
            .into_iter()
            .filter(|pid| *pid != child.pid && self.children.iter().all(|child| child.pid != *pid))
            .filter(|pid| !others_run || child.owns(*pid))
            .collect()
    }

    fn drain_deaths(&mut self) {
        let mut bytes = [0; 256];
        while matches!(self.deaths.read(&mut bytes), Ok(count) if count == bytes.len()) {}
    }

    /// Collects the dead, kills what they left and reports them.
    fn reap(&mut self) {
        let mut alone = self.collect_dead();
        while let Some(at) = self.children.iter().position(|child| child.ended.is_some()) {
            let child = self.children.swap_remove(at);
            let Some(status) = child.ended else { continue };
            let exceeded = child.exceeded;
            let strays = match alone {
                Alone::Yes => Strays::default(),
                Alone::No => self.kill_strays(&child),
            };
            drop(wire::send(&child.link, &Report::Exited { status, strays, exceeded }, &[]));
            // More may have died meanwhile.
            alone = match alone {
                Alone::Yes => Alone::Yes,
                Alone::No => self.collect_dead(),
            };
        }
    }

    fn collect_dead(&mut self) -> Alone {
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    if let Some(child) = self.children.iter_mut().find(|child| child.pid == pid) {
                        child.ended = Some(status_of(status));
                    }
                }
                Ok(None) => return Alone::No,
                Err(rustix::io::Errno::CHILD) => return Alone::Yes,
                Err(_) => return Alone::No,
            }
        }
    }

    /// Kills what an ended child left behind and waits until it is gone.
    fn kill_strays(&mut self, ended: &Child) -> Strays {
        let deadline = Instant::now() + STRAYS_WAIT_MAX;
        let mut strays = Strays::default();
        let mut counted = BTreeSet::new();
        loop {
            let roots = self.leftovers_of(ended);
            if roots.is_empty() || Instant::now() >= deadline {
                return strays;
            }
            // What was killed in the last round may still be on its way out.
            for hit in table::kill_trees(&roots)
                .into_iter()
                .filter(|hit| counted.insert(hit.pid.as_raw_pid()))
            {
                strays.count += 1;
                if strays.names.len() < STRAY_NAMES_MAX {
                    strays.names.push(hit.name);
                }
            }
            self.await_deaths(ROUND_WAIT);
            self.collect_dead();
        }
    }

    fn await_deaths(&mut self, time: Duration) {
        let mut polled = [PollFd::new(&self.deaths, PollFlags::IN)];
        // Interrupted or not: the caller looks again.
        let _ = poll(&mut polled, Some(&timespec(time)));
        self.drain_deaths();
    }

    /// Kills every descendant, then runs the after command.
    fn end_all(mut self, run_after: bool) -> ExitCode {
        let deadline = Instant::now() + END_WAIT_MAX;
        while matches!(self.collect_dead(), Alone::No) && Instant::now() < deadline {
            for child in &self.children {
                if child.ended.is_none() {
                    kill_group(child.pid, Signal::KILL);
                }
            }
            table::kill_trees(&table::own_children());
            self.await_deaths(ROUND_WAIT);
        }
        match self.after.split_first() {
            Some((program, arguments)) if run_after => run_to_end(program, arguments),
            Some(_) | None => ExitCode::SUCCESS,
        }
    }
}

/// Which of the polled files have something to read.
struct Ready {
    control: bool,
    deaths: bool,
    /// Places in the list of children.
    links: Vec<usize>,
}

impl Ready {
    fn death() -> Self {
        Self { control: false, deaths: true, links: Vec::new() }
    }
}

/// Whether the guardian has no child at all, known or adopted.
enum Alone {
    Yes,
    No,
}

impl Child {
    /// Asks the group to end, and sets when it will be killed; a second request can only shorten.
    fn end(&mut self, grace: Duration) {
        if self.kill_at.is_none() && !grace.is_zero() {
            kill_group(self.pid, Signal::TERM);
        }
        let at = Instant::now() + grace;
        self.kill_at = Some(self.kill_at.map_or(at, |before| before.min(at)));
    }

    fn owns(&self, pid: Pid) -> bool {
        table::entry(pid).is_some_and(|entry| entry.group == self.pid.as_raw_pid())
            || table::has_variable(pid, &self.mark)
    }
}

fn run_to_end(program: &OsStr, arguments: &[OsString]) -> ExitCode {
    let ended = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match ended {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) | Err(_) => ExitCode::FAILURE,
    }
}

fn kill_group(leader: Pid, signal: Signal) {
    // The leader was not collected yet, so the group id cannot belong to anyone else.
    let _ = kill_process_group(leader, signal);
}

fn status_of(status: WaitStatus) -> Status {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Status::Code(code),
        (None, signal) => Status::Signal(signal.unwrap_or_default()),
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec::try_from(duration).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 })
}
