//! Writes the files of a tree into an empty directory, with an index that knows them.
//!
//! This is in-process because `git worktree add` takes more than twice as long; the objects are read
//! and the filters are applied by gix, which is dropped afterwards with all its caches.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::Path, sync::atomic::AtomicBool, thread};

use gix::{
    bstr::{BStr, ByteSlice},
    glob::wildmatch::Mode,
    index::entry,
    progress::Discard,
    worktree::stack::state::attributes::Source,
};

use super::{GitError, GitErrorKind, ObjectId, Project};

/// More threads do not help: creating files in one directory is serial in the kernel.
const THREADS_MAX: usize = 4;

/// Paths that a reader must not see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Hidden(Vec<String>);

impl Hidden {
    pub(super) fn new(patterns: &[String]) -> Self {
        let trimmed = patterns.iter().map(|pattern| pattern.trim_matches('/'));
        Self(trimmed.filter(|pattern| !pattern.is_empty()).map(str::to_owned).collect())
    }

    /// Tells whether the path or a directory above it matches a pattern.
    fn covers(&self, path: &BStr) -> bool {
        let ends = path.find_iter("/").chain([path.len()]);
        ends.into_iter().any(|end| {
            let part = path[..end].as_bstr();
            self.0.iter().any(|pattern| {
                gix::glob::wildmatch(
                    pattern.as_bytes().as_bstr(),
                    part,
                    Mode::NO_MATCH_SLASH_LITERAL,
                )
            })
        })
    }
}

/// The files of a commit, ready to be written.
pub(super) struct Checkout {
    pub(super) repository: gix::Repository,
    pub(super) index: gix::index::File,
    tree: ObjectId,
}

/// How files are written.
#[derive(Clone, Copy)]
pub(super) struct Pace<'a> {
    /// By so many threads.
    pub(super) threads: usize,
    /// Until this is set.
    pub(super) stop: &'a AtomicBool,
}

impl Checkout {
    /// Reads the tree of a commit, without the hidden paths.
    pub(super) fn prepare(
        project: &Project,
        commit: &ObjectId,
        hidden: &Hidden,
    ) -> Result<Self, GitError> {
        let failed = |error: gix::Error| library("read the files of", commit.as_str(), error);
        let id = commit.to_gix()?;
        let repository = open(project).map_err(failed)?;
        let object = repository.find_object(id).map_err(failed)?;
        let tree = object.peel_to_tree().map_err(failed)?.id;
        let mut index = repository.index_from_tree(&tree).map_err(failed)?;
        if !hidden.0.is_empty() {
            index.remove_entries(|_, path, _| hidden.covers(path));
        }
        let tree = ObjectId::parse(&tree.to_string())?;
        Ok(Self { repository, index, tree })
    }

    /// Returns the whole tree of the commit.
    pub(super) fn tree(&self) -> &ObjectId {
        &self.tree
    }

    /// Writes an index of the files; before they are written it does not know their times.
    pub(super) fn write_index(&mut self, path: &Path) -> Result<(), GitError> {
        self.index.set_path(path);
        self.index
            .write(gix::index::write::Options::default())
            .map_err(|error| library("write", path, error))
    }

    /// Writes the files into a directory that has none of them.
    pub(super) fn write_files(&mut self, files: &Path) -> Result<(), GitError> {
        self.write_missing(files, Pace { threads: threads(), stop: &AtomicBool::new(false) })?;
        self.make_submodule_directories(files)
    }

    /// Writes the files that the index does not mark as left out; none of them may be there.
    pub(super) fn write_missing(&mut self, files: &Path, pace: Pace<'_>) -> Result<(), GitError> {
        let failed = |error: gix::Error| library("check out into", files, error);
        let mut options = self.repository.checkout_options(Source::IdMapping).map_err(failed)?;
        options.destination_is_initially_empty = true;
        options.thread_limit = Some(pace.threads);
        let objects = self.repository.objects.clone().into_arc();
        let objects = objects.map_err(|error| GitError::io("check out into", files, error))?;
        let outcome = gix::worktree::state::checkout(
            &mut self.index,
            files,
            objects,
            &Discard,
            &Discard,
            pace.stop,
            options,
        )
        .map_err(failed)?;
        if let Some(failure) = outcome.errors.into_iter().next() {
            let why = crate::error::told(&failure.error);
            let text = format!("`{}` could not be written: {why}", failure.path);
            return Err(GitError::new("check out into", files, GitErrorKind::Library(text)));
        }
        let collided = outcome.collisions.into_iter().map(|collision| collision.path);
        let mut missing = collided.chain(outcome.delayed_paths_unprocessed);
        if let Some(path) = missing.next() {
            let kind = GitErrorKind::Library(format!("`{path}` could not be written"));
            return Err(GitError::new("check out into", files, kind));
        }
        Ok(())
    }

    /// Submodules are not checked out, but their directories are there, as after a clone.
    pub(super) fn make_submodule_directories(&self, files: &Path) -> Result<(), GitError> {
        let entries = self.index.entries().iter();
        for entry in entries.filter(|entry| entry.mode == entry::Mode::COMMIT) {
            let path = files.join(OsStr::from_bytes(entry.path(&self.index)));
            fs::create_dir_all(&path).map_err(|error| GitError::io("make", &path, error))?;
        }
        Ok(())
    }
}

/// As many threads as help.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX)
}

pub(super) fn library(
    attempt: &'static str,
    subject: impl AsRef<OsStr>,
    error: gix::Error,
) -> GitError {
    GitError::new(attempt, subject, GitErrorKind::Library(error.to_string()))
}

/// Opens the person's repository with their settings that shape files, and no others.
pub(super) fn open(project: &Project) -> Result<gix::Repository, gix::Error> {
    let settings = project.settings.iter().map(|(name, value)| format!("{name}={value}"));
    let options = gix::open::Options::isolated().open_path_as_is(true).config_overrides(settings);
    Ok(options.open(&project.git_dir)?.to_thread_local())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_hides_a_path_and_all_below_it() {
        let patterns = ["/secret/", "docs/*.md", "**/LOG-*", "a?c"].map(str::to_owned);
        let hidden = Hidden::new(&patterns);
        for covered in
            ["secret", "secret/x/y", "docs/a.md", "x/LOG-1", "x/y/LOG-2/z", "abc/d", "LOG-3"]
        {
            assert!(hidden.covers(covered.into()), "{covered}");
        }
        for seen in ["secrets", "x/secret", "docs/a/b.md", "LOG", "abbc"] {
            assert!(!hidden.covers(seen.into()), "{seen}");
        }
        assert!(!Hidden::new(&["/".to_owned(), String::new()]).covers("a".into()));
    }
}
