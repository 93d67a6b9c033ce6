use alloc::vec::Vec;

use super::clone_fields;

/// A set of small numbers (slots), listed in the order of insertion.
///
/// Insertion and lookup access one byte; clearing costs at most one step per slot.
#[derive(Debug, Default)]
pub(crate) struct SlotSet {
    slots: Vec<u32>,
    /// By slot: `true` if it is in the list.
    contains: Vec<bool>,
}

clone_fields!(SlotSet { slots, contains });

impl SlotSet {
    /// Adds a slot, unless it is in the set.
    #[inline]
    pub(crate) fn insert(&mut self, slot: u32) {
        match self.contains.get_mut(slot as usize) {
            Some(true) => {}
            Some(contains) => {
                *contains = true;
                self.slots.push(slot);
            }
            None => self.insert_beyond(slot),
        }
    }

    #[cold]
    fn insert_beyond(&mut self, slot: u32) {
        // All the memory that the vector gets is put to use, so that few insertions take this path.
        self.contains.reserve(slot as usize + 1 - self.contains.len());
        self.contains.resize(self.contains.capacity(), false);
        self.insert(slot);
    }

    /// Reserves memory for the slots from 0 up to a number.
    pub(crate) fn reserve(&mut self, slots: usize) {
        self.slots.reserve(slots.saturating_sub(self.slots.len()));
        self.contains.reserve(slots.saturating_sub(self.contains.len()));
    }

    #[inline]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.contains.get(slot as usize).is_some_and(|contains| *contains)
    }

    #[inline]
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Lets `sort` put the slots into another order.
    pub(crate) fn sort_with(&mut self, sort: impl FnOnce(&mut Vec<u32>)) {
        sort(&mut self.slots);
    }

    /// Removes the slots for which `keep` returns `false`.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let Self { slots, contains } = self;
        slots.retain(|slot| {
            contains[*slot as usize] = keep(*slot);
            contains[*slot as usize]
        });
    }

    /// Moves the slots in ascending order to a list, which it clears first.
    pub(crate) fn drain_sorted_into(&mut self, sorted: &mut Vec<u32>) {
        sorted.clear();
        if self.is_dense() {
            // Cheaper than a sort.
            sorted.extend((0..).zip(&self.contains).filter(|(_, contains)| **contains).map(|(slot, _)| slot));
        } else {
            sorted.extend_from_slice(&self.slots);
            sorted.sort_unstable();
        }
        self.clear();
    }

    fn is_dense(&self) -> bool {
        self.slots.len() > self.contains.len() / 8
    }

    pub(crate) fn clear(&mut self) {
        // Clearing a cache line costs about as much as clearing one byte.
        if self.is_dense() {
            self.contains.fill(false);
        } else {
            self.slots.iter().for_each(|slot| self.contains[*slot as usize] = false);
        }
        self.slots.clear();
    }

    /// Frees the memory that the slots of the set do not need.
    pub(crate) fn shrink_to_fit(&mut self) {
        let slots = self.slots.iter().map(|slot| *slot as usize + 1).max().unwrap_or(0);
        self.contains.truncate(slots);
        self.contains.shrink_to_fit();
        self.slots.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_each_slot_once_in_order_of_insertion() {
        let mut set = SlotSet::default();
        for slot in [5, 2, 5, 9, 2] {
            set.insert(slot);
        }
        assert_eq!(set.slots(), [5, 2, 9]);
        set.retain(|slot| slot != 2);
        assert!(set.contains(9) && !set.contains(2) && !set.contains(1_000));
        set.insert(2);
        assert_eq!(set.slots(), [5, 9, 2]);
        set.clear();
        assert!(set.is_empty() && !set.contains(5));
    }

    #[test]
    fn a_sparse_and_a_dense_set_are_drained_in_ascending_order() {
        let (mut set, mut sorted) = (SlotSet::default(), Vec::from([7]));
        set.reserve(1_000);
        for slots in [[900, 3, 40].to_vec(), (0..500).rev().collect()] {
            slots.iter().for_each(|slot| set.insert(*slot));
            set.drain_sorted_into(&mut sorted);
            assert!(set.is_empty() && slots.iter().all(|slot| !set.contains(*slot)));
            assert!(sorted.len() == slots.len() && sorted.is_sorted());
        }
    }
}
