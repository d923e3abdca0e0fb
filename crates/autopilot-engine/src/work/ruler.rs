//! New files that change how tests run, though no file that was there is edited.

use std::{cell::OnceCell, collections::BTreeMap};

use autopilot_core::evidence::protect::{
    Class, Protected, Replaced, go_module_of, has_word, is_makefile, looked_into,
    manifest::{self, Merged},
    may_run_around, module_replaced, puts_on_path, runs_around, steers, vendored_below,
};

use super::{frozen::Frozen, inside::code_with_tests};
use crate::{
    error::EngineError,
    git::{ObjectId, TreeChange, TreeEntry},
};

/// What stands in the place of a new file that rules over tests: nothing, or what is left of it.
type Left = Option<TreeEntry>;

/// The commit against which something is new, and what is protected there.
pub(super) struct Ground {
    pub(super) protected: Protected,
    pub(super) base: ObjectId,
    /// What the work has of files in which tests may stand beside the code.
    pub(super) code: Vec<(Vec<u8>, TreeEntry)>,
    files: OnceCell<BTreeMap<Vec<u8>, TreeEntry>>,
}

impl Ground {
    pub(super) fn new(protected: Protected, base: ObjectId, changes: &[TreeChange]) -> Self {
        Self { protected, base, code: code_with_tests(changes), files: OnceCell::new() }
    }
}

impl Frozen<'_> {
    /// What stands in the place of a new file that changes how tests run; nothing where it does not.
    pub(super) fn ruler(
        &self,
        ground: &Ground,
        path: &[u8],
        new: Option<&TreeEntry>,
    ) -> Result<Option<Left>, EngineError> {
        let gone = Some(None);
        if self.brings_only_its_own(ground, path, new)? {
            return Ok(None);
        }
        if ground.protected.rules_when_new(path)
            || self.leaves_its_module(ground, path)?
            || self.steers_make(ground, path)?
        {
            return Ok(gone);
        }
        if let Some(replaced) = module_replaced(path)
            && self.is_found_first(ground, &replaced)?
        {
            return Ok(if self.is_asked_for(ground, path)? { None } else { gone });
        }
        let is_read = may_run_around(path) || manifest::is_manifest(path);
        let Some(entry) = new.filter(|entry| is_read && entry.is_file()) else { return Ok(None) };
        let Some(text) = self.text(entry)? else { return Ok(gone) };
        if may_run_around(path) {
            return Ok(if runs_around(path, &text) { gone } else { None });
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

    /// Whether a new file only says where other people's code lies, and there was none that it could take the place of.
    fn brings_only_its_own(
        &self,
        ground: &Ground,
        path: &[u8],
        new: Option<&TreeEntry>,
    ) -> Result<bool, EngineError> {
        let is_list = vendored_below(path).is_some();
        let is_config = path == b".cargo/config.toml" || path == b".cargo/config";
        let Some(entry) = new.filter(|entry| (is_list || is_config) && entry.is_file()) else {
            return Ok(false);
        };
        if is_config && !self.text(entry)?.is_some_and(|text| manifest::names_only_sources(&text)) {
            return Ok(false);
        }
        for (path, entry) in self.files(ground)? {
            if manifest::may_fetch(path)
                && self.text(entry)?.is_none_or(|text| manifest::fetches(path, &text))
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a new file takes a directory that has Go code out of the module that it was part of, and so out of
    /// `./...`.
    fn leaves_its_module(&self, ground: &Ground, path: &[u8]) -> Result<bool, EngineError> {
        let Some(directory) = go_module_of(path).filter(|directory| !directory.is_empty()) else {
            return Ok(false);
        };
        let files = self.files(ground)?;
        let below = |path: &[u8], above: &[u8]| {
            above.is_empty() || path.strip_prefix(above).is_some_and(|rest| rest.starts_with(b"/"))
        };
        let mut modules = files.keys().filter_map(|path| go_module_of(path));
        Ok(modules.any(|above| below(directory, above))
            && files.keys().any(|path| path.ends_with(b".go") && below(path, directory)))
    }

    /// Whether a new file is what a makefile takes in, or has the name of a target that is made only where nothing has its
    /// name.
    fn steers_make(&self, ground: &Ground, path: &[u8]) -> Result<bool, EngineError> {
        let Ok(path) = std::str::from_utf8(path) else { return Ok(false) };
        for (makefile, entry) in self.files(ground)? {
            if entry.is_file()
                && is_makefile(makefile)
                && self.text(entry)?.is_some_and(|text| steers(&text, path))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether Python finds a file before the module whose name it has, and tests or their runners load that one.
    fn is_found_first(
        &self,
        ground: &Ground,
        replaced: &Replaced<'_>,
    ) -> Result<bool, EngineError> {
        let files = self.files(ground)?;
        let is_test = |path: &[u8]| ground.protected.class_of(path) == Some(Class::Test);
        let tests = files.keys().filter(|path| is_test(path));
        let tests = tests.filter_map(|path| std::str::from_utf8(path).ok());
        let is_package = |path: &str| files.contains_key(format!("{path}/__init__.py").as_bytes());
        let is_first = looked_into(tests, is_package).contains(&replaced.directory);
        if is_first && replaced.is_loaded {
            return Ok(true);
        }
        let (mut is_put_there, mut is_named) = (false, replaced.is_loaded);
        for (path, entry) in files {
            let class = ground.protected.class_of(path);
            if !entry.is_file() || class.is_none() && !manifest::is_manifest(path) {
                continue;
            }
            let Some(text) = self.text(entry)? else { continue };
            is_put_there |= puts_on_path(&text, replaced.directory);
            let is_python = class == Some(Class::Test) && path.ends_with(b".py");
            is_named |= is_python && has_word(&text, replaced.module);
        }
        Ok(is_named && (is_first || is_put_there))
    }

    /// Whether the specification names a file: then it is what was asked for, however it is called.
    fn is_asked_for(&self, ground: &Ground, path: &[u8]) -> Result<bool, EngineError> {
        let path = String::from_utf8_lossy(path);
        let name = path.strip_suffix("/__init__.py").unwrap_or(&path);
        for (path, entry) in self.files(ground)? {
            let is_spec = ground.protected.class_of(path) == Some(Class::Spec);
            if is_spec && self.text(entry)?.is_some_and(|text| text.contains(name)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The files of the commit against which something is new.
    fn files<'a>(
        &self,
        ground: &'a Ground,
    ) -> Result<&'a BTreeMap<Vec<u8>, TreeEntry>, EngineError> {
        if let Some(files) = ground.files.get() {
            return Ok(files);
        }
        let tree = self.project.tree_of(&ground.base)?;
        let files = self.project.tree_files(&tree)?.into_iter();
        let files = files.filter_map(|file| Some((file.path, file.new?))).collect();
        Ok(ground.files.get_or_init(|| files))
    }
}
