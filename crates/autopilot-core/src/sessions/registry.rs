//! Who else works on this machine: an entry for each session, refreshed while it lives.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{sessions::clock, time::Timestamp};

/// An entry that was refreshed within this time is somebody at work.
pub const FRESH_MS: i64 = 15 * 60_000;
/// An entry that was not refreshed for longer is swept away.
pub const SWEPT_MS: i64 = 60 * 60_000;

/// A session, as it tells others of itself. The keys are written in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id.
    pub session_id: String,
    /// Its name for people.
    pub semantic_session_id: Option<String>,
    /// Its process.
    pub pid: u32,
    /// The system.
    pub platform: String,
    /// SHA-256 of where its repository is.
    pub repo_path_hash: String,
    /// The name of its repository.
    pub repo_name: String,
    /// The branch that it works on.
    pub branch: Option<String>,
    /// When it began.
    pub started_at: String,
    /// When it last told that it is there.
    pub last_heartbeat: String,
    /// How it stands.
    pub status: String,
    /// Which wave it is at.
    pub current_wave: u32,
    /// The class of the machine.
    pub host_class: Option<String>,
    /// What the session is about.
    pub mode: Option<String>,
}

/// What an entry is to somebody who looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Somebody at work.
    Peer,
    /// Somebody who has not told for a while: neither counted nor swept.
    Silent,
    /// Nobody any more.
    Stale,
    /// No entry at all.
    Malformed,
}

/// What a text in the registry is. One that is no entry is as old as its file.
pub fn seen(text: &[u8], now: Timestamp) -> Seen {
    let Some(heartbeat) = heartbeat(text) else { return Seen::Malformed };
    let age = now.as_ms().saturating_sub(heartbeat);
    if age <= FRESH_MS {
        Seen::Peer
    } else if age <= SWEPT_MS {
        Seen::Silent
    } else {
        Seen::Stale
    }
}

/// When an entry was last refreshed, if it is one.
fn heartbeat(text: &[u8]) -> Option<i64> {
    let entry: Value = serde_json::from_slice(text).ok()?;
    let is_text = |key: &str| entry[key].is_string();
    let mode = &entry["mode"];
    let is_entry =
        is_text("session_id") && is_text("started_at") && (mode.is_null() || mode.is_string());
    is_entry.then(|| clock::read(entry["last_heartbeat"].as_str()?)).flatten()
}

/// Whether an id can be the name of a file.
pub fn is_name(id: &str) -> bool {
    !matches!(id, "" | "." | "..") && !id.contains(['/', '\\', '\0'])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

    fn entry(age_ms: i64) -> Value {
        let told = Timestamp::from_ms(NOW.as_ms() - age_ms);
        json!({"session_id": "a", "started_at": "2023-01-01T00:00:00.000Z", "last_heartbeat": clock::iso(told)})
    }

    #[test]
    fn s17_an_entry_is_a_peer_for_a_quarter_of_an_hour_and_swept_after_an_hour() {
        let cases = [
            (0, Seen::Peer),
            (FRESH_MS, Seen::Peer),
            (FRESH_MS + 1, Seen::Silent),
            (SWEPT_MS, Seen::Silent),
            (SWEPT_MS + 1, Seen::Stale),
            (-60_000, Seen::Peer),
        ];
        for (age, expected) in cases {
            assert_eq!(seen(entry(age).to_string().as_bytes(), NOW), expected, "{age}");
        }
    }

    #[test]
    fn s17_what_lacks_an_id_a_time_or_a_readable_mode_is_no_entry() {
        for (key, value) in [
            ("session_id", json!(3)),
            ("started_at", json!(null)),
            ("last_heartbeat", json!("soon")),
            ("mode", json!(["deep"])),
        ] {
            let mut broken = entry(0);
            broken[key] = value;
            assert_eq!(seen(broken.to_string().as_bytes(), NOW), Seen::Malformed, "{key}");
        }
        let mut fine = entry(0);
        fine["mode"] = json!("deep");
        assert_eq!(seen(fine.to_string().as_bytes(), NOW), Seen::Peer);
        assert_eq!(seen(b"{torn", NOW), Seen::Malformed);
    }

    #[test]
    fn s17_an_id_never_leads_out_of_the_registry() {
        for (id, expected) in [
            ("a-1.b", true),
            ("", false),
            (".", false),
            ("..", false),
            ("a/b", false),
            ("a\\b", false),
            ("a\0", false),
        ] {
            assert_eq!(is_name(id), expected, "{id:?}");
        }
    }
}
