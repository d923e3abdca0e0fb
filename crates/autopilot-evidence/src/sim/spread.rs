//! Which of many choices come first.

use super::files::File;

/// The start and the factor of a hash (FNV-1a, 64 bits).
const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;
const HASH_FACTOR: u64 = 0x0100_0000_01b3;

/// How many of so many plays are breaks: half, and what there are not enough cheats for. The rest is for cheats.
pub fn share(max: usize, breaks: usize, cheats: usize) -> usize {
    breaks.min(max - cheats.min(max / 2))
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

/// Puts files into an order that has nothing to do with their directories, another one for every seed: the first few are
/// spread over the whole project.
pub(super) fn mixed(mut files: Vec<&File>, seed: u64) -> Vec<&File> {
    files.sort_by_cached_key(|file| {
        let bytes = seed.to_le_bytes().into_iter().chain(file.path.bytes());
        let hash =
            bytes.fold(HASH_START, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(HASH_FACTOR));
        // The last bytes of paths are alike, and reach the upper bits only by this.
        (hash ^ (hash >> 32)).wrapping_mul(HASH_FACTOR)
    });
    files
}
