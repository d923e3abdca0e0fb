//! At most one phase run works on a project at a time.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
};

use autopilot_core::id::RunId;

use crate::error::EngineError;

/// Longer texts are not ours.
const TEXT_BYTES_MAX: u64 = 4_096;

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
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy(&mut file)),
            Err(TryLockError::Error(error)) => return Err(failed("lock")(error)),
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

fn busy(file: &mut File) -> EngineError {
    let mut text = String::new();
    // Whoever holds the lock may be writing the text right now; then it names nobody.
    let read = file.take(TEXT_BYTES_MAX).read_to_string(&mut text);
    let mut lines = text.lines();
    let pid = lines.next().and_then(|pid| pid.parse().ok()).unwrap_or(0);
    let run = lines.next().filter(|_| read.is_ok()).unwrap_or("another run");
    EngineError::Busy { run: RunId::new(run), pid }
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
}
