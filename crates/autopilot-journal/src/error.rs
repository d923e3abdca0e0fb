//! What can go wrong, where, and what to do about it.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use crate::{
    ids::Sequence,
    limits::{APPEND_BYTES_MAX, APPEND_RECORDS_MAX, RECORD_BYTES_MAX, SEQUENCE_MAX},
    lock::Holder,
};

/// A failure with its context: what was being done, to which file, and why it did not work.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct Error(Box<Context>);

#[derive(Debug, Error)]
#[error("cannot {action} `{}`", path.display())]
struct Context {
    action: &'static str,
    path: PathBuf,
    source: ErrorKind,
}

impl Error {
    /// Ties a reason to what was being done and to which file; `action` completes "cannot …".
    pub(crate) fn new(action: &'static str, path: PathBuf, kind: impl Into<ErrorKind>) -> Self {
        Self(Box::new(Context { action, path, source: kind.into() }))
    }

    /// Gives the reason, to branch on.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.source
    }

    /// Gives the file or directory that the failed step was about.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Says what a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self.kind() {
            ErrorKind::Io(error) => io_hint(error),
            ErrorKind::Locked(_) => "wait for that process to end, or stop it, then try again",
            ErrorKind::Corrupt(_) => {
                "nothing was changed; restore the file from a backup, or audit the journal to see what is left"
            }
            ErrorKind::RecordTooLong { .. } | ErrorKind::AppendTooLong { .. } => {
                "store the content in a file and record its hash"
            }
            ErrorKind::Foreign => {
                "nothing was written over; see which other program writes there, then audit the journal"
            }
            ErrorKind::Gone => {
                "put the journal's directory back where it was, then go on; without it nobody knows what was done"
            }
            ErrorKind::NothingToAppend => "append at least one record",
            ErrorKind::SequenceExhausted => "start a new journal",
            ErrorKind::Poisoned { .. } => {
                "fix the first failure, then go on: it goes on after the last acknowledged record"
            }
            ErrorKind::SnapshotTooLong { .. } => {
                "go on without a snapshot: it only makes opening faster"
            }
            ErrorKind::SnapshotNotAtEnd { .. } => "take the snapshot after a later append",
        }
    }
}

/// The reason of an [`Error`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another writer has the journal; its name is missing if it could not be read.
    #[error("{}", locked(.0.as_ref()))]
    Locked(Option<Holder>),
    /// The log is damaged in a way that a power cut does not explain.
    #[error(transparent)]
    Corrupt(#[from] Corruption),
    /// The end of the log is not as its one writer left it; nothing was written.
    #[error("somebody else has written behind the last record")]
    Foreign,
    /// The log is not where it was; nothing was written.
    #[error("it was removed or replaced while it was in use")]
    Gone,
    /// One record is longer than the limit; nothing was written.
    #[error("the record has {bytes} bytes and the limit is {RECORD_BYTES_MAX}")]
    RecordTooLong {
        /// The length of its payload.
        bytes: usize,
    },
    /// The records of one append are too many or too long together; nothing was written.
    #[error(
        "the append has {records} records and {bytes} bytes; \
         the limits are {APPEND_RECORDS_MAX} and {APPEND_BYTES_MAX}"
    )]
    AppendTooLong {
        /// How many records were given.
        records: usize,
        /// How long they are with their headers.
        bytes: usize,
    },
    /// An append without records; there would be nothing to acknowledge.
    #[error("the append has no records")]
    NothingToAppend,
    /// The journal has used its last number.
    #[error("a journal ends at record {SEQUENCE_MAX}")]
    SequenceExhausted,
    /// An earlier write or sync failed, so what reached the disk is not known until the log is reopened.
    #[error("an earlier append failed: {first}")]
    Poisoned {
        /// The first failure, in full.
        first: String,
    },
    /// The snapshot is longer than the limit.
    #[error("the snapshot has {bytes} bytes and the limit is {}", crate::SNAPSHOT_BYTES_MAX)]
    SnapshotTooLong {
        /// Its length.
        bytes: usize,
    },
    /// The snapshot stands for another record than the last one.
    #[error("the snapshot stands for record {stands_for} and the journal ends at {}", end(*.last))]
    SnapshotNotAtEnd {
        /// The record that the caller named.
        stands_for: Sequence,
        /// The last record, if there is one.
        last: Option<Sequence>,
    },
}

/// The first damaged place of a log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("record {sequence} in `{segment}` at byte {offset} {defect}")]
pub struct Corruption {
    /// The file name of the segment.
    pub segment: String,
    /// Where the record starts in it.
    pub offset: u64,
    /// The record that should be there.
    pub sequence: Sequence,
    /// What is wrong with it.
    pub defect: Defect,
}

/// What is wrong with a record; each reads on after "record 7 …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defect {
    /// The bytes end before the record does.
    Short,
    /// What should be a header is none.
    Header,
    /// The checksum does not fit the bytes.
    Checksum,
    /// A whole record, but not the one that comes next.
    Sequence {
        /// The sequence it has.
        found: Sequence,
    },
    /// Its place among the records of its append does not follow from the one before.
    Place,
    /// It does not carry the hash of the record before it.
    Chain,
    /// The first line of its segment is damaged or of an unknown version.
    SegmentHeader,
    /// The segment that should hold it is not there, but something is that came later.
    SegmentMissing,
    /// The segment is longer than any that was ever written.
    SegmentTooLong,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "is cut short, and more follows",
            Self::Header => "has no valid header",
            Self::Checksum => "fails its checksum",
            Self::Sequence { found } => {
                return write!(f, "is missing: record {found} is in its place");
            }
            Self::Place => "does not fit its place in its append",
            Self::Chain => "does not carry the hash of the record before it",
            Self::SegmentHeader => {
                "is in a segment whose first line is damaged or of a newer version"
            }
            Self::SegmentMissing => "is in a segment that is missing",
            Self::SegmentTooLong => "is in a segment longer than the limit",
        })
    }
}

fn locked(holder: Option<&Holder>) -> String {
    match holder {
        Some(holder) => format!("process {} has it ({})", holder.pid, holder.label),
        None => "another process has it".to_owned(),
    }
}

fn end(last: Option<Sequence>) -> String {
    last.map_or_else(|| "none".to_owned(), |last| last.to_string())
}

fn io_hint(error: &io::Error) -> &'static str {
    let is_any = |kinds: &[io::ErrorKind]| kinds.contains(&error.kind());
    if is_any(&[io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded]) {
        "free some space on that disk, then go on"
    } else if is_any(&[io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem]) {
        "check the owner and the permissions of that path"
    } else if is_any(&[io::ErrorKind::FileTooLarge]) {
        "raise the limit on the size of files (`ulimit -f`), then go on"
    } else if is_any(&[io::ErrorKind::NotFound]) {
        "check that the path names a journal"
    } else {
        "check the disk, then go on"
    }
}
