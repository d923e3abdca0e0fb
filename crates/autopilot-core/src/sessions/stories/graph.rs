//! Which issues wait for which.

use std::collections::{BTreeMap, BTreeSet};

/// The label of an issue that may be begun.
const READY: &str = "status:ready";

/// An issue, as far as its order matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// Its number.
    pub iid: u64,
    /// Issues that wait for it.
    pub blocks: Vec<u64>,
    /// Issues that it waits for.
    pub blocked_by: Vec<u64>,
    /// Its labels.
    pub labels: Vec<String>,
}

/// Issues and what they wait for. It is enough that one of two issues says so.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    order: Vec<u64>,
    /// For each issue, those that wait for it.
    next: BTreeMap<u64, BTreeSet<u64>>,
    /// For each issue, everything that it says or others say it waits for, known or not.
    blockers: BTreeMap<u64, BTreeSet<u64>>,
    ready: BTreeSet<u64>,
}

/// An order in which issues can be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Those that can.
    pub order: Vec<u64>,
    /// Those that wait for each other.
    pub cycles: Vec<Vec<u64>>,
}

impl Graph {
    /// Takes issues. An issue that waits for itself, or for one that is not among them, makes no edge.
    pub fn new(issues: &[Issue]) -> Self {
        let mut graph =
            Self { order: issues.iter().map(|issue| issue.iid).collect(), ..Self::default() };
        for issue in issues {
            graph.next.entry(issue.iid).or_default();
            graph.blockers.entry(issue.iid).or_default().extend(&issue.blocked_by);
            if issue.labels.iter().any(|label| label == READY) {
                graph.ready.insert(issue.iid);
            }
        }
        for issue in issues {
            let before = issue.blocked_by.iter().map(|blocker| (*blocker, issue.iid));
            let after = issue.blocks.iter().map(|waiting| (issue.iid, *waiting));
            for (first, then) in before.chain(after) {
                graph.connect(first, then);
            }
        }
        graph
    }

    fn connect(&mut self, first: u64, then: u64) {
        let is_known = self.next.contains_key(&first) && self.next.contains_key(&then);
        if first != then && is_known {
            self.next.entry(first).or_default().insert(then);
            self.blockers.entry(then).or_default().insert(first);
        }
    }

    /// Each issue with those that wait for it, in the order in which the issues came.
    pub fn edges(&self) -> impl Iterator<Item = (u64, &BTreeSet<u64>)> {
        self.order.iter().filter_map(|iid| Some((*iid, self.next.get(iid)?)))
    }

    /// An order in which issues can be done; of those that could come next, the one with the smallest number does.
    pub fn sorted(&self) -> Order {
        let mut waits: BTreeMap<u64, usize> = self.next.keys().map(|iid| (*iid, 0)).collect();
        for then in self.next.values().flatten() {
            *waits.entry(*then).or_default() += 1;
        }
        let mut free: BTreeSet<u64> =
            waits.iter().filter_map(|(iid, count)| (*count == 0).then_some(*iid)).collect();
        let mut order = Vec::new();
        while let Some(iid) = free.pop_first() {
            order.push(iid);
            for then in self.next.get(&iid).into_iter().flatten() {
                let count = waits.entry(*then).or_default();
                *count -= 1;
                if *count == 0 {
                    free.insert(*then);
                }
            }
        }
        Order { order, cycles: self.cycles() }
    }

    /// Issues that wait for each other, smallest numbers first.
    pub fn cycles(&self) -> Vec<Vec<u64>> {
        let reach: BTreeMap<u64, BTreeSet<u64>> =
            self.next.keys().map(|iid| (*iid, self.reached_from(*iid))).collect();
        let reaches =
            |from: u64, to: u64| reach.get(&from).is_some_and(|found| found.contains(&to));
        let mut cycles: Vec<Vec<u64>> = Vec::new();
        for iid in self.next.keys().copied().filter(|iid| reaches(*iid, *iid)) {
            let own = cycles.iter_mut().find(|cycle| {
                cycle.first().is_some_and(|first| reaches(*first, iid) && reaches(iid, *first))
            });
            match own {
                Some(cycle) => cycle.push(iid),
                None => cycles.push(vec![iid]),
            }
        }
        cycles
    }

    fn reached_from(&self, iid: u64) -> BTreeSet<u64> {
        let mut found = BTreeSet::new();
        let mut open = vec![iid];
        while let Some(iid) = open.pop() {
            let next = self.next.get(&iid).into_iter().flatten();
            open.extend(next.filter(|then| found.insert(**then)));
        }
        found
    }

    /// Issues that can be begun now. One that says it waits for something that is not known here keeps waiting.
    pub fn next_ready(&self, in_flight: &BTreeSet<u64>, completed: &BTreeSet<u64>) -> Vec<u64> {
        let is_free = |iid: &u64| {
            !in_flight.contains(iid)
                && !completed.contains(iid)
                && self.blockers.get(iid).is_none_or(|blockers| blockers.is_subset(completed))
        };
        self.ready.iter().copied().filter(is_free).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue(iid: u64, blocked_by: &[u64]) -> Issue {
        let labels = vec![READY.to_owned()];
        Issue { iid, blocks: Vec::new(), blocked_by: blocked_by.to_vec(), labels }
    }

    #[test]
    fn an_issue_begins_when_all_it_waits_for_is_done() {
        let graph = Graph::new(&[issue(1, &[2]), issue(2, &[]), issue(3, &[9])]);
        let none = BTreeSet::new();
        assert_eq!(graph.next_ready(&none, &none), [2]);
        assert_eq!(graph.next_ready(&none, &BTreeSet::from([2])), [1]);
        assert_eq!(graph.next_ready(&BTreeSet::from([2]), &none), [0; 0]);
        assert_eq!(graph.sorted().order, [2, 1, 3]);
    }

    #[test]
    fn issues_that_wait_for_each_other_are_left_out_of_the_order() {
        let graph = Graph::new(&[issue(1, &[3]), issue(3, &[1]), issue(2, &[]), issue(4, &[3])]);
        assert_eq!(graph.sorted(), Order { order: vec![2], cycles: vec![vec![1, 3]] });
    }

    #[test]
    fn an_issue_that_waits_for_itself_makes_no_edge() {
        let graph = Graph::new(&[issue(1, &[1])]);
        assert_eq!(graph.sorted().order, [1]);
        assert_eq!(graph.next_ready(&BTreeSet::new(), &BTreeSet::new()), [0; 0]);
    }
}
