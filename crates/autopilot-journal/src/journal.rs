//! The writer: appends that are synced before they are acknowledged.

use std::{borrow::Cow, sync::Arc};

use crate::{
    error::{Error, ErrorKind},
    files::{File, Files},
    frame::{self, FRAME_BYTES_MIN, Place},
    ids::{RecordHash, Sequence},
    limits::{APPEND_BYTES_MAX, APPEND_RECORDS_MAX, RECORD_BYTES_MAX, RESERVE_BYTES, SEQUENCE_MAX},
    lock::{self, Holder, Lock},
    opening::Opening,
    segment,
    snapshot::{self, Mark},
    storage::{Identity, Mode, Storage},
};

/// A journal that is open for writing, by this process alone.
///
/// After a write or a sync has failed, nobody knows what reached the disk, and a second sync would
/// say "fine" about pages that the kernel has given up. So the journal is then poisoned: every later
/// append fails with the first reason, and opening it again finds out what is there.
#[derive(Debug)]
pub struct Journal {
    files: Files,
    tip: Tip,
    segment_bytes_max: u64,
    /// The frames of the append being written; kept to be used again.
    buffer: Vec<u8>,
    syncs: u64,
    poison: Option<Cow<'static, str>>,
    _lock: Lock,
}

/// The records that an append wrote; they are on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The first of them.
    pub first: Sequence,
    /// The last of them.
    pub last: Sequence,
}

/// The end of the log.
#[derive(Debug)]
pub(crate) struct Tip {
    /// The segment being written, by its first record.
    pub(crate) segment: Sequence,
    pub(crate) file: File,
    /// Which file that is.
    pub(crate) identity: Identity,
    /// Where the next append goes.
    pub(crate) length: u64,
    /// How long the file is: with zeros behind `length`, so that an append changes no size and its sync is one write.
    pub(crate) reserved: u64,
    /// The sequence that the next record will have.
    pub(crate) next: Sequence,
    /// The last record, if there is one.
    pub(crate) last: Option<Mark>,
    /// Its hash.
    pub(crate) head: RecordHash,
}

impl Journal {
    /// Takes the lock of the journal in `storage` and prepares its replay; an empty place becomes a journal.
    ///
    /// Refused with [`ErrorKind::Locked`] while another writer has it.
    pub fn open(storage: impl Storage + 'static, holder: &Holder) -> Result<Opening, Error> {
        Opening::new(Arc::new(storage), holder)
    }

    /// Tells who writes the journal in `storage`, or wrote it last; [`Holder::is_running`] tells which.
    pub fn holder(storage: impl Storage + 'static) -> Result<Option<Holder>, Error> {
        lock::read_holder(&Files::new(Arc::new(storage)))
    }

    pub(crate) fn new(files: Files, lock: Lock, tip: Tip, segment_bytes_max: u64) -> Self {
        Self {
            files,
            tip,
            segment_bytes_max,
            buffer: Vec::new(),
            syncs: 0,
            poison: None,
            _lock: lock,
        }
    }

    /// Writes records with one write and one sync, and acknowledges them all.
    ///
    /// They are one unit: after a crash either all of them are there or none is. A limit that is hit
    /// is an error that changes nothing; any other error poisons the journal.
    pub fn append(&mut self, records: &[impl AsRef<[u8]>]) -> Result<Appended, Error> {
        self.check_poison()?;
        check_limits(&self.files, records)?;
        // A panic in the storage would leave the append half written; then this stays.
        self.poison = Some(Cow::Borrowed("an append did not come to its end"));
        let result = self.write(records);
        self.poison = result.as_ref().err().map(|error| Cow::Owned(describe(error)));
        result
    }

    /// Stores a state of the caller's that takes every record up to `stands_for` into account.
    ///
    /// That must be the last record of the log. A failure leaves the log and the snapshot before it
    /// as they were.
    pub fn write_snapshot(&mut self, stands_for: Sequence, bytes: &[u8]) -> Result<(), Error> {
        self.check_poison()?;
        match &self.tip.last {
            Some(mark) if mark.sequence == stands_for => snapshot::store(&self.files, mark, bytes),
            last => {
                let last = last.map(|mark| mark.sequence);
                let kind = ErrorKind::SnapshotNotAtEnd { stands_for, last };
                Err(Error::new("write", snapshot::path(&self.files), kind))
            }
        }
    }

    /// Ends the writing, so that the log ends with its last record; fails if somebody else has written to its end, or
    /// has removed it.
    ///
    /// A journal that is only dropped does the same and cannot tell.
    pub fn close(mut self) -> Result<(), Error> {
        self.check_poison()?;
        let trimmed = self.check_place().and_then(|()| self.trim());
        self.poison = Some(Cow::Borrowed("it was closed"));
        trimmed
    }

    /// Gives the last record's sequence, if there is one.
    pub fn last_sequence(&self) -> Option<Sequence> {
        self.tip.last.map(|mark| mark.sequence)
    }

    /// Gives the sequence that the next record will have.
    pub fn next_sequence(&self) -> Sequence {
        self.tip.next
    }

    /// Gives the hash of the last record: it vouches for the whole log.
    pub fn head(&self) -> RecordHash {
        self.tip.head
    }

    /// Counts the syncs made to acknowledge appends, since the journal was opened.
    pub fn syncs(&self) -> u64 {
        self.syncs
    }

