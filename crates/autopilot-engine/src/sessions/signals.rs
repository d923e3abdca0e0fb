//! Reads what a choice rests on from where sessions leave it.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use autopilot_core::{
    sessions::select::{Signals, Sources},
    time::Timestamp,
};

/// So much is read of a file that only grows; more sessions than are looked at fit in.
const TAIL_BYTES_MAX: u64 = 1 << 20;

/// The signals of a project.
pub fn read_signals(root: &Path, now: Timestamp) -> Signals {
    let [state, sessions, lock, learnings] = [
        ".claude/STATE.md",
        ".orchestrator/metrics/sessions.jsonl",
        ".orchestrator/bootstrap.lock",
        ".orchestrator/metrics/learnings.jsonl",
    ]
    .map(|name| tail(&root.join(name)));
    let sources = Sources {
        state: state.as_deref(),
        sessions: sessions.as_deref(),
        lock: lock.as_deref(),
        learnings: learnings.as_deref(),
    };
    Signals::assemble(sources, now)
}

/// The end of a file, without the line that it begins within.
fn tail(path: &Path) -> Option<String> {
    let mut file =
        File::open(path).ok().filter(|file| file.metadata().is_ok_and(|found| found.is_file()))?;
    let length = file.metadata().ok()?.len();
    let from = length.saturating_sub(TAIL_BYTES_MAX);
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    if from == 0 {
        return Some(text.into_owned());
    }
    text.split_once('\n').map(|(_, rest)| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use autopilot_core::sessions::select::{Mode, SESSIONS_MAX};

    use super::*;

    #[test]
    fn s9_only_the_end_of_a_long_file_is_read() {
        let place = tempfile::tempdir().unwrap();
        let metrics = place.path().join(".orchestrator/metrics");
        fs::create_dir_all(&metrics).unwrap();
        let line = format!("{{\"session_type\":\"deep\",\"pad\":\"{}\"}}\n", "x".repeat(9_000));
        fs::write(metrics.join("sessions.jsonl"), line.repeat(200)).unwrap();
        let found = read_signals(place.path(), Timestamp::from_ms(0));
        assert_eq!(found.recent.len(), SESSIONS_MAX);
    }

    #[test]
    fn s9_a_project_without_any_source_has_no_signals_and_no_error() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(read_signals(place.path(), Timestamp::from_ms(0)), Signals::default());
        fs::create_dir_all(place.path().join(".claude/STATE.md")).unwrap();
        fs::write(place.path().join(".orchestrator"), "in the way").unwrap();
        assert_eq!(read_signals(place.path(), Timestamp::from_ms(0)), Signals::default());
        fs::remove_dir(place.path().join(".claude/STATE.md")).unwrap();
        fs::write(
            place.path().join(".claude/STATE.md"),
            b"---\nrecommended-mode: deep\nrationale: \xff\n---\n",
        )
        .unwrap();
        let found = read_signals(place.path(), Timestamp::from_ms(0));
        assert_eq!(
            found.recommended,
            Some(Mode::Deep),
            "a byte that is no text spoils nothing else"
        );
    }
}
