//! A snapshot saves reading and never changes the result.

use autopilot_journal::{
    ErrorKind, Journal, Reader, Sequence, SnapshotDefect, SnapshotState, audit, faulty::FaultyDisk,
};

use crate::support::{copy, disk, holder, open, open_small_segments, segments};

/// A state that depends on every record: their concatenation.
fn fold(disk: FaultyDisk) -> (Vec<u8>, SnapshotState, u64) {
    let opening = Journal::open(disk, &holder()).unwrap();
    let snapshot = opening.snapshot().clone();
    let mut state = match &snapshot {
        SnapshotState::Usable(snapshot) => snapshot.bytes.clone(),
        SnapshotState::Absent | SnapshotState::Ignored(_) => Vec::new(),
    };
    let opened = opening
        .replay::<autopilot_journal::Error>(|record| {
            state.extend_from_slice(record.payload);
            Ok(())
        })
        .unwrap();
    (state, snapshot, opened.replayed)
}

/// Twelve records in several segments, with a snapshot after the eighth.
fn with_snapshot() -> (FaultyDisk, Vec<u8>) {
    let disk = FaultyDisk::new();
    let mut journal = open_small_segments(disk.clone()).journal;
    let mut state = Vec::new();
    for index in 1..=12 {
        let payload = format!("record {index}, ");
        let appended = journal.append(&[&payload]).unwrap();
        state.extend_from_slice(payload.as_bytes());
        if index == 8 {
            journal.write_snapshot(appended.last, &state).unwrap();
        }
    }
    assert!(segments(&disk).len() > 2);
    (disk, state)
}

#[test]
fn a_snapshot_and_the_rest_give_the_same_state_as_all_records() {
    let (disk, state) = with_snapshot();
    let (folded, snapshot, replayed) = fold(disk.clone());
    assert_eq!((&folded, replayed), (&state, 4));
    assert!(matches!(snapshot, SnapshotState::Usable(snapshot) if snapshot.sequence.get() == 8));

    disk.overwrite("snapshot", None);
    let (folded, snapshot, replayed) = fold(disk);
    assert_eq!((folded, snapshot, replayed), (state, SnapshotState::Absent, 12));
}

#[test]
fn every_flipped_bit_of_a_snapshot_makes_it_ignored() {
    let (original, state) = with_snapshot();
    let bytes = original.bytes("snapshot").unwrap();
    for bit in 0..bytes.len() * 8 {
        let disk = copy(&original);
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        disk.overwrite("snapshot", Some(&flipped));
        let report = audit(disk.clone()).unwrap();
        assert_eq!(report.snapshot, Some(SnapshotDefect::Damaged), "bit {bit}");
        let (folded, snapshot, _) = fold(disk);
        assert_eq!(snapshot, SnapshotState::Ignored(SnapshotDefect::Damaged), "bit {bit}");
        assert_eq!(folded, state, "bit {bit}");
    }
    for cut in 0..bytes.len() {
        let disk = copy(&original);
        disk.overwrite("snapshot", Some(&bytes[..cut]));
        assert_eq!(fold(disk).0, state, "cut at {cut}");
    }
}

#[test]
fn a_snapshot_of_records_that_are_not_there_is_ignored() {
    let (newer, _) = with_snapshot();
    let older = FaultyDisk::new();
    let mut journal = open_small_segments(older.clone()).journal;
    let mut state = Vec::new();
    for index in 1..=8 {
        let payload = format!("other {index}, ");
        journal.append(&[&payload]).unwrap();
        state.extend_from_slice(payload.as_bytes());
        let disk = copy(&older);
        disk.overwrite("snapshot", newer.bytes("snapshot").as_deref());
        let (folded, snapshot, _) = fold(disk.clone());
        assert_eq!(snapshot, SnapshotState::Ignored(SnapshotDefect::NotInJournal));
        assert_eq!(folded, state, "of another journal, {index} records");
    }
}

#[test]
fn opening_with_a_snapshot_does_not_read_what_it_stands_for() {
    let (disk, state) = with_snapshot();
    let first = segments(&disk).remove(0);
    let mut bytes = disk.bytes(&first).unwrap();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    disk.overwrite(&first, Some(&bytes));
    assert_eq!(fold(disk.clone()).0, state);
    assert!(audit(disk).unwrap().corruption.is_some(), "an audit reads everything");
}

#[test]
fn a_snapshot_stands_for_the_last_record_only() {
    let disk = FaultyDisk::new();
    let mut journal = open(disk.clone()).unwrap().journal;
    let too_early = journal.write_snapshot(Sequence::FIRST, b"").unwrap_err();
    assert!(matches!(too_early.kind(), ErrorKind::SnapshotNotAtEnd { last: None, .. }));
    let first = journal.append(&["one"]).unwrap();
    journal.append(&["two"]).unwrap();
    let stale = journal.write_snapshot(first.last, b"").unwrap_err();
    assert!(matches!(stale.kind(), ErrorKind::SnapshotNotAtEnd { .. }));
    assert!(!disk.names().contains(&"snapshot".to_owned()));
}

#[test]
fn a_reader_starts_from_a_snapshot_on_real_files() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(disk(dir.path())).unwrap().journal;
    // Longer than the first look that opening takes at the record of a snapshot.
    let long = "x".repeat(100_000);
    let appended = journal.append(&["one", &long]).unwrap();
    journal.write_snapshot(appended.last, b"state").unwrap();
    journal.append(&["three"]).unwrap();
    let (mut reader, snapshot) = Reader::from_snapshot(disk(dir.path())).unwrap();
    assert!(matches!(snapshot, SnapshotState::Usable(snapshot) if snapshot.bytes == b"state"));
    assert_eq!(reader.next_record().unwrap().unwrap().payload, b"three");
    assert!(reader.next_record().unwrap().is_none());
}
