//! Takes away the locks that a git which died has left on refs of ours.
//!
//! Git makes a file beside a ref while it moves it, and never asks whether who made it is still alive. After
//! a power cut such a file would stop the run for good.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::{GitError, OwnRef, Project};

/// How long a lock may be held by somebody who is alive: git holds the lock of a single ref for moments.
const HELD_MAX: Duration = Duration::from_secs(1);
/// Git tells nobody when it lets go, so there is nothing to wait for but time.
const LOOK_EVERY: Duration = Duration::from_millis(10);

impl Project {
    /// Tells whether somebody is moving a ref of ours, or died while moving it.
    pub fn is_locked(&self, name: &OwnRef) -> bool {
        let lock = self.common_dir.join(format!("{}.lock", name.as_str()));
        lock.symlink_metadata().is_ok()
    }

    /// Removes the locks on a run's refs that stay, and returns them. Whoever calls is alone in working on the run.
    pub fn break_stale_locks(&self, run: &str) -> Result<Vec<PathBuf>, GitError> {
        let mut locks = Vec::new();
        for place in ["refs/heads/autopilot", "refs/autopilot"] {
            find_locks(&self.common_dir.join(place).join(run), &mut locks)?;
        }
        let until = Instant::now() + HELD_MAX;
        loop {
            locks.retain(|lock| lock.symlink_metadata().is_ok());
            if locks.is_empty() || Instant::now() >= until {
                break;
            }
            thread::sleep(LOOK_EVERY);
        }
        for lock in &locks {
            match fs::remove_file(lock) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(GitError::io("remove the stale lock", lock, error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(locks)
    }
}

fn find_locks(directory: &Path, locks: &mut Vec<PathBuf>) -> Result<(), GitError> {
    let failed = |error| GitError::io("list", directory, error);
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        // Where refs are kept in tables there is no directory of them, and no lock for a single one.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(());
        }
        Err(error) => return Err(failed(error)),
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        if entry.file_type().map_err(failed)?.is_dir() {
            find_locks(&path, locks)?;
        } else if path.extension().is_some_and(|extension| extension == "lock") {
            locks.push(path);
        }
    }
    Ok(())
}
