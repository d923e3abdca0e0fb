//! The files of a commit, written before anybody asks for them, and turned into those of another one that is much like it.
//!
//! A spare is nobody's: it has no repository, no branch and no name, and no agent is ever let into it. It is looked through before it
//! is handed over, because an agent without a sandbox could have found it; what is not exactly as it was written makes it worthless.

use std::{
    cmp::Ordering,
    collections::BTreeSet,
    ffi::OsStr,
    fs::{self, Metadata},
    io,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
    sync::atomic::{self, AtomicBool},
};

use gix::{
    bstr::{BStr, BString, ByteSlice},
    index::{
        Entry,
        entry::{Flags, Mode, Stat},
    },
};
use tempfile::TempDir;

use super::{
    GitError, ObjectId, Project, Retired,
    checkout::{Checkout, Hidden, Pace, threads},
    walk::is_unchanged,
};
use crate::private::{create_dir, create_dirs, named_tempdir_in};

/// How many files of a spare may be others than those that are wanted: removing them costs what making others costs.
const GONE_MAX: usize = 1_000;
/// Of how many files of a spare one may be another than the one that is wanted.
const GONE_SHARE: usize = 8;
/// From so many files on, more than one thread writes what is missing.
const MISSING_MANY: usize = 100;
/// The name of files that shape other files.
const ATTRIBUTES: &[u8] = b".gitattributes";
/// No time is later, so that no file counts as changed because of its time alone.
const NEVER: (i64, i64) = (i64::MAX, 0);

/// Files of a commit that wait for somebody who needs nearly the same. Dropping it removes them.
#[derive(Debug)]
pub struct Spare {
    place: TempDir,
    shaped_by: Vec<Option<Fingerprint>>,
}

impl Spare {
    /// Gives it up, to be removed when that disturbs nobody.
    pub fn retire(self) -> Retired {
        Retired::of(self.place.keep())
    }

    fn files(&self) -> PathBuf {
        self.place.path().join("files")
    }

    fn index(&self) -> PathBuf {
        self.place.path().join("index")
    }
}

/// What became of a spare that was offered.
pub(super) enum Adopted {
    /// Its files are the wanted ones now.
    Whole,
    /// It does not fit and is as it was.
    Refused(Spare),
    /// Something went wrong, and it is gone.
    Broken,
}

/// One version of a file that decides how others look.
#[derive(Debug, PartialEq, Eq)]
struct Fingerprint {
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// How the files of a spare compare with those that are wanted.
#[derive(Default)]
struct Comparison {
    /// Entries that are the same: their places in the index of the spare and in the one that is wanted.
    same: Vec<(usize, usize)>,
    /// Entries of the spare that are not wanted, or not so.
    gone: Vec<usize>,
    /// How many entries that are wanted the spare does not have so.
    missing: usize,
    /// Whether what shapes other files is not the same.
    shapes_others: bool,
}

impl Project {
    /// Writes the files of a commit into a new directory below `above`, for whoever may need them or nearly the same, and stops when
    /// it is told to: what is written by then is a spare as well.
    ///
    /// One thread does it, because it is done beside somebody's work.
    pub fn prepare_spare(
        &self,
        commit: &ObjectId,
        above: &Path,
        stop: &AtomicBool,
    ) -> Result<Spare, GitError> {
        let failed = |error| GitError::io("make a directory in", above, error);
        let mut checkout = Checkout::prepare(self, commit, &Hidden::default())?;
        let shaped_by = checkout.shaped_by();
        create_dirs(above).map_err(failed)?;
        let spare = Spare { place: named_tempdir_in("", above).map_err(failed)?, shaped_by };
        let files = spare.files();
        create_dir(&files).map_err(|error| GitError::io("make", &files, error))?;
        checkout.write_missing(&files, Pace { threads: 1, stop })?;
        match stop.load(atomic::Ordering::Relaxed) {
            // Every file that was written has an inode.
            true => checkout.index.remove_entries(|_, _, entry| entry.stat == Stat::default()),
            false => checkout.make_submodule_directories(&files)?,
        }
        checkout.write_index(&spare.index())?;
        Ok(spare)
    }
}

impl Checkout {
    /// Makes the files of a spare those of this checkout and moves them to `files`, where nothing may be; the index then knows their
    /// times. Whatever is in doubt about the spare, nothing is there afterwards.
    pub(super) fn adopt(&mut self, spare: Spare, files: &Path) -> Adopted {
        let Some((held, comparison)) = self.fits(&spare) else {
            return Adopted::Refused(spare);
        };
        match self.patch(&spare, &held, &comparison, files) {
            Ok(()) => Adopted::Whole,
            Err(_) => {
                self.forget_files();
                // At once: it may have been the room on the disk that was missing.
                drop(spare);
                Adopted::Broken
            }
        }
    }

    /// Compares with a spare, and looks whether all of it is as it was written.
    fn fits(&self, spare: &Spare) -> Option<(gix::index::File, Comparison)> {
        if spare.shaped_by != self.shaped_by() {
            return None;
        }
        let (kind, options) = (self.index.object_hash(), gix::index::decode::Options::default());
        let held = gix::index::File::at(spare.index(), kind, true, options).ok()?;
        let comparison = Comparison::of(&held, &self.index);
        let gone_max = GONE_MAX.min(held.entries().len() / GONE_SHARE);
        let fits = !comparison.shapes_others
            && comparison.gone.len() <= gone_max
            && is_as_written(spare, &held).unwrap_or(false);
        fits.then_some((held, comparison))
    }

