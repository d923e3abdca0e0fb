//! Appends, limits, rotation and what a failed append leaves.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, sync::Arc};

use autopilot_journal::{
    APPEND_RECORDS_MAX, Error, ErrorKind, RECORD_BYTES_MAX, RecordHash, audit,
    faulty::{Fault, FaultyDisk, Lasting},
};

use crate::support::{FIRST_SEGMENT, disk, open, open_small_segments, read, segments};

#[test]
fn appended_records_are_read_back_from_real_files() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("state/journal");
    let mut journal = open(disk(&root)).unwrap().journal;
    let first = journal.append(&["one"]).unwrap();
    let rest = journal.append(&[b"two".as_slice(), b"", b"line\nline"]).unwrap();
    assert_eq!((first.first.get(), first.last.get()), (1, 1));
    assert_eq!((rest.first.get(), rest.last.get()), (2, 4));
    assert_eq!(journal.syncs(), 2, "one sync for each append, however many records");
    let head = journal.head();
    drop(journal);

    let payloads = read(disk(&root)).unwrap();
    assert_eq!(payloads, [b"one".as_slice(), b"two", b"", b"line\nline"]);
    let reopened = open(disk(&root)).unwrap();
    assert_eq!((reopened.replayed, reopened.torn), (4, None));
    assert_eq!(reopened.journal.head(), head);
    assert_eq!(reopened.journal.next_sequence().get(), 5);
}

#[test]
fn the_log_is_text_and_each_line_carries_the_hash_of_the_one_before() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(disk(dir.path())).unwrap().journal;
    journal.append(&[r#"{"fact":"one"}"#]).unwrap();
    journal.append(&[r#"{"fact":"two"}"#]).unwrap();
    let text = fs::read_to_string(dir.path().join(FIRST_SEGMENT)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "autopilot-journal 1 000000000001");
    assert!(lines[1].ends_with(&format!("{} {{\"fact\":\"one\"}}", RecordHash::GENESIS)));
    assert!(lines[2].contains(" 0000014 000000000002 0001/0001 "));
    let report = audit(disk(dir.path())).unwrap();
    assert!(report.is_sound());
    assert_eq!((report.records, report.head), (2, journal.head()));
}

#[test]
fn the_format_stays_what_released_journals_have() {
    let disk = FaultyDisk::new();
    let mut journal = open(Arc::new(disk.clone())).unwrap().journal;
    journal.append(&["one"]).unwrap();
    let appended = journal.append(&["two", "three"]).unwrap();
    journal.write_snapshot(appended.last, b"state").unwrap();
    drop(journal);
    let text = |name| String::from_utf8(disk.bytes(name).unwrap()).unwrap();
    assert_eq!(text(FIRST_SEGMENT), include_str!("fixtures/v1/000000000001.log"));
    assert_eq!(text("snapshot"), include_str!("fixtures/v1/snapshot"));
}

#[test]
fn a_limit_that_is_hit_is_an_error_and_changes_nothing() {
    let disk = FaultyDisk::new();
    let mut journal = open(disk.clone()).unwrap().journal;
    let kind_of = |result: Result<_, Error>| match result.as_ref().map_err(Error::kind) {
        Ok(_) => "accepted",
        Err(ErrorKind::RecordTooLong { .. }) => "record",
        Err(ErrorKind::AppendTooLong { .. }) => "append",
        Err(ErrorKind::NothingToAppend) => "nothing",
        Err(other) => panic!("{other:?}"),
    };
    let longest = vec![b'x'; RECORD_BYTES_MAX];
    let too_long = vec![b'x'; RECORD_BYTES_MAX + 1];
    assert_eq!(kind_of(journal.append(&[&too_long])), "record");
    assert_eq!(kind_of(journal.append(&[&longest; 8])), "append");
    assert_eq!(kind_of(journal.append(&vec![""; APPEND_RECORDS_MAX + 1])), "append");
    assert_eq!(kind_of(journal.append(&[""; 0])), "nothing");
    assert_eq!(kind_of(journal.append(&[&longest])), "accepted", "the journal is not poisoned");
    assert_eq!(kind_of(journal.append(&vec![""; APPEND_RECORDS_MAX])), "accepted");
    drop(journal);
    assert_eq!(read(disk).unwrap().len(), 1 + APPEND_RECORDS_MAX);
}

#[test]
fn segments_rotate_and_the_chain_goes_on_across_them() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..5 {
        let mut journal = open_small_segments(disk(dir.path())).journal;
        for index in 0..6 {
            let text = format!("record {round} {index} {}", "x".repeat(40));
            journal.append(&[&text, &text]).unwrap();
        }
    }
    let report = audit(disk(dir.path())).unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.records, 60);
    let count = fs::read_dir(dir.path()).unwrap().count();
    assert!(count > 10, "{count} files");
}

#[test]
fn a_failed_append_poisons_the_journal_with_the_first_reason() {
    for call_of_append in [1, 2, 3] {
        let disk = FaultyDisk::new();
        let mut journal = open(disk.clone()).unwrap().journal;
        journal.append(&["kept"]).unwrap();
        disk.fail_call(disk.calls() + call_of_append, Fault::Broken, Lasting::Once);
        let first = journal.append(&["lost"]).unwrap_err();
        assert!(matches!(first.kind(), ErrorKind::Io(_)));
        let calls = disk.calls();
        let second = journal.append(&["never"]).unwrap_err();
        assert_eq!(disk.calls(), calls, "nothing is tried again");
        let ErrorKind::Poisoned { first: reason } = second.kind() else {
            panic!("{second:?}");
        };
        assert_eq!(*reason, format!("{first}: input/output error"));
        drop(journal);
        assert_eq!(read(disk.after_kill()).unwrap()[0], b"kept");
    }
}

#[test]
fn a_full_disk_is_named_with_the_file_and_a_hint() {
    let disk = FaultyDisk::new();
    let mut journal = open(disk.clone()).unwrap().journal;
    disk.fail_call(disk.calls() + 1, Fault::NoSpace, Lasting::FromThenOn);
    let error = journal.append(&["one"]).unwrap_err();
    assert_eq!(error.to_string(), "cannot write to `/faulty/000000000001.log`");
    assert_eq!(error.hint(), "free some space on that disk, then go on");
}

#[test]
fn an_append_costs_three_calls_at_any_length_and_now_and_then_one_for_room() {
    let disk = FaultyDisk::new();
    let mut journal = open(disk.clone()).unwrap().journal;
    let mut dearer = 0;
    for _ in 0..1000 {
        let before = disk.calls();
        journal.append(&["one", "two"]).unwrap();
        match disk.calls() - before {
            3 => {}
            4 => dearer += 1,
            calls => panic!("{calls} calls for one look, one write and one sync"),
        }
    }
    assert!((2..=5).contains(&dearer), "{dearer} of 1000 appends took room");
    assert_eq!(segments(&disk).len(), 1);
}

#[test]
fn an_append_does_not_change_the_length_of_the_file_while_there_is_room() {
    let dir = tempfile::tempdir().unwrap();
    let length = || fs::metadata(dir.path().join(FIRST_SEGMENT)).unwrap().len();
    let mut journal = open(disk(dir.path())).unwrap().journal;
    journal.append(&["one"]).unwrap();
    let reserved = length();
    journal.append(&["two"]).unwrap();
    assert_eq!(length(), reserved);
    drop(journal);
    assert!(length() < 400, "a journal at rest ends with its last record");
}

#[test]
fn whoever_goes_around_the_lock_is_noticed_and_not_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(FIRST_SEGMENT);
    let mut journal = open(disk(dir.path())).unwrap().journal;
    journal.append(&["one"]).unwrap();
    fs::remove_file(dir.path().join("lock")).unwrap();
    let mut second = open(disk(dir.path())).unwrap().journal;
    second.append(&["theirs"]).unwrap();
    let refused = journal.append(&["ours"]).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::Foreign), "{refused:?}");
    assert!(matches!(journal.append(&["ours"]).unwrap_err().kind(), ErrorKind::Poisoned { .. }));
    drop((journal, second));
    assert_eq!(read(disk(dir.path())).unwrap(), [b"one".as_slice(), b"theirs"]);

    let mut journal = open(disk(dir.path())).unwrap().journal;
    journal.append(&["more"]).unwrap();
    let mut behind = fs::File::options().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut behind, b"a record of nobody").unwrap();
    let refused = journal.close().unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::Foreign), "{refused:?}");
    assert!(!audit(disk(dir.path())).unwrap().is_sound(), "it stays for the audit to name");
}

