//! What a work is without the rules and tests that came with it: tests that were there must not need them.

use std::collections::BTreeSet;

use autopilot_core::{
    effect::Freeze,
    evidence::protect::{Class, Edit, is_called_test, manifest, named_files, vendored_below},
    id::CommitId,
};

use super::{
    frozen::{Frozen, Rules, Ruling, moves},
    ruler::Ground,
    tree::object,
};
use crate::{
    error::EngineError,
    git::{ObjectId, TreeChange, TreeEntry},
};

/// A work without what came with it and decides.
pub(super) struct AsItWas {
    pub(super) tree: ObjectId,
    /// New files that rule over tests.
    pub(super) rulers: Vec<String>,
    /// New tests.
    pub(super) tests: Vec<String>,
    /// Files of tests that were there and that tests were added to.
    pub(super) added_to: Vec<String>,
    /// Whether one of the rulers is what a short command such as `make test` stands for.
    pub(super) brings_entry_point: bool,
    /// What of the project there is without them.
    files: BTreeSet<String>,
}

/// What of a base tests are run by.
pub(super) struct WasThere {
    /// Its files of tests.
    pub(super) tests: Vec<Vec<u8>>,
    /// Whether it has what a short command such as `make test` stands for.
    pub(super) has_entry_point: bool,
    /// The texts of that, of the specification, and of what else says what is run.
    texts: Vec<String>,
}

impl WasThere {
    /// Whether what was there names one of these files, so that it was to come.
    pub(super) fn asks_for(&self, paths: &[String]) -> bool {
        paths.iter().any(|path| self.texts.iter().any(|text| text.contains(path.as_str())))
    }
}

impl AsItWas {
    /// What was taken away, as far as it may be the reason that other tests pass.
    pub(super) fn named(&self) -> String {
        let parts = [&self.rulers, &self.tests, &self.added_to];
        let named = parts.into_iter().find(|part| !part.is_empty());
        named.map(|part| part.join(", ")).unwrap_or_default()
    }

    /// Whether nothing is taken away but tests that were added to files which were there.
    pub(super) fn is_only_added_to(&self) -> bool {
        self.rulers.is_empty() && self.tests.is_empty()
    }

    /// Whether the files that a command names are new, all of them: then nothing that was there is run by it.
    pub(super) fn has_only_new(&self, command: Option<&str>) -> bool {
        let named = named_files(command.unwrap_or_default());
        let below = |path: &str, name: &str| {
            path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_new = |name: &&String| self.tests.iter().any(|path| below(path, name));
        let is_old = |name: &&String| self.files.iter().any(|path| below(path, name));
        named.iter().any(|name| is_new(&name)) && !named.iter().any(|name| is_old(&name))
    }
}

/// What is taken away from a work, and what stands in its place.
#[derive(Default)]
struct Taken {
    entries: Vec<(Vec<u8>, Option<TreeEntry>)>,
    rulers: Vec<String>,
    tests: Vec<String>,
    added_to: Vec<String>,
    brings_entry_point: bool,
}

impl Taken {
    /// Puts a test back to where it was: what ran it there must run it still.
    fn unmove(&mut self, (from, to): (&[u8], &[u8]), entry: Option<TreeEntry>) {
        self.rulers.push(String::from_utf8_lossy(to).into_owned());
        self.entries.push((from.to_vec(), entry));
        self.entries.push((to.to_vec(), None));
    }

    fn rule(&mut self, path: Vec<u8>, ruling: &Ruling) {
        self.brings_entry_point |= ruling.class == Class::Build;
        self.rulers.push(String::from_utf8_lossy(&path).into_owned());
        self.entries.push((path, ruling.frozen.clone()));
    }

