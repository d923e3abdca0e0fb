//! Order, readiness and circles, also against a slow model.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn graph(count: usize, pairs: &[(u32, u32)]) -> Graph {
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    Graph::new(count, &sorted)
}

#[test]
fn ties_keep_the_roadmap_order() {
    assert_eq!(graph(4, &[]).order(), [0, 1, 2, 3]);
    // The first phase waits for the last one; the others do not wait with it.
    assert_eq!(graph(4, &[(0, 3)]).order(), [1, 2, 3, 0]);
    assert_eq!(graph(3, &[(0, 2), (1, 2)]).order(), [2, 0, 1]);
}

#[test]
fn c5_circles_are_found_whole_and_block_only_what_depends_on_them() {
    let graph = graph(6, &[(0, 1), (1, 2), (2, 0), (3, 2), (4, 5), (5, 4)]);
    assert!(!graph.is_acyclic());
    assert_eq!(graph.cycles(), [vec![0, 1, 2], vec![4, 5]]);
    assert_eq!(graph.way_around(&[0, 1, 2]), [0, 1, 2, 0]);
    assert!(graph.order().is_empty());
}

#[test]
fn a_chain_of_many_phases_does_not_recurse() {
    let count = 50_000_u32;
    let mut pairs: Vec<_> = (1..count).map(|place| (place, place - 1)).collect();
    pairs.insert(0, (0, count - 1));
    let graph = Graph::new(count as usize, &pairs);
    assert_eq!(graph.cycles().len(), 1);
}

/// Picks the smallest ready phase again and again.
fn slow_order(count: usize, pairs: &BTreeSet<(u32, u32)>) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    loop {
        let next = (0..count).find(|place| {
            !order.contains(place)
                && pairs
                    .iter()
                    .filter(|(from, _)| *from as usize == *place)
                    .all(|(_, to)| order.contains(&(*to as usize)))
        });
        match next {
            Some(place) => order.push(place),
            None => return order,
        }
    }
}

proptest! {
    #[test]
    fn the_order_equals_the_slow_one(
        count in 1_usize..90,
        pairs in prop::collection::btree_set((0_u32..90, 0_u32..90), 0..120),
    ) {
        let pairs: BTreeSet<(u32, u32)> = pairs
            .into_iter()
            .filter(|(from, to)| (*from as usize) < count && (*to as usize) < count && from != to)
            .collect();
        let sorted: Vec<_> = pairs.iter().copied().collect();
        let graph = Graph::new(count, &sorted);
        prop_assert_eq!(graph.order().to_vec(), slow_order(count, &pairs));
        prop_assert_eq!(graph.is_acyclic(), graph.cycles().is_empty());
    }
}
