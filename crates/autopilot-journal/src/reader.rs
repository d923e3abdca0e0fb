//! Reads records in order, in constant memory, with or without a writer at work.

use std::{ops::Range, path::PathBuf, sync::Arc};

use crate::{
    error::{Corruption, Defect, Error},
    files::Files,
    frame::{self, BadFrame, HEADER_BYTES},
    ids::{RecordHash, Sequence},
    limits::SEGMENT_BYTES_MAX,
    lock, segment,
    snapshot::{self, Mark, SnapshotDefect, SnapshotState},
    storage::{Mode, Storage},
    window::Window,
};

/// A record on loan from the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its number.
    pub sequence: Sequence,
    /// What was appended.
    pub payload: &'a [u8],
    /// The whole record, as it lies on disk.
    frame: &'a [u8],
}

impl Record<'_> {
    /// Computes its hash: what the next record carries, and what vouches for everything up to this one.
    pub fn hash(&self) -> RecordHash {
        RecordHash::of(self.frame)
    }
}

/// Bytes at the end of the log that are not a whole append: a write that goes on, or was torn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncompleteTail {
    /// The file that has them.
    pub segment: PathBuf,
    /// Where they start.
    pub offset: u64,
    /// How many there are.
    pub bytes: u64,
}

/// Reads a journal record by record and checks checksum and sequence of each.
///
/// It takes no lock and changes nothing, so it also works beside a running writer. At the end
/// [`Reader::next_record`] gives `None`; asked again later it gives what has been appended since,
/// which is all that following a log takes.
#[derive(Debug)]
pub struct Reader {
    files: Files,
    check: Check,
    /// The last segment seen when the directory was last listed, by its first record.
    newest_segment: Option<Sequence>,
    /// The segment being read; none until the first one exists.
    current: Option<Current>,
    /// The record that comes next on disk.
    next: Sequence,
    append: Append,
    last: Option<LastFrame>,
    incomplete: Option<IncompleteTail>,
}

/// What is checked beyond checksum and sequence.
#[derive(Debug)]
pub(crate) enum Check {
    Nothing,
    /// The hash chain; this is the hash that the next record must carry.
    Chain(RecordHash),
}

#[derive(Debug)]
struct Current {
    first: Sequence,
    window: Window,
}

/// The append whose records are being given out.
#[derive(Debug, Default)]
struct Append {
    /// Where it starts in the window's memory.
    start: usize,
    /// Its frames, counted from there.
    frames: Vec<Range<usize>>,
    given: usize,
}

/// Where the newest record that was read lies.
#[derive(Clone, Copy, Debug)]
struct LastFrame {
    segment: Sequence,
    offset: u64,
    bytes: usize,
}

/// What an attempt to read the next append came to.
enum Step {
    Append,
    Again,
    End,
}

impl Reader {
    /// Reads from the first record on.
    pub fn from_start(storage: impl Storage + 'static) -> Result<Self, Error> {
        Self::new(Files::new(Arc::new(storage)), Check::Nothing)
    }

    /// Reads from after the newest snapshot on, if there is one that can be trusted.
    pub fn from_snapshot(storage: impl Storage + 'static) -> Result<(Self, SnapshotState), Error> {
        Self::restore(Files::new(Arc::new(storage)))
    }

    pub(crate) fn new(files: Files, check: Check) -> Result<Self, Error> {
        let mut reader = Self::outside(files, check);
        reader.enter_first_segment()?;
        Ok(reader)
    }

    /// A reader that has not looked at any file yet.
    fn outside(files: Files, check: Check) -> Self {
        Self {
            files,
            check,
            newest_segment: None,
            current: None,
            next: Sequence::FIRST,
            append: Append::default(),
            last: None,
            incomplete: None,
        }
    }

    pub(crate) fn restore(files: Files) -> Result<(Self, SnapshotState), Error> {
        let (state, mark) = snapshot::load(&files);
        let mut reader = Self::outside(files, Check::Nothing);
        let state = match mark {
            Some(mark) if reader.jump_behind(&mark)? => return Ok((reader, state)),
            Some(_) => SnapshotState::Ignored(SnapshotDefect::NotInJournal),
            None => state,
        };
        reader.enter_first_segment()?;
        Ok((reader, state))
    }

    /// Gives the next record, or `None` at the end of what is there now.
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, Error> {
        while self.append.given == self.append.frames.len() {
            match self.read_append()? {
                Step::Append | Step::Again => {}
                Step::End => return Ok(None),
            }
        }
        let sequence = self.next_sequence();
        let Append { start, frames, given } = &mut self.append;
        let frame = &frames[*given];
        *given += 1;
        Ok(self.current.as_ref().map(|current| {
            let frame = current.window.memory(*start + frame.start..*start + frame.end);
            Record { sequence, payload: &frame[HEADER_BYTES..frame.len() - 1], frame }
        }))
    }

