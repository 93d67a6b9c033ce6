use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::pair_key::PairKey;
use crate::math::{clone_fields, extend_to};

/// The end of a list.
const NONE: u32 = u32::MAX;

/// A set of pairs of slots. Each slot has a list of its partners, so that what one collider touches is found without a
/// look at any other pair.
#[derive(Debug)]
pub(super) struct PairSet {
    /// By slot: the first link of its list.
    first: Vec<u32>,
    /// Every pair has two links, one in the list of each slot. Lists are in the order of the partners.
    links: Vec<Link>,
    /// By slot: while a batch of sorted pairs changes, the last link before those that are still to change, so that a
    /// batch walks each list once. Otherwise `NONE`.
    cursors: Vec<u32>,
    /// The first link that is not in use.
    free: u32,
    pairs: usize,
}

clone_fields!(PairSet { first, links, cursors, free, pairs });

#[derive(Debug, Clone, Copy)]
struct Link {
    partner: u32,
    next: u32,
}

impl Default for PairSet {
    fn default() -> Self {
        Self { first: Vec::new(), links: Vec::new(), cursors: Vec::new(), free: NONE, pairs: 0 }
    }
}

impl PairSet {
    /// Returns the number of pairs.
    pub(super) fn len(&self) -> usize {
        self.pairs
    }

    /// Returns a number that no slot of a pair reaches.
    pub(super) fn slots(&self) -> usize {
        self.first.len()
    }

    /// Iterates over the partners of a slot in order.
    pub(super) fn partners(&self, slot: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let mut next = self.first.get(slot as usize).copied().unwrap_or(NONE);
        core::iter::from_fn(move || {
            let link = self.links.get(next as usize)?;
            next = link.next;
            Some(link.partner)
        })
    }