#[test]
fn a_disk_that_gives_no_room_in_advance_still_takes_records() {
    let disk = FaultyDisk::new();
    let mut journal = open(disk.clone()).unwrap().journal;
    disk.fail_call(disk.calls() + 1, Fault::NoSpace, Lasting::Once);
    journal.append(&["one"]).unwrap();
    journal.append(&["two"]).unwrap();
    drop(journal);
    assert_eq!(read(disk).unwrap(), [b"one", b"two"]);
}

#[test]
fn a_journal_that_was_taken_away_is_noticed_before_the_next_record() {
    type Take = fn(&Path);
    let rows: [(&str, Take); 4] = [
        ("removed", |at| fs::remove_dir_all(at).unwrap()),
        ("moved away", |at| fs::rename(at, at.with_file_name("elsewhere")).unwrap()),
        ("its segment was removed", |at| fs::remove_file(at.join(FIRST_SEGMENT)).unwrap()),
        ("its segment is a copy", |at| {
            let segment = at.join(FIRST_SEGMENT);
            let bytes = fs::read(&segment).unwrap();
            fs::remove_file(&segment).unwrap();
            fs::write(&segment, bytes).unwrap();
        }),
    ];
    for (what, take) in rows {
        let place = tempfile::tempdir().unwrap();
        let at = place.path().join("journal");
        let mut journal = open(disk(&at)).unwrap().journal;
        journal.append(&["one"]).unwrap();
        take(&at);
        let error = journal.append(&["two"]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Gone), "{what}: {error:?}");
        let error = journal.append(&["three"]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Poisoned { .. }), "{what}: {error:?}");
    }
}

#[test]
fn a_journal_that_was_taken_away_cannot_be_closed_in_order() {
    let place = tempfile::tempdir().unwrap();
    let at = place.path().join("journal");
    let mut journal = open(disk(&at)).unwrap().journal;
    journal.append(&["one"]).unwrap();
    fs::rename(&at, at.with_file_name("elsewhere")).unwrap();
    let error = journal.close().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Gone), "{error:?}");
}

#[test]
fn the_directories_of_a_journal_are_for_their_owner_alone() {
    let place = tempfile::tempdir().unwrap();
    let at = place.path().join("state").join("journal");
    drop(open(disk(&at)).unwrap());
    for made in [at.as_path(), at.parent().unwrap()] {
        let mode = fs::metadata(made).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", made.display());
    }
}
