//! At most one phase run works on a project at a time.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use autopilot_core::id::RunId;

use crate::{error::EngineError, process::is_running};

/// Longer texts are not ours.
const TEXT_BYTES_MAX: u64 = 4_096;
/// How long the lock of a process that is gone is waited for: what a killed engine was about to start has the
/// lock until it starts, moments later.
const GONE_WAIT: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The right to work on a project, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Claim {
    _file: File,
}

impl Claim {
    /// Takes the right, or names who has it.
    pub(crate) fn take(path: &Path, run: &RunId) -> Result<Self, EngineError> {
        let failed = |what| EngineError::file(what, path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(EngineError::file("make", directory))?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed("open"))?;
        let until = Instant::now() + GONE_WAIT;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {
                    let (run, pid) = named(&mut file);
                    if is_running(pid) || Instant::now() >= until {
                        return Err(EngineError::Busy { run, pid });
                    }
                    thread::sleep(LOOK_EVERY);
                }
                Err(TryLockError::Error(error)) => return Err(failed("lock")(error)),
            }
        }
        // The lock is the kernel's; the text only tells people who holds it.
        let text = format!("{}\n{run}\n", std::process::id());
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(text.as_bytes()));
        written.map_err(failed("write"))?;
        Ok(Self { _file: file })
    }
}

/// Who holds the lock, as the file tells it.
fn named(file: &mut File) -> (RunId, u32) {
    let mut text = String::new();
    // Whoever holds the lock may be writing the text right now; then it names nobody.
    let read = file.rewind().and_then(|()| file.take(TEXT_BYTES_MAX).read_to_string(&mut text));
    let mut lines = text.lines();
    let pid = lines.next().and_then(|pid| pid.parse().ok()).unwrap_or(0);
    let run = lines.next().filter(|_| read.is_ok()).unwrap_or("another run");
    (RunId::new(run), pid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_claim_is_refused_and_names_the_first() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("a").join("claim");
        let first = Claim::take(&path, &RunId::new("run-1")).expect("free");
        let refused = Claim::take(&path, &RunId::new("run-2")).expect_err("taken");
        let expected = format!("run-1 is being worked on by process {}", std::process::id());
        assert_eq!(refused.to_string(), expected);
        drop(first);
        Claim::take(&path, &RunId::new("run-2")).expect("free again");
    }

    #[test]
    fn the_lock_of_a_process_that_is_gone_is_waited_for() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("claim");
        let gone = std::process::Command::new("true").spawn().expect("started");
        let pid = gone.id();
        gone.wait_with_output().expect("ended");
        fs::write(&path, format!("{pid}\nrun-1\n")).expect("written");
        let held = File::open(&path).expect("opened");
        held.lock().expect("free");
        let taking = thread::scope(|scope| {
            let taking = scope.spawn(|| Claim::take(&path, &RunId::new("run-2")).map(drop));
            thread::sleep(Duration::from_millis(30));
            drop(held);
            taking.join().expect("no panic")
        });
        taking.expect("taken once it was free");
    }
}
