//! The lock of sessions in a project: one file that says who is at work. Other programs use the same.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use autopilot_core::{
    sessions::{
        clock,
        lock::{LockText, Meeting, Process, meet},
    },
    time::Timestamp,
};
use rustix::process::{Pid, test_kill_process};

use super::SessionError;
use crate::{
    private::create_dirs,
    scribe::files::{read_small, replace},
};

/// No lock is longer.
const LOCK_BYTES_MAX: u64 = 64 << 10;
/// So often a lock that changes hands while it is looked at is looked at again.
const LOOKS_MAX: u32 = 16;

/// The lock of a project.
#[derive(Clone, Debug)]
pub struct SessionLock {
    path: PathBuf,
}

/// How a session stands to the lock of its project.
#[derive(Debug)]
pub enum Held {
    /// It holds it.
    Own,
    /// It may begin beside whoever holds it, or may not.
    Beside {
        /// Which of the two, and why.
        meeting: Meeting,
        /// Whoever holds it.
        holder: Box<LockText>,
    },
}

impl SessionLock {
    /// The lock at a path; nothing is made.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Takes the lock, or says who has it and whether a session may begin all the same.
    ///
    /// # Errors
    /// A file that cannot be written is named.
    pub fn take(&self, own: &LockText, now: Timestamp) -> Result<Held, SessionError> {
        for _ in 0..LOOKS_MAX {
            if self.create(own).map_err(SessionError::file("make", &self.path))? {
                return Ok(Held::Own);
            }
            // A lock that cannot be read was never taken by anybody: it is put aside like one of a process that is gone.
            let Some(holder) = self.holder() else {
                self.put_aside(None);
                continue;
            };
            let process = process_of(&holder, &own.host);
            let meeting = meet(&holder, now, process, (&own.session_id, &own.mode));
            match meeting {
                Meeting::Own => {
                    replace(&self.path, &text(own))
                        .map_err(SessionError::file("write", &self.path))?;
                    return Ok(Held::Own);
                }
                Meeting::StaleDead => self.put_aside(Some(&holder)),
                Meeting::Incompatible
                | Meeting::Compatible
                | Meeting::Bypass
                | Meeting::StaleAlive => {
                    return Ok(Held::Beside { meeting, holder: Box::new(holder) });
                }
            }
        }
        let busy = io::Error::new(io::ErrorKind::ResourceBusy, "it changes hands too often");
        Err(SessionError::file("take", &self.path)(busy))
    }

    /// Tells that the session is still there. A lock that is somebody else's by now stays theirs.
    ///
    /// # Errors
    /// A file that cannot be written is named.
    pub fn refresh(&self, own: &LockText, now: Timestamp) -> Result<(), SessionError> {
        let Some(held) = self.holder().filter(|held| held.session_id == own.session_id) else {
            return Ok(());
        };
        let fresh = LockText { last_heartbeat: clock::iso(now), ..held };
        replace(&self.path, &text(&fresh)).map_err(SessionError::file("write", &self.path))
    }

    /// Gives the lock back. That of another session stays.
    pub fn release(&self, id: &str) {
        if self.holder().is_some_and(|held| held.session_id == id) {
            // One that stays names a process that is gone.
            drop(fs::remove_file(&self.path));
        }
    }

    /// Who holds the lock.
    pub fn holder(&self) -> Option<LockText> {
        serde_json::from_str(&read_small(&self.path, LOCK_BYTES_MAX)?).ok()
    }

