//! Which phases may begin: kept up to date as phases close, at a cost of the edges touched.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{phases::PhaseSpec, roadmap::PhaseId};

/// What waits for what, by place in the run's list of phases.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// For each phase, how many it still waits for.
    missing: Vec<u32>,
    /// For each phase, those that wait for it.
    waiting: Vec<Vec<u32>>,
    /// Those that wait for nothing and have not begun.
    ready: BTreeSet<u32>,
}

impl Graph {
    /// The graph of a run. Dependencies on phases outside the run are taken as met: they were checked before.
    pub fn new(specs: &[PhaseSpec]) -> Self {
        let places: BTreeMap<&PhaseId, u32> =
            (0..).zip(specs).map(|(at, spec)| (&spec.id, at)).collect();
        let mut graph = Self {
            missing: vec![0; specs.len()],
            waiting: vec![Vec::new(); specs.len()],
            ready: BTreeSet::new(),
        };
        for (at, spec) in (0_u32..).zip(specs) {
            let needed: BTreeSet<u32> =
                spec.depends_on.iter().filter_map(|id| places.get(id).copied()).collect();
            for &before in &needed {
                graph.waiting[before as usize].push(at);
            }
            graph.missing[at as usize] = u32::try_from(needed.len()).unwrap_or(u32::MAX);
            if needed.is_empty() {
                graph.ready.insert(at);
            }
        }
        graph
    }

    /// Makes room for one more phase, which waits for nobody and is not begun from here.
    pub fn push(&mut self) {
        self.missing.push(0);
        self.waiting.push(Vec::new());
    }

    /// The phases that may begin, in the run's order.
    pub fn ready(&self) -> impl Iterator<Item = usize> {
        self.ready.iter().map(|&at| at as usize)
    }

    /// Everything that waits for this phase, directly or not, in the run's order.
    pub fn dependents(&self, at: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut next = vec![at];
        while let Some(at) = next.pop() {
            for &after in &self.waiting[at] {
                if found.insert(after as usize) {
                    next.push(after as usize);
                }
            }
        }
        found
    }

    /// The phase has begun, or never will.
    pub fn take(&mut self, at: usize) {
        if let Ok(at) = u32::try_from(at) {
            self.ready.remove(&at);
        }
    }

    /// The phase is complete: whoever waited only for it may begin.
    pub fn complete(&mut self, at: usize) {
        for after in self.waiting[at].clone() {
            let missing = &mut self.missing[after as usize];
            *missing = missing.saturating_sub(1);
            if *missing == 0 {
                self.ready.insert(after);
            }
        }
    }
}
