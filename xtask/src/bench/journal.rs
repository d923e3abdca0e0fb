//! The journal beside its floors: raw appends, a raw fold of JSON lines.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    ops::Range,
    path::Path,
    time::Duration,
};

use autopilot_journal::{Disk, Error, Holder, Journal, Opened, Opening, SnapshotState};

use super::{
    facts::{State, fact},
    measure::{Row, Samples, anonymous_kib, time},
    unsynced::Unsynced,
};
use crate::shell::{Outcome, say};

const FACTS: u64 = 1_000_000;
const TAIL_FACTS: u64 = 10_000;
const LENGTHS: [u64; 3] = [100, 10_000, 1_000_000];
const APPENDS: usize = 1_000;
const FOLDS: usize = 7;
const TAIL_OPENS: usize = 50;
const CHUNK_BYTES: usize = 1 << 20;
const APPEND_RATIO_MAX: f64 = 1.2;
const FOLD_RATIO_MAX: f64 = 1.25;
const TAIL_MAX: Duration = Duration::from_millis(10);
const FOLD_GROWTH_KIB_MAX: u64 = 2_048;

/// Measures everything and says it in one table.
pub(crate) fn run() -> Outcome {
    if cfg!(debug_assertions) {
        return Err(
            "measure in release: cargo run --release --package xtask -- bench journal".to_owned()
        );
    }
    let mut is_met = true;
    say(&Row::heading())?;
    for length in LENGTHS {
        let row = append(length)?;
        is_met &= row.is_met();
        say(&row.line())?;
    }
    let fold = fold()?;
    is_met &=
        fold.row.is_met() && fold.growth_kib <= FOLD_GROWTH_KIB_MAX && fold.tail.best() <= TAIL_MAX;
    say(&fold.row.line())?;
    say(&format!(
        "memory during the fold: at most {} KiB, of which {} KiB came during it; target {FOLD_GROWTH_KIB_MAX}\n",
        fold.most_kib, fold.growth_kib,
    ))?;
    say(&format!(
        "open with a snapshot and a tail of {TAIL_FACTS} facts: best {:.1} ms, median {:.1} ms; target {} ms\n",
        fold.tail.best().as_secs_f64() * 1e3,
        fold.tail.median().as_secs_f64() * 1e3,
        TAIL_MAX.as_millis(),
    ))?;
    if is_met { Ok(()) } else { Err("a target was missed".to_owned()) }
}

/// Compares one durable append with a raw write and sync, behind a log of some length.
pub(crate) fn append(length: u64) -> Result<Row, String> {
    let dir = scratch()?;
    let mut raw = raw_log(&dir.path().join("raw"), length)?;
    let root = dir.path().join("journal");
    fill(&root, 1..length + 1)?;
    let mut journal = open(&root)?.journal;
    let mut row = Row {
        what: format!("append after {length} records"),
        floor: Samples::default(),
        ours: Samples::default(),
        ratio_max: APPEND_RATIO_MAX,
    };
    let before = journal.syncs();
    for index in 0..APPENDS as u64 {
        let json = fact(length + index);
        let line = format!("{json}\n");
        let (done, elapsed) =
            time(|| raw.write_all(line.as_bytes()).and_then(|()| raw.sync_data()));
        done.map_err(text)?;
        row.floor.add(elapsed);
        let (done, elapsed) = time(|| journal.append(&[&json]));
        done.map_err(text)?;
        row.ours.add(elapsed);
    }
    if journal.syncs() - before != APPENDS as u64 {
        return Err("an append must be exactly one sync".to_owned());
    }
    Ok(row)
}

/// What folding a million facts came to.
pub(crate) struct Fold {
    pub(crate) row: Row,
    /// The most memory of its own that the process had during a fold.
    pub(crate) most_kib: u64,
    /// How much of that came during the fold.
    pub(crate) growth_kib: u64,
    /// Opening with a snapshot that leaves a short tail.
    pub(crate) tail: Samples,
}

/// Compares opening a journal of a million facts with a fold of the same facts as JSON lines.
pub(crate) fn fold() -> Result<Fold, String> {
    let dir = scratch()?;
    let (lines, root) = (dir.path().join("lines"), dir.path().join("journal"));
    write_lines(&lines)?;
    fill(&root, 1..FACTS - TAIL_FACTS + 1)?;
    let mut fold = Fold {
        row: Row {
            what: format!("fold of {FACTS} facts"),
            floor: Samples::default(),
            ours: Samples::default(),
            ratio_max: FOLD_RATIO_MAX,
        },
        most_kib: 0,
        growth_kib: 0,
        tail: Samples::default(),
    };
    let mut journal = open(&root)?.journal;
    let last = journal.last_sequence().ok_or("the journal is empty")?;
    journal.write_snapshot(last, b"stands for the state").map_err(text)?;
    drop(journal);
    fill(&root, FACTS - TAIL_FACTS + 1..FACTS + 1)?;
    for _ in 0..FOLDS {
        let (floor, elapsed) = time(|| fold_lines(&lines));
        fold.row.floor.add(elapsed);
        let (ours, elapsed) = time(|| fold_journal(&root));
        fold.row.ours.add(elapsed);
        let (ours, before_kib, most_kib) = ours?;
        fold.most_kib = fold.most_kib.max(most_kib);
        fold.growth_kib = fold.growth_kib.max(most_kib - before_kib);
        if ours.summary() != floor?.summary() {
            return Err("the two folds differ".to_owned());
        }
    }
    for _ in 0..TAIL_OPENS {
        let (tail, elapsed) = time(|| open_tail(&root));
        tail?;
        fold.tail.add(elapsed);
    }
    Ok(fold)
}

