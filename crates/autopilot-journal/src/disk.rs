//! The real disk: one directory, opened once.

use std::{
    fs::{self, DirBuilder, File, Metadata, Permissions, TryLockError},
    io,
    os::{
        fd::OwnedFd,
        unix::fs::{DirBuilderExt, FileExt, MetadataExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::fs::{AtFlags, Dir, FallocateFlags, Mode as Bits, OFlags};

use crate::{
    error::Error,
    storage::{Identity, Mode, Storage, StoredFile},
};

/// What an agent said and did is nobody else's business.
const PERMISSIONS: Bits = Bits::RUSR.union(Bits::WUSR);

/// The same of a directory.
const DIRECTORY_PERMISSIONS: u32 = 0o700;

/// How often a lock file may be replaced under our hands before we stop trying.
const LOCK_ATTEMPTS_MAX: usize = 100;

/// A directory of the file system that holds one journal.
///
/// Files are opened relative to the directory and never through a symbolic link, so a link planted
/// in it cannot send a write elsewhere.
#[derive(Debug)]
pub struct Disk {
    root: PathBuf,
    dir: OwnedFd,
}

impl Disk {
    /// Opens a directory that exists.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, Error> {
        let root = root.into();
        match open_dir(&root) {
            Ok(dir) => Ok(Self { root, dir }),
            Err(error) => Err(Error::new("open the journal at", root, error)),
        }
    }

    /// Opens a directory, after making it and its parents as needed so that they last.
    pub fn create(root: impl Into<PathBuf>) -> Result<Self, Error> {
        let root = root.into();
        if let Err(error) = create_dirs(&root) {
            return Err(Error::new("create the journal at", root, error));
        }
        Self::open(root)
    }

    fn open_file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        // A FIFO in place of a file would block an open for ever; for files the flag means nothing.
        let always = OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = File::from(rustix::fs::openat(&self.dir, name, flags | always, PERMISSIONS)?);
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
        }
    }

    fn is_still_named(&self, file: &File, name: &str) -> io::Result<bool> {
        let held = file.metadata()?;
        match rustix::fs::statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) => Ok(named.st_ino == held.ino()),
            Err(rustix::io::Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl Storage for Disk {
    fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.root.clone() } else { self.root.join(name) }
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.dir)? {
            // Our names are ASCII; whatever is not text is not ours.
            if let Ok(name) = entry?.file_name().to_str() {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    fn open(&self, name: &str, mode: Mode) -> io::Result<Box<dyn StoredFile>> {
        let flags = match mode {
            Mode::Read => OFlags::RDONLY,
            Mode::Change => OFlags::RDWR,
            Mode::Create => OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC,
        };
        Ok(Box::new(self.open_file(name, flags)?))
    }

    fn lock(&self, name: &str) -> io::Result<Option<Box<dyn StoredFile>>> {
        for _ in 0..LOCK_ATTEMPTS_MAX {
            let file = self.open_file(name, OFlags::RDWR | OFlags::CREATE)?;
            match file.try_lock() {
                // A lock on a file that has lost its name keeps nobody out.
                Ok(()) if self.is_still_named(&file, name)? => {
                    return Ok(Some(Box::new(Locked(file))));
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::Error::other("the lock file is replaced again and again"))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.dir, from, &self.dir, to)?)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.dir, name, AtFlags::empty())?)
    }

    fn sync_dir(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.dir)?)
    }

    fn identity(&self, name: &str) -> io::Result<Option<Identity>> {
        // By its path and not from the open directory, which may have been moved away.
        match look_at(&self.root.join(name)) {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Tells which file is at a path.
///
/// Only that is asked for: once anybody has asked for its times, a system with fine timestamps notes a new time with the
/// next write, and the sync after it takes half as long again.
#[cfg(target_os = "linux")]
fn look_at(path: &Path) -> io::Result<Identity> {
    use rustix::fs::{CWD, StatxFlags, makedev, statx};
    let found = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::INO)?;
    let device = makedev(found.stx_dev_major, found.stx_dev_minor);
    Ok(Identity { device, inode: found.stx_ino })
}

#[cfg(not(target_os = "linux"))]
fn look_at(path: &Path) -> io::Result<Identity> {
    fs::symlink_metadata(path).map(|found| identity(&found))
}

fn identity(found: &Metadata) -> Identity {
    Identity { device: found.dev(), inode: found.ino() }
}

/// Whether there is nothing at a path, or a file in the place of a directory above it.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

impl StoredFile for File {
    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self, into, offset)
    }

    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        FileExt::write_at(self, bytes, offset)
    }

    fn reserve(&mut self, length: u64) -> io::Result<()> {
        Ok(rustix::fs::fallocate(&*self, FallocateFlags::empty(), 0, length)?)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn identity(&self) -> io::Result<Identity> {
        Ok(identity(&self.metadata()?))
    }
}

/// A file whose lock ends with it.
///
/// Closing alone would not do: a child between fork and exec has a copy of every descriptor.
#[derive(Debug)]
struct Locked(File);

impl StoredFile for Locked {
    fn len(&self) -> io::Result<u64> {
        StoredFile::len(&self.0)
    }

    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        StoredFile::read_at(&self.0, into, offset)
    }

    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        StoredFile::write_at(&mut self.0, bytes, offset)
    }

    fn reserve(&mut self, length: u64) -> io::Result<()> {
        StoredFile::reserve(&mut self.0, length)
    }

    fn sync(&mut self) -> io::Result<()> {
        StoredFile::sync(&mut self.0)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        StoredFile::truncate(&mut self.0, length)
    }

    fn identity(&self) -> io::Result<Identity> {
        StoredFile::identity(&self.0)
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // If this fails, the lock still ends when the last copy is closed.
        drop(self.0.unlock());
    }
}

fn open_dir(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    Ok(rustix::fs::open(path, flags, Bits::empty())?)
}

/// Makes a directory and its missing parents, for nobody but their owner, and syncs the parent of each new one.
fn create_dirs(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|place| !place.as_os_str().is_empty() && !place.exists())
        .collect();
    for place in missing.into_iter().rev() {
        match DirBuilder::new().mode(DIRECTORY_PERMISSIONS).create(place) {
            // The mask of the process may have taken something away.
            Ok(()) => fs::set_permissions(place, Permissions::from_mode(DIRECTORY_PERMISSIONS))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && place.is_dir() => {}
            Err(error) => return Err(error),
        }
        let parent = match place.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        File::open(parent)?.sync_all()?;
    }
    Ok(())
}
