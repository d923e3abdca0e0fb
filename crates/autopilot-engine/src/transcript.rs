//! What the agents of a run were told and what they printed, in the order in which it came.
//!
//! ```text
//! === prompt 3/execute/03-01/1 1540
//! # Phase 3 …
//! === output 3/execute/03-01/1 3
//! ok
//! ```
//!
//! All attempts write to the end of one file. A file for each of them would be the most expensive part of a
//! short step: it makes the file system commit a new inode with the step's facts. Each piece says how long it
//! is, so nothing an agent prints can be taken for the beginning of another piece. A process begins a file of
//! its own, because the last piece of one that was killed may be cut.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, IoSlice, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use autopilot_core::id::Key;
use rustix::fs::{Mode, OFlags};

use crate::{private::create_dirs, process::Tape};

/// A file that has grown to this size is followed by a new one.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// The first line of a piece is never longer.
const HEAD_BYTES_MAX: u64 = 1 << 10;
const MARK: &str = "===";

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the agent was told.
    Prompt,
    /// What it printed.
    Output,
}

impl Part {
    const ALL: [Self; 2] = [Self::Prompt, Self::Output];

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Output => "output",
        }
    }
}

/// The transcript that this process writes.
#[derive(Debug)]
pub struct Transcript {
    directory: PathBuf,
    open: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    number: u32,
    bytes: u64,
}

impl Transcript {
    /// Begins a new file behind those that are there.
    pub fn begin(directory: &Path) -> io::Result<Arc<Self>> {
        create_dirs(directory)?;
        let number = files(directory)?.last().map_or(1, |(number, _)| number + 1);
        let open = Mutex::new(Open::new(directory, number)?);
        Ok(Arc::new(Self { directory: directory.to_owned(), open }))
    }

    /// Writes a piece down.
    pub fn keep(&self, part: Part, key: &Key, bytes: &[u8]) -> io::Result<()> {
        let mut open = self.open();
        if open.bytes >= FILE_BYTES_MAX {
            *open = Open::new(&self.directory, open.number + 1)?;
        }
        let head = format!("{MARK} {} {key} {}\n", part.name(), bytes.len());
        let written = write_all(&open.file, [head.as_bytes(), bytes, b"\n"]);
        open.bytes += (head.len() + bytes.len() + 1) as u64;
        if written.is_err() {
            // What was written of it has no end: nothing can follow in this file.
            open.bytes = FILE_BYTES_MAX;
        }
        written
    }

    /// A tape for what the agent of one attempt prints.
    pub fn tape(self: &Arc<Self>, key: &Key) -> Arc<dyn Tape> {
        Arc::new(Output { transcript: Arc::clone(self), key: key.clone() })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn new(directory: &Path, number: u32) -> io::Result<Self> {
        let path = directory.join(format!("{number:04}.log"));
        // The directory is the engine's, but a link in it would lead anywhere.
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = rustix::fs::open(&path, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(Self { file: file.into(), number, bytes: 0 })
    }
}

#[derive(Debug)]
struct Output {
    transcript: Arc<Transcript>,
    key: Key,
}

impl Tape for Output {
    fn record(&self, bytes: &[u8]) -> io::Result<()> {
        self.transcript.keep(Part::Output, &self.key, bytes)
    }
}

/// One piece of a transcript, without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub part: Part,
    /// The attempt it belongs to, as it is printed.
    pub key: String,
    /// How long it is.
    pub bytes: u64,
}

/// Goes through all pieces of a run's transcript; those that are wanted are given piece by piece of memory.
pub fn read(
    directory: &Path,
    mut wanted: impl FnMut(&Piece) -> bool,
    mut each: impl FnMut(&Piece, &[u8]),
) -> io::Result<()> {
    for (_, path) in files(directory)? {
        let mut file = BufReader::new(File::open(path)?);
        while let Some(piece) = next_piece(&mut file)? {
            if wanted(&piece) {
                give(&mut file, &piece, &mut each)?;
                file.seek_relative(1)?;
            } else {
                let Ok(over) = i64::try_from(piece.bytes.saturating_add(1)) else { break };
                file.seek(SeekFrom::Current(over))?;
            }
        }
    }
    Ok(())
}

fn give(
    file: &mut BufReader<File>,
    piece: &Piece,
    each: &mut impl FnMut(&Piece, &[u8]),
) -> io::Result<()> {
    let mut bytes = file.take(piece.bytes);
    loop {
        let held = bytes.fill_buf()?;
        if held.is_empty() {
            return Ok(());
        }
        each(piece, held);
        let count = held.len();
        bytes.consume(count);
    }
}

/// Reads the first line of a piece; nothing at the end, and where the rest was never written.
fn next_piece(file: &mut BufReader<File>) -> io::Result<Option<Piece>> {
    let mut line = Vec::new();
    file.take(HEAD_BYTES_MAX).read_until(b'\n', &mut line)?;
    Ok(std::str::from_utf8(&line).ok().and_then(piece_of))
}

fn piece_of(line: &str) -> Option<Piece> {
    let mut words = line.strip_suffix('\n')?.split(' ');
    let (mark, part, key, bytes) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let part = Part::ALL.into_iter().find(|one| one.name() == part)?;
    (mark == MARK && words.next().is_none()).then_some(())?;
    Some(Piece { part, key: key.to_owned(), bytes: bytes.parse().ok()? })
}

/// The files of a transcript in order; none where there is no directory.
fn files(directory: &Path) -> io::Result<Vec<(u32, PathBuf)>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if let Some(number) = stem.and_then(|stem| stem.parse().ok()) {
            files.push((number, path));
        }
    }
    files.sort();
    Ok(files)
}

