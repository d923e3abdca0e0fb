//! The trees that checks see: the work, with the files it is judged by as they were.

use std::collections::{BTreeMap, BTreeSet};

use autopilot_core::{
    effect::Freeze,
    evidence::protect::{
        Class, Edit, Protected, Protection, inline, is_called_test, is_found_there, is_installed,
        leads_out,
        manifest::{self, Merged},
        may_run_around, module_replaced, named_files, runs_around,
    },
    id::CommitId,
    input::Request,
};

use super::{Workshop, tree::object};
use crate::{
    error::EngineError,
    git::{ObjectId, Project, TreeChange, TreeEntry},
};

/// Larger files are compared as a whole: nobody reads the diff of one.
const FILE_BYTES_MAX: usize = 4 << 20;

/// The mode of a symbolic link, whose content is where it leads.
const LINK_MODE: &str = "120000";

/// Which files decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Those of the base alone: what was there before, and nothing new that would overrule it unless a person said so.
    OfTheBase,
    /// Those of the work, as far as they are new or were accepted.
    OfTheWork,
}

/// What a change does to a file by which the work is judged.
struct Ruling {
    path: Vec<u8>,
    class: Class,
    /// What stands there as long as the edit is not accepted.
    frozen: Option<TreeEntry>,
    /// Whether the file was there; a new one may rule over the work, not over what was there before.
    is_new: bool,
    /// Where a file of tests lies now that is not changed otherwise.
    moved: Option<Vec<u8>>,
    old: Option<TreeEntry>,
    new: Option<TreeEntry>,
}

/// A work without what came with it and decides.
pub(super) struct AsItWas {
    pub(super) tree: ObjectId,
    /// New files that rule over tests.
    pub(super) rulers: Vec<String>,
    /// New tests.
    pub(super) tests: Vec<String>,
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
        let named = if self.rulers.is_empty() { &self.tests } else { &self.rulers };
        named.join(", ")
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

/// A project, and which of its files decide.
pub(crate) struct Frozen<'a> {
    pub(crate) project: &'a Project,
    pub(crate) protection: &'a Protection,
}

impl Workshop {
    pub(super) fn frozen(&self) -> Frozen<'_> {
        Frozen { project: &self.project, protection: &self.given.protection }
    }
}