    fn patch(
        &mut self,
        spare: &Spare,
        held: &gix::index::File,
        comparison: &Comparison,
        to: &Path,
    ) -> Result<(), GitError> {
        let files = spare.files();
        self.remove_gone(&files, held, &comparison.gone)
            .map_err(|error| GitError::io("remove files of", &files, error))?;
        let entries = self.index.entries_mut();
        for (old, new) in &comparison.same {
            entries[*new].stat = held.entries()[*old].stat;
            // What is marked so is left as it is by whoever writes files.
            entries[*new].flags.insert(Flags::SKIP_WORKTREE);
        }
        if comparison.missing > 0 {
            let threads = if comparison.missing < MISSING_MANY { 1 } else { threads() };
            self.write_missing(&files, Pace { threads, stop: &AtomicBool::new(false) })?;
        }
        self.make_submodule_directories(&files)?;
        for (_, new) in &comparison.same {
            self.index.entries_mut()[*new].flags.remove(Flags::SKIP_WORKTREE);
        }
        fs::rename(&files, to).map_err(|error| GitError::io("move to", to, error))
    }

    /// Removes files that are not wanted, and the directories that only they were in.
    fn remove_gone(&self, files: &Path, held: &gix::index::File, gone: &[usize]) -> io::Result<()> {
        let mut empty: BTreeSet<&BStr> = BTreeSet::new();
        for at in gone {
            let entry = &held.entries()[*at];
            let path = entry.path(held);
            if entry.mode == Mode::COMMIT {
                empty.insert(path);
            } else {
                fs::remove_file(files.join(OsStr::from_bytes(path)))?;
            }
            empty.extend(path.find_iter("/").map(|end| path[..end].as_bstr()));
        }
        // What is in a directory comes behind it.
        for path in empty.into_iter().rev() {
            if !self.index.path_is_directory(path) {
                fs::remove_dir(files.join(OsStr::from_bytes(path)))?;
            }
        }
        Ok(())
    }

    /// Takes back what was noted about files that are gone again.
    fn forget_files(&mut self) {
        for entry in self.index.entries_mut() {
            entry.stat = Stat::default();
            entry.flags.remove(Flags::SKIP_WORKTREE);
        }
    }

    /// What decides how files look and is in no commit: the repository's settings and attributes, and the person's attributes.
    fn shaped_by(&self) -> Vec<Option<Fingerprint>> {
        let common = self.repository.common_dir();
        let mut paths = vec![
            common.join("config"),
            self.repository.git_dir().join("config.worktree"),
            common.join("info/attributes"),
        ];
        let settings = self.repository.config_snapshot();
        paths.extend(settings.trusted_path("core.attributesFile").ok().flatten());
        paths.iter().map(|path| fs::metadata(path).ok().as_ref().map(Fingerprint::of)).collect()
    }
}

impl Fingerprint {
    fn of(found: &Metadata) -> Self {
        Self {
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }
}

impl Comparison {
    /// Goes through two lists of paths in their order. Where one is not in order, less is the same than could be.
    fn of(held: &gix::index::State, wanted: &gix::index::State) -> Self {
        let mut comparison = Self::default();
        let (mut old, mut new) = (0, 0);
        loop {
            let (before, after) = (held.entries().get(old), wanted.entries().get(new));
            let order = match (before, after) {
                (None, None) => return comparison,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(after)) => before.path(held).cmp(after.path(wanted)),
            };
            let is_same = |(before, after)| order.is_eq() && is_written_alike(before, after);
            if before.zip(after).is_some_and(is_same) {
                comparison.same.push((old, new));
            } else {
                if let Some(before) = before.filter(|_| order.is_le()) {
                    comparison.gone.push(old);
                    comparison.shapes_others |= shapes_others(before.path(held));
                }
                if let Some(after) = after.filter(|_| order.is_ge()) {
                    comparison.missing += 1;
                    comparison.shapes_others |= shapes_others(after.path(wanted));
                }
            }
            old += usize::from(order.is_le());
            new += usize::from(order.is_ge());
        }
    }
}

/// Whether two entries of the same path are the same on disk. A submodule is an empty directory, whatever commit it stands for.
fn is_written_alike(one: &Entry, other: &Entry) -> bool {
    one.mode == other.mode && (one.id == other.id || one.mode == Mode::COMMIT)
}

fn shapes_others(path: &BStr) -> bool {
    path.rsplit(|byte| *byte == b'/')
        .next()
        .is_some_and(|name| name.eq_ignore_ascii_case(ATTRIBUTES))
}

/// Looks whether a spare holds what was written into it, all of it, and nothing else. The change time of a file cannot be set.
fn is_as_written(spare: &Spare, held: &gix::index::State) -> io::Result<bool> {
    let like = spare.place.path().join("like");
    fs::create_dir(&like)?;
    let mode = fs::symlink_metadata(&like)?.mode();
    let files = spare.files();
    if !fs::symlink_metadata(&files)?.is_dir() {
        return Ok(false);
    }
    let mut seen = 0;
    let mut waiting = vec![(files, BString::default())];
    while let Some((directory, above)) = waiting.pop() {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let found = entry.metadata()?;
            let mut path = above.clone();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(entry.file_name().as_bytes());
            let is_known = match found.is_dir() {
                true => found.mode() == mode && held.path_is_directory(path.as_bstr()),
                false => held
                    .entry_by_path(path.as_bstr())
                    .is_some_and(|known| is_unchanged(known, &found, NEVER)),
            };
            if !is_known {
                return Ok(false);
            }
            match found.is_dir() {
                true => waiting.push((entry.path(), path)),
                false => seen += 1,
            }
        }
    }
    let written = held.entries().iter().filter(|entry| entry.mode != Mode::COMMIT).count();
    Ok(seen == written)
}
