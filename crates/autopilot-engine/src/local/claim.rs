//! At most one phase run works on a project at a time.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use autopilot_core::id::RunId;
use autopilot_journal::Holder;

use crate::{error::EngineError, private::create_dirs};

/// Longer texts are not ours.
const TEXT_BYTES_MAX: u64 = 4_096;
/// How long the lock of a process that is gone is waited for. A new holder writes its name right after it got
/// the lock; and what a killed engine was about to start has the lock until it starts, moments later.
const GONE_WAIT: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile. The waiting ends with a free lock or with a name in the file, whichever comes
/// first. The system can be waited on for one of them, not for both.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The right to work on a project, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Claim {
    file: File,
}

impl Claim {
    /// Takes the right, or names who has it.
    pub(crate) fn take(path: &Path, run: &RunId) -> Result<Self, EngineError> {
        let failed = |what| EngineError::file(what, path);
        if let Some(directory) = path.parent() {
            create_dirs(directory).map_err(EngineError::file("make", directory))?;
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
                    let holder = holder(&mut file);
                    let is_known = holder.as_ref().is_some_and(Holder::may_be_running);
                    if is_known || Instant::now() >= until {
                        return Err(busy(holder));
                    }
                    thread::sleep(LOOK_EVERY);
                }
                Err(TryLockError::Error(error)) => return Err(failed("lock")(error)),
            }
        }
        let mut claim = Self { file };
        claim.name(run).map_err(failed("write"))?;
        Ok(claim)
    }

    /// Tells people which run it is for. The lock is the kernel's; this is only its text.
    pub(crate) fn name(&mut self, run: &RunId) -> io::Result<()> {
        let text = Holder::this_process(run.as_str()).to_text();
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())
    }
}

/// Who holds the lock, as the file tells it; the label is the run.
fn holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    // Whoever holds the lock may be writing the text right now; then it names nobody.
    file.rewind().and_then(|()| file.take(TEXT_BYTES_MAX).read_to_string(&mut text)).ok()?;
    Holder::from_text(&text)
}

fn busy(holder: Option<Holder>) -> EngineError {
    match holder {
        Some(holder) => EngineError::Busy { run: RunId::new(holder.label), pid: holder.pid },
        None => EngineError::Busy { run: RunId::new("another run"), pid: 0 },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
    #[cfg(target_os = "linux")]
    fn the_lock_of_a_process_that_is_gone_is_waited_for() {
        let freed = |held: File| {
            drop(held);
            None
        };
        taken_after(freed).expect("taken once it was free");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_holder_that_has_not_written_its_name_yet_is_named_and_not_the_one_before() {
        let named = |mut held: File| {
            held.set_len(0).expect("emptied");
            let text = Holder::this_process("run-3").to_text();
            held.write_all(text.as_bytes()).expect("written");
            Some(held)
        };
        let refused = taken_after(named).expect_err("run-3 has it");
        let expected = format!("run-3 is being worked on by process {}", std::process::id());
        assert_eq!(refused.to_string(), expected);
    }

    /// Tries to take a lock that is held, and whose file names a holder of old: one that is gone, and whose
    /// process id another process has been given. After a while something happens to the lock.
    #[cfg(target_os = "linux")]
    fn taken_after(happens: impl FnOnce(File) -> Option<File>) -> Result<(), EngineError> {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("claim");
        let own = Holder::this_process("run-1");
        let of_old = Holder { started_ticks: own.started_ticks - 1, ..own };
        fs::write(&path, of_old.to_text()).expect("written");
        let held = OpenOptions::new().read(true).write(true).open(&path).expect("opened");
        held.lock().expect("free");
        thread::scope(|scope| {
            let taking = scope.spawn(|| Claim::take(&path, &RunId::new("run-2")).map(drop));
            thread::sleep(Duration::from_millis(30));
            let _still_held = happens(held);
            taking.join().expect("no panic")
        })
    }
}
