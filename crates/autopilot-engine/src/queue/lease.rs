//! Leases: who may work on something, on this machine.
//!
//! A lease is a directory, because making one either succeeds or does not, for exactly one of many. Inside is who holds
//! it and since when. A holder that was never written down, or cannot be read back, holds nothing.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

/// Whose lease may be taken over although it is held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Force {
    /// Nobody's.
    #[default]
    No,
    /// Anybody's.
    All,
    /// That of one key in one pool, as `pool:key`.
    One(String),
}

/// Where leases are, and for how long they count.
#[derive(Clone, Debug)]
pub struct LeaseStore {
    /// The directory of the pools.
    pub directory: PathBuf,
    /// A lease that was not refreshed for longer is nobody's.
    pub seconds_max: u64,
    /// Whose lease may be taken over.
    pub force: Force,
    /// Where it is written down when one is.
    pub audit: Option<PathBuf>,
}

/// Something that can be leased.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its pool.
    pub pool: &'a str,
    /// Its key in the pool.
    pub key: &'a str,
}

/// Who holds a lease.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    session_id: String,
    timestamp: u64,
}

/// What became of an attempt to take a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is ours; if it was taken from somebody, the line that says so.
    Held {
        /// What is told of a lease that was taken over.
        audit: Option<String>,
    },
    /// It is somebody else's, or could not be written down.
    Refused,
}

impl LeaseStore {
    /// The directory of a lease.
    pub fn path(&self, place: Place<'_>) -> PathBuf {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        let name: Vec<u8> =
            place.key.bytes().map(|byte| if plain(&byte) { byte } else { b'_' }).collect();
        let mut lock = OsStr::from_bytes(&name).to_owned();
        lock.push(".lock");
        self.directory.join(place.pool).join(lock)
    }

    /// Takes a lease, or refreshes one that the session holds already.
    pub fn acquire(&self, place: Place<'_>, session: &str) -> Taken {
        let now = now_s();
        let lock = self.path(place);
        if let Some(pool) = lock.parent()
            && fs::create_dir_all(pool).is_err()
        {
            return Taken::Refused;
        }
        let audit = self.is_forced(place).then(|| self.take_over(place, session, now));
        if audit.is_none() {
            self.remove_if_stale(place, now);
        }
        let held = match fs::create_dir(&lock) {
            Ok(()) => {
                let written = write_holder(&lock, session, now);
                if !written {
                    // A lock that says nothing would keep everybody out until it is stale.
                    discard(&lock);
                }
                written
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                read_holder(&lock).is_some_and(|holder| holder.session_id == session)
                    && write_holder(&lock, session, now)
            }
            Err(_) => false,
        };
        if held { Taken::Held { audit } } else { Taken::Refused }
    }

    /// Who holds a lease that still counts.
    pub fn holder(&self, place: Place<'_>) -> Option<String> {
        self.remove_if_stale(place, now_s());
        read_holder(&self.path(place)).map(|holder| holder.session_id)
    }

    /// Gives a lease back. That of another session stays.
    pub fn release(&self, place: Place<'_>, session: &str) {
        let lock = self.path(place);
        if read_holder(&lock).is_some_and(|holder| holder.session_id == session) {
            discard(&lock);
        }
    }

    /// Removes a lease that does not count any more, or all such leases of a pool.
    pub fn clean_up(&self, pool: &str, key: Option<&str>) {
        let now = now_s();
        if let Some(key) = key {
            self.remove_if_stale(Place { pool, key }, now);
            return;
        }
        let locks = fs::read_dir(self.directory.join(pool)).into_iter().flatten().flatten();
        for lock in locks.map(|entry| entry.path()) {
            if lock.extension() == Some(OsStr::new("lock")) && self.is_stale(&lock, now) {
                discard(&lock);
            }
        }
    }

    fn is_forced(&self, place: Place<'_>) -> bool {
        match &self.force {
            Force::No => false,
            Force::All => true,
            Force::One(name) => *name == format!("{}:{}", place.pool, place.key),
        }
    }

    /// Takes a lease from whoever holds it, and writes that down before it happens.
    fn take_over(&self, place: Place<'_>, session: &str, now: u64) -> String {
        let lock = self.path(place);
        let before = read_holder(&lock).map_or("none".to_owned(), |holder| holder.session_id);
        let Place { pool, key } = place;
        let line = format!("lease-force pool={pool} key={key} by={session} prev={before} ts={now}");
        if let Some(audit) = &self.audit {
            append_line(audit, &line);
        }
        discard(&lock);
        line
    }

    fn remove_if_stale(&self, place: Place<'_>, now: u64) {
        let lock = self.path(place);
        if self.is_stale(&lock, now) {
            discard(&lock);
        }
    }

    /// A lock without a holder may be one that is being taken this moment: its own age counts then.
    fn is_stale(&self, lock: &Path, now: u64) -> bool {
        let since = read_holder(lock).map(|holder| holder.timestamp).or_else(|| {
            let changed = fs::metadata(lock).and_then(|found| found.modified()).ok()?;
            changed.duration_since(UNIX_EPOCH).ok().map(|age| age.as_secs())
        });
        since.is_some_and(|since| now.saturating_sub(since) > self.seconds_max)
    }
}

