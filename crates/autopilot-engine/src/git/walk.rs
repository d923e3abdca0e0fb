//! Finds what an agent has left in its files, without following, running or trusting any of it.
//!
//! Git's own search is not used: it would descend into nested repositories by their own configuration,
//! or leave them out, and one name that it does not take would make it give up.

use std::{
    collections::BTreeSet,
    fs::{self, DirEntry, Metadata, Permissions},
    io,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use gix::{bstr::ByteSlice, index::entry};

use super::{
    Caps, GitError, Project, WhyLeftOut,
    ignored::Ignored,
    keep::Raw,
    left_out::{Amount, LeftOuts, is_rebuildable},
    names,
};

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// New and changed files that belong into the tree.
    pub(super) update: Vec<Vec<u8>>,
    /// Tracked files that are gone.
    pub(super) removed: Vec<Vec<u8>>,
    /// Files that are kept, but do not belong into the tree: ignored ones and git's own.
    pub(super) raw: Vec<Raw>,
    /// What is neither, or is kept without being in the tree.
    pub(super) left_out: LeftOuts,
}

/// Where in the workspace the walk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among the files of the work.
    Work,
    /// Below an ignored directory, by its place in the list of them.
    Ignored(usize),
    /// Below something that cannot be in the tree under its own name.
    Raw,
}

struct Directory {
    on_disk: PathBuf,
    in_tree: Vec<u8>,
    place: Place,
}

/// An ignored directory, and what of it was too much.
struct IgnoredTop {
    path: Vec<u8>,
    why: WhyLeftOut,
    left: Amount,
}

/// One search of a workspace.
pub(super) struct Walk<'a> {
    index: &'a gix::index::File,
    since: (i64, i64),
    caps: Caps,
    ignored: Ignored<'a>,
    seen: BTreeSet<usize>,
    waiting: Vec<Directory>,
    tops: Vec<IgnoredTop>,
    entries: u64,
    work_bytes: u64,
    /// Room for ignored files.
    ignored_room: Amount,
    /// Room for files that can be made again.
    rebuildable_room: Amount,
    /// The directory that the workspace's files are in, where it is read too.
    above: Option<PathBuf>,
    found: Found,
}

impl<'a> Walk<'a> {
    /// Prepares the search; `since` is when the agent could first change a file that the index knows.
    pub(super) fn new(
        project: &'a Project,
        files: &'a Path,
        index: &'a gix::index::File,
        since: (i64, i64),
        caps: Caps,
    ) -> Self {
        let top = Directory { on_disk: files.to_owned(), in_tree: Vec::new(), place: Place::Work };
        Self {
            index,
            since,
            caps,
            ignored: Ignored::new(project, files),
            seen: BTreeSet::new(),
            waiting: vec![top],
            tops: Vec::new(),
            entries: 0,
            work_bytes: 0,
            ignored_room: Amount { files: caps.ignored_files_max, bytes: caps.ignored_bytes_max },
            rebuildable_room: Amount {
                files: caps.rebuildable_files_max,
                bytes: caps.rebuildable_bytes_max,
            },
            above: None,
            found: Found::default(),
        }
    }

    /// Prepares a search that takes every file as it is.
    pub(super) fn everything(
        project: &'a Project,
        directory: &'a Path,
        index: &'a gix::index::File,
        caps: Caps,
    ) -> Self {
        let mut walk = Self::new(project, directory, index, (0, 0), caps);
        for top in &mut walk.waiting {
            top.place = Place::Raw;
        }
        walk
    }

    /// Also takes what an agent put beside its files, where `..` leads.
    pub(super) fn with_what_is_beside(mut self, workspace: &Path) -> Self {
        self.waiting.push(Directory {
            on_disk: workspace.to_owned(),
            in_tree: names::BESIDE.to_vec(),
            place: Place::Raw,
        });
        self.above = Some(workspace.to_owned());
        self
    }

    /// Also takes the workspace's own git directory, for the case that it cannot be read as one.
    pub(super) fn with_git_dir(mut self, git_dir: &Path) -> Self {
        self.waiting.push(Directory {
            on_disk: git_dir.to_owned(),
            in_tree: names::kept_name(b".git"),
            place: Place::Raw,
        });
        self
    }

    pub(super) fn run(mut self) -> Result<Found, GitError> {
        while let Some(directory) = self.waiting.pop() {
            self.read(&directory)?;
        }
        for (at, entry) in self.index.entries().iter().enumerate() {
            // A submodule stays as it is: its directory is not the agent's to fill.
            if entry.mode != entry::Mode::COMMIT && !self.seen.contains(&at) {
                self.found.removed.push(entry.path(self.index).to_vec());
            }
        }
        for top in self.tops {
            if top.left.files > 0 {
                self.found.left_out.add(top.path, top.why, top.left);
            }
        }
        self.found.update.sort_unstable();
        Ok(self.found)
    }

