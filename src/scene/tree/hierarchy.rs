use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use slotmap::{Key, SlotMap};
use smallvec::SmallVec;

use super::children::Children;
use crate::math::CountingSort;
use crate::scene::{ColliderId, Node, NodeId, SceneError, shrink, slot_of};

/// The nodes and their relations: parents, children, and the list of colliders of each node. All links are set here.
///
/// Nodes refer to each other by slots in dense arrays.
#[derive(Debug, Clone)]
pub(in crate::scene) struct Hierarchy {
    nodes: SlotMap<NodeId, Node>,
    /// By slot: the id of its node; null if it has none.
    ids: Vec<NodeId>,
    /// By slot: the slot of the node's parent; the root has its own. Without meaning if the slot has no node.
    parents: Vec<u32>,
    /// By slot; without meaning if it has no node.
    links: Vec<Links>,
    /// By slot: the number of steps to the root.
    depths: Vec<u32>,
    /// The number of nodes whose slot is smaller than their parent's. While it is 0, an order by slots is an order by
    /// ancestry, and a refresh need not sort.
    reversed: usize,
    root: NodeId,
    sorter: CountingSort<u32>,
}

/// The links of a node to its children and colliders.
#[derive(Debug, Clone, Default)]
pub(super) struct Links {
    /// The position among the parent's children.
    position: u32,
    pub(super) children: Children,
    pub(super) colliders: SmallVec<[ColliderId; 1]>,
}

impl Hierarchy {
    /// Returns a tree with a root and nothing else.
    pub(in crate::scene) fn new() -> Self {
        let mut hierarchy = Self {
            nodes: SlotMap::with_key(),
            ids: Vec::new(),
            parents: Vec::new(),
            links: Vec::new(),
            depths: Vec::new(),
            reversed: 0,
            root: NodeId::null(),
            sorter: CountingSort::default(),
        };
        hierarchy.root = hierarchy.add(Node::new("root"), 0);
        hierarchy
    }

    pub(in crate::scene) fn root(&self) -> NodeId {
        self.root
    }

    /// Returns the number of nodes.
    pub(in crate::scene) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of slots.
    pub(in crate::scene) fn slots(&self) -> usize {
        self.ids.len()
    }

