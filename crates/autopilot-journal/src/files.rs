//! The storage as the journal uses it: interrupted calls are made again, failures know their path.

use std::{io, path::PathBuf, sync::Arc};

use crate::{
    error::Error,
    ids::Sequence,
    segment, snapshot,
    storage::{Identity, Mode, Storage, StoredFile},
};

const TEMPORARY: &str = ".tmp";

/// How much is read at a time to see whether it is blank: few appends are longer.
const BLANK_LOOK_BYTES: usize = 4 << 10;

/// The files of one journal.
#[derive(Clone, Debug)]
pub(crate) struct Files(Arc<dyn Storage>);

impl Files {
    pub(crate) fn new(storage: Arc<dyn Storage>) -> Self {
        Self(storage)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    pub(crate) fn open(&self, name: &str, mode: Mode) -> Result<File, Error> {
        let inner = self.step("open", name, || self.0.open(name, mode))?;
        Ok(self.file(name, inner))
    }

    /// Opens a file to read, if it is there.
    pub(crate) fn find(&self, name: &str) -> Result<Option<File>, Error> {
        match again(|| self.0.open(name, Mode::Read)) {
            Ok(inner) => Ok(Some(self.file(name, inner))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error("open", name, error)),
        }
    }

    pub(crate) fn lock(&self, name: &str) -> Result<Option<File>, Error> {
        let inner = self.step("lock", name, || self.0.lock(name))?;
        Ok(inner.map(|inner| self.file(name, inner)))
    }

    /// Gives the last segment, by its first record.
    ///
    /// Beside a running writer a list may lack a segment that is being made and still show a later
    /// one, so nothing follows from a segment that is not in it.
    pub(crate) fn newest_segment(&self) -> Result<Option<Sequence>, Error> {
        let names = self.list()?;
        Ok(names.iter().filter_map(|name| segment::parse_name(name)).max())
    }

    /// Tells whether a name leads to this very file, for whoever comes by the directory's path.
    pub(crate) fn leads_to(&self, name: &str, file: Identity) -> Result<bool, Error> {
        Ok(self.step("look at", name, || self.0.identity(name))? == Some(file))
    }

    /// Tells whether there are files that only come after the first segment.
    pub(crate) fn has_later_files(&self) -> Result<bool, Error> {
        let names = self.list()?;
        Ok(names.iter().any(|name| name == snapshot::NAME || segment::is_torn_name(name)))
    }

    /// Removes what a crash left of a file that was being replaced.
    pub(crate) fn remove_temporary(&self) -> Result<(), Error> {
        for name in self.list()?.iter().filter(|name| name.ends_with(TEMPORARY)) {
            self.step("remove", name, || self.0.remove(name))?;
        }
        Ok(())
    }

    /// Writes a whole file so that after a power cut it is all there or as it was before.
    pub(crate) fn replace(&self, name: &str, parts: &[&[u8]]) -> Result<(), Error> {
        let temporary = format!("{name}{TEMPORARY}");
        let mut file = self.open(&temporary, Mode::Create)?;
        let mut offset = 0;
        for part in parts {
            file.write_all_at(part, offset)?;
            offset += part.len() as u64;
        }
        file.sync()?;
        self.step("rename a new file to", name, || self.0.rename(&temporary, name))?;
        self.sync_dir()
    }

    pub(crate) fn sync_dir(&self) -> Result<(), Error> {
        self.step("sync the directory", "", || self.0.sync_dir())
    }

    fn list(&self) -> Result<Vec<String>, Error> {
        self.step("list", "", || self.0.list())
    }

    fn file(&self, name: &str, inner: Box<dyn StoredFile>) -> File {
        File { files: self.clone(), name: name.to_owned(), inner }
    }

    fn step<T>(
        &self,
        action: &'static str,
        name: &str,
        call: impl FnMut() -> io::Result<T>,
    ) -> Result<T, Error> {
        again(call).map_err(|error| self.error(action, name, error))
    }

    fn error(&self, action: &'static str, name: &str, error: io::Error) -> Error {
        Error::new(action, self.path(name), error)
    }
}

/// An open file that knows its name.
#[derive(Debug)]
pub(crate) struct File {
    files: Files,
    name: String,
    inner: Box<dyn StoredFile>,
}

impl File {
    pub(crate) fn len(&self) -> Result<u64, Error> {
        self.files.step("measure", &self.name, || self.inner.len())
    }

    /// Reads what is there, up to the length of `into`.
    pub(crate) fn read_at(&self, into: &mut [u8], offset: u64) -> Result<usize, Error> {
        self.files.step("read", &self.name, || self.inner.read_at(into, offset))
    }

    /// Reads from a place until `into` is full or the file ends, and says how much that was.
    pub(crate) fn read_full(&self, into: &mut [u8], offset: u64) -> Result<usize, Error> {
        let mut done = 0;
        while done < into.len() {
            match self.read_at(&mut into[done..], offset + done as u64)? {
                0 => break,
                count => done += count,
            }
        }
        Ok(done)
    }

    /// Reads from a place to the end; a file longer than `bytes_max` from there is `None`.
    pub(crate) fn read_rest(&self, offset: u64, bytes_max: u64) -> Result<Option<Vec<u8>>, Error> {
        let length = self.len()?.saturating_sub(offset);
        if length > bytes_max {
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        let count = self.read_full(&mut bytes, offset)?;
        bytes.truncate(count);
        Ok(Some(bytes))
    }

    pub(crate) fn write_all_at(&mut self, mut bytes: &[u8], offset: u64) -> Result<(), Error> {
        let mut offset = offset;
        while !bytes.is_empty() {
            let (inner, files) = (&mut self.inner, &self.files);
            let count =
                files.step("write to", &self.name, || match inner.write_at(bytes, offset) {
                    Ok(0) => Err(io::ErrorKind::WriteZero.into()),
                    written => written,
                })?;
            bytes = &bytes[count..];
            offset += count as u64;
        }
        Ok(())
    }

    /// Tells whether there is nothing but zeros from a place on, as far as the file goes within so many bytes.
    pub(crate) fn is_blank(&self, offset: u64, length: usize) -> Result<bool, Error> {
        let mut piece = [0; BLANK_LOOK_BYTES];
        let mut done = 0;
        while done < length {
            let wanted = BLANK_LOOK_BYTES.min(length - done);
            let count = self.read_full(&mut piece[..wanted], offset + done as u64)?;
            if piece[..count].iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            if count < wanted {
                break;
            }
            done += count;
        }
        Ok(true)
    }

    /// Asks for room up to a length, and says how long the file will be at least: that, or only what is needed.
    pub(crate) fn reserve(&mut self, needed: u64, wanted: u64) -> u64 {
        let inner = &mut self.inner;
        if again(|| inner.reserve(wanted)).is_ok() { wanted } else { needed }
    }

    /// Tells which file it is.
    pub(crate) fn identity(&self) -> Result<Identity, Error> {
        self.files.step("look at", &self.name, || self.inner.identity())
    }

    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        let inner = &mut self.inner;
        self.files.step("sync", &self.name, || inner.sync())
    }

    pub(crate) fn truncate(&mut self, length: u64) -> Result<(), Error> {
        let inner = &mut self.inner;
        self.files.step("truncate", &self.name, || inner.truncate(length))
    }
}

/// Makes a call until it is not interrupted by a signal.
fn again<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
