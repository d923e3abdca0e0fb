//! Which effects have been started and ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    fact::End,
    id::{Attempt, Key, Step},
};

/// The book of effects: at most one open attempt for each step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// Attempts with an intent in the journal and no end.
    open: BTreeMap<Step, Attempt>,
    /// How many attempts of a step have ended.
    ended: BTreeMap<Step, u32>,
    /// How often in a row a step has failed.
    failures: BTreeMap<Step, u32>,
}

impl Ledger {
    /// The key under which a step is owed now: its open attempt, or the one after the last.
    pub fn key(&self, step: Step) -> Key {
        let attempt = match self.open.get(&step) {
            Some(&attempt) => attempt,
            None => Attempt::after(self.ended.get(&step).copied().unwrap_or(0)),
        };
        Key { step, attempt }
    }

    /// Whether the step has an open attempt.
    pub fn is_open(&self, step: &Step) -> bool {
        self.open.contains_key(step)
    }

    /// Every open attempt.
    pub fn open(&self) -> impl Iterator<Item = Key> {
        self.open.iter().map(|(step, &attempt)| Key { step: step.clone(), attempt })
    }

    /// Whether an outcome with this key is the one that is waited for. All others are stale or double.
    pub fn awaits(&self, key: &Key) -> bool {
        self.key(key.step.clone()) == *key
    }

    /// How often in a row the step has failed.
    pub fn failures(&self, step: &Step) -> u32 {
        self.failures.get(step).copied().unwrap_or(0)
    }

    pub(super) fn start(&mut self, key: &Key) {
        self.open.insert(key.step.clone(), key.attempt);
    }

    pub(super) fn end(&mut self, key: &Key, end: &End) {
        self.open.remove(&key.step);
        self.ended.insert(key.step.clone(), key.attempt.number());
        match end {
            End::Done => {
                self.failures.remove(&key.step);
            }
            End::Failed(_) => {
                *self.failures.entry(key.step.clone()).or_default() += 1;
            }
            End::Limited(_) | End::Lost | End::Interrupted => {}
        }
    }

    /// Forgets what is open below a prefix and how often it failed, but not how often it was tried.
    pub(crate) fn settle(&mut self, prefix: &str) {
        self.open.retain(|step, _| !step.as_str().starts_with(prefix));
        self.failures.retain(|step, _| !step.as_str().starts_with(prefix));
    }

    /// Forgets the steps below a prefix once nothing can be owed there any more, so that the book stays small.
    pub(crate) fn forget(&mut self, prefix: &str) {
        self.open.retain(|step, _| !step.as_str().starts_with(prefix));
        self.ended.retain(|step, _| !step.as_str().starts_with(prefix));
        self.failures.retain(|step, _| !step.as_str().starts_with(prefix));
    }
}
