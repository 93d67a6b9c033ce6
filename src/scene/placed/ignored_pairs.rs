use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::pair::key_of;
use super::slots_of;
use crate::math::clone_fields;
use crate::scene::tree::Hierarchy;
use crate::scene::{NodeId, slot_of};

/// The pairs of nodes whose colliders never touch; see [`Scene::ignore_pair`](crate::Scene::ignore_pair).
#[derive(Debug, Default)]
pub(in crate::scene) struct IgnoredPairs {
    /// The [key](key_of) of the slots of each two nodes, sorted. Both nodes are in the scene.
    keys: Vec<u64>,
    /// The same keys with their halves exchanged, sorted. They find the pairs of a node in which its slot is the larger.
    flipped: Vec<u64>,
}

clone_fields!(IgnoredPairs { keys, flipped });

impl IgnoredPairs {
    #[inline]
    pub(in crate::scene) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(in crate::scene) fn contains(&self, slots: [u32; 2]) -> bool {
        self.keys.binary_search(&key_of(slots)).is_ok()
    }

    /// Returns `true` if one of two nodes and one of two others are a pair.
    pub(super) fn contains_any(&self, nodes: [u32; 2], others: [u32; 2]) -> bool {
        nodes.into_iter().any(|node| others.into_iter().any(|other| self.contains([node, other])))
    }

    /// Adds a pair, and returns `false` if it was there already.
    pub(in crate::scene) fn insert(&mut self, slots: [u32; 2]) -> bool {
        let key = key_of(slots);
        insert(&mut self.keys, key) && insert(&mut self.flipped, flipped(key))
    }

    /// Removes a pair, and returns `false` if it was not there.
    pub(in crate::scene) fn remove(&mut self, slots: [u32; 2]) -> bool {
        let key = key_of(slots);
        remove(&mut self.keys, key) && remove(&mut self.flipped, flipped(key))
    }

    /// Removes the pairs of the node in a slot.
    pub(in crate::scene) fn remove_node(&mut self, slot: u32) {
        remove_all(&mut self.keys, slot, &mut self.flipped);
        remove_all(&mut self.flipped, slot, &mut self.keys);
    }

    pub(in crate::scene) fn clear(&mut self) {
        self.keys.clear();
        self.flipped.clear();
    }

    /// Iterates over the pairs in the order of their ids, the smaller id of each pair first.
    pub(in crate::scene) fn iter(&self, hierarchy: &Hierarchy) -> impl ExactSizeIterator<Item = [NodeId; 2]> {
        self.keys.iter().map(|key| slots_of(*key).map(|slot| hierarchy.id(slot)))
    }

    /// Iterates over the pairs in which the id of a node is the smaller.
    pub(in crate::scene) fn iter_of(&self, node: NodeId, hierarchy: &Hierarchy) -> impl Iterator<Item = [NodeId; 2]> {
        let keys = &self.keys[places_of(&self.keys, slot_of(node))];
        keys.iter().map(move |key| [node, hierarchy.id(slots_of(*key)[1])])
    }

    pub(in crate::scene) fn shrink_to_fit(&mut self) {
        self.keys.shrink_to_fit();
        self.flipped.shrink_to_fit();
    }

    /// Returns a message if keys are not in order or disagree, or if a node is not in the scene.
    pub(super) fn validate(&self, hierarchy: &Hierarchy) -> Result<(), String> {
        let Self { keys, flipped: others } = self;
        if !keys.is_sorted_by(|a, b| a < b) || !others.is_sorted_by(|a, b| a < b) {
            return Err(format!("{} ignored pairs are not in order", keys.len()));
        }
        if keys.len() != others.len() || !keys.iter().all(|key| others.binary_search(&flipped(*key)).is_ok()) {
            return Err(format!("{} ignored pairs are listed, and {} flipped", keys.len(), others.len()));
        }
        let mut nodes = self.iter(hierarchy).flatten();
        nodes.find(|node| !hierarchy.contains(*node)).map_or(Ok(()), |node| Err(format!("{node:?} is in a pair")))
    }
}

/// Exchanges the slots of a key.
fn flipped(key: u64) -> u64 {
    key.rotate_left(32)
}

/// Adds a key to a sorted list, and returns `false` if it was there already.
fn insert(keys: &mut Vec<u64>, key: u64) -> bool {
    let place = keys.binary_search(&key);
    if let Err(index) = place {
        keys.insert(index, key);
    }
    place.is_err()
}

/// Removes a key from a sorted list, and returns `false` if it was not there.
fn remove(keys: &mut Vec<u64>, key: u64) -> bool {
    let place = keys.binary_search(&key);
    if let Ok(index) = place {
        keys.remove(index);
    }
    place.is_ok()
}

/// Removes the keys whose first half is a slot, and the flipped ones from the other list.
fn remove_all(keys: &mut Vec<u64>, slot: u32, others: &mut Vec<u64>) {
    for key in keys.drain(places_of(keys, slot)) {
        remove(others, flipped(key));
    }
}

/// Returns the places of the keys whose first half is a slot.
fn places_of(keys: &[u64], slot: u32) -> Range<usize> {
    let start = keys.partition_point(|key| slots_of(*key)[0] < slot);
    start..start + keys[start..].partition_point(|key| slots_of(*key)[0] == slot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;

    #[test]
    fn validation_reports_pairs_out_of_order_or_listed_once_and_removed_nodes() {
        let mut hierarchy = Hierarchy::new();
        let nodes: Vec<NodeId> =
            (0..3).map(|_| hierarchy.insert(hierarchy.root(), Node::new("node")).unwrap()).collect();
        let [a, b, c] = [0, 1, 2].map(|index: usize| slot_of(nodes[index]));
        let mut pairs = IgnoredPairs::default();
        assert!(pairs.insert([c, b]) && pairs.insert([b, a]) && !pairs.insert([b, c]));
        assert!(pairs.iter(&hierarchy).eq([[nodes[0], nodes[1]], [nodes[1], nodes[2]]]));
        assert_eq!(pairs.validate(&hierarchy), Ok(()));
        pairs.keys.reverse();
        assert!(pairs.validate(&hierarchy).unwrap_err().contains("not in order"));
        pairs.keys.reverse();
        let flipped = pairs.flipped.pop().unwrap();
        assert!(pairs.validate(&hierarchy).unwrap_err().contains("2 ignored pairs are listed, and 1 flipped"));
        pairs.flipped.push(flipped);

        hierarchy.remove(nodes[2], |_, _, _| {});
        assert!(pairs.validate(&hierarchy).unwrap_err().contains("is in a pair"));
        pairs.remove_node(c);
        assert_eq!(pairs.validate(&hierarchy), Ok(()));
        assert!(pairs.remove([a, b]) && !pairs.remove([a, b]) && pairs.is_empty());
    }
}
