//! Keeps records: a durable append-only log of opaque bytes with one writer and any number of readers.
//!
//! Start at [`Journal::open`]: it takes the lock, offers the newest usable snapshot, replays the
//! records after it, repairs a torn tail and hands out the [`Journal`] to append to. [`Reader`] reads
//! and follows without a lock, [`SharedJournal`] lets threads share one sync, and [`audit()`] proves
//! the whole log. The bytes on disk are described in `docs/design/journal.md`.
//!
//! Invariant: nothing here acknowledges a record before it is synced, returns a record that fails its
//! checksum or its sequence, discards bytes without keeping a copy, or looks inside a payload.

mod limits;

mod error;
mod ids;

mod disk;
mod files;
mod storage;

mod audit;
mod checksum;
mod digits;
mod frame;
mod reader;
mod segment;
mod snapshot;
mod window;

mod journal;
mod lock;
mod opening;
mod shared;

#[cfg(any(test, feature = "faulty"))]
pub mod faulty;

pub use crate::{
    audit::{AuditReport, audit},
    disk::Disk,
    error::{Corruption, Defect, Error, ErrorKind},
    ids::{RecordHash, Sequence},
    journal::{Appended, Journal},
    limits::{
        APPEND_BYTES_MAX, APPEND_RECORDS_MAX, LABEL_BYTES_MAX, RECORD_BYTES_MAX, SEGMENT_BYTES_MAX,
        SEQUENCE_MAX, SNAPSHOT_BYTES_MAX,
    },
    lock::Holder,
    opening::{Opened, Opening, TornTail},
    reader::{IncompleteTail, Reader, Record},
    shared::SharedJournal,
    snapshot::{Snapshot, SnapshotDefect, SnapshotState},
    storage::{Identity, Mode, Storage, StoredFile},
};