    fn read(&mut self, directory: &Directory) -> Result<(), GitError> {
        let entries = match readable(&directory.on_disk, 0o700, list) {
            Ok(entries) => entries,
            Err(error) => {
                self.leave_out(
                    directory.in_tree.clone(),
                    WhyLeftOut::Unreadable(error.to_string()),
                );
                return Ok(());
            }
        };
        let mut below = Vec::new();
        for entry in entries {
            let name = entry.file_name().as_bytes().to_vec();
            // Ignored files have limits of their own, and must not take the place of the work.
            self.entries += u64::from(!matches!(directory.place, Place::Ignored(_)));
            if self.entries > self.caps.entries_max {
                self.leave_out(join(&directory.in_tree, &name), WhyLeftOut::TooMany);
                continue;
            }
            match entry.metadata() {
                Ok(found) => below.extend(self.look_at(directory, &name, entry.path(), &found)?),
                Err(error) => self.leave_out(
                    join(&directory.in_tree, &name),
                    WhyLeftOut::Unreadable(error.to_string()),
                ),
            }
        }
        // The last in is the first out: reversed, so that the order is that of the names.
        self.waiting.extend(below.into_iter().rev());
        Ok(())
    }

    /// Sorts one name into what was found; gives it back if it is a directory to be read.
    fn look_at(
        &mut self,
        parent: &Directory,
        name: &[u8],
        on_disk: PathBuf,
        found: &Metadata,
    ) -> Result<Option<Directory>, GitError> {
        if parent.in_tree.is_empty()
            && parent.place == Place::Work
            && name == b".git"
            && found.is_dir()
        {
            return Ok(None);
        }
        if name == b"files" && self.above.as_ref() == Some(&parent.on_disk) {
            return Ok(None);
        }
        let refused =
            names::is_refused(name) || (found.is_symlink() && names::is_refused_link(name));
        let (name, place) = match refused {
            true => (names::kept_name(name), Place::Raw),
            false => (name.to_vec(), parent.place),
        };
        let path = join(&parent.in_tree, &name);
        if found.is_dir() {
            let place = self.place_of_directory(&path, &on_disk, place)?;
            return Ok(Some(Directory { on_disk, in_tree: path, place }));
        }
        if !found.is_file() && !found.is_symlink() {
            self.leave_out(path, WhyLeftOut::Special);
            return Ok(None);
        }
        match place {
            Place::Raw => {
                self.take_raw(path, on_disk, found);
            }
            Place::Ignored(_) | Place::Work => self.take(path, on_disk, found, place)?,
        }
        Ok(None)
    }

    fn place_of_directory(
        &mut self,
        path: &[u8],
        on_disk: &Path,
        place: Place,
    ) -> Result<Place, GitError> {
        match place {
            Place::Raw => return Ok(place),
            Place::Ignored(top) => {
                let known = self.tops[top].why == WhyLeftOut::Rebuildable;
                return Ok(match !known && is_rebuildable(on_disk) {
                    true => self.ignored_below(path, WhyLeftOut::Rebuildable),
                    false => place,
                });
            }
            Place::Work => {}
        }
        let known = self.index.entry_by_path(path.as_bstr());
        if known.is_some_and(|entry| entry.mode == entry::Mode::COMMIT) {
            return Ok(Place::Raw);
        }
        if self.index.path_is_directory(path.as_bstr()) {
            return Ok(Place::Work);
        }
        Ok(match self.ignored.covers(path)? {
            true if is_rebuildable(on_disk) => self.ignored_below(path, WhyLeftOut::Rebuildable),
            true => self.ignored_below(path, WhyLeftOut::IgnoredTooMuch),
            false => Place::Work,
        })
    }

    /// Goes below an ignored directory; what of it is too much is added up and not listed file by file.
    fn ignored_below(&mut self, path: &[u8], why: WhyLeftOut) -> Place {
        self.tops.push(IgnoredTop { path: path.to_vec(), why, left: Amount::default() });
        Place::Ignored(self.tops.len() - 1)
    }

    /// Takes a file or link that has its own name in the tree.
    fn take(
        &mut self,
        path: Vec<u8>,
        on_disk: PathBuf,
        found: &Metadata,
        place: Place,
    ) -> Result<(), GitError> {
        match self.index.entry_index_by_path(path.as_bstr()) {
            Ok(at) => {
                self.seen.insert(at);
                if is_unchanged(&self.index.entries()[at], found, self.since) {
                    return Ok(());
                }
            }
            Err(_) => {
                if let Place::Ignored(top) = place {
                    self.take_ignored(path, on_disk, found, Some(top));
                    return Ok(());
                }
                if self.ignored.covers(&path)? {
                    self.take_ignored(path, on_disk, found, None);
                    return Ok(());
                }
            }
        }
        if found.len() > self.caps.tree_file_bytes_max {
            if self.take_raw(path.clone(), on_disk, found) {
                self.found.left_out.add(path, WhyLeftOut::OnlyKept, Amount::of(found));
            }
        } else if self.fits_the_work(&path, found) && self.can_be_read(&path, &on_disk, found) {
            self.found.update.push(path);
        }
        Ok(())
    }

