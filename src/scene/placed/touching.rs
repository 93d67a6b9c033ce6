use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::pair::Side;
use super::{Colliders, CollisionEvent, CollisionPair, NodeCollider, slots_of};
use crate::scene::changes::SinceUpdate;
use crate::scene::slot_set::SlotSet;
use crate::scene::tree::Hierarchy;
use crate::scene::{NodeId, shrink, slot_of};

/// The pairs that touched at the last update; see [`Scene::touching`](crate::Scene::touching).
#[derive(Clone, Copy)]
pub struct TouchingPairs<'a> {
    touching: &'a Touching,
}

impl TouchingPairs<'_> {
    /// Returns the number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.touching.keys.len()
    }

    /// Returns `true` if no pair touched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.touching.keys.is_empty()
    }
}

impl<'a> TouchingPairs<'a> {
    /// Iterates over the pairs, in the order of their events.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CollisionPair> + DoubleEndedIterator + use<'a> {
        let touching = self.touching;
        touching.keys.iter().map(|key| touching.pair(slots_of(*key)))
    }
}

impl fmt::Debug for TouchingPairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The pairs that touched at the last update, in order.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct Touching {
    /// The [key](super::pair::key_of) of each pair.
    keys: Vec<u64>,
    next_keys: Vec<u64>,
    /// By slot: the collider as of the last update; without meaning if it touched nothing then.
    sides: Vec<Side>,
    /// The indices of the pairs that started with the last update.
    started: Vec<usize>,
    /// The owners of each event and its index.
    by_owners: Vec<([NodeId; 2], usize)>,
    /// Those of them that may be the first start or the last stop between two owners.
    boundaries: Vec<([NodeId; 2], usize)>,
    /// The slots of their owners.
    owners: SlotSet,
}

