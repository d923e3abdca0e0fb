//! The trees that checks see: the work, with the files it is judged by as they were.

use std::collections::{BTreeMap, BTreeSet};

use autopilot_core::{
    effect::Freeze,
    evidence::protect::{
        Class, Edit, Protected, Protection, inline, is_found_there, is_installed, leads_out,
        manifest::{self, Merged},
    },
    id::CommitId,
    input::Request,
};

use super::{Workshop, ruler::Ground, tree::object};
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
pub(super) struct Ruling {
    path: Vec<u8>,
    pub(super) class: Class,
    /// What stands there as long as the edit is not accepted.
    pub(super) frozen: Option<TreeEntry>,
    /// Whether the file was there; a new one may rule over the work, not over what was there before.
    pub(super) is_new: bool,
    /// Where a file of tests lies now that is not changed otherwise.
    moved: Option<Vec<u8>>,
    old: Option<TreeEntry>,
    new: Option<TreeEntry>,
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
        planned: Option<&CommitId>,
        work: &CommitId,
    ) -> Result<Vec<Request>, EngineError> {
        let rulings = self.rulings(base, planned, work)?;
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
        for ruling in self.rulings(&freeze.base, freeze.planned.as_ref(), commit)? {
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

    /// The files by which a tree is judged and that are not in it any more as they were, or came to it and rule over
    /// what else is there: what one command leaves, the next one is run with.
    pub(super) fn rewritten(
        &self,
        tree: &ObjectId,
        left: &ObjectId,
    ) -> Result<Vec<String>, EngineError> {
        let changes = self.project.tree_changes(tree, left)?;
        let ground = Ground::new(self.protected()?, tree.clone(), &changes);
        let mut rewritten = Vec::new();
        for TreeChange { path, old, new } in changes {
            let decides = match (&old, ground.protected.class_of(&path)) {
                (Some(_), Some(_)) => true,
                (Some(before), None) if inline::may_hold_tests(&path) => {
                    self.with_its_tests(&ground, &path, before, new.as_ref())?.is_some()
                }
                (Some(_), None) => false,
                (None, _) => ground.protected.rules_when_new(&path) && !is_installed(&path),
            };
            if decides {
                rewritten.push(String::from_utf8_lossy(&path).into_owned());
            }
        }
        Ok(rewritten)
    }

    pub(super) fn protected(&self) -> Result<Protected, EngineError> {
        self.protection.compile().map_err(|error| {
            EngineError::Bug(format!("the patterns of `protect` cannot be read: {error}"))
        })
    }

    fn rulings(
        &self,
        base: &CommitId,
        planned: Option<&CommitId>,
        work: &CommitId,
    ) -> Result<Vec<Ruling>, EngineError> {
        let base = object(base)?;
        let mut changes = self.project.tree_changes(&base, &object(work)?)?;
        if let Some(planned) = planned {
            // Against the base a test spec is new; it is the planner's, and whoever works by the plan finds it there.
            for change in self.project.tree_changes(&object(planned)?, &object(work)?)? {
                if lies_with_specs(&change.path) && change.old.is_some() {
                    changes.retain(|other| other.path != change.path);
                    changes.push(change);
                }
            }
        }
        let ground = Ground::new(self.protected()?, base, &changes);
        let moves = moves(&ground.protected, &changes);
        let mut rulings = Vec::new();
        for change in changes {
            if let Some(mut ruling) = self.ruling(&ground, change)? {
                ruling.moved = moves.get(&ruling.path).cloned();
                rulings.push(ruling);
            }
        }
        Ok(rulings)
    }

    pub(super) fn ruling(
        &self,
        ground: &Ground,
        change: TreeChange,
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
        match (&old, ground.protected.class_of(&path)) {
            // The next run would be judged by them.
            (None, Some(Class::Spec)) if is_settings(&path) => {
                ruling(Class::Spec, None, false, path, old, new)
            }
            (Some(_), Some(class)) => ruling(class, old.clone(), false, path, old, new),
            (None, class) => match self.ruler(ground, &path, new.as_ref())? {
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
                match self.with_its_tests(ground, &path, before, new.as_ref())? {
                    Some(frozen) => ruling(Class::Test, Some(frozen), false, path, old, new),
                    None => Ok(None),
                }
            }
            (Some(_), None) => Ok(None),
        }
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
    pub(super) fn put_back(
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
        let mut edit = match (&ruling.moved, &old) {
            (Some(to), Some(text)) => Edit::moved(&ruling.path, to, text),
            _ => Edit::between(&ruling.path, ruling.class, old.as_deref(), new.as_deref()),
        };
        if let (Some(before), Some(now)) = (&ruling.old, &ruling.new) {
            edit.note_mode(&before.mode, &now.mode);
        }
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

/// Whether runs of this project take settings from a file.
fn is_settings(path: &[u8]) -> bool {
    [b"autopilot.toml".as_slice(), b".planning/config.json"].contains(&path)
}

/// Where files of tests lie now that were moved and not changed.
pub(super) fn moves(protected: &Protected, changes: &[TreeChange]) -> BTreeMap<Vec<u8>, Vec<u8>> {
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

/// Whether a file lies in a phase's directory of test specs: `.planning/phases/24-lamp/tests/task-24-01.sh`, or what that one reads.
fn lies_with_specs(path: &[u8]) -> bool {
    let parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    parts.windows(3).any(|three| three[0] == b"phases" && three[2] == b"tests")
}