    /// Takes a file or link as it is, and tells whether that was possible.
    fn take_raw(&mut self, path: Vec<u8>, on_disk: PathBuf, found: &Metadata) -> bool {
        let taken = self.fits_the_work(&path, found) && self.can_be_read(&path, &on_disk, found);
        if taken {
            self.found.raw.push(Raw { on_disk, in_tree: path });
        }
        taken
    }

    fn take_ignored(
        &mut self,
        path: Vec<u8>,
        on_disk: PathBuf,
        found: &Metadata,
        top: Option<usize>,
    ) {
        let size = Amount::of(found);
        let top = top.map(|top| &mut self.tops[top]);
        let rebuildable = top.as_ref().is_some_and(|top| top.why == WhyLeftOut::Rebuildable);
        let room = match rebuildable {
            true => &mut self.rebuildable_room,
            false => &mut self.ignored_room,
        };
        let Some(less) = room.without(size) else {
            match top {
                Some(top) => top.left += size,
                None => self.found.left_out.add(path, WhyLeftOut::IgnoredTooMuch, size),
            }
            return;
        };
        *room = less;
        if self.can_be_read(&path, &on_disk, found) {
            self.found.raw.push(Raw { on_disk, in_tree: path });
        }
    }

    fn fits_the_work(&mut self, path: &[u8], found: &Metadata) -> bool {
        let bytes = found.len();
        let too_big = self.work_bytes.saturating_add(bytes) > self.caps.work_bytes_max;
        if too_big {
            self.found.left_out.add(path.to_vec(), WhyLeftOut::TooBig, Amount::of(found));
        } else {
            self.work_bytes += bytes;
        }
        !too_big
    }

    fn can_be_read(&mut self, path: &[u8], on_disk: &Path, found: &Metadata) -> bool {
        if found.is_symlink() {
            return true;
        }
        match readable(on_disk, found.permissions().mode() | 0o400, |path| {
            fs::File::open(path).map(drop)
        }) {
            Ok(()) => true,
            Err(error) => {
                self.leave_out(path.to_vec(), WhyLeftOut::Unreadable(error.to_string()));
                false
            }
        }
    }

    /// Leaves out something whose size is not known.
    fn leave_out(&mut self, path: Vec<u8>, why: WhyLeftOut) {
        self.found.left_out.add(path, why, Amount { files: 1, bytes: 0 });
    }
}

/// Tries again after giving the owner, which we are, the permission that the agent took away.
fn readable<T>(path: &Path, mode: u32, attempt: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
    match attempt(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            fs::set_permissions(path, Permissions::from_mode(mode))?;
            attempt(path)
        }
        other => other,
    }
}

/// Lists a directory in the order of the names; an entry's metadata is that of a link, not of its target.
fn list(directory: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_cached_key(DirEntry::file_name);
    Ok(entries)
}

/// Tells whether a file is certainly as the index knows it; the change time cannot be set by an agent.
///
/// A file of the same clock tick as `since`, or later, may have changed unseen after it was indexed.
pub(super) fn is_unchanged(entry: &gix::index::Entry, found: &Metadata, since: (i64, i64)) -> bool {
    let stat = &entry.stat;
    let kind_matches = match entry.mode {
        entry::Mode::SYMLINK => found.is_symlink(),
        entry::Mode::FILE => found.is_file() && found.mode() & 0o100 == 0,
        entry::Mode::FILE_EXECUTABLE => found.is_file() && found.mode() & 0o100 != 0,
        _ => false,
    };
    // The index holds the low bits only.
    let same = |stored: u32, seconds: i64, stored_nanos: u32, nanos: i64| {
        stored == seconds as u32 && i64::from(stored_nanos) == nanos
    };
    let racy = (i64::from(stat.mtime.secs), i64::from(stat.mtime.nsecs)) >= since;
    kind_matches
        && !racy
        && stat.size == found.len() as u32
        && stat.ino == found.ino() as u32
        && same(stat.mtime.secs, found.mtime(), stat.mtime.nsecs, found.mtime_nsec())
        && same(stat.ctime.secs, found.ctime(), stat.ctime.nsecs, found.ctime_nsec())
}

fn join(parent: &[u8], name: &[u8]) -> Vec<u8> {
    match parent.is_empty() {
        true => name.to_vec(),
        false => [parent, b"/", name].concat(),
    }
}