/// Writes several slices as one, so that a crash leaves as few cut pieces as can be.
fn write_all(mut file: &File, parts: [&[u8]; 3]) -> io::Result<()> {
    let mut slices = parts.map(IoSlice::new);
    let mut left = &mut slices[..];
    IoSlice::advance_slices(&mut left, 0);
    while !left.is_empty() {
        match file.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut left, count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use autopilot_core::id::{Attempt, Step};

    use super::*;

    fn key(step: &str, attempt: u32) -> Key {
        Key { step: Step::new(step), attempt: Attempt::after(attempt - 1) }
    }

    fn output_of(directory: &Path, key: &Key) -> Vec<u8> {
        let name = key.to_string();
        let mut all = Vec::new();
        read(
            directory,
            |piece| piece.part == Part::Output && piece.key == name,
            |_, bytes| all.extend_from_slice(bytes),
        )
        .expect("readable");
        all
    }

    #[test]
    fn what_attempts_print_in_turns_is_told_apart() {
        let directory = tempfile::tempdir().expect("a directory");
        let transcript = Transcript::begin(directory.path()).expect("writable");
        let (one, two) = (key("1/research", 1), key("1/plan", 2));
        transcript.keep(Part::Prompt, &one, b"do it").expect("writable");
        for (key, bytes) in
            [(&one, &b"a"[..]), (&two, b"=== output 1/research/1 9\n"), (&one, b"b\n")]
        {
            transcript.tape(key).record(bytes).expect("writable");
        }
        assert_eq!(output_of(directory.path(), &one), b"ab\n");
        assert_eq!(output_of(directory.path(), &two), b"=== output 1/research/1 9\n");
        assert_eq!(output_of(directory.path(), &key("1/plan", 1)), b"");
    }

    #[test]
    fn a_piece_that_was_cut_hides_nothing_of_the_next_start() {
        let directory = tempfile::tempdir().expect("a directory");
        let one = key("1/research", 1);
        let first = Transcript::begin(directory.path()).expect("writable");
        first.tape(&one).record(&[b'x'; 100]).expect("writable");
        let path = directory.path().join("0001.log");
        let length = fs::metadata(&path).expect("there").len();
        for cut in 0..length {
            let file = File::options().write(true).open(&path).expect("writable");
            file.set_len(length - cut).expect("can be cut");
            let second = Transcript::begin(directory.path()).expect("writable");
            second.tape(&one).record(b"y").expect("writable");
            let seen = output_of(directory.path(), &one);
            assert!(seen.ends_with(b"y") && seen.len() <= 101, "cut by {cut}");
            drop(second);
            fs::remove_file(directory.path().join("0002.log")).expect("there");
        }
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let directory = tempfile::tempdir().expect("a directory");
        let precious = directory.path().join("precious");
        fs::write(&precious, "keep").expect("writable");
        let inside = directory.path().join("transcript");
        fs::create_dir(&inside).expect("writable");
        std::os::unix::fs::symlink(&precious, inside.join("0001.log")).expect("a link");
        let transcript = Transcript::begin(&inside).expect("another file");
        transcript.keep(Part::Prompt, &key("1/plan", 1), b"over").expect("writable");
        assert_eq!(fs::read_to_string(&precious).expect("there"), "keep");
    }
}