    /// Gives the sequence that the next record has or will have.
    pub fn next_sequence(&self) -> Sequence {
        self.next.minus((self.append.frames.len() - self.append.given) as u64)
    }

    /// Tells what stood behind the last whole append when [`Reader::next_record`] last gave `None`.
    pub fn incomplete_tail(&self) -> Option<&IncompleteTail> {
        self.incomplete.as_ref()
    }

    /// Gives the segment being read, by its first record, and the place in it behind the last append.
    pub(crate) fn position(&self) -> Option<(Sequence, u64)> {
        self.current.as_ref().map(|current| (current.first, current.window.offset()))
    }

    pub(crate) fn check(&self) -> &Check {
        &self.check
    }

    /// Gives the newest record that was read, and its hash.
    pub(crate) fn last_mark(&self) -> Result<(Option<Mark>, RecordHash), Error> {
        let Some(last) = self.last else {
            return Ok((None, RecordHash::GENESIS));
        };
        let file = self.files.open(&segment::name(last.segment), Mode::Read)?;
        let mut bytes = vec![0; last.bytes];
        file.read_full(&mut bytes, last.offset)?;
        let sequence = self.next.minus(1);
        let frame = frame::decode(&bytes)
            .map_err(|defect| self.corrupt_at(last.segment, last.offset, sequence, defect))?;
        let mark = Mark {
            segment: last.segment,
            offset: last.offset,
            sequence,
            header: frame::header(frame.bytes),
        };
        Ok((Some(mark), RecordHash::of(frame.bytes)))
    }

    fn read_append(&mut self) -> Result<Step, Error> {
        self.append.given = 0;
        self.incomplete = None;
        let Some(current) = &mut self.current else {
            return self.enter_first_segment();
        };
        let window = &mut current.window;
        match frame::decode_append(window.unread(), self.next, &mut self.append.frames) {
            Ok(bytes) => self.accept_append(bytes),
            Err(bad) if bad.defect == Defect::Short && window.fill()? > 0 => Ok(Step::Again),
            Err(_) if window.unread().is_empty() => self.leave_segment(),
            Err(_) => self.judge_tail(),
        }
    }

    fn accept_append(&mut self, bytes: usize) -> Result<Step, Error> {
        self.check_chain()?;
        let (Some(current), Some(last)) = (&mut self.current, self.append.frames.last()) else {
            return Ok(Step::End);
        };
        self.last = Some(LastFrame {
            segment: current.first,
            offset: current.window.offset() + last.start as u64,
            bytes: last.len(),
        });
        self.append.start = current.window.consume(bytes);
        self.next = self.next.plus(self.append.frames.len() as u64);
        Ok(Step::Append)
    }

    fn check_chain(&mut self) -> Result<(), Error> {
        let (Check::Chain(expected), Some(current)) = (&mut self.check, &self.current) else {
            return Ok(());
        };
        for (index, frame) in self.append.frames.iter().enumerate() {
            let bytes = &current.window.unread()[frame.clone()];
            if frame::previous(bytes) != expected.to_hex() {
                let bad = BadFrame {
                    offset: frame.start,
                    sequence: self.next.plus(index as u64),
                    defect: Defect::Chain,
                };
                self.append.frames.clear();
                return Err(self.corrupt(bad));
            }
            *expected = RecordHash::of(bytes);
        }
        Ok(())
    }

    /// Goes on to the next segment at the end of a whole one, if there is one.
    fn leave_segment(&mut self) -> Result<Step, Error> {
        if !self.has_later_segment()? {
            return Ok(Step::End);
        }
        // The writer may have added to this segment before it began the next one.
        if let Some(current) = &mut self.current
            && current.window.fill()? > 0
        {
            return Ok(Step::Again);
        }
        self.enter_next_segment()
    }

    /// Decides what bytes are that do not make a whole append: a tail that can be cut, or corruption.
    fn judge_tail(&mut self) -> Result<Step, Error> {
        let is_closed = self.has_later_segment()?;
        let rest = self.reread()?;
        if rest.is_empty() || self.first_bad(&rest).is_none() {
            return Ok(Step::Again);
        }
        if !is_closed && segment::unused(&rest) == rest.len() {
            return Ok(Step::End);
        }
        if !is_closed && !frame::holds_later_append(&rest, self.next) {
            self.incomplete = self.position().map(|(first, offset)| IncompleteTail {
                segment: self.files.path(&segment::name(first)),
                offset,
                bytes: (rest.len() - segment::unused(&rest)) as u64,
            });
            return Ok(Step::End);
        }
        // A running writer may have completed this append, and the next, between our two looks.
        let rest = self.reread()?;
        match self.first_bad(&rest) {
            None => Ok(Step::Again),
            Some(bad) => Err(self.corrupt(bad)),
        }
    }

