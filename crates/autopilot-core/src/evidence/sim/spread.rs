//! Which of many choices come first.

/// Shares a number of plays among breaks and cheats: half for each, and what one side cannot use for the other.
pub fn share(max: usize, breaks: usize, cheats: usize) -> (usize, usize) {
    let hidden = cheats.min(max / 2);
    let open = breaks.min(max - hidden);
    (open, cheats.min(max - open))
}

/// Takes one of each queue after another, until all are empty.
pub(super) fn in_turn<T>(queues: Vec<Vec<T>>) -> Vec<T> {
    let mut queues: Vec<_> = queues.into_iter().map(Vec::into_iter).collect();
    let mut spread = Vec::new();
    loop {
        let before = spread.len();
        spread.extend(queues.iter_mut().filter_map(Iterator::next));
        if spread.len() == before {
            return spread;
        }
    }
}

/// Begins a list somewhere else for every seed; as it is for seed 0.
pub(super) fn rotated<T>(mut list: Vec<T>, seed: u64) -> Vec<T> {
    let length = u64::try_from(list.len()).unwrap_or(u64::MAX).max(1);
    let first = usize::try_from(seed % length).unwrap_or(0);
    list.rotate_left(first);
    list
}