    /// Makes the lock whole or not at all, and only where there is none.
    fn create(&self, own: &LockText) -> io::Result<bool> {
        let above = self.path.parent().unwrap_or(Path::new("."));
        create_dirs(above)?;
        let draft = tempfile::NamedTempFile::new_in(above)?;
        fs::write(draft.path(), text(own))?;
        match fs::hard_link(draft.path(), &self.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Moves a lock away that nobody holds. If it was another one by then, it comes back, unless there is a newer one.
    fn put_aside(&self, seen: Option<&LockText>) {
        let aside = self.path.with_extension(format!("gone-{}", std::process::id()));
        if fs::rename(&self.path, &aside).is_err() {
            return;
        }
        let moved = Self::at(&aside).holder();
        if moved.as_ref() != seen {
            drop(fs::hard_link(&aside, &self.path));
        }
        drop(fs::remove_file(&aside));
    }
}

fn text(lock: &LockText) -> Vec<u8> {
    serde_json::to_vec_pretty(lock).unwrap_or_default()
}

fn process_of(holder: &LockText, host: &str) -> Process {
    if holder.host != host {
        return Process::Elsewhere;
    }
    let pid = i32::try_from(holder.pid).ok().and_then(Pid::from_raw);
    let is_there = pid.is_some_and(|pid| {
        // Whoever may not signal it has still found it.
        matches!(test_kill_process(pid), Ok(()) | Err(rustix::io::Errno::PERM))
    });
    if is_there { Process::Alive } else { Process::Dead }
}

#[cfg(test)]
mod tests {
    use std::{process::Command, thread};

    use autopilot_core::sessions::lock::TTL_HOURS;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

    fn own(id: &str, mode: &str, pid: u32) -> LockText {
        LockText {
            session_id: id.to_owned(),
            started_at: clock::iso(NOW),
            last_heartbeat: clock::iso(NOW),
            mode: mode.to_owned(),
            pid,
            host: "here".to_owned(),
            ttl_hours: TTL_HOURS,
            semantic_session_id: None,
        }
    }

    fn gone() -> u32 {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[test]
    fn s18_of_many_at_once_one_wins_also_over_a_lock_of_a_process_that_is_gone() {
        for round in 0..20 {
            let place = tempfile::tempdir().unwrap();
            let lock = SessionLock::at(&place.path().join(".orchestrator/session.lock"));
            if round % 2 == 1 {
                assert!(matches!(lock.take(&own("old", "deep", gone()), NOW), Ok(Held::Own)));
            }
            let won = thread::scope(|scope| {
                let take = |at: u32| {
                    let lock = &lock;
                    scope.spawn(move || {
                        let own = own(&format!("s{at}"), "housekeeping", std::process::id());
                        matches!(lock.take(&own, NOW), Ok(Held::Own))
                    })
                };
                let tries: Vec<_> = (0..8).map(take).collect();
                tries.into_iter().map(|one| one.join().unwrap()).filter(|won| *won).count()
            });
            assert_eq!(won, 1, "round {round}");
        }
    }

    #[test]
    fn s18_a_holder_is_met_by_its_kind_and_gives_back_only_its_own() {
        let place = tempfile::tempdir().unwrap();
        let lock = SessionLock::at(&place.path().join("session.lock"));
        let here = std::process::id();
        assert!(matches!(lock.take(&own("a", "deep", here), NOW), Ok(Held::Own)));
        let met = |mode| match lock.take(&own("b", mode, here), NOW) {
            Ok(Held::Beside { meeting, holder }) => (meeting, holder.session_id),
            other => panic!("{other:?}"),
        };
        assert_eq!(met("feature"), (Meeting::Compatible, "a".to_owned()));
        assert_eq!(met("housekeeping"), (Meeting::Incompatible, "a".to_owned()));
        assert_eq!(met("discovery"), (Meeting::Bypass, "a".to_owned()));
        lock.release("b");
        let later = NOW.plus_ms(60_000);
        lock.refresh(&own("b", "deep", here), later).unwrap();
        assert_eq!(
            lock.holder().unwrap().last_heartbeat,
            clock::iso(NOW),
            "it is not theirs to refresh"
        );
        lock.refresh(&own("a", "deep", here), later).unwrap();
        assert_eq!(lock.holder().unwrap().last_heartbeat, clock::iso(later));
        lock.release("a");
        assert_eq!(lock.holder(), None);
    }

    #[test]
    fn s18_a_lock_that_cannot_be_read_keeps_nobody_out() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("session.lock");
        fs::write(&path, "{torn").unwrap();
        let taken = SessionLock::at(&path).take(&own("a", "deep", 1), NOW);
        assert!(matches!(taken, Ok(Held::Own)));
    }
}
