//! What commands have already shown, by content.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use autopilot_core::evidence::{Check, CheckResult, Verdict};

use crate::git::ObjectId;

/// What is known of commands by what they ran on. It lives as long as the engine: a file could be written by anybody.
#[derive(Default)]
pub(super) struct Shown {
    results: Mutex<HashMap<Ran, CheckResult>>,
    rewritten: Mutex<HashMap<Ran, Vec<String>>>,
}

/// Everything that a result depends on, as far as the engine decides it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ran {
    tree: String,
    prepare: Option<String>,
    command: Option<String>,
    expect: String,
    counts: Option<String>,
}

impl Shown {
    /// What this check has shown on this tree.
    pub(super) fn get(
        &self,
        tree: &ObjectId,
        check: &Check,
        prepare: Option<&str>,
    ) -> Option<CheckResult> {
        let result = locked(&self.results).get(&Ran::of(tree, check, prepare))?.clone();
        Some(renamed(result, check))
    }

    /// Keeps what a check has shown. What proves nothing may have been an accident, and is tried again.
    pub(super) fn put(
        &self,
        tree: &ObjectId,
        check: &Check,
        prepare: Option<&str>,
        result: &CheckResult,
    ) {
        if !matches!(result.verdict, Verdict::Unproven(_)) {
            locked(&self.results).insert(Ran::of(tree, check, prepare), result.clone());
        }
    }

    /// The files that decide and that this check, or another one with it, has rewritten on this tree.
    pub(super) fn rewritten(
        &self,
        tree: &ObjectId,
        check: &Check,
        prepare: Option<&str>,
    ) -> Option<Vec<String>> {
        locked(&self.rewritten).get(&Ran::of(tree, check, prepare)).cloned()
    }

    /// Keeps which files that decide were rewritten when checks ran together on a tree.
    pub(super) fn note_rewritten(
        &self,
        tree: &ObjectId,
        checks: &[&Check],
        prepare: Option<&str>,
        files: &[String],
    ) {
        let mut rewritten = locked(&self.rewritten);
        for check in checks {
            rewritten.insert(Ran::of(tree, check, prepare), files.to_vec());
        }
    }
}

fn locked<T>(map: &Mutex<T>) -> MutexGuard<'_, T> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a command has shown, under the name of another check that runs it.
pub(super) fn renamed(result: CheckResult, check: &Check) -> CheckResult {
    let Check { name, kind, criterion } = check;
    CheckResult { name: name.clone(), kind: *kind, criterion: criterion.text.clone(), ..result }
}

impl Ran {
    fn of(tree: &ObjectId, check: &Check, prepare: Option<&str>) -> Self {
        let criterion = &check.criterion;
        Self {
            tree: tree.to_string(),
            prepare: prepare.map(str::to_owned),
            command: criterion.command.clone(),
            expect: format!("{:?}", criterion.expect),
            counts: criterion.counts.clone(),
        }
    }
}
