use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::pair_key::PairKey;
use crate::math::{SlotSet, clone_fields};
use crate::scene::tree::Hierarchy;
use crate::scene::{NodeId, slot_of};

/// The pairs of nodes whose colliders never touch; see [`Scene::ignore_pair`](crate::Scene::ignore_pair).
#[derive(Debug, Default)]
pub(in crate::scene) struct IgnoredPairs {
    /// The slots of each two nodes, sorted. Both nodes are in the scene.
    keys: Vec<PairKey>,
    /// The slots of all nodes in pairs, and maybe of others. Without it, the removal of a node that is in no pair would
    /// look at all pairs.
    nodes: SlotSet,
}

clone_fields!(IgnoredPairs { keys, nodes });

impl IgnoredPairs {
    #[inline]
    pub(in crate::scene) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(in crate::scene) fn contains(&self, slots: [u32; 2]) -> bool {
        self.keys.binary_search(&PairKey::new(slots)).is_ok()
    }

    /// Returns `true` if one of two nodes and one of two others are a pair.
    pub(super) fn contains_any(&self, nodes: [u32; 2], others: [u32; 2]) -> bool {
        nodes.into_iter().any(|node| others.into_iter().any(|other| self.contains([node, other])))
    }

    /// Adds a pair, and returns `false` if it was there already.
    pub(in crate::scene) fn insert(&mut self, slots: [u32; 2]) -> bool {
        let key = PairKey::new(slots);
        let place = self.keys.binary_search(&key);
        if let Err(index) = place {
            self.keys.insert(index, key);
            slots.into_iter().for_each(|slot| self.nodes.insert(slot));
        }
        place.is_err()
    }

    /// Removes a pair, and returns `false` if it was not there.
    pub(in crate::scene) fn remove(&mut self, slots: [u32; 2]) -> bool {
        let place = self.keys.binary_search(&PairKey::new(slots));
        if let Ok(index) = place {
            self.keys.remove(index);
        }
        place.is_ok()
    }

    /// Removes the pairs of the node in a slot.
    pub(in crate::scene) fn remove_node(&mut self, slot: u32) {
        if self.nodes.contains(slot) {
            self.keys.retain(|key| !key.slots().contains(&slot));
            self.nodes.retain(|other| other != slot);
        }
    }

    pub(in crate::scene) fn clear(&mut self) {
        self.keys.clear();
        self.nodes.clear();
    }

    /// Iterates over the pairs in the order of their ids, the smaller id of each pair first.
    pub(in crate::scene) fn iter(&self, hierarchy: &Hierarchy) -> impl ExactSizeIterator<Item = [NodeId; 2]> {
        self.keys.iter().map(|key| key.slots().map(|slot| hierarchy.id(slot)))
    }

    /// Iterates over the pairs in which the id of a node is the smaller.
    pub(in crate::scene) fn iter_of(&self, node: NodeId, hierarchy: &Hierarchy) -> impl Iterator<Item = [NodeId; 2]> {
        let first = self.keys.partition_point(|key| key.slots()[0] < slot_of(node));
        let keys = self.keys[first..].iter().take_while(move |key| key.slots()[0] == slot_of(node));
        keys.map(move |key| [node, hierarchy.id(key.slots()[1])])
    }

    pub(in crate::scene) fn shrink_to_fit(&mut self) {
        self.keys.shrink_to_fit();
    }

    /// Returns a message if keys are not in order or disagree, or if a node is not in the scene.
    pub(super) fn validate(&self, hierarchy: &Hierarchy) -> Result<(), String> {
        if !self.keys.is_sorted_by(|a, b| a < b) {
            return Err(format!("{} ignored pairs are not in order", self.keys.len()));
        }
        if let Some(slot) = self.keys.iter().flat_map(|key| key.slots()).find(|slot| !self.nodes.contains(*slot)) {
            return Err(format!("slot {slot} is in an ignored pair, but not in the list of such slots"));
        }
        let mut nodes = self.iter(hierarchy).flatten();
        nodes.find(|node| !hierarchy.contains(*node)).map_or(Ok(()), |node| Err(format!("{node:?} is in a pair")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;

    #[test]
    fn validation_reports_pairs_out_of_order_or_listed_once_and_removed_nodes() {
        let mut hierarchy = Hierarchy::new();
        let nodes: Vec<NodeId> = (0..3).map(|_| hierarchy.insert(hierarchy.root(), Node::new("node"))).collect();
        let [a, b, c] = [0, 1, 2].map(|index: usize| slot_of(nodes[index]));
        let mut pairs = IgnoredPairs::default();
        assert!(pairs.insert([c, b]) && pairs.insert([b, a]) && !pairs.insert([b, c]));
        assert!(pairs.iter(&hierarchy).eq([[nodes[0], nodes[1]], [nodes[1], nodes[2]]]));
        assert_eq!(pairs.validate(&hierarchy), Ok(()));
        pairs.keys.reverse();
        assert!(pairs.validate(&hierarchy).unwrap_err().contains("not in order"));
        pairs.keys.reverse();
        pairs.nodes.retain(|slot| slot != a);
        assert!(pairs.validate(&hierarchy).unwrap_err().contains("is in an ignored pair, but not in the list"));
        pairs.nodes.insert(a);

        hierarchy.remove(nodes[2], |_, _, _| {});
        assert!(pairs.validate(&hierarchy).unwrap_err().contains("is in a pair"));
        pairs.remove_node(c);
        assert_eq!(pairs.validate(&hierarchy), Ok(()));
        assert!(pairs.remove([a, b]) && !pairs.remove([a, b]) && pairs.is_empty());
    }
}