    /// Fails with the first reason if an append has failed before.
    pub(crate) fn check_poison(&self) -> Result<(), Error> {
        match &self.poison {
            None => Ok(()),
            Some(first) => {
                let kind = ErrorKind::Poisoned { first: first.clone().into_owned() };
                Err(Error::new("append to", self.files.path(""), kind))
            }
        }
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    fn write(&mut self, records: &[impl AsRef<[u8]>]) -> Result<Appended, Error> {
        let first = self.tip.next;
        let last = first.plus(records.len() as u64 - 1);
        if last.get() > SEQUENCE_MAX {
            return Err(Error::new("append to", self.files.path(""), ErrorKind::SequenceExhausted));
        }
        let (offset, head) = self.encode(records);
        self.rotate_if_full()?;
        self.check_place()?;
        self.reserve();
        // The lock keeps other writers out; whoever went around it must not be written over.
        if !self.tip.file.is_blank(self.tip.length, self.buffer.len())? {
            return Err(self.foreign());
        }
        self.tip.file.write_all_at(&self.buffer, self.tip.length)?;
        self.tip.file.sync()?;
        self.syncs += 1;
        self.tip.last = Some(Mark {
            segment: self.tip.segment,
            offset: self.tip.length + offset as u64,
            sequence: last,
            header: frame::header(&self.buffer[offset..]),
        });
        self.tip.head = head;
        self.tip.length += self.buffer.len() as u64;
        self.tip.next = last.plus(1);
        Ok(Appended { first, last })
    }

    /// Fills the buffer with the frames; gives where in it the last one starts, and its hash.
    fn encode(&mut self, records: &[impl AsRef<[u8]>]) -> (usize, RecordHash) {
        self.buffer.clear();
        let mut offset = 0;
        let mut previous = self.head();
        for (index, record) in records.iter().enumerate() {
            let at = Place {
                sequence: self.tip.next.plus(index as u64),
                place: index as u64 + 1,
                of: records.len() as u64,
                previous,
            };
            offset = self.buffer.len();
            previous = frame::encode(&mut self.buffer, at, record.as_ref());
        }
        (offset, previous)
    }

    /// Starts a new segment if the buffer does not fit into this one, unless this one is empty.
    fn rotate_if_full(&mut self) -> Result<(), Error> {
        let is_empty = self.tip.segment == self.tip.next;
        if is_empty || self.tip.length + self.buffer.len() as u64 <= self.segment_bytes_max {
            return Ok(());
        }
        // A segment that is followed by another one ends with its last record.
        self.trim()?;
        self.tip.file.sync()?;
        let first = self.tip.next;
        self.tip.length = segment::create(&self.files, first)?;
        self.tip.reserved = self.tip.length;
        self.tip.file = self.files.open(&segment::name(first), Mode::Change)?;
        self.tip.identity = self.tip.file.identity()?;
        self.tip.segment = first;
        Ok(())
    }

    /// Fails if the log is not where everybody looks for it. A file that was removed takes writes and syncs like any
    /// other, and is gone with the process.
    fn check_place(&self) -> Result<(), Error> {
        let name = segment::name(self.tip.segment);
        match self.files.leads_to(&name, self.tip.identity)? {
            true => Ok(()),
            false => Err(Error::new("append to", self.files.path(&name), ErrorKind::Gone)),
        }
    }

    fn foreign(&self) -> Error {
        let path = self.files.path(&segment::name(self.tip.segment));
        Error::new("append to", path, ErrorKind::Foreign)
    }

    /// Gives back the room that was not used; fails if it is not as it was taken.
    fn trim(&mut self) -> Result<(), Error> {
        let Tip { file, length, reserved, .. } = &mut self.tip;
        let unused = usize::try_from(*reserved - *length).unwrap_or(usize::MAX);
        if file.len()? != *reserved || !file.is_blank(*length, unused)? {
            return Err(self.foreign());
        }
        file.truncate(*length)?;
        *reserved = *length;
        Ok(())
    }

    /// Takes room for the buffer and for appends to come; without it the file simply grows.
    fn reserve(&mut self) {
        let needed = self.tip.length + self.buffer.len() as u64;
        if needed > self.tip.reserved {
            let wanted = (needed + RESERVE_BYTES).min(self.segment_bytes_max).max(needed);
            self.tip.reserved = self.tip.file.reserve(needed, wanted);
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.poison.is_none() {
            // What stays is harmless: the next writer takes it up, or names it.
            drop(self.trim());
        }
    }
}

/// Refuses records that could not be written or not be read back.
pub(crate) fn check_limits(files: &Files, records: &[impl AsRef<[u8]>]) -> Result<(), Error> {
    let refuse = |kind| Err(Error::new("append to", files.path(""), kind));
    if records.is_empty() {
        return refuse(ErrorKind::NothingToAppend);
    }
    let mut bytes = 0;
    for record in records {
        let length = record.as_ref().len();
        if length > RECORD_BYTES_MAX {
            return refuse(ErrorKind::RecordTooLong { bytes: length });
        }
        bytes += FRAME_BYTES_MIN + length;
    }
    if records.len() > APPEND_RECORDS_MAX || bytes > APPEND_BYTES_MAX {
        return refuse(ErrorKind::AppendTooLong { records: records.len(), bytes });
    }
    Ok(())
}

/// Says an error and its reason in one line.
fn describe(error: &Error) -> String {
    format!("{error}: {}", error.kind())
}
