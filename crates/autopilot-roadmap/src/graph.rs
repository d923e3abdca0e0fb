//! What depends on what: order and circles.

use std::{cmp::Reverse, collections::BinaryHeap};

/// The dependencies between phases, by their places in the roadmap.
///
/// Both directions are stored as one array each with offsets, so that ten thousand phases cost four
/// allocations.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    dependencies: Edges,
    dependents: Edges,
    order: Vec<usize>,
}

/// Adjacency lists in one array.
#[derive(Clone, Debug, Default)]
struct Edges {
    /// Where the list of each node starts; one more entry than nodes.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Graph {
    /// Makes a graph of `count` phases from pairs of (phase, phase it depends on), sorted by phase.
    pub(super) fn new(count: usize, pairs: &[(u32, u32)]) -> Self {
        let dependencies = Edges::from_sorted(count, pairs);
        let dependents = dependencies.reversed(count);
        let mut graph = Self { dependencies, dependents, order: Vec::new() };
        graph.order = graph.order_among(|_| true);
        graph
    }

    /// The number of phases.
    pub fn len(&self) -> usize {
        self.dependencies.count()
    }

    /// Whether there is no phase.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The places of the phases, each after all it depends on, else in roadmap order.
    ///
    /// Phases in a circle, and what depends on them, are left out.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether every phase can be ordered.
    pub fn is_acyclic(&self) -> bool {
        self.order.len() == self.len()
    }

    /// The places that a phase depends on directly.
    pub fn dependencies(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.dependencies.of(place)
    }

    /// The places that depend directly on a phase.
    pub fn dependents(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.dependents.of(place)
    }

    /// The places of some of the phases, each after those of them that it depends on, else in roadmap order.
    ///
    /// Those of them that are in a circle among themselves, and what depends on these, are left out.
    pub fn order_among(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let count = self.len();
        let needed = |at: usize| self.dependencies(at).filter(|needed| is_wanted(*needed)).count();
        let mut waiting: Vec<usize> = (0..count).map(needed).collect();
        let free = (0..count).filter(|at| waiting[*at] == 0 && is_wanted(*at));
        let mut free: BinaryHeap<Reverse<usize>> = free.map(Reverse).collect();
        let mut order = Vec::with_capacity(count);
        while let Some(Reverse(place)) = free.pop() {
            order.push(place);
            for dependent in self.dependents(place).filter(|at| is_wanted(*at)) {
                waiting[dependent] -= 1;
                if waiting[dependent] == 0 {
                    free.push(Reverse(dependent));
                }
            }
        }
        order
    }

    /// The circles: groups of phases that all depend on each other, each in roadmap order.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        if self.is_acyclic() {
            return Vec::new();
        }
        let mut groups = Components::new(self).find();
        groups.retain(|group| group.len() > 1);
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort_unstable();
        groups
    }

    /// One way around a circle, from its first phase back to it.
    pub(super) fn way_around(&self, members: &[usize]) -> Vec<usize> {
        let mut way: Vec<usize> = Vec::new();
        let mut seen = vec![false; self.len()];
        let Some(mut at) = members.first().copied() else {
            return way;
        };
        while !seen[at] {
            seen[at] = true;
            way.push(at);
            let next = self.dependencies(at).find(|next| members.binary_search(next).is_ok());
            let Some(next) = next else {
                return way;
            };
            at = next;
        }
        let start = way.iter().position(|place| *place == at).unwrap_or(0);
        way.drain(..start);
        way.push(at);
        way
    }
}

impl Edges {
    fn from_sorted(count: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0_u32; count + 1];
        for (from, _) in pairs {
            starts[*from as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        Self { starts, ends: pairs.iter().map(|(_, to)| *to).collect() }
    }

    fn reversed(&self, count: usize) -> Self {
        let mut starts = vec![0_u32; count + 1];
        for to in &self.ends {
            starts[*to as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut ends = vec![0_u32; self.ends.len()];
        for from in 0..count {
            for to in self.of(from) {
                ends[next[to] as usize] = u32::try_from(from).unwrap_or(u32::MAX);
                next[to] += 1;
            }
        }
        Self { starts, ends }
    }

    fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn of(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        self.ends[range].iter().map(|end| *end as usize)
    }
}

/// Finds groups of nodes that reach each other (Tarjan), without recursion.
struct Components<'g> {
    graph: &'g Graph,
    /// When a node was first seen, from 1; 0 before.
    seen: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    groups: Vec<Vec<usize>>,
    clock: u32,
}

impl<'g> Components<'g> {
    fn new(graph: &'g Graph) -> Self {
        let count = graph.len();
        Self {
            graph,
            seen: vec![0; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            groups: Vec::new(),
            clock: 0,
        }
    }

    fn find(mut self) -> Vec<Vec<usize>> {
        for root in 0..self.graph.len() {
            if self.seen[root] == 0 {
                self.visit(root);
            }
        }
        self.groups
    }

    fn visit(&mut self, root: usize) {
        let starts = &self.graph.dependencies.starts;
        let mut open = vec![(self.enter(root), starts[root] as usize)];
        while let Some((node, edge)) = open.last_mut() {
            let node = *node;
            if *edge < starts[node + 1] as usize {
                let next = self.graph.dependencies.ends[*edge] as usize;
                *edge += 1;
                if self.seen[next] == 0 {
                    open.push((self.enter(next), starts[next] as usize));
                } else if self.on_stack[next] {
                    self.low[node] = self.low[node].min(self.seen[next]);
                }
                continue;
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            if self.low[node] == self.seen[node] {
                self.leave(node);
            }
        }
    }

    fn enter(&mut self, node: usize) -> usize {
        self.clock += 1;
        self.seen[node] = self.clock;
        self.low[node] = self.clock;
        self.on_stack[node] = true;
        self.stack.push(node);
        node
    }

    fn leave(&mut self, root: usize) {
        let from = self.stack.iter().rposition(|node| *node == root).unwrap_or(0);
        let group = self.stack.split_off(from);
        for node in &group {
            self.on_stack[*node] = false;
        }
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests;
