//! From the earlier map and what is there now to the new map, reading only what changed.

use std::collections::BTreeMap;

use crate::{
    cap::Detail,
    map::{Basis, FileEntry, RepoMap, Summary, Unread, VERSION},
    paths::is_mapped,
    reader::{RULES, Reader},
};

/// A map that is being brought up to date.
///
/// Ask for the paths that must be read, and teach it what is in them, until it asks for no more:
///
/// ```
/// use autopilot_repomap::Refresh;
///
/// let listing = [("src/lib.rs".to_owned(), "1f3a".to_owned())];
/// let mut refresh = Refresh::new(None, "/project", listing.clone());
/// assert_eq!(refresh.take_owed(), ["src/lib.rs"]);
/// refresh.learn("src/lib.rs", b"pub fn answer() -> u32 { 42 }");
/// assert!(refresh.take_owed().is_empty());
/// let map = refresh.finish("2026-02-18T10:00:00Z").expect("there was no map before");
///
/// let mut again = Refresh::new(Some(map), "/project", listing);
/// assert!(again.take_owed().is_empty());
/// assert_eq!(again.finish("2026-02-18T11:00:00Z"), None);
/// ```
pub struct Refresh {
    earlier: Option<RepoMap>,
    project_root: String,
    slots: BTreeMap<String, Slot>,
    reader: Reader,
}

/// What is known of one file.
struct Slot {
    identity: String,
    entry: Option<FileEntry>,
    /// Each file is asked for once: what cannot be read must not be waited for.
    asked: bool,
}

impl Refresh {
    /// Compares the earlier map with the files that are there now: their paths from the root, each with an identity that
    /// changes with its contents. Files that do not belong in the map may be among them.
    pub fn new(
        earlier: Option<RepoMap>,
        project_root: &str,
        listing: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let mut known = BTreeMap::new();
        for entry in earlier.iter().filter(|map| map.version == VERSION).flat_map(|map| &map.files)
        {
            known.insert(entry.path.as_str(), entry);
        }
        let slots = listing
            .into_iter()
            .filter(|(path, _)| is_mapped(path))
            .map(|(path, identity)| {
                let entry = known.get(path.as_str()).filter(|entry| stands(entry, &identity));
                let entry = entry.map(|entry| (*entry).clone());
                (path, Slot { identity, entry, asked: false })
            })
            .collect();
        Self { earlier, project_root: project_root.to_owned(), slots, reader: Reader::default() }
    }

    /// The files that must be read now, each at most once; none when the map can be made.
    ///
    /// Usually they are those that are new or changed. When a map that was cut has room again, files of which
    /// something was left out follow in a second round.
    pub fn take_owed(&mut self) -> Vec<String> {
        let owed = self.take(|entry| entry.is_none());
        if !owed.is_empty() {
            return owed;
        }
        let detail = self.detail();
        self.take(|entry| entry.is_some_and(|entry| !entry.has(detail)))
    }

    /// Takes in what is in a file. More than [`crate::FILE_BYTES_MAX`] bytes need not be given: one more is enough
    /// to tell.
    pub fn learn(&mut self, path: &str, bytes: &[u8]) {
        let Some(slot) = self.slots.get_mut(path) else { return };
        let mut entry = self.reader.read(path, bytes);
        let identity = slot.identity.clone();
        entry.basis = Some(Basis { identity, rules: RULES, counts: entry.counts() });
        slot.entry = Some(entry);
    }

    /// The map of what is there now; none when the earlier one still says all of it, to the byte.
    ///
    /// Files that were asked for and not learned are listed as unread, and asked for again the next time.
    pub fn finish(self, generated_at: &str) -> Option<RepoMap> {
        let detail = self.detail();
        let files: Vec<FileEntry> = self
            .slots
            .into_iter()
            .map(|(path, slot)| match slot.entry {
                Some(entry) if entry.has(detail) => entry.at(detail),
                Some(_) | None => FileEntry::bare(&path, Some(Unread::NotRead)).at(detail),
            })
            .collect();
        let mut map = RepoMap {
            generated_at: String::new(),
            project_root: self.project_root,
            version: VERSION,
            size_cap_applied: detail != Detail::Everything,
            summary: Summary::of(files.iter()),
            files,
        };
        if let Some(earlier) = self.earlier {
            map.generated_at.clone_from(&earlier.generated_at);
            if map == earlier {
                return None;
            }
        }
        generated_at.clone_into(&mut map.generated_at);
        Some(map)
    }

    fn take(&mut self, is_owed: impl Fn(Option<&FileEntry>) -> bool) -> Vec<String> {
        let mut owed = Vec::new();
        for (path, slot) in &mut self.slots {
            if !slot.asked && is_owed(slot.entry.as_ref()) {
                slot.asked = true;
                slot.entry = None;
                owed.push(path.clone());
            }
        }
        owed
    }

    fn detail(&self) -> Detail {
        let unknown = FileEntry::default();
        Detail::fitting(self.slots.values().map(|slot| slot.entry.as_ref().unwrap_or(&unknown)))
    }
}

/// Tells whether an entry was made from these contents by today's rules, and was not changed since.
fn stands(entry: &FileEntry, identity: &str) -> bool {
    let Some(basis) = &entry.basis else { return false };
    let is_same = basis.identity == identity && basis.rules == RULES;
    let mut lists = entry.lengths().into_iter().zip(basis.counts);
    is_same && lists.all(|(length, count)| length.is_none_or(|length| length == count))
}
