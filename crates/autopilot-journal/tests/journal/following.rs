//! A reader beside a running writer.

use std::thread;

use autopilot_journal::Reader;

use crate::support::{FIRST_SEGMENT, disk, journal_of, open, open_small_segments};

#[test]
fn a_reader_gives_what_was_appended_since_it_last_looked() {
    let dir = tempfile::tempdir().unwrap();
    let mut reader = Reader::from_start(disk(dir.path())).unwrap();
    assert!(reader.next_record().unwrap().is_none(), "the journal does not exist yet");
    let mut journal = open_small_segments(disk(dir.path())).journal;
    for index in 1..=30_u64 {
        let payload = format!("record {index}");
        journal.append(&[&payload]).unwrap();
        assert_eq!(reader.next_sequence().get(), index);
        let record = reader.next_record().unwrap().unwrap();
        assert_eq!((record.sequence.get(), record.payload), (index, payload.as_bytes()));
        assert!(reader.next_record().unwrap().is_none());
        assert_eq!(reader.incomplete_tail(), None);
    }
}

#[test]
fn a_reader_waits_at_an_append_that_is_being_written() {
    let disk = journal_of(&["one", "two"]);
    let whole = disk.bytes(FIRST_SEGMENT).unwrap();
    let end_of_one = whole.len() - (whole.len() - 33) / 2;
    for cut in end_of_one..whole.len() {
        disk.overwrite(FIRST_SEGMENT, Some(&whole[..cut]));
        let mut reader = Reader::from_start(disk.clone()).unwrap();
        assert_eq!(reader.next_record().unwrap().unwrap().payload, b"one");
        assert!(reader.next_record().unwrap().is_none());
        let waiting = reader.incomplete_tail().map(|tail| (tail.offset, tail.bytes));
        let expected = (end_of_one as u64, (cut - end_of_one) as u64);
        assert_eq!(waiting, (cut > end_of_one).then_some(expected));
        disk.overwrite(FIRST_SEGMENT, Some(&whole));
        assert_eq!(reader.next_record().unwrap().unwrap().payload, b"two");
    }
}

#[test]
fn a_reader_beside_a_writer_sees_every_record_once_and_no_corruption() {
    const RECORDS: u64 = 3_000;
    let dir = tempfile::tempdir().unwrap();
    let mut reader = Reader::from_start(disk(dir.path())).unwrap();
    let mut journal = open_small_segments(disk(dir.path())).journal;
    let writer = thread::spawn(move || {
        for index in 0..RECORDS / 3 {
            let text = format!("append {index} {}", "x".repeat(index as usize % 50));
            journal.append(&[&text, &text, &text]).unwrap();
        }
    });
    let mut seen = 0;
    while seen < RECORDS {
        let is_done = writer.is_finished();
        while let Some(record) = reader.next_record().unwrap() {
            seen += 1;
            assert_eq!(record.sequence.get(), seen);
        }
        assert!(seen == RECORDS || !is_done, "{seen} records");
    }
    writer.join().unwrap();
}

#[test]
fn a_repair_beside_a_reader_does_not_confuse_it() {
    let disk = journal_of(&["one"]);
    let mut torn = disk.bytes(FIRST_SEGMENT).unwrap();
    torn.extend_from_slice(b"the end of a write that never was");
    disk.overwrite(FIRST_SEGMENT, Some(&torn));
    let mut reader = Reader::from_start(disk.clone()).unwrap();
    assert_eq!(reader.next_record().unwrap().unwrap().payload, b"one");
    assert!(reader.next_record().unwrap().is_none());
    assert!(reader.incomplete_tail().is_some());
    let mut journal = open(disk).unwrap().journal;
    assert!(reader.next_record().unwrap().is_none());
    assert_eq!(reader.incomplete_tail(), None);
    journal.append(&["two"]).unwrap();
    assert_eq!(reader.next_record().unwrap().unwrap().payload, b"two");
}
