//! From files on disk to a journal that can be appended to.

use std::{path::PathBuf, sync::Arc};

use crate::{
    checksum,
    error::Error,
    files::Files,
    ids::Sequence,
    journal::{Journal, Tip},
    limits::SEGMENT_BYTES_MAX,
    lock::{Holder, Lock},
    reader::{Check, IncompleteTail, Reader, Record},
    segment::{self, unused},
    snapshot::{SnapshotDefect, SnapshotState},
    storage::{Mode, Storage},
};

/// A journal that is locked and about to be replayed.
///
/// Two steps, because the caller has to start from the snapshot before it can take the records:
/// look at [`Opening::snapshot`], then [`Opening::replay`].
#[derive(Debug)]
pub struct Opening {
    files: Files,
    lock: Lock,
    reader: Reader,
    snapshot: SnapshotState,
    segment_bytes_max: u64,
}

/// A journal ready for appends, and what opening it took.
#[derive(Debug)]
pub struct Opened {
    /// The journal.
    pub journal: Journal,
    /// How many records were replayed.
    pub replayed: u64,
    /// The end of a write that never became whole, if there was one.
    pub torn: Option<TornTail>,
}

/// What was cut off the end of the log: the remains of an append that was never acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornTail {
    /// The segment that was cut.
    pub segment: PathBuf,
    /// Where it was cut.
    pub offset: u64,
    /// How many bytes were cut off.
    pub bytes: u64,
    /// The file that keeps them.
    pub kept: PathBuf,
}

impl Opening {
    pub(crate) fn new(storage: Arc<dyn Storage>, holder: &Holder) -> Result<Self, Error> {
        let files = Files::new(storage);
        let lock = Lock::take(&files, holder)?;
        files.remove_temporary()?;
        let (reader, snapshot) = Reader::restore(files.clone())?;
        Ok(Self { files, lock, reader, snapshot, segment_bytes_max: SEGMENT_BYTES_MAX })
    }

    /// Gives the snapshot to start from, or why there is none.
    pub fn snapshot(&self) -> &SnapshotState {
        &self.snapshot
    }

    /// Replays from the first record instead, for a caller that cannot use the snapshot.
    pub fn decline_snapshot(mut self) -> Result<Self, Error> {
        self.reader = Reader::new(self.files.clone(), Check::Nothing)?;
        self.snapshot = SnapshotState::Ignored(SnapshotDefect::Declined);
        Ok(self)
    }

    /// Starts new segments at another length than [`SEGMENT_BYTES_MAX`], which stays the limit.
    #[must_use]
    pub fn with_segment_bytes(mut self, bytes_max: u64) -> Self {
        self.segment_bytes_max = bytes_max.min(SEGMENT_BYTES_MAX);
        self
    }

    /// Gives every record behind the snapshot to `visit`, repairs a torn tail and opens the end.
    ///
    /// An error of `visit` ends the replay; the files are then as they were.
    pub fn replay<E: From<Error>>(
        mut self,
        mut visit: impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<Opened, E> {
        let mut replayed = 0;
        while let Some(record) = self.reader.next_record()? {
            visit(record)?;
            replayed += 1;
        }
        let (journal, torn) = self.open_end()?;
        Ok(Opened { journal, replayed, torn })
    }

    fn open_end(mut self) -> Result<(Journal, Option<TornTail>), Error> {
        let torn = match self.reader.incomplete_tail() {
            Some(tail) => Some(cut(&self.files, tail, &self.reader)?),
            None => None,
        };
        let (first, length) = match self.reader.position() {
            Some(position) => position,
            None => (Sequence::FIRST, segment::create(&self.files, Sequence::FIRST)?),
        };
        let mut file = self.files.open(&segment::name(first), Mode::Change)?;
        // Behind the last append there may be zeros: room that the writer before us took and did not use.
        let reserved = file.len()?;
        let identity = file.identity()?;
        // The last append may be whole but never synced, if only the process was killed. The caller
        // has seen it now and will build on it.
        file.sync()?;
        self.files.sync_dir()?;
        // From now on a journal without its first segment has lost it.
        self.lock.note_begun()?;
        let (last, head) = self.reader.last_mark()?;
        let next = self.reader.next_sequence();
        let tip = Tip { segment: first, file, identity, length, reserved, next, last, head };
        Ok((Journal::new(self.files, self.lock, tip, self.segment_bytes_max), torn))
    }
}

/// Cuts an incomplete tail off, after a copy of it has been made to last.
fn cut(files: &Files, tail: &IncompleteTail, reader: &Reader) -> Result<TornTail, Error> {
    let (first, offset) = reader.position().unwrap_or((Sequence::FIRST, tail.offset));
    let name = segment::name(first);
    let mut file = files.open(&name, Mode::Change)?;
    let mut bytes = file.read_rest(offset, SEGMENT_BYTES_MAX)?.unwrap_or_default();
    // Zeros at the end are room that was taken and not used.
    bytes.truncate(bytes.len() - unused(&bytes));
    // The name follows from the content, so a repair that is itself cut short is repeated, not added to.
    let checksum = checksum::of(&bytes);
    let kept = segment::torn_name(&name, offset, &String::from_utf8_lossy(&checksum));
    files.replace(&kept, &[&bytes])?;
    file.truncate(offset)?;
    file.sync()?;
    Ok(TornTail {
        segment: tail.segment.clone(),
        offset,
        bytes: bytes.len() as u64,
        kept: files.path(&kept),
    })
}
