//! Damage is found and named; it is never read as a record.

use autopilot_journal::{Defect, ErrorKind, audit, faulty::FaultyDisk};

use crate::support::{
    FIRST_SEGMENT, copy, holder, is_corrupt, journal_of, journal_of_segments, open, read, replay,
    segments,
};

const PAYLOADS: [&str; 6] = ["one", "two", "", "{\"four\":4}", "five five", "the sixth"];

/// A journal of six records in several segments, and the place of each record.
fn several_segments() -> (FaultyDisk, Vec<String>) {
    let disk = journal_of_segments(&PAYLOADS);
    let names = segments(&disk);
    assert_eq!(names.len(), 2);
    (disk, names)
}

#[test]
fn every_flipped_bit_gives_a_prefix_or_a_refusal_and_audit_names_it() {
    let (original, names) = several_segments();
    for name in &names {
        let bytes = original.bytes(name).unwrap();
        for bit in 0..bytes.len() * 8 {
            let disk = copy(&original);
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            disk.overwrite(name, Some(&flipped));

            let report = audit(disk.clone()).unwrap();
            assert!(!report.is_sound(), "{name} bit {bit}");
            let place = report.corruption.as_ref().map_or_else(
                || report.incomplete.as_ref().unwrap().offset,
                |corruption| corruption.offset,
            );
            assert!(place <= bit as u64 / 8, "{name} bit {bit}: {report:?}");

            let good = report.records as usize;
            assert!(good < PAYLOADS.len());
            match replay(disk.clone()) {
                Ok((payloads, opened)) => {
                    assert_eq!(
                        payloads,
                        PAYLOADS[..good].iter().map(|p| p.as_bytes()).collect::<Vec<_>>()
                    );
                    assert!(opened.torn.is_some(), "{name} bit {bit}");
                    assert_eq!(good, PAYLOADS.len() - 1, "only the last record can be a torn tail");
                }
                Err(error) => assert!(is_corrupt(&error), "{name} bit {bit}: {error:?}"),
            }
        }
    }
}

#[test]
fn a_bad_record_before_a_good_one_is_refused_and_named() {
    let disk = journal_of(&["one", "two", "three"]);
    let mut bytes = disk.bytes(FIRST_SEGMENT).unwrap();
    let place = bytes.windows(3).position(|window| window == b"two").unwrap();
    let start = bytes[..place].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    bytes[place] = b'T';
    disk.overwrite(FIRST_SEGMENT, Some(&bytes));

    let error = open(disk.clone()).unwrap_err();
    let ErrorKind::Corrupt(corruption) = error.kind() else {
        panic!("{error:?}");
    };
    assert_eq!(corruption.segment, FIRST_SEGMENT);
    assert_eq!((corruption.offset, corruption.sequence.get()), (start as u64, 2));
    assert_eq!(corruption.defect, Defect::Checksum);
    assert_eq!(
        corruption.to_string(),
        format!("record 2 in `{FIRST_SEGMENT}` at byte {start} fails its checksum"),
    );
    assert_eq!(disk.bytes(FIRST_SEGMENT).unwrap(), bytes, "nothing was changed");
    assert!(is_corrupt(&read(disk).unwrap_err()), "a reader refuses it too");
}

/// Splits a segment of single-line records into its first line and its records.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[test]
fn a_dropped_doubled_or_swapped_record_is_found() {
    let original = journal_of(&PAYLOADS);
    let whole = lines(&original.bytes(FIRST_SEGMENT).unwrap());
    let last = whole.len() - 1;
    let check = |lines: &[Vec<u8>], good: u64, what: &str| {
        let disk = copy(&original);
        disk.overwrite(FIRST_SEGMENT, Some(&lines.concat()));
        let report = audit(disk.clone()).unwrap();
        assert!(!report.is_sound() && report.records == good, "{what}: {report:?}");
        match replay(disk) {
            Ok((payloads, opened)) => {
                assert_eq!(payloads.len() as u64, good, "{what}");
                assert!(opened.torn.is_some(), "{what}");
            }
            Err(error) => assert!(is_corrupt(&error), "{what}: {error:?}"),
        }
    };
    for at in 1..last {
        let mut dropped = whole.clone();
        dropped.remove(at);
        check(&dropped, at as u64 - 1, &format!("record {at} dropped"));

        let mut swapped = whole.clone();
        swapped.swap(at, at + 1);
        check(&swapped, at as u64 - 1, &format!("record {at} swapped"));
    }
    for at in 1..=last {
        let mut doubled = whole.clone();
        doubled.insert(at, whole[at].clone());
        check(&doubled, at as u64, &format!("record {at} doubled"));
    }
}

#[test]
fn a_record_forged_with_a_good_checksum_breaks_the_chain() {
    let original = journal_of(&["one", "two", "three"]);
    let forged = journal_of(&["one", "TWO"]);
    let whole = lines(&original.bytes(FIRST_SEGMENT).unwrap());
    let mut lines = lines(&forged.bytes(FIRST_SEGMENT).unwrap());
    lines.push(whole[3].clone());
    original.overwrite(FIRST_SEGMENT, Some(&lines.concat()));

    assert_eq!(read(original.clone()).unwrap().len(), 3, "checksum and sequence are right");
    let corruption = audit(original).unwrap().corruption.unwrap();
    assert_eq!((corruption.sequence.get(), corruption.defect), (3, Defect::Chain));
}