    pub(in crate::scene) fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains_key(node)
    }

    /// Checks that a node is in the scene.
    pub(in crate::scene) fn require(&self, node: NodeId) -> Result<(), SceneError> {
        if self.contains(node) { Ok(()) } else { Err(SceneError::NodeNotFound(node)) }
    }

    #[inline]
    pub(in crate::scene) fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node)
    }

    #[inline]
    pub(in crate::scene) fn node_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(node)
    }

    /// Returns the id of the node in a slot; null if there is none.
    #[inline]
    pub(in crate::scene) fn id(&self, slot: u32) -> NodeId {
        self.ids[slot as usize]
    }

    /// Returns the links of the node in a slot.
    #[inline]
    pub(super) fn links_at(&self, slot: u32) -> &Links {
        &self.links[slot as usize]
    }

    fn links(&self, node: NodeId) -> Option<&Links> {
        self.contains(node).then(|| self.links_at(slot_of(node)))
    }

    pub(in crate::scene) fn parent(&self, node: NodeId) -> Option<NodeId> {
        (self.contains(node) && node != self.root).then(|| self.id(self.parent_slot(slot_of(node))))
    }

    /// Returns the slot of the parent of the node in a slot; of the root, its own.
    #[inline]
    pub(in crate::scene) fn parent_slot(&self, slot: u32) -> u32 {
        self.parents[slot as usize]
    }

    pub(in crate::scene) fn children(&self, node: NodeId) -> &[NodeId] {
        self.links(node).map_or(&[], |links| links.children.as_slice())
    }

    /// Iterates over the children, the last first.
    pub(in crate::scene) fn children_reversed(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.links(node).into_iter().flat_map(|links| links.children.iter().rev())
    }

    pub(in crate::scene) fn colliders(&self, node: NodeId) -> &[ColliderId] {
        self.links(node).map_or(&[], |links| &links.colliders)
    }

    /// Adds a collider to the list of a node that is in the scene.
    pub(in crate::scene) fn attach(&mut self, node: NodeId, collider: ColliderId) {
        self.links[slot_of(node) as usize].colliders.push(collider);
    }

    /// Removes a collider from the list of a node that is in the scene.
    pub(in crate::scene) fn detach(&mut self, node: NodeId, collider: ColliderId) {
        self.links[slot_of(node) as usize].colliders.retain(|id| *id != collider);
    }

    /// Iterates over the node and its ancestors, up to the root.
    pub(in crate::scene) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.contains(node).then_some(node);
        core::iter::successors(first, |node| self.parent(*node))
    }

    /// Returns `true` if a node is another one or a descendant of it.
    pub(in crate::scene) fn is_within(&self, node: NodeId, ancestor: NodeId) -> bool {
        // Most nodes have no children, and need no search.
        let has_children =
            || self.links.get(slot_of(ancestor) as usize).is_some_and(|links| !links.children.is_empty());
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
        let depth = |slot: u32| self.depths[slot as usize];
        let position = |slot: u32| self.links_at(slot).position;
        let (mut first, mut second) = (slot_of(a), slot_of(b));
        while depth(first) > depth(second) {
            first = self.parent_slot(first);
        }
        while depth(second) > depth(first) {
            second = self.parent_slot(second);
        }
        if first == second {
            // One of the two is an ancestor of the other, and comes first.
            return depth(slot_of(a)).cmp(&depth(slot_of(b)));
        }
        while self.parent_slot(first) != self.parent_slot(second) {
            (first, second) = (self.parent_slot(first), self.parent_slot(second));
        }
        position(first).cmp(&position(second))
    }

    /// Iterates over the node and its descendants, each before its children, siblings in order.
    pub(in crate::scene) fn subtree(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut pending: SmallVec<[NodeId; 8]> = self.contains(node).then_some(node).into_iter().collect();
        core::iter::from_fn(move || {
            let next = pending.pop()?;
            pending.extend(self.children_reversed(next));
            Some(next)
        })
    }

    /// Adds a node as the last child of another.
    pub(in crate::scene) fn insert(&mut self, parent: NodeId, node: Node) -> Result<NodeId, SceneError> {
        self.require(parent)?;
        let id = self.add(node, self.depths[slot_of(parent) as usize] + 1);
        self.link(id, parent);
        Ok(id)
    }

    /// Adds a node without a parent.
    fn add(&mut self, node: Node, depth: u32) -> NodeId {
        let id = self.nodes.insert(node);
        let slot = slot_of(id) as usize;
        if self.ids.len() <= slot {
            self.ids.resize(slot + 1, NodeId::null());
            self.parents.resize(slot + 1, 0);
            self.links.resize_with(slot + 1, Links::default);
            self.depths.resize(slot + 1, 0);
        }
        self.ids[slot] = id;
        self.parents[slot] = slot as u32;
        self.links[slot] = Links::default();
        self.depths[slot] = depth;
        id
    }

    /// Makes a node without a parent the last child of another.
    fn link(&mut self, node: NodeId, parent: NodeId) {
        let (slot, above) = (slot_of(node), slot_of(parent));
        self.links[slot as usize].position = self.links[above as usize].children.push(node);
        self.parents[slot as usize] = above;
        self.reversed += usize::from(slot < above);
    }

    /// Takes a node from its parent.
    fn unlink(&mut self, node: NodeId) {
        let slot = slot_of(node);
        let above = core::mem::replace(&mut self.parents[slot as usize], slot);
        self.reversed -= usize::from(slot < above);
        let position = self.links[slot as usize].position;
        if self.links[above as usize].children.remove(position) {
            self.renumber_children(above);
        }
    }

    fn renumber_children(&mut self, slot: u32) {
        let children = core::mem::take(&mut self.links[slot as usize].children);
        for (position, child) in (0..).zip(children.iter()) {
            self.links[slot_of(child) as usize].position = position;
        }
        self.links[slot as usize].children = children;
    }

    /// Removes a node with its subtree, and calls `removed` for each of these nodes with its colliders. Returns `false`
    /// for the root and for stale ids.
    pub(in crate::scene) fn remove(&mut self, node: NodeId, mut removed: impl FnMut(NodeId, &[ColliderId])) -> bool {
        if !self.contains(node) || node == self.root {
            return false;
        }
        self.unlink(node);
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let slot = slot_of(node);
            let links = core::mem::take(&mut self.links[slot as usize]);
            self.nodes.remove(node);
            self.ids[slot as usize] = NodeId::null();
            self.reversed -= usize::from(slot < self.parent_slot(slot));
            pending.extend(links.children.iter());
            removed(node, &links.colliders);
        }
        true
    }

    /// Checks that a node may become the child of another.
    pub(in crate::scene) fn check_move(&self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.require(node)?;
        self.require(parent)?;
        if node == self.root {
            return Err(SceneError::Root(node));
        }
        if self.is_within(parent, node) { Err(SceneError::Cycle { node, parent }) } else { Ok(()) }
    }

    /// Makes a node the last child of another.
    pub(in crate::scene) fn set_parent(&mut self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.check_move(node, parent)?;
        self.unlink(node);
        self.link(node, parent);
        let depth = |depths: &[u32], above: u32| depths[above as usize] + 1;
        if self.depths[slot_of(node) as usize] != depth(&self.depths, slot_of(parent)) {
            let moved: Vec<NodeId> = self.subtree(node).collect();
            for slot in moved.into_iter().map(slot_of) {
                self.depths[slot as usize] = depth(&self.depths, self.parent_slot(slot));
            }
        }
        Ok(())
    }

    /// Moves a node among its siblings, so that `index` of them precede it, or all if there are fewer.
    pub(in crate::scene) fn move_child(&mut self, node: NodeId, index: usize) -> Result<(), SceneError> {
        self.require(node)?;
        if node == self.root {
            return Err(SceneError::Root(node));
        }
        let above = self.parent_slot(slot_of(node));
        self.links[above as usize].children.reorder(node, index);
        self.renumber_children(above);
        Ok(())
    }

    /// Sorts slots of nodes so that parents come before their children.
    pub(in crate::scene) fn sort_parents_first(&mut self, slots: &mut Vec<u32>) {
        let Self { depths, sorter, reversed, .. } = self;
        let depth = |slot: &u32| depths[*slot as usize] as usize;
        if (*reversed == 0 && slots.is_sorted()) || slots.is_sorted_by_key(depth) {
            return;
        }
        let deepest = slots.iter().map(depth).max().unwrap_or(0);
        // A few nodes in a very deep tree are not worth a bucket for each depth.
        if deepest > 4 * slots.len() + 64 {
            slots.sort_by_key(depth);
        } else {
            sorter.sort_by_key(slots, deepest + 1, depth);
        }
    }

    /// Frees memory that is not in use, and returns the number of slots that are left.
    pub(in crate::scene) fn shrink_to_fit(&mut self) -> usize {
        let slots = self.nodes.keys().map(|node| slot_of(node) as usize + 1).max().unwrap_or(0);
        self.links.truncate(slots);
        for links in &mut self.links {
            links.children.shrink_to_fit();
            links.colliders.shrink_to_fit();
        }
        self.links.shrink_to_fit();
        shrink(&mut self.ids, slots);
        shrink(&mut self.parents, slots);
        shrink(&mut self.depths, slots);
        self.sorter = CountingSort::default();
        slots
    }

    /// Returns a message if links, depths or counts disagree.
    pub(in crate::scene) fn validate(&self) -> Result<(), String> {
        let (mut children, mut reversed) = (0, 0);
        for node in self.nodes.keys() {
            let slot = slot_of(node);
            let links = self.links_at(slot);
            let parent = self.ids.get(self.parent_slot(slot) as usize).copied();
            let is_root = node == self.root;
            let above = parent.filter(|parent| self.contains(*parent)).map(|parent| slot_of(parent) as usize);
            let parents = above.filter(|_| !is_root);
            let depth = parents.map_or(0, |above| self.depths[above] + 1);
            let is_at_position = |above: usize| self.links[above].children.at(links.position) == Some(node);
            let checks = [
                (self.id(slot) == node, "is not the node of its slot"),
                (above.is_some() && (parent == Some(node)) == is_root, "has no valid parent"),
                (parents.is_none_or(is_at_position), "is not at its position among its parent's children"),
                (links.children.iter().all(|child| self.parent(child) == Some(node)), "has a child of another node"),
                (self.depths[slot as usize] == depth, "has a wrong depth"),
            ];
            if let Some((_, message)) = checks.iter().find(|(holds, _)| !holds) {
                return Err(format!("{node:?} {message}"));
            }
            children += links.children.iter().count();
            reversed += usize::from(parents.is_some_and(|above| (slot as usize) < above));
        }
        if children + 1 != self.len() {
            return Err(format!("{} nodes, but {children} children", self.len()));
        }
        if reversed != self.reversed {
            return Err(format!("{reversed} nodes have a smaller slot than their parent, not {}", self.reversed));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validation_finds_every_link_that_disagrees() {
        type Damage = fn(&mut Hierarchy, [usize; 3]);
        let cases: [(&str, Damage); 7] = [
            ("is not the node of its slot", |tree, [_, _, leaf]| tree.ids[leaf] = NodeId::null()),
            ("has a child of another node", |tree, [_, above, _]| tree.parents[above] = above as u32),
            ("has no valid parent", |tree, [root, ..]| tree.parents[root] = u32::MAX),
            ("is not at its position", |tree, [_, _, leaf]| tree.links[leaf].position = 1),
            ("has a child of another", |tree, [root, above, _]| {
                let own = tree.links[root].children.clone();
                for child in own.iter() {
                    tree.links[above].children.push(child);
                }
            }),
            ("has a wrong depth", |tree, [_, above, _]| tree.depths[above] = 2),
            ("have a smaller slot", |tree, _| tree.reversed = 1),
        ];
        let mut tree = Hierarchy::new();
        let above = tree.insert(tree.root(), Node::new("above")).unwrap();
        let leaf = tree.insert(above, Node::new("leaf")).unwrap();
        assert_eq!(tree.validate(), Ok(()));
        for (expected, damage) in cases {
            let mut damaged = tree.clone();
            damage(&mut damaged, [tree.root(), above, leaf].map(|node| slot_of(node) as usize));
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }

    #[test]
    fn validation_finds_a_child_that_is_listed_twice() {
        let mut tree = Hierarchy::new();
        let child = tree.insert(tree.root(), Node::new("child")).unwrap();
        tree.links[slot_of(tree.root) as usize].children.push(child);
        assert_eq!(tree.validate(), Err("2 nodes, but 2 children".into()));
    }

    #[test]
    fn parents_are_sorted_before_their_children_however_deep() {
        let mut tree = Hierarchy::new();
        let chain: Vec<NodeId> = (0..300).fold(vec![tree.root()], |mut chain, _| {
            let next = tree.insert(chain[chain.len() - 1], Node::default()).unwrap();
            chain.push(next);
            chain
        });
        // The second node comes under the last sibling, so that its slot is smaller than its parent's.
        let sibling = tree.insert(tree.root(), Node::default()).unwrap();
        tree.set_parent(chain[1], sibling).unwrap();
        assert_eq!(tree.validate(), Ok(()));
        for count in [3, 300] {
            let mut slots: Vec<u32> = chain[1..count].iter().rev().chain([&sibling]).map(|id| slot_of(*id)).collect();
            tree.sort_parents_first(&mut slots);
            let mut expected: Vec<u32> = chain[1..count].iter().map(|id| slot_of(*id)).collect();
            expected.insert(0, slot_of(sibling));
            assert_eq!(slots, expected);
        }
    }
}
