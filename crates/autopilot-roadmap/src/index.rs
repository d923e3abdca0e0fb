//! Finds the number of a phase by its id.

use super::phase_id::PhaseId;

/// Numbers ids in the order in which they were first seen.
///
/// The standard hash map is barred from this crate because its order is random; a tree costs
/// several times as much on ten thousand phases. Open addressing with a fixed hash is repeatable
/// and quick.
#[derive(Clone, Debug, Default)]
pub(super) struct IdIndex {
    ids: Vec<PhaseId>,
    /// Number of an id plus one, 0 where free; the length is zero or a power of two.
    slots: Vec<u32>,
}

impl IdIndex {
    /// Makes room for that many ids.
    pub(super) fn sized_for(count: usize) -> Self {
        Self {
            ids: Vec::with_capacity(count),
            slots: vec![0; ((count + 1) * 2).next_power_of_two()],
        }
    }

    /// The ids in the order of their numbers.
    pub(super) fn ids(&self) -> &[PhaseId] {
        &self.ids
    }

    /// Gives the number of an id that is known.
    pub(super) fn get(&self, id: PhaseId) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot_of(id)] {
            0 => None,
            number => Some(number as usize - 1),
        }
    }

    /// Gives the number of an id, a new one if it was not known, and whether it is new.
    pub(super) fn add(&mut self, id: PhaseId) -> (usize, bool) {
        if self.slots.len() < (self.ids.len() + 1) * 2 {
            self.grow();
        }
        let slot = self.slot_of(id);
        if self.slots[slot] != 0 {
            return (self.slots[slot] as usize - 1, false);
        }
        let number = self.ids.len();
        self.ids.push(id);
        self.slots[slot] = as_slot(number);
        (number, true)
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 4).max(64);
        self.slots = vec![0; size];
        for number in 0..self.ids.len() {
            let slot = self.slot_of(self.ids[number]);
            self.slots[slot] = as_slot(number);
        }
    }

    /// The slot that holds the id, or the free one where it belongs.
    #[inline]
    fn slot_of(&self, id: PhaseId) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(id) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                number if self.ids[number as usize - 1] == id => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

fn as_slot(number: usize) -> u32 {
    u32::try_from(number + 1).expect("a text of less than 4 GiB holds fewer phases than that")
}

fn hash(id: PhaseId) -> u64 {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let [first, second, third] = id.words();
    let mixed = first ^ second.rotate_left(21) ^ third.rotate_left(43);
    let folded = u128::from(mixed ^ MIX) * u128::from(MIX);
    (folded as u64) ^ ((folded >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_first_number_while_the_table_grows() {
        let mut index = IdIndex::default();
        let ids: Vec<PhaseId> =
            (0..5_000).map(|n| format!("{}.{}", n / 10, n % 10).parse().unwrap()).collect();
        for (number, id) in ids.iter().enumerate() {
            assert_eq!(index.add(*id), (number, true));
        }
        for (number, id) in ids.iter().enumerate() {
            assert_eq!(index.add(*id), (number, false));
            assert_eq!(index.get(*id), Some(number));
        }
        assert_eq!(index.get("777777".parse().unwrap()), None);
        assert_eq!(IdIndex::default().get(ids[0]), None);
    }
}