impl Frozen<'_> {
    /// What a work does to the files by which it is judged.
    pub(super) fn requests(
        &self,
        base: &CommitId,
        work: &CommitId,
    ) -> Result<Vec<Request>, EngineError> {
        let rulings = self.rulings(base, work)?;
        rulings.iter().filter(|ruling| !ruling.is_new).map(|ruling| self.request(ruling)).collect()
    }

    /// The tree in which a commit is checked.
    pub(crate) fn judged_tree(
        &self,
        freeze: &Freeze,
        commit: &CommitId,
        rules: Rules,
    ) -> Result<ObjectId, EngineError> {
        let tree = self.project.tree_of(&object(commit)?)?;
        if freeze.base == *commit {
            return Ok(tree);
        }
        let names = |paths: &[String]| -> BTreeSet<String> { paths.iter().cloned().collect() };
        let (accepted, granted) = (names(&freeze.accepted), names(&freeze.granted));
        let mut entries = Vec::new();
        for ruling in self.rulings(&freeze.base, commit)? {
            let name = String::from_utf8_lossy(&ruling.path);
            let counts = match rules {
                Rules::OfTheBase => granted.contains(name.as_ref()),
                Rules::OfTheWork => ruling.is_new || accepted.contains(name.as_ref()),
            };
            if !counts {
                // A test that moved is there once, where it was.
                entries.extend(ruling.moved.map(|path| (path, None)));
                entries.push((ruling.path, ruling.frozen));
            }
        }
        Ok(self.project.tree_with_entries(&tree, &entries)?)
    }

    /// The work with nothing but the tests and rules that were there; nothing where none came with it.
    ///
    /// A new test that a command or the work names is left empty, so that what else they name can run.
    pub(super) fn by_what_was_there(
        &self,
        freeze: &Freeze,
        commit: &CommitId,
        named: &[String],
    ) -> Result<Option<AsItWas>, EngineError> {
        let protected = self.protected()?;
        let base = object(&freeze.base)?;
        let mut entries = Vec::new();
        let (mut rulers, mut tests) = (Vec::new(), Vec::new());
        let mut brings_entry_point = false;
        let changes = self.project.tree_changes(&base, &object(commit)?)?;
        let mut moved = moves(&protected, &changes);
        moved.retain(|path, _| {
            freeze.accepted.contains(&String::from_utf8_lossy(path).into_owned())
        });
        let others = code_with_tests(&changes);
        for change in changes {
            let was_there = moved.values().any(|to| *to == change.path);
            let is_new_test = change.old.is_none()
                && !was_there
                && protected.class_of(&change.path) == Some(Class::Test);
            let path = change.path.clone();
            let name = String::from_utf8_lossy(&path).into_owned();
            let stays = leaves_nothing_open(&name) || named.contains(&name) && may_be_empty(&name);
            let empty = change.new.as_ref().filter(|_| stays).map(|entry| entry.mode.clone());
            match self.ruling(&protected, &base, change, &others)? {
                Some(ruling) if ruling.is_new => {
                    brings_entry_point |= ruling.class == Class::Build;
                    rulers.push(name);
                    entries.push((path, ruling.frozen));
                }
                // What a rule has accepted may need what is taken away; in its old form the file does not.
                Some(ruling) if !freeze.granted.contains(&name) && !moved.contains_key(&path) => {
                    entries.push((path, ruling.frozen));
                }
                _ if is_new_test => {
                    tests.push(name);
                    let id = empty.as_ref().map(|_| self.project.write_blob(Vec::new()));
                    let entry = empty.zip(id.transpose()?).map(|(mode, id)| TreeEntry { mode, id });
                    entries.push((path, entry));
                }
                Some(_) | None => {}
            }
        }
        if rulers.is_empty() && tests.is_empty() {
            return Ok(None);
        }
        let tree = self.project.tree_of(&object(commit)?)?;
        let tree = self.project.tree_with_entries(&tree, &entries)?;
        let name = |file: TreeChange| String::from_utf8_lossy(&file.path).into_owned();
        let mut files: BTreeSet<String> =
            self.project.tree_files(&tree)?.into_iter().map(name).collect();
        files.retain(|path| !tests.contains(path));
        Ok(Some(AsItWas { tree, rulers, tests, brings_entry_point, files }))
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

    /// The files by which a tree is judged and that are not in it any more as they were, or came to it and rule over
    /// what else is there: what one command leaves, the next one is run with.
    pub(super) fn rewritten(
        &self,
        tree: &ObjectId,
        left: &ObjectId,
    ) -> Result<Vec<String>, EngineError> {
        let protected = self.protected()?;
        let changes = self.project.tree_changes(tree, left)?.into_iter();
        let judges = changes.filter(|change| match change.old {
            Some(_) => protected.class_of(&change.path).is_some(),
            None => protected.rules_when_new(&change.path) && !is_installed(&change.path),
        });
        Ok(judges.map(|change| String::from_utf8_lossy(&change.path).into_owned()).collect())
    }

    pub(super) fn protected(&self) -> Result<Protected, EngineError> {
        self.protection.compile().map_err(|error| {
            EngineError::Bug(format!("the patterns of `protect` cannot be read: {error}"))
        })
    }

    fn rulings(&self, base: &CommitId, work: &CommitId) -> Result<Vec<Ruling>, EngineError> {
        let protected = self.protected()?;
        let base = object(base)?;
        let changes = self.project.tree_changes(&base, &object(work)?)?;
        let moves = moves(&protected, &changes);
        let others = code_with_tests(&changes);
        let mut rulings = Vec::new();
        for change in changes {
            if let Some(mut ruling) = self.ruling(&protected, &base, change, &others)? {
                ruling.moved = moves.get(&ruling.path).cloned();
                rulings.push(ruling);
            }
        }
        Ok(rulings)
    }

    fn ruling(
        &self,
        protected: &Protected,
        base: &ObjectId,
        change: TreeChange,
        others: &[(Vec<u8>, TreeEntry)],
    ) -> Result<Option<Ruling>, EngineError> {
        let TreeChange { path, old, new } = change;
        let ruling = |class, frozen, is_new, path, old, new| {
            Ok(Some(Ruling { path, class, frozen, is_new, moved: None, old, new }))
        };
        if let Some(link) = new.as_ref().filter(|entry| entry.mode == LINK_MODE)
            && leads_out(&path, &self.bytes(link)?)
        {
            return ruling(Class::Outside, old.clone(), false, path, old, new);
        }
        match (&old, protected.class_of(&path)) {
            (Some(_), Some(class)) => ruling(class, old.clone(), false, path, old, new),
            (None, class) => match self.ruler(protected, base, &path, new.as_ref())? {
                Some(frozen) => {
                    ruling(class.unwrap_or(Class::Runner), frozen, true, path, old, new)
                }
                None => Ok(None),
            },
            (Some(before), None) if manifest::is_manifest(&path) => {
                match self.restored(&path, before, new.as_ref())? {
                    Some(frozen) => ruling(Class::Build, Some(frozen), false, path, old, new),
                    None => Ok(None),
                }
            }
            (Some(before), None) if inline::may_hold_tests(&path) => {
                match self.with_its_tests(&path, before, new.as_ref(), others)? {
                    Some(frozen) => ruling(Class::Test, Some(frozen), false, path, old, new),
                    None => Ok(None),
                }
            }
            (Some(_), None) => Ok(None),
        }
    }

    /// A file of code with the tests in it put back, if they were changed.
    fn with_its_tests(
        &self,
        path: &[u8],
        before: &TreeEntry,
        after: Option<&TreeEntry>,
        others: &[(Vec<u8>, TreeEntry)],
    ) -> Result<Option<TreeEntry>, EngineError> {
        let Some(after) = after.filter(|after| after.is_file() && before.is_file()) else {
            return Ok(None);
        };
        let (Some(old), Some(new)) = (self.text(before)?, self.text(after)?) else {
            return Ok(None);
        };
        let mut merged = inline::frozen(path, &old, &new, &[]);
        if merged != Merged::Same {
            let others = others.iter().filter(|(other, _)| other != path);
            let texts = others.map(|(_, entry)| self.text(entry));
            let texts: Vec<Option<String>> = texts.collect::<Result<_, EngineError>>()?;
            let texts: Vec<String> = texts.into_iter().flatten().collect();
            merged = inline::frozen(path, &old, &new, &texts);
        }
        self.put_back(merged, before, after)
    }

    /// What stands in the place of a new file that changes how tests run; nothing where it does not.
    fn ruler(
        &self,
        protected: &Protected,
        base: &ObjectId,
        path: &[u8],
        new: Option<&TreeEntry>,
    ) -> Result<Option<Option<TreeEntry>>, EngineError> {
        let gone = Some(None);
        if protected.rules_when_new(path) {
            return Ok(gone);
        }
        if module_replaced(path).is_some() {
            return Ok(if self.is_asked_for(protected, base, path)? { None } else { gone });
        }
        let is_read = may_run_around(path) || manifest::is_manifest(path);
        let Some(entry) = new.filter(|entry| is_read && entry.is_file()) else { return Ok(None) };
        let Some(text) = self.text(entry)? else { return Ok(gone) };
        if may_run_around(path) {
            return Ok(if runs_around(&text) { gone } else { None });
        }
        Ok(match manifest::without_rules(path, &text) {
            // What cannot be read is read by no tool either.
            Merged::Same | Merged::Unreadable => None,
            Merged::Restored(text) => {
                let id = self.project.write_blob(text.into_bytes())?;
                Some(Some(TreeEntry { mode: entry.mode.clone(), id }))
            }
        })
    }

    /// Whether the specification names a file: then it is what was asked for, however it is called.
    fn is_asked_for(
        &self,
        protected: &Protected,
        base: &ObjectId,
        path: &[u8],
    ) -> Result<bool, EngineError> {
        let path = String::from_utf8_lossy(path);
        let name = path.strip_suffix("/__init__.py").unwrap_or(&path);
        for file in self.project.tree_files(&self.project.tree_of(base)?)? {
            let is_spec = protected.class_of(&file.path) == Some(Class::Spec);
            let Some(entry) = file.new.as_ref().filter(|_| is_spec) else { continue };
            if self.text(entry)?.is_some_and(|text| text.contains(name)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A manifest with its frozen parts put back, if they were changed.
    fn restored(
        &self,
        path: &[u8],
        before: &TreeEntry,
        after: Option<&TreeEntry>,
    ) -> Result<Option<TreeEntry>, EngineError> {
        // Removing a manifest, or making something else of it, is a matter of the work.
        let Some(after) = after.filter(|after| after.is_file() && before.is_file()) else {
            return Ok(None);
        };
        let (Some(old), Some(new)) = (self.text(before)?, self.text(after)?) else {
            return Ok(Some(before.clone()));
        };
        self.put_back(manifest::frozen(path, &old, &new), before, after)
    }

    /// The file that stands in the place of one whose frozen parts were changed.
    fn put_back(
        &self,
        merged: Merged,
        before: &TreeEntry,
        after: &TreeEntry,
    ) -> Result<Option<TreeEntry>, EngineError> {
        Ok(match merged {
            Merged::Same => None,
            Merged::Unreadable => Some(before.clone()),
            Merged::Restored(text) => {
                let id = self.project.write_blob(text.into_bytes())?;
                Some(TreeEntry { mode: after.mode.clone(), id })
            }
        })
    }

    fn request(&self, ruling: &Ruling) -> Result<Request, EngineError> {
        let old = ruling.old.as_ref().map(|entry| self.bytes(entry)).transpose()?;
        let new = ruling.new.as_ref().map(|entry| self.bytes(entry)).transpose()?;
        let edit = match (&ruling.moved, &old) {
            (Some(to), Some(text)) => Edit::moved(&ruling.path, to, text),
            _ => Edit::between(&ruling.path, ruling.class, old.as_deref(), new.as_deref()),
        };
        let content = ruling
            .new
            .as_ref()
            .map_or_else(|| "removed".to_owned(), |entry| format!("{} {}", entry.mode, entry.id));
        Ok(Request { edit, content })
    }

    pub(super) fn text(&self, entry: &TreeEntry) -> Result<Option<String>, EngineError> {
        let bytes = self.project.read_blob(&entry.id, FILE_BYTES_MAX)?;
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// The content of an entry; of what is no file or too large, its name, which differs where the content does.
    fn bytes(&self, entry: &TreeEntry) -> Result<Vec<u8>, EngineError> {
        let content = match entry.mode.as_str() {
            "160000" => None,
            _ => self.project.read_blob(&entry.id, FILE_BYTES_MAX)?,
        };
        Ok(content.unwrap_or_else(|| format!("{} {}\n", entry.mode, entry.id).into_bytes()))
    }
}

/// The files of a work in which tests may stand beside the code.
fn code_with_tests(changes: &[TreeChange]) -> Vec<(Vec<u8>, TreeEntry)> {
    let code = changes.iter().filter(|change| inline::may_hold_tests(&change.path));
    let new = code.filter_map(|change| Some((change.path.clone(), change.new.clone()?)));
    new.filter(|(_, entry)| entry.is_file()).collect()
}

/// Whether a file may be named by the work itself (`mod tests;`, `[[test]]`), and is as good as gone when it is empty.
fn leaves_nothing_open(path: &str) -> bool {
    path.ends_with(".rs")
}

/// Whether an empty file of this name is a file of tests without a test; to compilers it would be an error.
fn may_be_empty(path: &str) -> bool {
    [".py", ".js", ".mjs", ".cjs", ".ts"].iter().any(|end| path.ends_with(end))
}

/// Where files of tests lie now that were moved and not changed.
fn moves(protected: &Protected, changes: &[TreeChange]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let is_test = |path: &[u8]| protected.class_of(path) == Some(Class::Test);
    let mut came: Vec<&TreeChange> = changes.iter().filter(|change| change.old.is_none()).collect();
    let gone = changes.iter().filter(|change| change.new.is_none() && is_test(&change.path));
    let mut moves = BTreeMap::new();
    for change in gone {
        let to = came.iter().position(|new| {
            new.new == change.old && is_test(&new.path) && is_found_there(&change.path, &new.path)
        });
        // Of two files with the same text only one can have become a third.
        moves.extend(to.map(|at| (change.path.clone(), came.remove(at).path.clone())));
    }
    moves
}
