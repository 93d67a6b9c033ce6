//! Walks through the tree, up and down.

use core::cmp::Ordering;

use super::Hierarchy;
use super::hierarchy::Links;
use crate::scene::{NodeId, slot_of};

impl Hierarchy {
    /// Iterates over the node and its ancestors, up to the root.
    pub(in crate::scene) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.contains(node).then_some(node);
        core::iter::successors(first, |node| self.parent(*node))
    }

    /// Returns `true` if a node is another one or a descendant of it.
    pub(in crate::scene) fn is_within(&self, node: NodeId, ancestor: NodeId) -> bool {
        // Most nodes have no children, and need no search.
        let has_children = || self.links(ancestor).is_some_and(Links::has_children);
        node == ancestor || (has_children() && self.ancestors(node).any(|id| id == ancestor))
    }

    /// Returns the owner of the colliders on a node: the nearest node that owns its subtree, from the node up to the
    /// root, or else the node itself.
    pub(in crate::scene) fn owner(&self, node: NodeId) -> Option<NodeId> {
        let owns = |id: &NodeId| self.node(*id).is_some_and(|node| node.owns_subtree);
        self.contains(node).then(|| self.ancestors(node).find(owns).unwrap_or(node))
    }

    /// Compares two nodes of the scene by their place in the [`subtree`](Self::subtree) of the root.
    pub(in crate::scene) fn tree_order(&self, a: NodeId, b: NodeId) -> Ordering {
        let [first, second] = self.below_common_ancestor(a, b);
        if first == second {
            // One of the two is an ancestor of the other, and comes first.
            return self.links_at(slot_of(a)).depth.cmp(&self.links_at(slot_of(b)).depth);
        }
        self.links_at(first).position.cmp(&self.links_at(second).position)
    }

    /// Returns the lowest node of the scene in whose subtree two others are. It may be one of them.
    pub(in crate::scene) fn common_ancestor(&self, a: NodeId, b: NodeId) -> NodeId {
        let [first, second] = self.below_common_ancestor(a, b);
        self.id(if first == second { first } else { self.parent_slot(first) })
    }

    /// Returns the slots of the two children of the lowest common ancestor in whose subtrees two nodes are; twice that
    /// of the common ancestor if it is one of the two.
    fn below_common_ancestor(&self, a: NodeId, b: NodeId) -> [u32; 2] {
        let depth = self.links_at(slot_of(a)).depth.min(self.links_at(slot_of(b)).depth);
        let [mut first, mut second] = [a, b].map(|node| {
            let mut slot = slot_of(node);
            while self.links_at(slot).depth > depth {
                slot = self.parent_slot(slot);
            }
            slot
        });
        while first != second && self.parent_slot(first) != self.parent_slot(second) {
            (first, second) = (self.parent_slot(first), self.parent_slot(second));
        }
        [first, second]
    }

    /// Iterates over the node and its descendants, each before its children, siblings in order.
    pub(in crate::scene) fn subtree(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.contains(node).then_some(node);
        core::iter::successors(first, move |last| self.following(slot_of(*last), slot_of(node)))
    }

    /// Returns the node after that in a slot in the subtree of another.
    pub(super) fn following(&self, mut slot: u32, top: u32) -> Option<NodeId> {
        let mut following = self.children_of(slot).at_or_after(0);
        while following.is_none() && slot != top {
            let &Links { parent, position, .. } = self.links_at(slot);
            following = self.children_of(parent).at_or_after(position + 1);
            slot = parent;
        }
        following
    }

    /// Iterates over the nodes whose colliders an owner owns, and over owners below it with theirs.
    pub(in crate::scene) fn owned(&self, owner: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let owns = self.node(owner).is_some_and(|owner| owner.owns_subtree);
        self.subtree(owner).take(if owns { usize::MAX } else { 1 })
    }
}
