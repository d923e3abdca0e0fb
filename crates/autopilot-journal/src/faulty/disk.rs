//! The faulty disk and what can be asked of it.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    Chance,
    image::{Image, Inode},
};
use crate::storage::{Mode, Storage, StoredFile};

/// What goes wrong with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The disk is full (`ENOSPC`); reading still works.
    NoSpace,
    /// The disk is broken (`EIO`); a sync that fails so has lost what it was to write.
    Broken,
    /// A signal came (`EINTR`); nothing was done.
    Interrupted,
    /// A read or write does only a part; nothing else is changed.
    Short,
    /// The power goes while the call is made, and every later call fails.
    PowerOff,
}

/// How long a fault lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// For one call.
    Once,
    /// For that call and all later ones.
    FromThenOn,
}

/// A directory in memory; clones are the same directory.
#[derive(Clone, Debug, Default)]
pub struct FaultyDisk {
    state: Arc<Mutex<State>>,
}

#[derive(Clone, Debug, Default)]
struct State {
    image: Image,
    calls: u64,
    plan: Option<Plan>,
    syncs_ignored: bool,
    locked: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    call: u64,
    fault: Fault,
    lasting: Lasting,
}

/// What a call does to the disk, as far as faults differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Look,
    Change,
}

impl FaultyDisk {
    /// Makes an empty disk without faults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Plans a fault for the n-th call from the start, counted from 1; it replaces any other plan.
    pub fn fail_call(&self, call: u64, fault: Fault, lasting: Lasting) {
        self.state().plan = Some(Plan { call, fault, lasting });
    }

    /// Counts the calls so far.
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Makes every sync do nothing and say that all is well: the journal without its syncs.
    pub fn ignore_syncs(&self) {
        self.state().syncs_ignored = true;
    }

    /// Cuts the power and gives the disk as it comes up again, without faults or locks.
    #[must_use]
    pub fn after_power_cut(&self, chance: &mut Chance) -> Self {
        let image = self.state().image.after_power_cut(chance);
        self.restarted(image)
    }

    /// Kills the process and gives the disk as the next one sees it: nothing is lost, nothing more is synced.
    #[must_use]
    pub fn after_kill(&self) -> Self {
        let image = self.state().image.clone();
        self.restarted(image)
    }

    /// Gives the names of all files.
    pub fn names(&self) -> Vec<String> {
        self.state().image.names.keys().map(|name| name.to_string()).collect()
    }