    /// Gives the first bad record of the next append, if these bytes do not hold all of it.
    fn first_bad(&self, bytes: &[u8]) -> Option<BadFrame> {
        frame::decode_append(bytes, self.next, &mut Vec::new()).err()
    }

    /// Reads everything behind the last whole append afresh, and forgets what was read before.
    fn reread(&mut self) -> Result<Vec<u8>, Error> {
        let Some(current) = &mut self.current else {
            return Ok(Vec::new());
        };
        current.window.forget_unread();
        match current.window.read_rest(SEGMENT_BYTES_MAX)? {
            Some(rest) => Ok(rest),
            None => Err(self.corrupt(BadFrame {
                offset: 0,
                sequence: self.next,
                defect: Defect::SegmentTooLong,
            })),
        }
    }

    /// Tells whether there is a segment behind the one being read; one that was seen stays.
    fn has_later_segment(&mut self) -> Result<bool, Error> {
        let current = self.current.as_ref().map(|current| current.first);
        if self.newest_segment <= current {
            self.newest_segment = self.files.newest_segment()?;
        }
        Ok(self.newest_segment > current)
    }

    /// Opens the first segment. A journal without any has not begun, or has lost them.
    fn enter_first_segment(&mut self) -> Result<Step, Error> {
        if self.has_later_segment()? {
            return self.enter_next_segment();
        }
        let begun = self.files.has_later_files()? || lock::has_begun(&self.files)?;
        // A running writer may have begun it between our two looks.
        match (begun, begun && self.has_later_segment()?) {
            (false, _) => Ok(Step::End),
            (true, true) => self.enter_next_segment(),
            (true, false) => {
                let first = Sequence::FIRST;
                Err(self.corrupt_at(first, 0, first, Defect::SegmentMissing))
            }
        }
    }

    /// Opens the segment that begins with the next record; a later one has been seen, or this one.
    fn enter_next_segment(&mut self) -> Result<Step, Error> {
        let first = self.next;
        let missing = || self.corrupt_at(first, 0, first, Defect::SegmentMissing);
        if self.position().is_some_and(|(entered, _)| entered == first) {
            // This segment has no records and a later one exists: its records are what is missing.
            return Err(missing());
        }
        let window = self.open_segment(first)?.ok_or_else(missing)?;
        self.current = Some(Current { first, window });
        Ok(Step::Again)
    }

    /// Opens a segment, if it is there, and checks its first line.
    fn open_segment(&self, first: Sequence) -> Result<Option<Window>, Error> {
        let Some(file) = self.files.find(&segment::name(first))? else {
            return Ok(None);
        };
        let mut line = [0; segment::LINE_BYTES];
        file.read_full(&mut line, 0)?;
        if line != segment::line(first) {
            return Err(self.corrupt_at(first, 0, first, Defect::SegmentHeader));
        }
        Ok(Some(Window::new(file, segment::LINE_BYTES as u64)))
    }

    /// Goes on behind a record that a snapshot stands for; `false` if that record is not there.
    fn jump_behind(&mut self, mark: &Mark) -> Result<bool, Error> {
        let Some(mut window) = self.open_segment(mark.segment)? else {
            return Ok(false);
        };
        let Some(bytes) = mark.verify(window.file())? else {
            return Ok(false);
        };
        if self.files.find(&segment::name(Sequence::FIRST))?.is_none() {
            // Nothing before the snapshot is read, but without it nothing can be proven any more.
            return Ok(false);
        }
        window.seek(mark.offset + bytes as u64);
        self.current = Some(Current { first: mark.segment, window });
        self.next = mark.sequence.plus(1);
        self.last = Some(LastFrame { segment: mark.segment, offset: mark.offset, bytes });
        Ok(true)
    }

    fn corrupt(&self, bad: BadFrame) -> Error {
        let (first, offset) = self.position().unwrap_or((self.next, 0));
        self.corrupt_at(first, offset + bad.offset as u64, bad.sequence, bad.defect)
    }

    fn corrupt_at(
        &self,
        first: Sequence,
        offset: u64,
        sequence: Sequence,
        defect: Defect,
    ) -> Error {
        let name = segment::name(first);
        let path = self.files.path(&name);
        Error::new("read", path, Corruption { segment: name, offset, sequence, defect })
    }
}