fn holder_file(lock: &Path) -> PathBuf {
    lock.join("holder.json")
}

fn read_holder(lock: &Path) -> Option<Holder> {
    serde_json::from_slice(&fs::read(holder_file(lock)).ok()?).ok()
}

/// Writes a holder down, whole or not at all, and sees that it is there.
fn write_holder(lock: &Path, session: &str, now: u64) -> bool {
    let holder = Holder { session_id: session.to_owned(), timestamp: now };
    let Ok(mut text) = serde_json::to_string(&holder) else { return false };
    text.push('\n');
    let beside = lock.join(format!("holder.json.{}", std::process::id()));
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, holder_file(lock)));
    written.is_ok() && read_holder(lock) == Some(holder)
}

/// Removes a lock. It goes under another name first, so that nobody takes half of it for a whole one.
fn discard(lock: &Path) {
    let aside = lock.with_extension(format!("gone-{}-{}", std::process::id(), now_ns()));
    if fs::rename(lock, &aside).is_ok() {
        // What cannot be removed is under a name that nobody asks for.
        drop(fs::remove_dir_all(&aside));
    }
}

fn append_line(path: &Path, line: &str) {
    use std::io::Write as _;
    let opened = fs::OpenOptions::new().create(true).append(true).open(path);
    // The line is on standard error in any case.
    drop(opened.and_then(|mut file| writeln!(file, "{line}")));
}

fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_secs())
}

fn now_ns() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_nanos())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const PLACE: Place<'static> = Place { pool: "issue", key: "7" };

    fn store(directory: &Path) -> LeaseStore {
        LeaseStore {
            directory: directory.to_owned(),
            seconds_max: 100,
            force: Force::No,
            audit: None,
        }
    }

    fn is_held(taken: &Taken) -> bool {
        matches!(taken, Taken::Held { .. })
    }

    #[test]
    fn a31_a_lease_has_one_holder_until_it_is_given_back() {
        let place = tempfile::tempdir().unwrap();
        let store = store(place.path());
        assert!(is_held(&store.acquire(PLACE, "one")));
        assert!(is_held(&store.acquire(PLACE, "one")), "the same session refreshes it");
        assert_eq!(store.acquire(PLACE, "two"), Taken::Refused);
        store.release(PLACE, "two");
        assert_eq!(store.holder(PLACE).as_deref(), Some("one"), "a stranger cannot give it back");
        store.release(PLACE, "one");
        assert_eq!(store.holder(PLACE), None);
        assert!(is_held(&store.acquire(PLACE, "two")));
        let other = Place { pool: "merge", ..PLACE };
        assert!(is_held(&store.acquire(other, "three")), "pools are apart");
    }

    #[test]
    fn a31_of_many_at_once_exactly_one_wins() {
        let place = tempfile::tempdir().unwrap();
        let store = store(place.path());
        let won = thread::scope(|scope| {
            let store = &store;
            let take = |number: u32| {
                scope.spawn(move || is_held(&store.acquire(PLACE, &format!("s{number}"))))
            };
            let tries: Vec<_> = (0..16).map(take).collect();
            tries.into_iter().map(|one| one.join().unwrap()).filter(|held| *held).count()
        });
        assert_eq!(won, 1);
    }

    #[test]
    fn a31_a_lease_that_was_not_refreshed_counts_no_more() {
        let place = tempfile::tempdir().unwrap();
        let store = store(place.path());
        store.acquire(PLACE, "one");
        assert!(write_holder(&store.path(PLACE), "one", now_s() - 101));
        assert_eq!(store.holder(PLACE), None);
        assert!(is_held(&store.acquire(PLACE, "two")));
    }

    #[test]
    fn a31_a_store_that_cannot_be_written_refuses() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("issue"), "in the way").unwrap();
        assert_eq!(store(place.path()).acquire(PLACE, "one"), Taken::Refused);
    }

    #[test]
    fn a31_a_lease_is_taken_over_by_force_and_that_is_written_down() {
        let place = tempfile::tempdir().unwrap();
        let audit = place.path().join("audit.log");
        let mut store = store(place.path());
        store.acquire(PLACE, "one");
        store.audit = Some(audit.clone());
        store.force = Force::One("issue:8".to_owned());
        assert_eq!(store.acquire(PLACE, "two"), Taken::Refused, "the force is for another key");
        store.force = Force::One("issue:7".to_owned());
        let Taken::Held { audit: Some(line) } = store.acquire(PLACE, "two") else {
            panic!("it was not taken over")
        };
        assert!(line.starts_with("lease-force pool=issue key=7 by=two prev=one ts="));
        assert_eq!(fs::read_to_string(audit).unwrap(), line + "\n");
        assert_eq!(store.holder(PLACE).as_deref(), Some("two"));
    }

    #[test]
    fn a31_names_stay_inside_of_the_store() {
        let store = store(Path::new("/leases"));
        let lock = store.path(Place { pool: "issue", key: "../a b" });
        assert_eq!(lock, Path::new("/leases/issue/.._a_b.lock"));
    }
}
