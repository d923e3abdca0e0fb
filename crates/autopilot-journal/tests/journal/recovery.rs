//! Torn tails are cut, kept and reported.

use std::fs;

use autopilot_journal::{Error, Reader, audit};

use crate::support::{
    FIRST_SEGMENT, copy, disk, is_corrupt, journal_of, journal_of_segments, open, read, replay,
    segments,
};

#[test]
fn a_file_cut_anywhere_in_its_last_record_opens_with_every_earlier_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(FIRST_SEGMENT);
    let mut journal = open(disk(dir.path())).unwrap().journal;
    journal.append(&["one"]).unwrap();
    journal.append(&["two"]).unwrap();
    let start = fs::metadata(&path).unwrap().len();
    journal.append(&["the last record"]).unwrap();
    drop(journal);
    let whole = fs::read(&path).unwrap();

    for cut in start as usize..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let (payloads, opened) = replay(disk(dir.path())).unwrap();
        assert_eq!(payloads, [b"one", b"two"], "cut at {cut}");
        let torn_bytes = cut as u64 - start;
        assert_eq!(opened.torn.is_some(), torn_bytes > 0, "cut at {cut}");
        if let Some(torn) = opened.torn {
            assert_eq!((torn.offset, torn.bytes), (start, torn_bytes));
            assert_eq!(torn.segment, path);
            assert_eq!(fs::read(torn.kept).unwrap(), &whole[start as usize..cut]);
        }
        let mut journal = opened.journal;
        journal.append(&["after"]).unwrap();
        drop(journal);
        assert_eq!(read(disk(dir.path())).unwrap(), [b"one".as_slice(), b"two", b"after"]);
    }
}

#[test]
fn zeros_at_the_end_are_room_that_a_killed_writer_had_taken() {
    for zeros in [1, 112, 113, 5000, 300_000] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FIRST_SEGMENT);
        open(disk(dir.path())).unwrap().journal.append(&["one"]).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], &vec![0; zeros]].concat()).unwrap();

        assert_eq!(read(disk(dir.path())).unwrap(), [b"one"]);
        assert!(audit(disk(dir.path())).unwrap().is_sound(), "{zeros} zeros are no damage");
        let (payloads, opened) = replay(disk(dir.path())).unwrap();
        assert_eq!((payloads, opened.torn), (vec![b"one".to_vec()], None));
        let mut journal = opened.journal;
        journal.append(&["two"]).unwrap();
        assert_eq!(read(disk(dir.path())).unwrap(), [b"one", b"two"]);
        drop(journal);
        assert!(fs::read(&path).unwrap().ends_with(b"two\n"), "what was not used is given back");
    }
}

#[test]
fn zeros_before_another_segment_are_damage() {
    let disk = journal_of_segments(&["a record that fills"; 12]);
    let first = segments(&disk)[0].clone();
    let bytes = [disk.bytes(&first).unwrap(), vec![0; 40]].concat();
    disk.overwrite(&first, Some(&bytes));
    assert!(is_corrupt(&read(disk).unwrap_err()));
}