    /// Gives the bytes of a file, past all faults.
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let state = self.state();
        let inode = *state.image.names.get(name)?;
        Some(state.image.files[inode].now.clone())
    }

    /// Replaces the bytes of a file for good, past all faults; `None` removes it.
    pub fn overwrite(&self, name: &str, bytes: Option<&[u8]>) {
        let mut state = self.state();
        let image = &mut state.image;
        match bytes {
            None => image.remove(name),
            Some(bytes) => {
                let inode = image.names.get(name).copied().unwrap_or_else(|| image.create(name));
                image.files[inode].overwrite(bytes);
            }
        }
        image.sync_names();
    }

    fn restarted(&self, image: Image) -> Self {
        let syncs_ignored = self.state().syncs_ignored;
        let state = State { image, syncs_ignored, ..State::default() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn file(&self, inode: Inode, lock: Option<String>) -> Box<dyn StoredFile> {
        Box::new(FaultyFile { state: Arc::clone(&self.state), inode, lock })
    }
}

impl State {
    /// Counts a call and gives the fault that hits it.
    fn enter(&mut self, call: Call) -> Option<Fault> {
        self.calls += 1;
        let plan = self.plan?;
        let is_hit = match plan.lasting {
            Lasting::Once if plan.fault != Fault::PowerOff => self.calls == plan.call,
            Lasting::Once | Lasting::FromThenOn => self.calls >= plan.call,
        };
        let is_harmless = plan.fault == Fault::NoSpace && call == Call::Look;
        (is_hit && !is_harmless).then_some(plan.fault)
    }

    /// Counts a call that faults hit as a whole; `change` still reaches the caches as the power goes.
    fn step<T>(
        &mut self,
        call: Call,
        change: impl FnOnce(&mut Image) -> io::Result<T>,
    ) -> io::Result<T> {
        match self.enter(call) {
            None | Some(Fault::Short) => change(&mut self.image),
            Some(Fault::PowerOff) => {
                if self.is_last_call() {
                    change(&mut self.image)?;
                }
                Err(Fault::PowerOff.error())
            }
            Some(fault) => Err(fault.error()),
        }
    }

    /// Tells whether this is the call in which the power goes, and not one after it.
    fn is_last_call(&self) -> bool {
        self.plan.is_some_and(|plan| plan.call == self.calls)
    }
}

impl Fault {
    fn error(self) -> io::Error {
        match self {
            Self::NoSpace => io::ErrorKind::StorageFull.into(),
            Self::Broken => io::Error::other("input/output error"),
            Self::Interrupted => io::ErrorKind::Interrupted.into(),
            Self::Short => io::Error::other("a short call is no error"),
            Self::PowerOff => io::Error::other("the power is off"),
        }
    }
}

impl Storage for FaultyDisk {
    fn path(&self, name: &str) -> PathBuf {
        Path::new("/faulty").join(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.state()
            .step(Call::Look, |image| Ok(image.names.keys().map(|name| name.to_string()).collect()))
    }

    fn open(&self, name: &str, mode: Mode) -> io::Result<Box<dyn StoredFile>> {
        let call = if mode == Mode::Create { Call::Change } else { Call::Look };
        let inode = self.state().step(call, |image| match (image.names.get(name), mode) {
            (Some(&inode), Mode::Create) => {
                image.files[inode].truncate(0);
                Ok(inode)
            }
            (Some(&inode), Mode::Read | Mode::Change) => Ok(inode),
            (None, Mode::Create) => Ok(image.create(name)),
            (None, Mode::Read | Mode::Change) => Err(io::ErrorKind::NotFound.into()),
        })?;
        Ok(self.file(inode, None))
    }

    fn lock(&self, name: &str) -> io::Result<Option<Box<dyn StoredFile>>> {
        let mut state = self.state();
        let inode = state.step(Call::Change, |image| {
            Ok(image.names.get(name).copied().unwrap_or_else(|| image.create(name)))
        })?;
        let is_free = state.locked.insert(name.to_owned());
        drop(state);
        Ok(is_free.then(|| self.file(inode, Some(name.to_owned()))))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.state().step(Call::Change, |image| match image.names.get(from) {
            Some(&inode) => {
                image.rename(inode, from, to);
                Ok(())
            }
            None => Err(io::ErrorKind::NotFound.into()),
        })
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.state().step(Call::Change, |image| {
            image.remove(name);
            Ok(())
        })
    }

    fn sync_dir(&self) -> io::Result<()> {
        let mut state = self.state();
        match state.enter(Call::Change) {
            None | Some(Fault::Short) if state.syncs_ignored => Ok(()),
            None | Some(Fault::Short) => {
                state.image.sync_names();
                Ok(())
            }
            Some(fault) => Err(fault.error()),
        }
    }
}

/// An open file; the lock it may stand for ends with it.
#[derive(Debug)]
struct FaultyFile {
    state: Arc<Mutex<State>>,
    inode: Inode,
    lock: Option<String>,
}

impl StoredFile for FaultyFile {
    fn len(&self) -> io::Result<u64> {
        lock(&self.state).step(Call::Look, |image| Ok(image.files[self.inode].now.len() as u64))
    }

    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut state = lock(&self.state);
        let fault = state.enter(Call::Look);
        let bytes = &state.image.files[self.inode].now;
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        let whole = rest.len().min(into.len());
        let count = match fault {
            None => whole,
            Some(Fault::Short) => whole.div_ceil(2),
            Some(fault) => return Err(fault.error()),
        };
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let mut state = lock(&self.state);
        let count = match state.enter(Call::Change) {
            None => bytes.len(),
            Some(Fault::Short) => bytes.len().div_ceil(2),
            Some(Fault::PowerOff) if state.is_last_call() => {
                state.image.files[self.inode].write(bytes, offset as usize);
                return Err(Fault::PowerOff.error());
            }
            Some(fault) => return Err(fault.error()),
        };
        state.image.files[self.inode].write(&bytes[..count], offset as usize);
        Ok(count)
    }

    fn reserve(&mut self, length: u64) -> io::Result<()> {
        lock(&self.state).step(Call::Change, |image| {
            image.files[self.inode].reserve(length as usize);
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = lock(&self.state);
        let fault = state.enter(Call::Change);
        let is_ignored = state.syncs_ignored;
        let file = &mut state.image.files[self.inode];
        match fault {
            None | Some(Fault::Short) if is_ignored => Ok(()),
            None | Some(Fault::Short) => {
                file.sync();
                Ok(())
            }
            Some(fault) => {
                if fault == Fault::Broken {
                    file.lose_unsynced();
                }
                Err(fault.error())
            }
        }
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        lock(&self.state).step(Call::Change, |image| {
            image.files[self.inode].truncate(length as usize);
            Ok(())
        })
    }
}

impl Drop for FaultyFile {
    fn drop(&mut self) {
        if let Some(name) = &self.lock {
            lock(&self.state).locked.remove(name);
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
