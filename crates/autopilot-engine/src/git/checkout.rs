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

/// Writes the files of a tree, without the hidden ones, and an index that matches them.
pub(super) fn check_out(
    project: &Project,
    tree: &ObjectId,
    hidden: &Hidden,
    files: &Path,
    index_path: &Path,
) -> Result<(), GitError> {
    let failed = |error: gix::Error| {
        GitError::new("check out into", files, GitErrorKind::Library(error.to_string()))
    };
    let repository = open(project).map_err(failed)?;
    let mut index = repository.index_from_tree(&tree.to_gix()?).map_err(failed)?;
    index.set_path(index_path);
    if !hidden.0.is_empty() {
        index.remove_entries(|_, path, _| hidden.covers(path));
    }
    let mut options = repository.checkout_options(Source::IdMapping).map_err(failed)?;
    options.destination_is_initially_empty = true;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    options.thread_limit = Some(cores.min(THREADS_MAX));
    let objects = repository
        .objects
        .into_arc()
        .map_err(|error| GitError::io("read the objects of", &project.common_dir, error))?;
    let outcome = gix::worktree::state::checkout(
        &mut index,
        files,
        objects,
        &Discard,
        &Discard,
        &AtomicBool::new(false),
        options,
    )
    .map_err(failed)?;
    if let Some(path) = outcome
        .collisions
        .first()
        .map(|collision| &collision.path)
        .or_else(|| outcome.errors.first().map(|error| &error.path))
        .or_else(|| outcome.delayed_paths_unprocessed.first())
    {
        let kind = GitErrorKind::Library(format!("`{path}` could not be written"));
        return Err(GitError::new("check out into", files, kind));
    }
    make_submodule_directories(&index, files)?;
    index.write(gix::index::write::Options::default()).map_err(failed)
}

/// Opens the person's repository with their settings that shape files, and no others.
fn open(project: &Project) -> Result<gix::Repository, gix::Error> {
    let settings = project.settings.iter().map(|(name, value)| format!("{name}={value}"));
    let options = gix::open::Options::isolated().open_path_as_is(true).config_overrides(settings);
    Ok(options.open(&project.git_dir)?.to_thread_local())
}

/// Submodules are not checked out, but their directories are there, as after a clone.
fn make_submodule_directories(index: &gix::index::State, files: &Path) -> Result<(), GitError> {
    for entry in index.entries().iter().filter(|entry| entry.mode == entry::Mode::COMMIT) {
        let path = files.join(OsStr::from_bytes(entry.path(index)));
        fs::create_dir_all(&path).map_err(|error| GitError::io("make", &path, error))?;
    }
    Ok(())
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
