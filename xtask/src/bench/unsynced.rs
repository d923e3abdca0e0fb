//! A disk without syncs, to fill a journal quickly before something is measured.

use std::{io, path::PathBuf};

use autopilot_journal::{Disk, Mode, Storage, StoredFile};

/// The real disk, except that nothing is made to last.
#[derive(Debug)]
pub(crate) struct Unsynced(pub(crate) Disk);

impl Storage for Unsynced {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.0.list()
    }

    fn open(&self, name: &str, mode: Mode) -> io::Result<Box<dyn StoredFile>> {
        Ok(Box::new(UnsyncedFile(self.0.open(name, mode)?)))
    }

    fn lock(&self, name: &str) -> io::Result<Option<Box<dyn StoredFile>>> {
        self.0.lock(name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    fn sync_dir(&self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
struct UnsyncedFile(Box<dyn StoredFile>);

impl StoredFile for UnsyncedFile {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(into, offset)
    }

    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.0.write_at(bytes, offset)
    }

    fn reserve(&mut self, length: u64) -> io::Result<()> {
        self.0.reserve(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.truncate(length)
    }
}