#[test]
fn rubbish_at_the_end_is_a_torn_tail() {
    let rubbish: [&[u8]; 4] = [b"rubbish", &[b'\n'; 300], &[0xff; 700], b"\0\0\0late"];
    for (tail, room) in rubbish.iter().flat_map(|tail| [(tail, 0), (tail, 5000)]) {
        let in_file = [tail, &vec![0; room][..]].concat();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FIRST_SEGMENT);
        open(disk(dir.path())).unwrap().journal.append(&["one"]).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], &in_file].concat()).unwrap();

        assert_eq!(read(disk(dir.path())).unwrap(), [b"one"], "a reader stops before it");
        assert_eq!(fs::metadata(&path).unwrap().len() as usize, whole.len() + in_file.len());
        let (payloads, opened) = replay(disk(dir.path())).unwrap();
        assert_eq!(payloads, [b"one"]);
        assert_eq!(opened.torn.unwrap().bytes, tail.len() as u64);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn an_append_is_all_there_or_not_at_all() {
    let disk = journal_of(&["before"]);
    let start = disk.bytes(FIRST_SEGMENT).unwrap().len();
    open(disk.clone()).unwrap().journal.append(&["one", "two", "three"]).unwrap();
    let whole = disk.bytes(FIRST_SEGMENT).unwrap();
    assert!(whole.len() > start + 300);
    for (cut, room) in (start..whole.len()).flat_map(|cut| [(cut, 0), (cut, 2000)]) {
        let disk = copy(&disk);
        let bytes = [&whole[..cut], &vec![0; room]].concat();
        disk.overwrite(FIRST_SEGMENT, Some(&bytes));
        assert_eq!(replay(disk).unwrap().0, [b"before"], "cut at {cut}, then {room} zeros");
    }
    // A power cut may also lose the beginning of a write and keep its end.
    for lost in start..whole.len() - 1 {
        let disk = copy(&disk);
        let mut bytes = whole.clone();
        bytes[start..=lost].fill(0);
        disk.overwrite(FIRST_SEGMENT, Some(&bytes));
        let (payloads, opened) = replay(disk).unwrap();
        assert_eq!(payloads, [b"before"], "lost up to {lost}");
        assert_eq!(opened.torn.unwrap().bytes as usize, whole.len() - start);
    }
}

#[test]
fn recovery_is_repeated_and_not_added_to_when_it_is_cut_short() {
    let disk = journal_of(&["one", "two"]);
    let whole = disk.bytes(FIRST_SEGMENT).unwrap();
    let torn = &whole[..whole.len() - 2];
    disk.overwrite(FIRST_SEGMENT, Some(torn));
    let first = open(disk.clone()).unwrap().torn.unwrap();
    disk.overwrite(FIRST_SEGMENT, Some(torn));
    let second = open(disk.clone()).unwrap().torn.unwrap();
    assert_eq!(first, second);
    assert_eq!(open(disk.clone()).unwrap().torn, None);
    let kept = disk.names().iter().filter(|name| name.contains("torn")).count();
    assert_eq!(kept, 1);
}

#[test]
fn an_error_of_the_caller_ends_the_replay_and_changes_nothing() {
    let disk = journal_of(&["one", "two"]);
    let mut bytes = disk.bytes(FIRST_SEGMENT).unwrap();
    bytes.extend_from_slice(b"torn");
    disk.overwrite(FIRST_SEGMENT, Some(&bytes));
    #[derive(Debug)]
    enum Mine {
        Stop,
        Journal,
    }
    impl From<Error> for Mine {
        fn from(_: Error) -> Self {
            Self::Journal
        }
    }
    let opening =
        autopilot_journal::Journal::open(disk.clone(), &crate::support::holder()).unwrap();
    let result = opening.replay(|_| Err(Mine::Stop));
    assert!(matches!(result, Err(Mine::Stop)));
    assert_eq!(disk.bytes(FIRST_SEGMENT).unwrap(), bytes);
}

#[test]
fn what_a_crash_left_while_a_segment_was_made_is_removed() {
    let disk = journal_of(&["one"]);
    disk.overwrite("000000000002.log.tmp", Some(b"autopilot-jour"));
    assert_eq!(replay(disk.clone()).unwrap().0, [b"one"]);
    assert_eq!(segments(&disk), [FIRST_SEGMENT]);
    assert!(!disk.names().iter().any(|name| name.ends_with(".tmp")));
}

#[test]
fn an_empty_directory_has_no_records_and_a_missing_one_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Reader::from_start(disk(dir.path())).unwrap().next_record().unwrap().is_none());
    let missing = autopilot_journal::Disk::open(dir.path().join("missing")).unwrap_err();
    assert!(missing.to_string().starts_with("cannot open the journal at `"));
    assert_eq!(missing.hint(), "check that the path names a journal");
}