    /// Iterates over the keys of all pairs in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = PairKey> + Clone + '_ {
        let later = |slot| self.partners(slot).filter(move |partner| *partner > slot);
        (0..self.first.len() as u32).flat_map(move |slot| later(slot).map(move |partner| PairKey::new([slot, partner])))
    }

    /// Adds pairs that are not in the set, in the order of their keys.
    pub(super) fn insert(&mut self, keys: impl Iterator<Item = PairKey> + Clone) {
        let slots = keys.clone().map(|key| key.slots()[1] as usize + 1).max().unwrap_or(0);
        extend_to(&mut self.first, slots, NONE);
        extend_to(&mut self.cursors, slots, NONE);
        self.pairs += self.change(keys, Self::insert_partner);
    }

    /// Removes pairs that are in the set, in the order of their keys.
    pub(super) fn remove(&mut self, keys: impl Iterator<Item = PairKey> + Clone) {
        self.pairs -= self.change(keys, Self::remove_partner);
    }

    /// Calls `change` with the two slots of each pair, in either order. Returns the number of pairs.
    fn change(&mut self, keys: impl Iterator<Item = PairKey> + Clone, change: impl Fn(&mut Self, u32, u32)) -> usize {
        let mut count = 0;
        for [a, b] in keys.clone().map(PairKey::slots) {
            change(self, a, b);
            change(self, b, a);
            count += 1;
        }
        for slot in keys.flat_map(PairKey::slots) {
            self.cursors[slot as usize] = NONE;
        }
        count
    }

    fn insert_partner(&mut self, slot: u32, partner: u32) {
        let (before, next) = self.place_of(slot, partner);
        let link = Link { partner, next };
        let place = self.free;
        let place = match self.links.get_mut(place as usize) {
            Some(free) => {
                self.free = core::mem::replace(free, link).next;
                place
            }
            None => {
                self.links.push(link);
                self.links.len() as u32 - 1
            }
        };
        *self.after(slot, before) = place;
        self.cursors[slot as usize] = place;
    }

    fn remove_partner(&mut self, slot: u32, partner: u32) {
        let (before, place) = self.place_of(slot, partner);
        let free = Link { partner: NONE, next: self.free };
        let removed = core::mem::replace(&mut self.links[place as usize], free);
        debug_assert_eq!(removed.partner, partner, "the pair is in the set");
        self.free = place;
        *self.after(slot, before) = removed.next;
        self.cursors[slot as usize] = before;
    }

    /// Returns the last link of a slot to a partner before the given one, and the link after it.
    fn place_of(&self, slot: u32, partner: u32) -> (u32, u32) {
        let mut before = self.cursors[slot as usize];
        let mut place = self.links.get(before as usize).map_or(self.first[slot as usize], |link| link.next);
        while let Some(link) = self.links.get(place as usize).filter(|link| link.partner < partner) {
            (before, place) = (place, link.next);
        }
        (before, place)
    }

    /// Returns the reference to what follows a link of a slot, or to the first link of the slot.
    fn after(&mut self, slot: u32, link: u32) -> &mut u32 {
        match self.links.get_mut(link as usize) {
            Some(link) => &mut link.next,
            None => &mut self.first[slot as usize],
        }
    }

    /// Frees memory that is not in use.
    pub(super) fn shrink_to_fit(&mut self) {
        let mut fitting = Self::default();
        fitting.links.reserve_exact(2 * self.pairs);
        fitting.insert(self.keys());
        fitting.first.shrink_to_fit();
        fitting.cursors.shrink_to_fit();
        *self = fitting;
    }

    /// Returns a message if lists are not in order or disagree.
    pub(super) fn validate(&self) -> Result<(), String> {
        let slots = || 0..self.first.len() as u32;
        if let Some(slot) = slots().find(|slot| !self.partners(*slot).is_sorted_by(|a, b| a < b)) {
            return Err(format!("the partners of slot {slot} are not in order"));
        }
        let earlier = |slot| self.partners(slot).filter(move |partner| *partner <= slot);
        let keys: Vec<PairKey> = self.keys().collect();
        let mut reversed: Vec<PairKey> =
            slots().flat_map(|slot| earlier(slot).map(move |partner| PairKey::new([slot, partner]))).collect();
        reversed.sort_unstable();
        let find_missing =
            |keys: &[PairKey], others: &[PairKey]| others.iter().copied().find(|key| keys.binary_search(key).is_err());
        if let Some(key) = find_missing(&keys, &reversed).or_else(|| find_missing(&reversed, &keys)) {
            return Err(format!("the slots {:?} touch, but not the other way round", key.slots()));
        }
        if keys.len() == self.pairs { Ok(()) } else { Err(format!("{} pairs, but {} keys", self.pairs, keys.len())) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::math::tests::random_numbers;

    #[test]
    fn links_match_a_set_of_keys() {
        let (mut links, mut expected) = (PairSet::default(), BTreeSet::new());
        let mut next = random_numbers();
        for step in 0..2_000 {
            let random = next();
            let (a, b) = (random >> 28, 16 + (random >> 24) % 8);
            let key = PairKey::new([a, b]);
            if expected.insert(key) {
                links.insert([key].into_iter());
            } else {
                expected.remove(&key);
                links.remove([key].into_iter());
            }
            assert_eq!(links.validate(), Ok(()), "step {step}");
            assert!(links.keys().eq(expected.iter().copied()), "step {step}");
            assert_eq!(links.len(), expected.len());
            if step % 500 == 0 {
                links.shrink_to_fit();
            }
        }
    }

    #[test]
    fn batches_of_pairs_match_a_set_of_keys() {
        let (mut links, mut expected) = (PairSet::default(), BTreeSet::new());
        let mut next = random_numbers();
        for step in 0..200 {
            let mut changed = BTreeSet::new();
            for _ in 0..step % 40 {
                let random = next();
                let (a, b) = ((random >> 27) % 20, (random >> 22) % 20);
                changed.extend((a != b).then(|| PairKey::new([a, b])));
            }
            let (old, new): (BTreeSet<PairKey>, BTreeSet<PairKey>) =
                changed.iter().partition(|key| expected.contains(*key));
            links.remove(old.iter().copied());
            links.insert(new.iter().copied());
            expected = expected.symmetric_difference(&changed).copied().collect();
            assert_eq!(links.validate(), Ok(()), "step {step}");
            assert!(links.keys().eq(expected.iter().copied()), "step {step}");
        }
        assert!(expected.len() > 20);
    }

    #[test]
    fn validate_reports_lists_that_disagree() {
        let mut links = PairSet::default();
        links.insert([[0, 1], [0, 2], [1, 2]].map(PairKey::new).into_iter());
        let cases: [(&str, fn(&mut PairSet)); 3] = [
            ("not in order", |links| links.links[0].partner = 3),
            ("not the other way round", |links| links.first[0] = NONE),
            ("2 pairs, but 3 keys", |links| links.pairs = 2),
        ];
        for (expected, damage) in cases {
            let mut damaged = links.clone();
            damage(&mut damaged);
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }
}
