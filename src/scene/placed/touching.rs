use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::pair_key::PairKey;
use super::pair_set::PairSet;
use super::{Colliders, CollisionEvent, CollisionPair, NodeCollider};
use crate::math::{Checksum, SlotSet, clone_fields, extend_to, shrink_to};
use crate::scene::tree::Hierarchy;
use crate::scene::{ColliderId, slot_of};

/// The pairs that touched at the last update; see [`Scene::touching`](crate::Scene::touching).
///
/// ```
/// use hitgraph::{Circle, Node, Scene, TouchingPairs};
///
/// let mut scene = Scene::new();
/// scene.add_with(Node::new("hero"), Circle::new(1.0));
/// scene.add_with(Node::new("troll"), Circle::new(1.0));
/// assert!(scene.touching().is_empty(), "no update yet");
/// scene.update();
/// let touching: TouchingPairs<'_> = scene.touching();
/// assert_eq!((touching.len(), touching.iter().count()), (1, 1));
/// ```
#[derive(Clone, Copy)]
pub struct TouchingPairs<'a> {
    touching: &'a Touching,
}

impl<'a> TouchingPairs<'a> {
    /// Returns the number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.touching.pairs.len()
    }

    /// Returns `true` if no pair touched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the pairs, in the order of their events.
    pub fn iter(&self) -> impl Iterator<Item = CollisionPair> + use<'a> {
        self.touching.slots_of_pairs().map(|slots| self.touching.pair(slots))
    }
}

impl fmt::Debug for TouchingPairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The pairs that stopped and that started touching since the last update, in order.
///
/// A pair is in both lists if it touches as before, but one of its colliders is gone and another has its slot.
pub(in crate::scene) struct Differences<'a> {
    pub(super) stopped: &'a [PairKey],
    pub(super) started: &'a [PairKey],
}

/// The pairs that touched at the last update.
#[derive(Debug, Default)]
pub(in crate::scene) struct Touching {
    pairs: PairSet,
    /// By slot: the collider as of the last update; without meaning if it touched nothing then.
    sides: Vec<NodeCollider>,
}

clone_fields!(Touching { pairs, sides });

