//! Whether objects are what their names say.
//!
//! Git trusts its object store: it hashes what it writes and, mostly, not what it reads. Whoever vouches for a commit
//! reads every object of it again and computes its name.

use std::{collections::HashSet, fmt};

use gix::{
    bstr::ByteSlice,
    objs::{CommitRef, Find, Kind, TreeRefIter, compute_hash, tree::EntryKind},
};

use super::{GitError, GitErrorKind, ObjectId, Project, checkout};

/// A longer history is not looked through.
const COMMITS_MAX: usize = 100_000;

/// An object that is not what its name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsound {
    /// Which, and what it should be.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.why)
    }
}

/// Looks at objects, at each one once.
pub struct Soundness {
    repository: gix::Repository,
    seen: HashSet<gix::ObjectId>,
    buffer: Vec<u8>,
}

/// What a commit consists of.
struct Parts {
    tree: gix::ObjectId,
    parents: Vec<gix::ObjectId>,
}

/// What is in a tree.
struct Entry {
    kind: EntryKind,
    id: gix::ObjectId,
    path: String,
}

impl Project {
    /// Gets ready to look at objects.
    pub fn soundness(&self) -> Result<Soundness, GitError> {
        let repository = checkout::open(self).map_err(|error| {
            GitError::new("open", &self.git_dir, GitErrorKind::Library(error.to_string()))
        })?;
        Ok(Soundness { repository, seen: HashSet::new(), buffer: Vec::new() })
    }
}

impl Soundness {
    /// Looks at every commit from `head` back to `start`, and gives them, `head` first.
    pub fn history(&mut self, head: &ObjectId, start: &ObjectId) -> Result<Vec<ObjectId>, Unsound> {
        let (first, last) = (id_of(head)?, id_of(start)?);
        let mut open = vec![first];
        let mut found = HashSet::from([first]);
        let mut commits = Vec::new();
        while let Some(id) = open.pop() {
            let parts = self.commit(id)?;
            commits.push(ObjectId::parse(&id.to_string()).map_err(|error| unsound(head, error))?);
            if id == last {
                continue;
            }
            if commits.len() > COMMITS_MAX {
                let why = format!("is more than {COMMITS_MAX} commits after {start}");
                return Err(Unsound { what: format!("commit {head}"), why });
            }
            open.extend(parts.parents.into_iter().filter(|parent| found.insert(*parent)));
        }
        match found.contains(&last) {
            true => Ok(commits),
            false => {
                let why = format!("does not descend from {start}");
                Err(Unsound { what: format!("commit {head}"), why })
            }
        }
    }

    /// Looks at a commit and every tree and file in it, and tells how many objects there are that were not seen
    /// before.
    pub fn files(&mut self, commit: &ObjectId) -> Result<usize, Unsound> {
        let before = self.seen.len();
        let parts = self.commit(id_of(commit)?)?;
        let root = Entry { kind: EntryKind::Tree, id: parts.tree, path: String::new() };
        let mut open = vec![root];
        while let Some(entry) = open.pop() {
            // A submodule's commit is in another repository.
            if entry.kind == EntryKind::Commit || !self.seen.insert(entry.id) {
                continue;
            }
            let what = || {
                let place = if entry.path.is_empty() { "/" } else { entry.path.as_str() };
                format!("`{place}` of commit {commit}, object {},", entry.id)
            };
            if entry.kind == EntryKind::Tree {
                open.extend(self.tree(&entry, &what)?);
            } else {
                self.object(entry.id, Kind::Blob, &what)?;
            }
        }
        Ok(self.seen.len() - before)
    }

    fn commit(&mut self, id: gix::ObjectId) -> Result<Parts, Unsound> {
        let what = || format!("commit {id}");
        self.object(id, Kind::Commit, &what)?;
        self.seen.insert(id);
        let read = CommitRef::from_bytes(&self.buffer, self.repository.object_hash());
        let commit = read.map_err(|error| unreadable(what(), error))?;
        Ok(Parts { tree: commit.tree(), parents: commit.parents().collect() })
    }

    fn tree(&mut self, entry: &Entry, what: &dyn Fn() -> String) -> Result<Vec<Entry>, Unsound> {
        self.object(entry.id, Kind::Tree, what)?;
        let mut inside = Vec::new();
        for one in TreeRefIter::from_bytes(&self.buffer, self.repository.object_hash()) {
            let one = one.map_err(|error| unreadable(what(), error))?;
            let name = one.filename.to_str_lossy();
            let path = match entry.path.as_str() {
                "" => name.into_owned(),
                above => format!("{above}/{name}"),
            };
            inside.push(Entry { kind: one.mode.kind(), id: one.oid.to_owned(), path });
        }
        Ok(inside)
    }

    /// Reads an object into the buffer and computes its name.
    fn object(
        &mut self,
        id: gix::ObjectId,
        kind: Kind,
        what: &dyn Fn() -> String,
    ) -> Result<(), Unsound> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let found = self.repository.objects.try_find(&id, &mut buffer);
        let found = found.map_err(|error| unreadable(what(), error))?;
        let Some(data) = found else {
            return Err(Unsound { what: what(), why: "is missing".to_owned() });
        };
        if data.kind != kind {
            let why = format!("is a {}, not a {kind}", data.kind);
            return Err(Unsound { what: what(), why });
        }
        let name = compute_hash(self.repository.object_hash(), data.kind, data.data);
        let name = name.map_err(|error| unreadable(what(), error))?;
        if name != id {
            return Err(Unsound { what: what(), why: format!("holds what would be named {name}") });
        }
        self.buffer = buffer;
        Ok(())
    }
}

fn id_of(id: &ObjectId) -> Result<gix::ObjectId, Unsound> {
    id.to_gix().map_err(|error| unsound(id, error))
}

fn unsound(id: &ObjectId, error: GitError) -> Unsound {
    unreadable(format!("commit {id}"), error)
}

fn unreadable(what: String, error: impl fmt::Display) -> Unsound {
    Unsound { what, why: format!("cannot be read: {error}") }
}
