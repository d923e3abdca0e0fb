//! What a phase changed: what judges, what is judged, and how much there is to break.

use std::collections::BTreeSet;

use autopilot_core::{
    effect::CanaryTask,
    evidence::{
        Check, Source, Stake, brings_examples,
        mutate::{changed_lines, worth_mutating},
        protect::{Class, Edit, Protection, deciding_files, manifest},
        runs_tests, stake,
    },
};

use super::{Workshop, tree::object};
use crate::{
    error::EngineError,
    git::{ObjectId, TreeChange, TreeEntry},
};

/// A phase's change, cut into what judges and what is judged.
pub(super) struct Change {
    /// Tests, scripts of checks, and what configures them: they stay when the work is broken.
    pub(super) judges: Vec<TreeChange>,
    /// The rest, without the phase's own documents.
    pub(super) work: Vec<TreeChange>,
    /// Those files of the work of which something is gone, and nothing came.
    pub(super) lost: Vec<TreeChange>,
    /// The weightiest of what is changed; tests alone may be about code that was there.
    pub(super) stake: Stake,
    /// Whether the change brings tests of its own, in files of their own or beside the code.
    pub(super) has_tests: bool,
    /// Files of tests that were not there.
    pub(super) new_tests: Vec<TreeChange>,
}

impl Change {
    /// Whether red on the base does not say that a check looks at the work: it runs tests, or a script that came with
    /// the work.
    pub(super) fn is_judged_by_itself(&self, check: &Check) -> bool {
        let named = deciding_files(check.criterion.command.as_deref().unwrap_or_default());
        runs_tests(&check.criterion)
            || self.judges.iter().any(|file| {
                std::str::from_utf8(&file.path)
                    .is_ok_and(|path| named.iter().any(|one| one == path))
            })
    }
}

impl Workshop {
    /// A file of text that may be broken, with its entry.
    pub(super) fn source(
        &self,
        file: &TreeChange,
    ) -> Result<Option<(Source, TreeEntry)>, EngineError> {
        let (Ok(path), Some(entry)) = (std::str::from_utf8(&file.path), &file.new) else {
            return Ok(None);
        };
        if !entry.is_file() || !worth_mutating(path) {
            return Ok(None);
        }
        let Some(now) = self.frozen().text(entry)? else { return Ok(None) };
        let before = match &file.old {
            Some(old) if old == entry => Some(now.clone()),
            Some(old) => self.frozen().text(old)?,
            None => None,
        };
        Ok(Some((Source { path: path.to_owned(), before, now }, entry.clone())))
    }

    /// Cuts what a phase changed into what judges and what is judged.
    pub(super) fn change(&self, task: &CanaryTask, tree: &ObjectId) -> Result<Change, EngineError> {
        let protected = self.frozen().protected()?;
        let named: BTreeSet<String> = task
            .check
            .checks
            .iter()
            .filter_map(|check| check.criterion.command.as_deref())
            .flat_map(deciding_files)
            .collect();
        let mut change = Change {
            judges: Vec::new(),
            work: Vec::new(),
            lost: Vec::new(),
            stake: Stake::Nothing,
            has_tests: false,
            new_tests: Vec::new(),
        };
        let documents = format!("{}/", task.documents);
        let mut doubtful = Vec::new();
        for file in self.project.tree_changes(&object(&task.since)?, tree)? {
            let class = protected.class_of(&file.path);
            let is_named = class == Some(Class::Named)
                || std::str::from_utf8(&file.path).is_ok_and(|path| named.contains(path));
            if class.is_some() || is_named || manifest::is_manifest(&file.path) {
                if class == Some(Class::Test) {
                    change.has_tests = true;
                    change.new_tests.extend(file.old.is_none().then(|| file.clone()));
                }
                if class.is_none_or(|class| class == Class::Named) {
                    doubtful.push((file.clone(), is_named));
                }
                change.judges.push(file);
            } else if !file.path.starts_with(documents.as_bytes()) {
                self.weigh(file, &mut change)?;
            }
        }
        self.weigh_doubtful(doubtful, &mut change)?;
        Ok(change)
    }

    /// Takes what judges for the work where nothing else is.
    ///
    /// Tests may need what a manifest says, and may have code beside them that helps them; so both stay as long as there is
    /// something else that could be broken.
    fn weigh_doubtful(
        &self,
        doubtful: Vec<(TreeChange, bool)>,
        change: &mut Change,
    ) -> Result<(), EngineError> {
        let usual = Protection::default().compile().map_err(|error| {
            EngineError::Bug(format!("the usual patterns cannot be read: {error}"))
        })?;
        let stake = change.stake;
        for (file, is_named) in doubtful {
            let is_work = if is_named {
                let is_test = usual.class_of(&file.path) == Some(Class::Test);
                stake < Stake::Code && !is_test && self.has_code_beside_tests(&file)?
            } else {
                stake < Stake::Words
            };
            if !is_work {
                continue;
            }
            change.judges.retain(|judge| *judge != file);
            if is_named {
                self.weigh(file, change)?;
            } else {
                change.work.push(file);
                change.stake = change.stake.max(Stake::Words);
            }
        }
        Ok(())
    }

    /// Whether a file that a command runs as tests is new and holds the code that they test as well.
    fn has_code_beside_tests(&self, file: &TreeChange) -> Result<bool, EngineError> {
        let source = self.source(file)?;
        Ok(source.is_some_and(|(source, _)| brings_tests(&source) && stake(&source) == Stake::Code))
    }

    /// Takes a file of the work for what it is.
    fn weigh(&self, file: TreeChange, change: &mut Change) -> Result<(), EngineError> {
        let source = self.source(&file)?;
        let found = source.as_ref().map_or(Stake::Bare, |(source, _)| stake(source));
        change.stake = change.stake.max(found);
        let is_lost = match &source {
            Some((Source { before: Some(before), now, .. }, _)) => {
                before != now && changed_lines(Some(before), now).is_empty()
            }
            Some(_) => false,
            None => file.new.is_none(),
        };
        change.has_tests |= source.is_some_and(|(source, _)| brings_tests(&source));
        if is_lost {
            change.lost.push(file.clone());
        }
        change.work.push(file);
        Ok(())
    }
}

/// Whether a file of the work has tests beside its code that were not there.
fn brings_tests(source: &Source) -> bool {
    let (before, now) = (source.before.as_deref().map(str::as_bytes), source.now.as_bytes());
    Edit::between(source.path.as_bytes(), Class::Test, before, Some(now)).tests_added > 0
        || brings_examples(source)
}
