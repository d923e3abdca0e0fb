//! Snapshots: what the records up to one of them come to, so that opening need not read them all.
//!
//! ```text
//! autopilot-snapshot 1 9b1f8c02a1b2c3d4 000000001234 000000000001 000000009876 9c2ed7e4… 0000053 000000000042 …
//!                      checksum         length       segment      offset       header of the record
//! ```
//!
//! The line is followed by the bytes of the snapshot. It is a cache and never trusted further than
//! that: the record it stands for must lie where it says and have the header it says. That holds the
//! checksum of the record and the hash of everything before it.

use std::{fmt, ops::Range, path::PathBuf};

use crate::{
    checksum::{self, CHECKSUM_BYTES},
    digits,
    error::{Error, ErrorKind},
    files::{File, Files},
    frame::{self, HEADER_BYTES},
    ids::Sequence,
    limits::{RECORD_BYTES_MAX, SNAPSHOT_BYTES_MAX},
};

/// The file name of the snapshot.
pub(crate) const NAME: &str = "snapshot";

const TITLE: &[u8] = b"autopilot-snapshot 1 ";
const CHECKSUM: Range<usize> = 21..21 + CHECKSUM_BYTES;
const LENGTH: Range<usize> = 38..50;
const SEGMENT: Range<usize> = 51..63;
const OFFSET: Range<usize> = 64..76;
const HEADER: Range<usize> = 77..77 + HEADER_BYTES - 1;
const LINE_BYTES: usize = HEADER.end + 1;

/// Most records are short; only a long one is worth a second read.
const FIRST_LOOK_BYTES: usize = 16 << 10;

/// A state of the caller's, and the record it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The last record that it takes into account.
    pub sequence: Sequence,
    /// What the caller gave to [`Journal::write_snapshot`](crate::Journal::write_snapshot).
    pub bytes: Vec<u8>,
}

/// What opening found in place of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotState {
    /// There is none.
    Absent,
    /// One that fits the log; replay begins behind the record it stands for.
    Usable(Snapshot),
    /// One that cannot be trusted; replay begins at the first record.
    Ignored(SnapshotDefect),
}

/// Why a snapshot was ignored; each reads on after "the snapshot …".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotDefect {
    /// The file could not be read.
    Unreadable {
        /// What the operating system said.
        why: String,
    },
    /// It is cut short, fails its checksum or is of an unknown version.
    Damaged,
    /// The record it stands for is not in the log, or is another one.
    NotInJournal,
    /// The caller could not use it.
    Declined,
}

impl fmt::Display for SnapshotDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { why } => write!(f, "cannot be read: {why}"),
            Self::Damaged => f.write_str("is damaged or of a newer version"),
            Self::NotInJournal => f.write_str("stands for a record that the log does not hold"),
            Self::Declined => f.write_str("was declined by the program that reads it"),
        }
    }
}

/// Where a record lies and how it begins; always the last record of an append.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The segment, by its first record.
    pub(crate) segment: Sequence,
    pub(crate) offset: u64,
    pub(crate) sequence: Sequence,
    pub(crate) header: [u8; HEADER_BYTES],
}

impl Mark {
    /// Gives the length of the frame if the file holds this very record at this very place.
    pub(crate) fn verify(&self, file: &File) -> Result<Option<usize>, Error> {
        let rest = file.len()?.saturating_sub(self.offset);
        let window = rest.min((frame::FRAME_BYTES_MIN + RECORD_BYTES_MAX) as u64) as usize;
        let mut bytes = vec![0; window.min(FIRST_LOOK_BYTES)];
        file.read_full(&mut bytes, self.offset)?;
        if frame::decode(&bytes).is_err() && bytes.len() < window {
            bytes.resize(window, 0);
            file.read_full(&mut bytes, self.offset)?;
        }
        Ok(frame::decode(&bytes).ok().and_then(|frame| {
            let is_it = frame.sequence == self.sequence
                && frame.place == frame.of
                && frame.bytes.starts_with(&self.header);
            is_it.then_some(frame.bytes.len())
        }))
    }
}

/// Reads the snapshot and where the record it stands for should lie.
///
/// Whatever is wrong with it is a reason to do without, not to fail.
pub(crate) fn load(files: &Files) -> (SnapshotState, Option<Mark>) {
    let read = files.find(NAME).and_then(|file| match file {
        Some(file) => file.read_rest(0, (LINE_BYTES + SNAPSHOT_BYTES_MAX) as u64).map(Some),
        None => Ok(None),
    });
    match read {
        Ok(None) => (SnapshotState::Absent, None),
        Ok(Some(bytes)) => match bytes.and_then(decode) {
            Some((snapshot, mark)) => (SnapshotState::Usable(snapshot), Some(mark)),
            None => (SnapshotState::Ignored(SnapshotDefect::Damaged), None),
        },
        Err(error) => {
            let why = error.kind().to_string();
            (SnapshotState::Ignored(SnapshotDefect::Unreadable { why }), None)
        }
    }
}

/// Writes the snapshot in place of the one before.
pub(crate) fn store(files: &Files, mark: &Mark, bytes: &[u8]) -> Result<(), Error> {
    if bytes.len() > SNAPSHOT_BYTES_MAX {
        let kind = ErrorKind::SnapshotTooLong { bytes: bytes.len() };
        return Err(Error::new("write", files.path(NAME), kind));
    }
    files.replace(NAME, &[&encode_line(mark, bytes), bytes])
}

/// Gives the path of the snapshot, for messages.
pub(crate) fn path(files: &Files) -> PathBuf {
    files.path(NAME)
}

fn encode_line(mark: &Mark, bytes: &[u8]) -> [u8; LINE_BYTES] {
    let mut line = [b' '; LINE_BYTES];
    line[..TITLE.len()].copy_from_slice(TITLE);
    digits::put_decimal(&mut line[LENGTH], bytes.len() as u64);
    digits::put_decimal(&mut line[SEGMENT], mark.segment.get());
    digits::put_decimal(&mut line[OFFSET], mark.offset);
    line[HEADER].copy_from_slice(&mark.header[..HEADER.len()]);
    line[HEADER.end] = b'\n';
    let checksum = checksum::of_both(&line[CHECKSUM.end..], bytes);
    line[CHECKSUM].copy_from_slice(&checksum);
    line
}

fn decode(mut file: Vec<u8>) -> Option<(Snapshot, Mark)> {
    let line: &[u8; LINE_BYTES] = file.first_chunk()?;
    let payload = &file[LINE_BYTES..];
    let is_whole = line.starts_with(TITLE)
        && line[CHECKSUM] == checksum::of_both(&line[CHECKSUM.end..], payload)
        && digits::decimal(&line[LENGTH])? == payload.len() as u64;
    if !is_whole {
        return None;
    }
    let mut header = [b' '; HEADER_BYTES];
    header[..HEADER.len()].copy_from_slice(&line[HEADER]);
    let mark = Mark {
        segment: Sequence::new(digits::decimal(&line[SEGMENT])?),
        offset: digits::decimal(&line[OFFSET])?,
        sequence: frame::sequence(&header)?,
        header,
    };
    let bytes = file.split_off(LINE_BYTES);
    Some((Snapshot { sequence: mark.sequence, bytes }, mark))
}