    /// Takes other people's code away together with the list of it, without which it cannot be read.
    fn unlisted(&mut self, came: Vec<Vec<u8>>) {
        let lists = self.rulers.iter().filter_map(|path| vendored_below(path.as_bytes()));
        let directories: Vec<&[u8]> = lists.collect();
        let listed = |path: &Vec<u8>| directories.iter().any(|above| path.starts_with(above));
        let gone: Vec<_> = came.into_iter().filter(listed).map(|path| (path, None)).collect();
        self.entries.extend(gone);
    }
}

impl Frozen<'_> {
    /// The work with nothing but the tests and rules that were there; nothing where none came with it.
    ///
    /// A new test that a command or the work names is left empty, so that what else they name can run.
    pub(super) fn by_what_was_there(
        &self,
        freeze: &Freeze,
        commit: &CommitId,
        named: &[String],
    ) -> Result<Option<AsItWas>, EngineError> {
        let base = object(&freeze.base)?;
        let mut was = Taken::default();
        let changes = self.project.tree_changes(&base, &object(commit)?)?;
        let ground = Ground::new(self.protected()?, base, &changes);
        let is_new = |change: &&TreeChange| change.old.is_none();
        let came: Vec<Vec<u8>> =
            changes.iter().filter(is_new).map(|change| change.path.clone()).collect();
        let mut moved = moves(&ground.protected, &changes);
        moved.retain(|path, _| {
            freeze.accepted.contains(&String::from_utf8_lossy(path).into_owned())
        });
        for change in changes {
            let was_there = moved.values().any(|to| *to == change.path);
            let is_new_test = change.old.is_none()
                && !was_there
                && ground.protected.class_of(&change.path) == Some(Class::Test);
            let path = change.path.clone();
            let name = String::from_utf8_lossy(&path).into_owned();
            if let Some(to) = moved.get(&path)
                && !freeze.granted.contains(&name)
            {
                was.unmove((&path, to), change.old);
                continue;
            }
            let stays = leaves_nothing_open(&name) || named.contains(&name) && may_be_empty(&name);
            let empty = change.new.as_ref().filter(|_| stays).map(|entry| entry.mode.clone());
            match self.ruling(&ground, change)? {
                Some(ruling) if ruling.is_new => was.rule(path, &ruling),
                // What a rule has accepted may need what is taken away; in its old form the file does not.
                Some(ruling) if !freeze.granted.contains(&name) => {
                    if ruling.class == Class::Test && freeze.accepted.contains(&name) {
                        was.added_to.push(name);
                    }
                    was.entries.push((path, ruling.frozen));
                }
                _ if is_new_test => {
                    was.tests.push(name);
                    let id = empty.as_ref().map(|_| self.project.write_blob(Vec::new()));
                    let entry = empty.zip(id.transpose()?).map(|(mode, id)| TreeEntry { mode, id });
                    was.entries.push((path, entry));
                }
                Some(_) | None => {}
            }
        }
        was.unlisted(came);
        if was.rulers.is_empty() && was.tests.is_empty() && was.added_to.is_empty() {
            return Ok(None);
        }
        let tree = self.project.tree_of(&object(commit)?)?;
        let tree = self.project.tree_with_entries(&tree, &was.entries)?;
        let name = |file: TreeChange| String::from_utf8_lossy(&file.path).into_owned();
        let mut files: BTreeSet<String> =
            self.project.tree_files(&tree)?.into_iter().map(name).collect();
        let Taken { rulers, tests, added_to, brings_entry_point, .. } = was;
        files.retain(|path| !tests.contains(path));
        Ok(Some(AsItWas { tree, rulers, tests, added_to, brings_entry_point, files }))
    }

    /// What of a base tests are run by.
    pub(super) fn what_was_there(&self, base: &CommitId) -> Result<WasThere, EngineError> {
        let protected = self.protected()?;
        let mut there = WasThere { tests: Vec::new(), has_entry_point: false, texts: Vec::new() };
        for file in self.project.tree_files(&self.project.tree_of(&object(base)?)?)? {
            let Some(entry) = file.new.as_ref().filter(|entry| entry.is_file()) else { continue };
            let class = protected.class_of(&file.path);
            there.has_entry_point |= class == Some(Class::Build);
            let says = matches!(class, Some(Class::Build | Class::Spec | Class::Named | Class::Ci));
            if says || manifest::is_manifest(&file.path) {
                there.texts.extend(self.text(entry)?);
            } else if class == Some(Class::Test) && self.holds_tests(&file.path, entry)? {
                there.tests.push(file.path);
            }
        }
        Ok(there)
    }

    /// The work as it is judged, without the tests that were there.
    pub(super) fn without_old_tests(
        &self,
        freeze: &Freeze,
        commit: &CommitId,
        there: &WasThere,
    ) -> Result<ObjectId, EngineError> {
        let work = self.judged_tree(freeze, commit, Rules::OfTheWork)?;
        let entries: Vec<_> = there.tests.iter().map(|path| (path.clone(), None)).collect();
        Ok(self.project.tree_with_entries(&work, &entries)?)
    }

    /// Whether a protected file holds tests, and is not only there for them.
    fn holds_tests(&self, path: &[u8], entry: &TreeEntry) -> Result<bool, EngineError> {
        if is_called_test(path) {
            return Ok(true);
        }
        let Some(text) = self.text(entry)? else { return Ok(false) };
        Ok(Edit::between(path, Class::Test, None, Some(text.as_bytes())).tests_added > 0)
    }
}

/// Whether a file may be named by the work itself (`mod tests;`, `[[test]]`), and is as good as gone when it is empty.
fn leaves_nothing_open(path: &str) -> bool {
    path.ends_with(".rs")
}

/// Whether an empty file of this name is a file of tests without a test; to compilers it would be an error.
fn may_be_empty(path: &str) -> bool {
    [".py", ".js", ".mjs", ".cjs", ".ts"].iter().any(|end| path.ends_with(end))
}
