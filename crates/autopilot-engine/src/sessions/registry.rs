//! The registry of sessions at work on this machine, shared with other programs: a file for each.

use std::{
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use autopilot_core::{
    sessions::{
        clock,
        registry::{Entry, SWEPT_MS, Seen, is_name, seen},
    },
    time::Timestamp,
};

use super::{SessionError, append_line};
use crate::{private::create_dirs, scribe::files::replace};

/// No entry is longer.
const ENTRY_BYTES_MAX: u64 = 64 << 10;

/// The registry.
#[derive(Clone, Debug)]
pub struct Registry {
    directory: PathBuf,
}

/// An entry that was removed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swept {
    /// The session.
    pub id: String,
    /// Why.
    pub why: &'static str,
}

impl Registry {
    /// The registry in a directory; nothing is made.
    pub fn at(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    /// Tells others of a session, or that it is still there.
    ///
    /// # Errors
    /// An id that is no name is refused; a file that cannot be written is named.
    pub fn tell(&self, entry: &Entry) -> Result<(), SessionError> {
        let path = self.path(&entry.session_id)?;
        create_dirs(&self.active()).map_err(SessionError::file("make", &self.active()))?;
        let text = serde_json::to_vec_pretty(entry).unwrap_or_default();
        replace(&path, &text).map_err(SessionError::file("write", &path))
    }

    /// Tells others that a session is over.
    pub fn leave(&self, id: &str) {
        if let Ok(path) = self.path(id) {
            // An entry that stays is swept when it is old.
            drop(fs::remove_file(path));
        }
    }

    /// How many others are at work; `None` where that cannot be told.
    pub fn peers(&self, own: &str, now: Timestamp) -> Option<u64> {
        let entries = match fs::read_dir(self.active()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(0),
            Err(_) => return None,
        };
        let others = entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| {
            id_of(path).is_some_and(|id| id != own)
                && read(path).is_some_and(|text| seen(&text, now) == Seen::Peer)
        });
        u64::try_from(others.count()).ok()
    }

    /// Removes entries of sessions that are gone, and writes down which.
    pub fn sweep(&self, now: Timestamp) -> Vec<Swept> {
        let entries = fs::read_dir(self.active()).into_iter().flatten().filter_map(Result::ok);
        let mut swept = Vec::new();
        for path in entries.map(|entry| entry.path()) {
            let Some(id) = id_of(&path) else { continue };
            let found = read(&path).map_or(Seen::Malformed, |text| seen(&text, now));
            let why = match found {
                Seen::Stale => "stale-heartbeat",
                Seen::Malformed if age_ms(&path, now) > SWEPT_MS => "malformed-entry",
                Seen::Peer | Seen::Silent | Seen::Malformed => continue,
            };
            if fs::remove_file(&path).is_ok() {
                let line = serde_json::json!({"timestamp": clock::iso(now), "session_id": id, "reason": why});
                // The log is for people; an entry that is gone is gone without it.
                drop(append_line(&self.directory.join("sweep.log"), &line.to_string()));
                swept.push(Swept { id, why });
            }
        }
        swept
    }

    fn active(&self) -> PathBuf {
        self.directory.join("active")
    }

    fn path(&self, id: &str) -> Result<PathBuf, SessionError> {
        if !is_name(id) {
            return Err(SessionError::NoName { id: id.to_owned() });
        }
        Ok(self.active().join(format!("{id}.json")))
    }
}

fn id_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.strip_suffix(".json")?.to_owned())
}

/// The text of an entry: a file, and not more of it than an entry has.
fn read(path: &Path) -> Option<Vec<u8>> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || found.len() > ENTRY_BYTES_MAX {
        return None;
    }
    fs::read(path).ok()
}

fn age_ms(path: &Path, now: Timestamp) -> i64 {
    let changed = fs::symlink_metadata(path).and_then(|found| found.modified()).ok();
    let since =
        changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map_or(0, |age| age.as_millis());
    now.as_ms().saturating_sub(i64::try_from(since).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(4_000_000_000_000);

    fn entry(id: &str, age_ms: u64) -> Entry {
        Entry {
            session_id: id.to_owned(),
            semantic_session_id: None,
            pid: 1,
            platform: "linux".to_owned(),
            repo_path_hash: "hash".to_owned(),
            repo_name: "repo".to_owned(),
            branch: None,
            started_at: clock::iso(NOW),
            last_heartbeat: clock::iso(NOW.minus_ms(age_ms)),
            status: "active".to_owned(),
            current_wave: 0,
            host_class: None,
            mode: Some("deep".to_owned()),
        }
    }

    #[test]
    fn s17_others_are_seen_as_long_as_they_tell() {
        let place = tempfile::tempdir().unwrap();
        let registry = Registry::at(place.path());
        assert_eq!(registry.peers("me", NOW), Some(0), "nobody has told anything yet");
        for (id, age) in [("me", 0), ("other", 60_000), ("silent", 16 * 60_000)] {
            registry.tell(&entry(id, age)).unwrap();
        }
        assert_eq!(registry.peers("me", NOW), Some(1));
        registry.leave("other");
        registry.leave("other");
        assert_eq!(registry.peers("me", NOW), Some(0));
        assert!(registry.tell(&entry("../me", 0)).is_err());
    }

    #[test]
    fn s17_what_is_gone_is_swept_and_written_down() {
        let place = tempfile::tempdir().unwrap();
        let registry = Registry::at(place.path());
        for (id, age) in [("here", 0), ("gone", 61 * 60_000)] {
            registry.tell(&entry(id, age)).unwrap();
        }
        fs::write(place.path().join("active/torn.json"), "{").unwrap();
        let mut swept = registry.sweep(NOW);
        swept.sort_by(|one, other| one.id.cmp(&other.id));
        let told: Vec<_> = swept.iter().map(|one| (one.id.as_str(), one.why)).collect();
        assert_eq!(told, [("gone", "stale-heartbeat"), ("torn", "malformed-entry")]);
        let log = fs::read_to_string(place.path().join("sweep.log")).unwrap();
        assert_eq!(log.lines().count(), 2);
        assert_eq!(registry.sweep(NOW), [], "once");
    }
}