impl Touching {
    pub(in crate::scene) fn pairs(&self) -> TouchingPairs<'_> {
        TouchingPairs { touching: self }
    }

    /// Iterates over the slots of the pairs in order.
    pub(in crate::scene) fn slots_of_pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.pairs.keys().map(PairKey::slots)
    }

    /// Returns `true` if a collider touched another one.
    pub(in crate::scene) fn contains(&self, collider: ColliderId) -> bool {
        let slot = slot_of(collider);
        // Another collider may have got the slot since.
        self.touches(slot) && self.sides[slot as usize].collider == collider
    }

    fn touches(&self, slot: u32) -> bool {
        self.partners(slot).next().is_some()
    }

    /// Iterates over the slots that a slot touches.
    pub(super) fn partners(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        self.pairs.partners(slot)
    }

    /// Adds the keys of the pairs of a slot to `keys`. `is_added` returns `true` for a slot whose pairs the caller adds too:
    /// the pair of two such slots is added for the smaller one only.
    pub(super) fn add_pairs_of(&self, slot: u32, is_added: impl Fn(u32) -> bool, keys: &mut Vec<PairKey>) {
        let partners = self.partners(slot).filter(|other| (slot < *other) | !is_added(*other));
        keys.extend(partners.map(|other| PairKey::new([slot, other])));
    }

    /// Iterates over the keys of the pairs of a slot.
    pub(super) fn keys_of(&self, slot: u32) -> impl Iterator<Item = PairKey> + '_ {
        self.partners(slot).map(move |other| PairKey::new([slot, other]))
    }

    pub(in crate::scene) fn pair(&self, [a, b]: [u32; 2]) -> CollisionPair {
        CollisionPair::new(self.sides[a as usize], self.sides[b as usize])
    }

    /// Brings the pairs up to date, and appends an event for each difference to `events`, which is empty.
    pub(in crate::scene) fn update(
        &mut self,
        differences: &Differences<'_>,
        edited: &SlotSet,
        colliders: &Colliders,
        hierarchy: &Hierarchy,
        events: &mut Vec<CollisionEvent>,
    ) {
        let stopped = differences.stopped.iter().copied();
        events.extend(stopped.clone().map(|key| CollisionEvent::Stopped(self.pair(key.slots()))));
        self.pairs.remove(stopped);
        // The stops have their sides, so these may be replaced now.
        for slot in edited.iter() {
            if self.touches(slot) {
                self.set_side(slot, colliders, hierarchy);
            }
        }
        for slots in differences.started.iter().copied().map(PairKey::slots) {
            slots.into_iter().for_each(|slot| self.set_side(slot, colliders, hierarchy));
            events.push(CollisionEvent::Started(self.pair(slots)));
        }
        self.pairs.insert(differences.started.iter().copied());
    }

    fn set_side(&mut self, slot: u32, colliders: &Colliders, hierarchy: &Hierarchy) {
        extend_to(&mut self.sides, slot as usize + 1, NodeCollider::default());
        self.sides[slot as usize] = colliders.node_collider(hierarchy, slot);
    }

    /// Returns the colliders that touched, in order, and the pairs as indices of this list.
    #[cfg(feature = "serde")]
    pub(in crate::scene) fn saved(&self) -> (Vec<NodeCollider>, Vec<[u32; 2]>) {
        let slots: Vec<u32> = (0..self.pairs.slots() as u32).filter(|slot| self.touches(*slot)).collect();
        let index_of = |slot: u32| slots.partition_point(|other| *other < slot) as u32;
        let pairs = self.slots_of_pairs().map(|pair| pair.map(index_of)).collect();
        (slots.iter().map(|slot| self.sides[*slot as usize]).collect(), pairs)
    }

    /// Does the inverse of [`saved`](Self::saved). Returns `None` if the lists are not in order.
    #[cfg(feature = "serde")]
    pub(in crate::scene) fn restored(saved: &[NodeCollider], pairs: &[[u32; 2]]) -> Option<Self> {
        let slot = |side: &NodeCollider| slot_of(side.collider);
        let is_valid = |[a, b]: &[u32; 2]| a < b && (*b as usize) < saved.len();
        if !saved.is_sorted_by(|a, b| slot(a) < slot(b))
            || !pairs.is_sorted_by(|a, b| a < b)
            || !pairs.iter().all(is_valid)
        {
            return None;
        }
        let mut sides = Vec::new();
        sides.resize(saved.last().map_or(0, |last| slot(last) as usize + 1), NodeCollider::default());
        saved.iter().for_each(|side| sides[slot(side) as usize] = *side);
        let mut restored = PairSet::default();
        restored.insert(pairs.iter().map(|pair| PairKey::new(pair.map(|index| slot(&saved[index as usize])))));
        Some(Self { pairs: restored, sides })
    }

    pub(in crate::scene) fn add_to(&self, sum: &mut Checksum) {
        sum.add(self.pairs.len() as u64);
        for side in self.slots_of_pairs().flatten().map(|slot| &self.sides[slot as usize]) {
            let NodeCollider { node, owner, collider, sensor } = side;
            sum.add(collider.to_bits());
            sum.add(node.to_bits());
            sum.add(owner.to_bits());
            sum.add(*sensor);
        }
    }

    /// Frees memory that is not in use.
    pub(in crate::scene) fn shrink_to_fit(&mut self) {
        self.pairs.shrink_to_fit();
        shrink_to(&mut self.sides, self.pairs.slots());
    }

    /// Returns a message if pairs disagree or have sides of other slots.
    pub(in crate::scene) fn validate(&self) -> Result<(), String> {
        self.pairs.validate()?;
        let slot_in = |slot: u32| self.sides.get(slot as usize).map(|side| slot_of(side.collider));
        let found = self.slots_of_pairs().flatten().find(|slot| slot_in(*slot) != Some(*slot));
        found.map_or(Ok(()), |slot| Err(format!("slot {slot} touches, but has the side of {:?}", slot_in(slot))))
    }
}
