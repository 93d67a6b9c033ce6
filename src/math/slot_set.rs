use alloc::vec::Vec;

use super::clone_fields;

/// A set of small numbers (slots): one bit for each, and a list of the words that are not empty.
///
/// Insertion and lookup access one word. Clearing and iteration take a step per word that is not empty, so they cost
/// nothing for the slots around those in the set.
#[derive(Debug, Default)]
pub(crate) struct SlotSet {
    words: Vec<u64>,
    /// The words that are not 0, in the order in which they got their first slot.
    filled: Vec<u32>,
    len: usize,
}

clone_fields!(SlotSet { words, filled, len });

/// The number of slots in a word.
const BITS: u32 = u64::BITS;

impl SlotSet {
    /// Adds a slot, unless it is in the set.
    #[inline]
    pub(crate) fn insert(&mut self, slot: u32) {
        let number = slot / BITS;
        match self.words.get_mut(number as usize) {
            Some(word) => {
                if *word == 0 {
                    self.filled.push(number);
                }
                let bit = 1 << (slot % BITS);
                self.len += usize::from(*word & bit == 0);
                *word |= bit;
            }
            None => self.insert_beyond(slot),
        }
    }

    #[cold]
    fn insert_beyond(&mut self, slot: u32) {
        // All the memory that the vector gets is put to use, so that few insertions take this path.
        self.words.reserve((slot / BITS) as usize + 1 - self.words.len());
        self.words.resize(self.words.capacity(), 0);
        self.insert(slot);
    }

    /// Reserves memory for the slots from 0 up to a number.
    pub(crate) fn reserve(&mut self, slots: usize) {
        let words = slots.div_ceil(BITS as usize);
        self.words.reserve(words.saturating_sub(self.words.len()));
        self.filled.reserve(words.saturating_sub(self.filled.len()));
    }

    #[inline]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.words.get((slot / BITS) as usize).is_some_and(|word| word >> (slot % BITS) & 1 == 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of slots in the set.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Iterates over the slots. Those of one word follow each other in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.filled.iter().flat_map(|number| slots_of(*number, self.words[*number as usize]))
    }

    /// Removes the slots for which `keep` returns `false`.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let Self { words, filled, len } = self;
        filled.retain(|number| {
            let word = &mut words[*number as usize];
            for slot in slots_of(*number, *word).filter(|slot| !keep(*slot)) {
                *word &= !(1 << (slot % BITS));
                *len -= 1;
            }
            *word != 0
        });
    }

    /// Replaces the content of a list by the slots in ascending order.
    pub(crate) fn list_sorted(&mut self, list: &mut Vec<u32>) {
        self.filled.sort_unstable();
        list.clear();
        for number in &self.filled {
            let word = self.words[*number as usize];
            // Without this, an update in which all nodes have moved takes 1 % more instructions.
            if word == u64::MAX {
                list.extend(number * BITS..(number + 1) * BITS);
            } else {
                slots_of(*number, word).for_each(|slot| list.push(slot));
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        let Self { words, filled, len } = self;
        filled.drain(..).for_each(|number| words[number as usize] = 0);
        *len = 0;
    }
}

/// Iterates over the slots of a word in ascending order.
#[inline]
fn slots_of(number: u32, word: u64) -> impl Iterator<Item = u32> {
    bits_of(word).map(move |bit| number * BITS + bit)
}

/// Iterates over the numbers of the bits that are 1, the lowest first.
#[inline]
pub(crate) fn bits_of(mut word: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::math::tests::random_numbers;

    #[test]
    fn a_set_matches_one_of_the_standard_library() {
        let (mut set, mut expected, mut sorted) = (SlotSet::default(), BTreeSet::new(), Vec::from([7]));
        set.reserve(100);
        let mut next = random_numbers();
        for step in 0..3_000 {
            let random = next();
            let slot = (random >> 8) % if step % 700 < 350 { 5_000 } else { 130 };
            match random >> 25 {
                0 => {
                    set.retain(|kept| kept % 3 != slot % 3);
                    expected.retain(|kept| kept % 3 != slot % 3);
                }
                1 => {
                    set.list_sorted(&mut sorted);
                    assert!(sorted.iter().eq(&expected), "step {step}");
                    set.clear();
                    expected.clear();
                }
                _ => {
                    set.insert(slot);
                    expected.insert(slot);
                }
            }
            let mut listed: Vec<u32> = set.iter().collect();
            listed.sort_unstable();
            assert!(listed.iter().eq(&expected), "step {step}");
            assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
            assert!((0..200).all(|slot| set.contains(slot) == expected.contains(&slot)));
        }
        set.clear();
        assert!(set.is_empty() && set.words.iter().all(|word| *word == 0));
    }
}
