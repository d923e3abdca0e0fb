//! What a process does to become a guardian.

use std::{
    ffi::OsStr,
    fs::{File, TryLockError},
    io,
    os::unix::net::UnixStream,
    sync::{Arc, atomic::AtomicBool, mpsc},
    thread,
    time::Duration,
};

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

use super::NAME;
use crate::process::Network;

/// How long the guardian of an earlier start is waited for: longer than it has to end everything.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(10);

/// Leaves the terminal's session, adopts orphans, and returns the pipe that tells of deaths.
///
/// A guardian that another one started has left the session with it, and leads a group, which may not leave alone.
pub(super) fn become_guardian(network: Network) -> io::Result<UnixStream> {
    let (deaths, teller) = UnixStream::pair()?;
    deaths.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(SIGCHLD, teller)?;
    // The guardian lives exactly as long as the engine. Handlers, not SIG_IGN: the latter would be
    // inherited by every child.
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2] {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    if network == Network::Open {
        // Fails only for the leader of a group, which a freshly spawned process is not.
        rustix::process::setsid()?;
    }
    #[cfg(target_os = "linux")]
    {
        let name = std::ffi::CString::new(NAME)?;
        rustix::thread::set_name(&name)?;
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    }
    // No directory is kept busy.
    std::env::set_current_dir("/")?;
    Ok(deaths)
}

/// Goes into the network that a guardian and its children are to be in.
#[cfg(target_os = "linux")]
pub(super) fn leave(network: Network) -> io::Result<()> {
    match network {
        Network::Open => Ok(()),
        Network::Own => super::offline::leave_network(),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn leave(network: Network) -> io::Result<()> {
    match network {
        Network::Open => Ok(()),
        Network::Own => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this system has no networks for single processes",
        )),
    }
}

/// The version of Landlock; 0 where there is none.
pub(super) fn landlock() -> u32 {
    #[cfg(target_os = "linux")]
    return super::confine::version().unwrap_or_default();
    #[cfg(not(target_os = "linux"))]
    0
}

pub(super) fn hold_lock(path: &OsStr) -> Result<Option<File>, String> {
    if path.is_empty() {
        return Ok(None);
    }
    let failed = |error: String| format!("cannot hold `{}`: {error}", path.display());
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| failed(error.to_string()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => wait_for_lock(file).map(Some).map_err(failed),
        Err(TryLockError::Error(error)) => Err(failed(error.to_string())),
    }
}

/// Waits for the guardian of an earlier start. It may have been started by an engine that was killed at once, so late that whoever
/// looked before this start saw no lock; it finds its engine gone and ends.
fn wait_for_lock(file: File) -> Result<File, String> {
    // flock has no timeout; if the wait is in vain, the thread ends with this process.
    let (sender, locked) = mpsc::channel();
    let waiting = thread::Builder::new().name("lock".to_owned());
    let wait = move || drop(sender.send(file.lock().map(|()| file)));
    waiting.spawn(wait).map_err(|error| error.to_string())?;
    match locked.recv_timeout(LOCK_WAIT_MAX) {
        Ok(locked) => locked.map_err(|error| error.to_string()),
        Err(_) => Err("another guardian holds it".to_owned()),
    }
}
