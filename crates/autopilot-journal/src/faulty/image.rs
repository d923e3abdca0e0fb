//! What is in the caches and what is on the plates, and what a power cut makes of the two.

use std::{collections::BTreeMap, sync::Arc};

use super::Chance;

/// A disk writes this many bytes as one; more than that can be torn.
const SECTOR_BYTES: usize = 512;

pub(super) type Inode = usize;

type Names = BTreeMap<Arc<str>, Inode>;

/// New meanings of one or two names, which come into force together.
type Change = Vec<(Arc<str>, Option<Inode>)>;

/// A directory and its files, as programs see them now and as they were last synced.
#[derive(Clone, Debug, Default)]
pub(super) struct Image {
    pub(super) names: Names,
    names_synced: Names,
    /// The changes from `names_synced` to `names`, in order.
    changes: Vec<Change>,
    pub(super) files: Vec<Content>,
}

/// The bytes of one file.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) now: Vec<u8>,
    synced: Vec<u8>,
    /// Up to here the two are the same.
    same: usize,
}

impl Image {
    pub(super) fn create(&mut self, name: &str) -> Inode {
        self.files.push(Content::default());
        let inode = self.files.len() - 1;
        self.change(vec![(name.into(), Some(inode))]);
        inode
    }

    pub(super) fn rename(&mut self, inode: Inode, from: &str, to: &str) {
        self.change(vec![(from.into(), None), (to.into(), Some(inode))]);
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.change(vec![(name.into(), None)]);
    }

    pub(super) fn sync_names(&mut self) {
        self.names_synced.clone_from(&self.names);
        self.changes.clear();
    }

    /// Gives what is left after a power cut; what was not synced may be there, in part, or not.
    pub(super) fn after_power_cut(&self, chance: &mut Chance) -> Self {
        let mut names = self.names_synced.clone();
        let is_ordered = !chance.one_in(4);
        let survivors = chance.below(self.changes.len() + 1);
        for (index, change) in self.changes.iter().enumerate() {
            if if is_ordered { index < survivors } else { chance.one_in(2) } {
                apply(&mut names, change);
            }
        }
        let mut files = Vec::with_capacity(names.len());
        for inode in names.values_mut() {
            let bytes = self.files[*inode].after_power_cut(chance);
            *inode = files.len();
            files.push(Content { same: bytes.len(), synced: bytes.clone(), now: bytes });
        }
        Self { names_synced: names.clone(), names, changes: Vec::new(), files }
    }

    fn change(&mut self, change: Change) {
        apply(&mut self.names, &change);
        self.changes.push(change);
    }
}

impl Content {
    pub(super) fn write(&mut self, bytes: &[u8], offset: usize) {
        self.reserve(offset + bytes.len());
        self.now[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.same = self.same.min(offset);
    }

    pub(super) fn reserve(&mut self, length: usize) {
        if self.now.len() < length {
            self.now.resize(length, 0);
        }
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.now.resize(length, 0);
        self.same = self.same.min(length);
    }

    /// Replaces everything, synced or not, as a test or bit rot would.
    pub(super) fn overwrite(&mut self, bytes: &[u8]) {
        *self = Self { now: bytes.to_vec(), synced: bytes.to_vec(), same: bytes.len() };
    }

    pub(super) fn sync(&mut self) {
        self.synced.truncate(self.same);
        self.synced.extend_from_slice(&self.now[self.same..]);
        self.same = self.now.len();
    }

    /// Fails to sync as Linux does: the pages count as clean from now on, and no later sync writes them.
    pub(super) fn lose_unsynced(&mut self) {
        self.synced.truncate(self.same);
        self.synced.resize(self.now.len(), 0);
        self.same = self.now.len();
    }

    fn after_power_cut(&self, chance: &mut Chance) -> Vec<u8> {
        if self.same == self.now.len() && self.same == self.synced.len() {
            return self.synced.clone();
        }
        match chance.below(8) {
            0 => self.synced.clone(),
            1 => self.now.clone(),
            2..5 => self.torn_at_a_byte(chance),
            _ => self.torn_by_sectors(chance),
        }
    }

    /// The write stopped somewhere; what came before is there.
    fn torn_at_a_byte(&self, chance: &mut Chance) -> Vec<u8> {
        if self.now.len() < self.synced.len() {
            // A cut of the file's length is one change of its metadata.
            return if chance.one_in(2) { self.synced.clone() } else { self.now.clone() };
        }
        let end = self.same + chance.below(self.now.len() - self.same + 1);
        let behind = self.synced.get(end..).unwrap_or_default();
        [&self.now[..end], behind].concat()
    }

    /// Each sector was written or not, in any order; the length may be ahead of the content.
    fn torn_by_sectors(&self, chance: &mut Chance) -> Vec<u8> {
        let (short, long) = {
            let (now, synced) = (self.now.len(), self.synced.len());
            (now.min(synced), now.max(synced))
        };
        let length = match chance.below(4) {
            0 => self.synced.len(),
            1 => short + chance.below(long - short + 1),
            _ => self.now.len(),
        };
        let mut bytes = self.synced.clone();
        bytes.resize(length, 0);
        let first = self.same / SECTOR_BYTES * SECTOR_BYTES;
        for start in (first..length).step_by(SECTOR_BYTES) {
            let end = length.min(start + SECTOR_BYTES);
            let from = start.max(self.same).min(self.now.len());
            let written = from..end.min(self.now.len()).max(from);
            match chance.below(8) {
                0..4 => bytes[written.clone()].copy_from_slice(&self.now[written]),
                // A block that was given to the file but never written shows what it held before.
                4 if start >= self.synced.len() => chance.fill(&mut bytes[start..end]),
                _ => {}
            }
        }
        bytes
    }
}

fn apply(names: &mut Names, change: &Change) {
    for (name, inode) in change {
        match inode {
            Some(inode) => names.insert(Arc::clone(name), *inode),
            None => names.remove(name),
        };
    }
}
