//! What depends on what: order, circles, dependents, and what may start now.

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

/// What may start now, kept up to date while phases end.
///
/// Ending a phase costs its number of direct dependents; asking for the first ready phase costs
/// next to nothing.
#[derive(Clone, Debug)]
pub struct ReadySet {
    /// How many dependencies of each phase are not done.
    waiting: Vec<u32>,
    state: Vec<State>,
    ready: PlaceSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Ready,
    Taken,
    Done,
}

impl Graph {
    /// Makes a graph of `count` phases from pairs of (phase, phase it depends on), sorted by phase.
    pub(super) fn new(count: usize, pairs: &[(u32, u32)]) -> Self {
        let dependencies = Edges::from_sorted(count, pairs);
        let dependents = dependencies.reversed(count);
        let mut graph = Self { dependencies, dependents, order: Vec::new() };
        let mut ready = graph.ready_set(|_| false);
        let mut order = Vec::with_capacity(count);
        while let Some(place) = ready.take_first() {
            order.push(place);
            ready.done(&graph, place);
        }
        graph.order = order;
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

    /// Every place that depends on a phase, directly or through others, in roadmap order.
    pub fn all_dependents(&self, place: usize) -> Vec<usize> {
        let mut reached = vec![false; self.len()];
        let mut open = vec![place];
        while let Some(next) = open.pop() {
            for dependent in self.dependents(next) {
                if !reached[dependent] {
                    reached[dependent] = true;
                    open.push(dependent);
                }
            }
        }
        let all = reached.iter().enumerate();
        all.filter(|(at, reached)| **reached && *at != place).map(|(at, _)| at).collect()
    }

    /// Starts keeping track of what may start, given what is done already.
    pub fn ready_set(&self, is_done: impl Fn(usize) -> bool) -> ReadySet {
        let count = self.len();
        let mut set = ReadySet {
            waiting: vec![0; count],
            state: vec![State::Waiting; count],
            ready: PlaceSet::new(count),
        };
        for place in 0..count {
            if is_done(place) {
                set.state[place] = State::Done;
            }
        }
        for place in 0..count {
            let open = self
                .dependencies(place)
                .filter(|dependency| set.state[*dependency] != State::Done)
                .count();
            set.waiting[place] = u32::try_from(open).unwrap_or(u32::MAX);
            if open == 0 && set.state[place] == State::Waiting {
                set.state[place] = State::Ready;
                set.ready.insert(place);
            }
        }
        set
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

impl ReadySet {
    /// The first phase, in roadmap order, that may start.
    pub fn first(&self) -> Option<usize> {
        self.ready.first()
    }

    /// Every phase that may start, in roadmap order.
    pub fn all(&self) -> Vec<usize> {
        let states = self.state.iter().enumerate();
        states.filter(|(_, state)| **state == State::Ready).map(|(place, _)| place).collect()
    }

    /// Takes the first phase that may start.
    pub fn take_first(&mut self) -> Option<usize> {
        let place = self.first()?;
        self.take(place);
        Some(place)
    }

    /// Takes a phase, so that it is no longer offered.
    pub fn take(&mut self, place: usize) {
        if self.state[place] == State::Ready {
            self.ready.remove(place);
            self.state[place] = State::Taken;
        }
    }

    /// Records that a phase is done; says how many phases became ready by it.
    pub fn done(&mut self, graph: &Graph, place: usize) -> usize {
        if self.state[place] == State::Done {
            return 0;
        }
        self.take(place);
        self.state[place] = State::Done;
        let mut freed = 0;
        for dependent in graph.dependents(place) {
            self.waiting[dependent] = self.waiting[dependent].saturating_sub(1);
            if self.waiting[dependent] == 0 && self.state[dependent] == State::Waiting {
                self.state[dependent] = State::Ready;
                self.ready.insert(dependent);
                freed += 1;
            }
        }
        freed
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

/// A set of places that finds its smallest member in a few steps: a tree of words, 64 children
/// each.
#[derive(Clone, Debug)]
struct PlaceSet {
    /// The lowest level comes first; each bit of a higher level says whether the word below it has
    /// any.
    levels: Vec<Vec<u64>>,
}

impl PlaceSet {
    fn new(count: usize) -> Self {
        let mut levels = Vec::new();
        let mut words = count;
        loop {
            words = words.div_ceil(64).max(1);
            levels.push(vec![0; words]);
            if words == 1 {
                return Self { levels };
            }
        }
    }

    fn insert(&mut self, mut place: usize) {
        for level in &mut self.levels {
            level[place / 64] |= 1 << (place % 64);
            place /= 64;
        }
    }

    fn remove(&mut self, mut place: usize) {
        for level in &mut self.levels {
            level[place / 64] &= !(1 << (place % 64));
            if level[place / 64] != 0 {
                return;
            }
            place /= 64;
        }
    }

    fn first(&self) -> Option<usize> {
        let mut place = 0;
        for level in self.levels.iter().rev() {
            let word = level[place];
            if word == 0 {
                return None;
            }
            place = place * 64 + word.trailing_zeros() as usize;
        }
        Some(place)
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
