use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::pair::key_of;
use super::slots_of;
use crate::math::clone_fields;

/// The end of a list.
const NONE: u32 = u32::MAX;

/// A set of pairs of slots. Each slot has a list of its partners, so that what one collider touches is found without a
/// look at any other pair.
#[derive(Debug)]
pub(super) struct Links {
    /// By slot: the first link of its list.
    first: Vec<u32>,
    /// Every pair has two links, one in the list of each slot. Lists are in the order of the partners.
    links: Vec<Link>,
    /// The first link that is not in use.
    free: u32,
    pairs: usize,
}

clone_fields!(Links { first, links, free, pairs });

#[derive(Debug, Clone, Copy)]
struct Link {
    partner: u32,
    next: u32,
}

impl Default for Links {
    fn default() -> Self {
        Self { first: Vec::new(), links: Vec::new(), free: NONE, pairs: 0 }
    }
}

impl Links {
    /// Returns the number of pairs.
    pub(super) fn len(&self) -> usize {
        self.pairs
    }

    /// Returns a number that no slot of a pair reaches.
    pub(super) fn slots(&self) -> usize {
        self.first.len()
    }

    /// Iterates over the partners of a slot in order.
    pub(super) fn partners(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.first.get(slot as usize).copied().unwrap_or(NONE);
        core::iter::from_fn(move || {
            let link = self.links.get(next as usize)?;
            next = link.next;
            Some(link.partner)
        })
    }

    /// Iterates over the keys of all pairs in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        let later = |slot| self.partners(slot).filter(move |partner| *partner > slot);
        (0..self.first.len() as u32).flat_map(move |slot| later(slot).map(move |partner| key_of([slot, partner])))
    }

    /// Adds a pair that is not in the set.
    pub(super) fn insert(&mut self, key: u64) {
        let [a, b] = slots_of(key);
        if self.first.len() <= b as usize {
            self.first.resize(b as usize + 1, NONE);
        }
        self.insert_partner(a, b);
        self.insert_partner(b, a);
        self.pairs += 1;
    }

    /// Removes a pair that is in the set.
    pub(super) fn remove(&mut self, key: u64) {
        let [a, b] = slots_of(key);
        self.remove_partner(a, b);
        self.remove_partner(b, a);
        self.pairs -= 1;
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
    }

    fn remove_partner(&mut self, slot: u32, partner: u32) {
        let (before, place) = self.place_of(slot, partner);
        let free = Link { partner: NONE, next: self.free };
        let removed = core::mem::replace(&mut self.links[place as usize], free);
        debug_assert_eq!(removed.partner, partner, "the pair is in the set");
        self.free = place;
        *self.after(slot, before) = removed.next;
    }

    /// Returns the last link of a slot to a partner before the given one, and the link after it.
    fn place_of(&self, slot: u32, partner: u32) -> (u32, u32) {
        let (mut before, mut place) = (NONE, self.first[slot as usize]);
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
        fitting.first.reserve_exact(self.keys().map(|key| slots_of(key)[1] as usize + 1).max().unwrap_or(0));
        fitting.links.reserve_exact(2 * self.pairs);
        self.keys().for_each(|key| fitting.insert(key));
        *self = fitting;
    }

    /// Returns a message if lists are not in order or disagree.
    pub(super) fn validate(&self) -> Result<(), String> {
        let mut links = 0;
        for slot in 0..self.first.len() as u32 {
            if !self.partners(slot).is_sorted_by(|a, b| a < b) {
                return Err(format!("the partners of slot {slot} are not in order"));
            }
            if let Some(partner) = self.partners(slot).find(|partner| !self.partners(*partner).any(|own| own == slot)) {
                return Err(format!("slot {slot} touches {partner}, but not the other way round"));
            }
            links += self.partners(slot).count();
        }
        if links == 2 * self.pairs { Ok(()) } else { Err(format!("{} pairs, but {links} links", self.pairs)) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn links_match_a_set_of_keys() {
        let (mut links, mut expected) = (Links::default(), BTreeSet::new());
        let mut random = 1_u32;
        for step in 0..2_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (a, b) = (random >> 28, 16 + (random >> 24) % 8);
            let key = key_of([a, b]);
            if expected.insert(key) {
                links.insert(key);
            } else {
                expected.remove(&key);
                links.remove(key);
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
    fn validate_reports_lists_that_disagree() {
        let mut links = Links::default();
        for key in [[0, 1], [0, 2], [1, 2]].map(key_of) {
            links.insert(key);
        }
        let cases: [(&str, fn(&mut Links)); 3] = [
            ("not in order", |links| links.links[0].partner = 3),
            ("not the other way round", |links| links.first[0] = NONE),
            ("2 pairs, but 6 links", |links| links.pairs = 2),
        ];
        for (expected, damage) in cases {
            let mut damaged = links.clone();
            damage(&mut damaged);
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }
}
