//! The few things the journal asks of a disk.

use std::{fmt, io, path::PathBuf, sync::Arc};

/// One directory of files, by name.
///
/// [`Disk`](crate::Disk) is the real one. A call may fail with [`io::ErrorKind::Interrupted`] and is
/// then made again; any other failure is final.
pub trait Storage: fmt::Debug + Send + Sync {
    /// Gives the full path of a file, or of the directory for an empty name, for messages only.
    fn path(&self, name: &str) -> PathBuf;

    /// Lists the names of all files, in any order.
    fn list(&self) -> io::Result<Vec<String>>;

    /// Opens one file.
    fn open(&self, name: &str, mode: Mode) -> io::Result<Box<dyn StoredFile>>;

    /// Opens a file, made if it is not there, and takes its lock; `None` if another has it.
    ///
    /// The lock lasts until the file is dropped or the process ends, and no child inherits it.
    fn lock(&self, name: &str) -> io::Result<Option<Box<dyn StoredFile>>>;

    /// Gives a file a new name, in one step, in place of any file that had it.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Makes the names of the files last: a created or renamed file is there after a power cut.
    fn sync_dir(&self) -> io::Result<()>;

    /// Tells which file a name leads to now, for whoever comes by the directory's path; `None` if to none.
    ///
    /// An open file can be written to after it was removed. Where nobody else can get at the files, any answer will do
    /// that is the same as that of [`StoredFile::identity`].
    fn identity(&self, _name: &str) -> io::Result<Option<Identity>> {
        Ok(Some(Identity::default()))
    }
}

/// Tells a file from every other one that is there at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The disk.
    pub device: u64,
    /// The file on it.
    pub inode: u64,
}

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To read an existing file.
    Read,
    /// To read and write an existing file.
    Change,
    /// To write a file from its start, made or emptied as needed.
    Create,
}

/// An open file.
pub trait StoredFile: fmt::Debug + Send {
    /// Gives the length in bytes.
    fn len(&self) -> io::Result<u64>;

    /// Tells whether the file has no bytes.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Reads from a place; fewer bytes than asked for are no error, none means the end.
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Writes from a place on and says how many bytes it took, which may be fewer than given.
    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize>;

    /// Makes the file this long, with zeros behind what it holds, on blocks that are then its own.
    ///
    /// Only to make later writes cheaper: where it fails, nothing is wrong.
    fn reserve(&mut self, length: u64) -> io::Result<()>;

    /// Makes the content last: when this returns, a power cut does not take it back.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to a length.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Tells which file it is, whatever it is called now.
    fn identity(&self) -> io::Result<Identity> {
        Ok(Identity::default())
    }
}

/// Lets a caller decide at run time which storage it uses, and keep a hand on it.
impl<S: Storage + ?Sized> Storage for Arc<S> {
    fn path(&self, name: &str) -> PathBuf {
        (**self).path(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        (**self).list()
    }

    fn open(&self, name: &str, mode: Mode) -> io::Result<Box<dyn StoredFile>> {
        (**self).open(name, mode)
    }

    fn lock(&self, name: &str) -> io::Result<Option<Box<dyn StoredFile>>> {
        (**self).lock(name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        (**self).rename(from, to)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        (**self).remove(name)
    }

    fn sync_dir(&self) -> io::Result<()> {
        (**self).sync_dir()
    }

    fn identity(&self, name: &str) -> io::Result<Option<Identity>> {
        (**self).identity(name)
    }
}