impl Touching {
    pub(in crate::scene) fn pairs(&self) -> TouchingPairs<'_> {
        TouchingPairs { touching: self }
    }

    fn pair(&self, [a, b]: [u32; 2]) -> CollisionPair {
        CollisionPair::new(&self.sides[a as usize], &self.sides[b as usize])
    }

    /// Returns the owners of a pair, the smaller id first.
    fn owners_of(&self, key: u64) -> [NodeId; 2] {
        let mut owners = slots_of(key).map(|slot| self.sides[slot as usize].collider.owner);
        owners.sort_unstable();
        owners
    }

    /// Replaces the pairs by those that touch now, and appends an event for each difference to `events`, which is
    /// empty.
    ///
    /// `found` are the sorted keys of all pairs that touch and of which a collider has `changed`. A pair without
    /// changes stays. A pair of which a collider is gone stops, even if another collider touches from the same slot.
    pub(in crate::scene) fn update(
        &mut self,
        mut found: &[u64],
        changed: &SinceUpdate,
        colliders: &Colliders,
        hierarchy: &Hierarchy,
        events: &mut Vec<CollisionEvent>,
    ) {
        self.started.clear();
        self.next_keys.clear();
        // The old pairs from `begin` to `index` stay and are not copied yet.
        let (mut begin, mut index) = (0, 0);
        loop {
            if !changed.gone {
                let same = self.keys[index..].iter().zip(found).take_while(|(old, new)| old == new).count();
                (index, found) = (index + same, &found[same..]);
            }
            let key = self.keys.get(index).copied();
            match found.split_first() {
                Some((new, rest)) if key.is_none_or(|key| *new < key) => {
                    self.next_keys.extend_from_slice(&self.keys[begin..index]);
                    begin = index;
                    self.started.push(self.next_keys.len());
                    self.next_keys.push(*new);
                    found = rest;
                    continue;
                }
                _ => {}
            }
            let Some(key) = key else { break };
            let slots = slots_of(key);
            let is_gone = |slot: u32| !colliders.is_live(slot, self.sides[slot as usize].collider.collider);
            let gone = changed.gone && slots.into_iter().any(is_gone);
            let still_touches = !gone && found.first() == Some(&key);
            found = &found[usize::from(still_touches)..];
            if !still_touches && (gone || slots.into_iter().any(|slot| changed.placed.contains(slot))) {
                self.next_keys.extend_from_slice(&self.keys[begin..index]);
                begin = index + 1;
                events.push(CollisionEvent::Stopped(self.pair(slots)));
            }
            index += 1;
        }
        // The stops have their sides, so these may be replaced now.
        if changed.edited {
            let placed = changed.placed.slots().iter().copied();
            placed.filter(|slot| colliders.has(*slot)).for_each(|slot| self.set_side(slot, colliders, hierarchy));
        }
        if !self.started.is_empty() || !events.is_empty() {
            self.next_keys.extend_from_slice(&self.keys[begin..index]);
            core::mem::swap(&mut self.keys, &mut self.next_keys);
            let started = core::mem::take(&mut self.started);
            for index in &started {
                let slots = slots_of(self.keys[*index]);
                slots.into_iter().for_each(|slot| self.set_side(slot, colliders, hierarchy));
                events.push(CollisionEvent::Started(self.pair(slots)));
            }
            self.started = started;
        }
    }

    fn set_side(&mut self, slot: u32, colliders: &Colliders, hierarchy: &Hierarchy) {
        if self.sides.len() <= slot as usize {
            self.sides.resize(slot as usize + 1, Side::default());
        }
        self.sides[slot as usize] = colliders.side(hierarchy, slot);
    }

    /// Sets `owner_boundary` in the events of the last update with which two owners started or stopped touching.
    /// `rearranged` is `true` if since the update before colliders changed their owners or were removed. `is_alone`
    /// returns `true` for a collider that is the only one of its owner.
    pub(in crate::scene) fn mark_owner_boundaries(
        &mut self,
        rearranged: bool,
        is_alone: impl Fn(&NodeCollider) -> bool,
        events: &mut [CollisionEvent],
    ) {
        let Self { by_owners, boundaries, owners, .. } = self;
        let stops = events.len() - self.started.len();
        by_owners.clear();
        for (index, event) in events.iter_mut().enumerate() {
            let pair = event.pair_mut();
            // Two owners with one collider each have only this pair between them.
            pair.owner_boundary = !rearranged && is_alone(&pair.a) && is_alone(&pair.b);
            if !pair.owner_boundary {
                by_owners.push((pair.owners(), index));
            }
        }
        by_owners.sort_unstable();
        boundaries.clear();
        for group in by_owners.chunk_by(|a, b| a.0 == b.0) {
            let ((both, first), (_, last)) = (group[0], group[group.len() - 1]);
            // Owners that both lost and gained a pair touch before and after.
            if (first < stops) == (last < stops) {
                let boundary = if first < stops { last } else { first };
                events[boundary].pair_mut().owner_boundary = true;
                boundaries.push((both, boundary));
                both.into_iter().for_each(|owner| owners.insert(slot_of(owner)));
            }
        }
        if !boundaries.is_empty() {
            // So do those of which a pair keeps touching. Most pairs need no search: the owners have no event.
            let mut started = self.started.iter().peekable();
            for (index, key) in self.keys.iter().enumerate() {
                let has_event = |slot: u32| self.owners.contains(slot_of(self.sides[slot as usize].collider.owner));
                if started.next_if_eq(&&index).is_none()
                    && slots_of(*key).into_iter().all(has_event)
                    && let Ok(found) = self.boundaries.binary_search_by_key(&self.owners_of(*key), |(both, _)| *both)
                {
                    events[self.boundaries[found].1].pair_mut().owner_boundary = false;
                }
            }
            self.owners.clear();
        }
    }

    /// Frees memory that is not in use.
    pub(in crate::scene) fn shrink_to_fit(&mut self) {
        let (keys, mut sides) = (core::mem::take(&mut self.keys), core::mem::take(&mut self.sides));
        let slots = keys.iter().flat_map(|key| slots_of(*key)).map(|slot| slot as usize + 1).max().unwrap_or(0);
        shrink(&mut sides, slots);
        *self = Self { keys, sides, ..Self::default() };
        self.keys.shrink_to_fit();
    }

    /// Returns a message if keys are not in order or have sides of other slots.
    pub(in crate::scene) fn validate(&self) -> Result<(), String> {
        if !self.keys.is_sorted_by(|a, b| a < b) {
            return Err(format!("{} keys are not in order", self.keys.len()));
        }
        let slot_in = |slot: u32| self.sides.get(slot as usize).map(|side| slot_of(side.collider.collider));
        let found = self.keys.iter().flat_map(|key| slots_of(*key)).find(|slot| slot_in(*slot) != Some(*slot));
        found.map_or(Ok(()), |slot| Err(format!("slot {slot} touches, but has the side of {:?}", slot_in(slot))))
    }
}
