//! Starts children, within what they may touch.

use std::{
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::Command,
};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit};

use crate::process::wire::{Rules, Spawn};

/// Starts a child by posix_spawn: nothing here may need a fork of its own (user, pre_exec, PATH search).
pub(super) fn start_child(
    spawn: &Spawn<'_>,
    [stdin, stdout, stderr]: [OwnedFd; 3],
) -> io::Result<Pid> {
    let mut command = Command::new(spawn.program);
    command
        .arg0(spawn.name)
        .args(&spawn.arguments)
        .env_clear()
        .envs(spawn.environment.iter().copied())
        .current_dir(spawn.directory)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .process_group(0);
    match &spawn.rules {
        Some(rules) => within(rules, &mut command),
        None => begin(&mut command),
    }
}

fn begin(command: &mut Command) -> io::Result<Pid> {
    command.spawn().map(|child| Pid::from_child(&child))
}

/// Starts a child from a thread that restricts itself before: a child gets the restrictions of the thread that starts it.
/// The guardian itself has to stay as it is.
#[cfg(target_os = "linux")]
fn within(rules: &Rules<'_>, command: &mut Command) -> io::Result<Pid> {
    let started = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("confined".to_owned());
        let start = || {
            super::confine::restrict(rules)?;
            with_smaller_files(rules.bounds.file_bytes_max, || begin(command))
        };
        Ok::<_, io::Error>(thread.spawn_scoped(scope, start)?.join())
    })?;
    // A panic has started nothing.
    started.unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
}

#[cfg(not(target_os = "linux"))]
fn within(rules: &Rules<'_>, command: &mut Command) -> io::Result<Pid> {
    with_smaller_files(rules.bounds.file_bytes_max, || begin(command))
}

/// Starts something while this process itself may only write small files. It gets the limit with its first breath, and then,
/// where the system knows how, for good.
fn with_smaller_files(bytes_max: u64, start: impl FnOnce() -> io::Result<Pid>) -> io::Result<Pid> {
    let before = getrlimit(Resource::Fsize);
    let least = |limit: Option<u64>| Some(limit.map_or(bytes_max, |limit| limit.min(bytes_max)));
    let within = Rlimit { current: least(before.current), maximum: before.maximum };
    setrlimit(Resource::Fsize, within.clone())?;
    let started = start();
    setrlimit(Resource::Fsize, before)?;
    #[cfg(target_os = "linux")]
    if let Ok(pid) = started {
        let for_good = Rlimit { current: within.current, maximum: within.current };
        // One that has ended already cannot be limited any more.
        let _ = rustix::process::prlimit(Some(pid), Resource::Fsize, for_good);
    }
    started
}