#[test]
fn the_chain_is_checked_across_segments() {
    let (original, names) = several_segments();
    let mut forged_payloads = PAYLOADS;
    forged_payloads[0] = "ONE";
    let forged = journal_of_segments(&forged_payloads);
    original.overwrite(&names[0], Some(&forged.bytes(&names[0]).unwrap()));
    let corruption = audit(original).unwrap().corruption.unwrap();
    assert_eq!(
        (corruption.segment.as_str(), corruption.defect),
        (names[1].as_str(), Defect::Chain)
    );
}

#[test]
fn a_missing_segment_is_refused() {
    let disk = journal_of_segments(&["x"; 20]);
    let names = segments(&disk);
    for (index, name) in names.iter().enumerate() {
        let disk = copy(&disk);
        disk.overwrite(name, None);
        let is_last = index == names.len() - 1;
        assert_eq!(read(disk.clone()).is_ok(), is_last, "{name}");
        assert_eq!(audit(disk.clone()).unwrap().is_sound(), is_last, "{name}");
        assert_eq!(open(disk).is_ok(), is_last, "{name}");
    }
}

#[test]
fn a_torn_record_in_a_segment_that_is_not_the_last_is_corruption() {
    let (disk, names) = several_segments();
    let bytes = disk.bytes(&names[0]).unwrap();
    disk.overwrite(&names[0], Some(&bytes[..bytes.len() - 1]));
    assert!(is_corrupt(&open(disk).unwrap_err()));
}

#[test]
fn a_segment_cut_to_any_whole_record_is_refused_if_it_is_not_the_last() {
    let (original, names) = several_segments();
    let whole = lines(&original.bytes(&names[0]).unwrap());
    for kept in 1..whole.len() {
        let disk = copy(&original);
        disk.overwrite(&names[0], Some(&whole[..kept].concat()));
        assert!(is_corrupt(&read(disk.clone()).unwrap_err()), "{kept} lines");
        assert_eq!(audit(disk).unwrap().records, kept as u64 - 1);
    }
}

#[test]
fn an_older_copy_of_one_file_is_a_prefix_or_refused() {
    let disk = FaultyDisk::new();
    let mut journal = crate::support::open_small_segments(disk.clone()).journal;
    let mut copies = Vec::new();
    for index in 0..12 {
        let appended = journal.append(&[format!("record {index}")]).unwrap();
        if index % 3 == 0 {
            journal.write_snapshot(appended.last, b"state").unwrap();
        }
        copies.push(copy(&disk));
    }
    drop(journal);
    let all = read(disk.clone()).unwrap();
    for older in &copies {
        for name in older.names().iter().filter(|name| *name != "lock") {
            let mixed = copy(&disk);
            mixed.overwrite(name, older.bytes(name).as_deref());
            match replay(mixed) {
                Ok((payloads, _)) => assert!(all.starts_with(&payloads), "{name}"),
                Err(error) => assert!(is_corrupt(&error), "{name}"),
            }
        }
    }
}

#[test]
fn a_journal_that_lost_its_only_segment_is_refused_and_not_taken_for_a_new_one() {
    for with_snapshot in [false, true] {
        let disk = FaultyDisk::new();
        let mut journal = open(disk.clone()).unwrap().journal;
        let appended = journal.append(&["one"]).unwrap();
        if with_snapshot {
            journal.write_snapshot(appended.last, b"state").unwrap();
        }
        drop(journal);
        disk.overwrite(FIRST_SEGMENT, None);
        // A refusal does not wipe out what the next one rests on.
        for _ in 0..2 {
            let error = open(disk.clone()).unwrap_err();
            let ErrorKind::Corrupt(corruption) = error.kind() else {
                panic!("{error:?}");
            };
            assert_eq!(corruption.defect, Defect::SegmentMissing);
            assert_eq!(corruption.segment, FIRST_SEGMENT);
        }
        assert!(is_corrupt(&read(disk.clone()).unwrap_err()), "a reader refuses it too");
        let report = audit(disk.clone()).unwrap();
        assert_eq!(report.corruption.map(|found| found.defect), Some(Defect::SegmentMissing));
        assert!(segments(&disk).is_empty(), "nothing was made in its place");
    }
}

#[test]
fn a_snapshot_does_not_hide_that_the_first_segment_is_gone() {
    let disk = FaultyDisk::new();
    let mut journal = crate::support::open_small_segments(disk.clone()).journal;
    let appended = (0..12).map(|_| journal.append(&["record"]).unwrap()).last().unwrap();
    journal.write_snapshot(appended.last, b"state").unwrap();
    drop(journal);
    disk.overwrite(FIRST_SEGMENT, None);
    assert!(is_corrupt(&open(disk).unwrap_err()));
}

#[test]
fn a_journal_whose_making_was_cut_off_is_begun_anew() {
    let disk = FaultyDisk::new();
    disk.overwrite("lock", Some(holder().to_text().as_bytes()));
    assert_eq!(audit(disk.clone()).unwrap().records, 0);
    open(disk).unwrap();
}
