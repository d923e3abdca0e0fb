//! What every test here needs.

use std::path::Path;

use autopilot_journal::{
    Disk, Error, ErrorKind, Holder, Journal, Opened, Reader, Storage, faulty::FaultyDisk,
};

pub(crate) const FIRST_SEGMENT: &str = "000000000001.log";

pub(crate) fn holder() -> Holder {
    Holder::this_process("test")
}

pub(crate) fn disk(root: &Path) -> Disk {
    Disk::create(root).unwrap()
}

/// Opens a journal with segments of the usual length.
pub(crate) fn open(storage: impl Storage + 'static) -> Result<Opened, Error> {
    Journal::open(storage, &holder())?.replay(|_| Ok(()))
}

/// Opens a journal whose segments hold a few records each.
pub(crate) fn open_small_segments(storage: impl Storage + 'static) -> Opened {
    Journal::open(storage, &holder())
        .unwrap()
        .with_segment_bytes(600)
        .replay::<Error>(|_| Ok(()))
        .unwrap()
}

/// Gives every payload from the first, without a lock and without a repair.
pub(crate) fn read(storage: impl Storage + 'static) -> Result<Vec<Vec<u8>>, Error> {
    let mut reader = Reader::from_start(storage)?;
    let mut payloads = Vec::new();
    while let Some(record) = reader.next_record()? {
        assert_eq!(record.sequence.get(), payloads.len() as u64 + 1);
        payloads.push(record.payload.to_vec());
    }
    Ok(payloads)
}

/// Gives every payload from the first, as the writer replays them.
pub(crate) fn replay(storage: impl Storage + 'static) -> Result<(Vec<Vec<u8>>, Opened), Error> {
    let mut payloads = Vec::new();
    let opening = Journal::open(storage, &holder())?.decline_snapshot()?;
    let opened = opening.replay::<Error>(|record| {
        payloads.push(record.payload.to_vec());
        Ok(())
    })?;
    Ok((payloads, opened))
}

/// Makes a journal with these records, each in its own append.
pub(crate) fn journal_of(payloads: &[&str]) -> FaultyDisk {
    let disk = FaultyDisk::new();
    let mut journal = open(disk.clone()).unwrap().journal;
    for payload in payloads {
        journal.append(&[payload]).unwrap();
    }
    drop(journal);
    disk
}

/// Makes a journal like [`journal_of`], with several segments.
pub(crate) fn journal_of_segments(payloads: &[&str]) -> FaultyDisk {
    let disk = FaultyDisk::new();
    let mut journal = open_small_segments(disk.clone()).journal;
    for payload in payloads {
        journal.append(&[payload]).unwrap();
    }
    drop(journal);
    disk
}

/// Gives the segments of a disk, in order.
pub(crate) fn segments(disk: &FaultyDisk) -> Vec<String> {
    let is_segment = |name: &String| name.ends_with(".log");
    disk.names().into_iter().filter(is_segment).collect()
}

/// Copies a disk, so that a test can damage the copy.
pub(crate) fn copy(disk: &FaultyDisk) -> FaultyDisk {
    disk.after_kill()
}

pub(crate) fn is_corrupt(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Corrupt(_))
}