/// Folds lines of checksum and JSON in chunks: the least that a durable fold can cost.
fn fold_lines(path: &Path) -> Result<State, String> {
    let mut file = File::open(path).map_err(text)?;
    let mut state = State::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut held = 0;
    loop {
        let count = file.read(&mut chunk[held..]).map_err(text)?;
        if count == 0 {
            return Ok(state);
        }
        let filled = held + count;
        let mut start = 0;
        while let Some(length) = memchr::memchr(b'\n', &chunk[start..filled]) {
            fold_line(&mut state, &chunk[start..start + length])?;
            start += length + 1;
        }
        chunk.copy_within(start..filled, 0);
        held = filled - start;
    }
}

fn fold_line(state: &mut State, line: &[u8]) -> Result<(), String> {
    let (checksum, json) = line.split_at_checked(8).ok_or("a line is short")?;
    let checksum = std::str::from_utf8(checksum).map_err(text)?;
    if u32::from_str_radix(checksum, 16).map_err(text)? != crc32fast::hash(json) {
        return Err("a line fails its checksum".to_owned());
    }
    state.apply(&json[1..])
}

/// Opens the journal as a resumed run does without a snapshot, and watches the memory it takes.
fn fold_journal(root: &Path) -> Result<(State, u64, u64), String> {
    let mut state = State::new();
    let opening = begin(root)?.decline_snapshot().map_err(text)?;
    let before = anonymous_kib().unwrap_or(0);
    let mut most = before;
    let opened = opening.replay::<Failure>(|record| {
        if record.sequence.get() % 100_000 == 0 {
            most = most.max(anonymous_kib().unwrap_or(0));
        }
        state.apply(record.payload).map_err(Failure)
    });
    opened.map_err(|Failure(why)| why)?;
    Ok((state, before, most))
}

fn open_tail(root: &Path) -> Result<(), String> {
    let opening = begin(root)?;
    if !matches!(opening.snapshot(), SnapshotState::Usable(_)) {
        return Err("the snapshot was not used".to_owned());
    }
    let mut state = State::new();
    let opened = opening.replay::<Failure>(|record| state.apply(record.payload).map_err(Failure));
    let opened = opened.map_err(|Failure(why)| why)?;
    if opened.replayed == TAIL_FACTS {
        Ok(())
    } else {
        Err("the tail has another length".to_owned())
    }
}

/// Why a fold stopped.
struct Failure(String);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(text(error))
    }
}

fn begin(root: &Path) -> Result<Opening, String> {
    let disk = Disk::create(root).map_err(text)?;
    Journal::open(disk, &Holder::this_process("bench")).map_err(text)
}

fn open(root: &Path) -> Result<Opened, String> {
    begin(root)?.replay::<Error>(|_| Ok(())).map_err(text)
}

/// Appends facts one by one, as a run does; opening the journal again makes them last.
fn fill(root: &Path, numbers: Range<u64>) -> Outcome {
    let disk = Unsynced(Disk::create(root).map_err(text)?);
    let opening = Journal::open(disk, &Holder::this_process("bench")).map_err(text)?;
    let mut journal = opening.replay::<Error>(|_| Ok(())).map_err(text)?.journal;
    for n in numbers {
        journal.append(&[fact(n)]).map_err(text)?;
    }
    Ok(())
}

/// Makes a plain file of JSON lines to append to.
fn raw_log(path: &Path, length: u64) -> Result<File, String> {
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(text)?;
    let mut chunk = Vec::new();
    for n in 1..=length {
        chunk.extend_from_slice(fact(n).as_bytes());
        chunk.push(b'\n');
        if chunk.len() > CHUNK_BYTES || n == length {
            file.write_all(&chunk).map_err(text)?;
            chunk.clear();
        }
    }
    file.sync_all().map_err(text)?;
    Ok(file)
}

/// Writes the facts as lines of checksum and JSON.
fn write_lines(path: &Path) -> Outcome {
    let mut file = std::io::BufWriter::new(File::create(path).map_err(text)?);
    for n in 1..=FACTS {
        let json = format!(" {}", fact(n));
        writeln!(file, "{:08x}{json}", crc32fast::hash(json.as_bytes())).map_err(text)?;
    }
    file.into_inner().map_err(text)?.sync_all().map_err(text)
}

/// Makes a directory on the disk that holds the build, since the usual place may be in memory.
fn scratch() -> Result<tempfile::TempDir, String> {
    let exe = std::env::current_exe().map_err(text)?;
    let parent = exe.parent().ok_or("the program has no directory")?;
    tempfile::Builder::new().prefix("bench-").tempdir_in(parent).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
